// Light or dark, before anything is drawn: what was chosen last, else what the system says.
// A page opened from disk may not be allowed to remember; then the choice holds until it is closed.
(() => {
  "use strict";
  const KEY = "tribunal-theme";
  const root = document.documentElement;
  const order = ["system", "light", "dark"];
  let theme = "system";
  try {
    theme = localStorage.getItem(KEY) || theme;
  } catch {
    // Nothing is remembered here.
  }
  const apply = () => {
    if (!order.includes(theme)) theme = "system";
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
  };
  apply();
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("[data-theme-switch]");
    if (!button) return;
    const label = () => {
      button.textContent = `Theme: ${theme}`;
    };
    label();
    button.addEventListener("click", () => {
      theme = order[(order.indexOf(theme) + 1) % order.length];
      apply();
      label();
      try {
        localStorage.setItem(KEY, theme);
      } catch {
        // As above.
      }
    });
  });
})();
