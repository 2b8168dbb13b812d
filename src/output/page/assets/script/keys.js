// Keys, and the list of them under `?`.

const KEYS = [
  ["In the list", [
    ["\u2191 \u2193 or k j", "one row up, down"],
    ["Page \u2191 \u2193, Home, End", "further"],
    ["Enter", "open the judgement"],
    ["/", "find"],
  ]],
  ["In a judgement", [
    ["j k", "next judgement, the one before"],
    ["n p", "next edit, the one before"],
    ["m", "as judged, as it was, both"],
    ["Escape", "close"],
  ]],
  ["Everywhere", [["?", "these keys"]]],
];

function setUpKeys(browser) {
  const dialog = keysDialog();
  document.body.append(dialog);
  const show = () => {
    if (!dialog.open) dialog.showModal();
  };
  document.querySelector("[data-keys]")?.addEventListener("click", show);
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    const opened = browser?.state.open >= 0;
    if (event.key === "Escape" && opened) {
      event.preventDefault();
      browser.close();
      return;
    }
    // Letters typed into a field are letters.
    if (event.target.closest?.("input:not([type=checkbox]), select, textarea")) return;
    const view = browser?.detail?.view;
    const next = { damaged: "before", before: "both", both: "damaged" };
    const actions = {
      "?": show,
      "/": browser?.rows && !opened ? () => find(browser) : null,
      j: opened ? () => browser.step(1) : null,
      k: opened ? () => browser.step(-1) : null,
      n: opened && view ? () => view.step(1) : null,
      p: opened && view ? () => view.step(-1) : null,
      m: opened && view?.modes ? () => view.switch(next[view.mode]) : null,
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

function find(browser) {
  if (getComputedStyle(browser.filters.element).display === "none") browser.unfold(true);
  browser.filters.find.focus();
  browser.filters.find.select();
}

function keysDialog() {
  const groups = KEYS.flatMap(([title, keys]) => [
    make("h3", {}, title),
    make("dl", { class: "facts" }, keys.map(([key, does]) => make("div", {}, make("dt", {}, make("kbd", {}, key)), make("dd", {}, does)))),
  ]);
  const dialog = make(
    "dialog",
    { class: "keys", "aria-labelledby": "keys-title" },
    make("h2", { id: "keys-title" }, "Keys"),
    groups,
    make("button", { type: "button", onclick: () => dialog.close() }, "Close"),
  );
  return dialog;
}
