// What happens when the page is opened. Tables and figures stand there already; this only makes them handier. The judgements
// are opened when somebody comes near them, or when the address asks for them.

for (const element of document.querySelectorAll("[data-needs-script]")) element.hidden = false;
setUpContents();
setUpJumps();
setUpMenus();
setUpTables();

setUpPrint();

const holder = document.getElementById("browser");
const browser = holder && !outOfReach(holder) ? new Browser(holder) : null;
// How to look at the judgements is said where they cannot be looked at.
if (browser) document.querySelector("[data-apart]")?.remove();
setUpKeys(browser);

if (browser) {
  const near = new IntersectionObserver(
    (changes) => {
      if (!changes.some((change) => change.isIntersecting)) return;
      near.disconnect();
      browser.load();
    },
    { rootMargin: "800px 0px" },
  );
  near.observe(holder);
  addEventListener("popstate", () => browser.recall());
  browser.recall();
}
