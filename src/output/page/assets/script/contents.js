// The table of contents: found by name, and where one is marked.

function setUpContents() {
  const nav = document.querySelector(".contents");
  if (!nav) return;
  const fold = nav.querySelector("details");
  const narrow = matchMedia("(max-width: 1099px)");
  const fit = () => {
    fold.open = !narrow.matches;
  };
  fit();
  narrow.addEventListener("change", fit);
  nav.addEventListener("click", (event) => {
    if (narrow.matches && event.target.closest("a")) fold.open = false;
  });
  setUpSearch(nav);
  markCurrent(nav);
}

/**
 * Stays with the place that a link leads to. What is out of sight is laid out by estimate, so a jump over much of it moves
 * its end: it is made again for some frames.
 */
function setUpJumps() {
  const stay = (target) => {
    if (!target) return;
    let frames = 12;
    const again = () => {
      target.scrollIntoView({ behavior: "instant", block: "start" });
      frames -= 1;
      if (frames) requestAnimationFrame(again);
    };
    requestAnimationFrame(again);
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href^='#']");
    if (link && !link.matches(".skip")) stay(document.getElementById(link.hash.slice(1)));
  });
  addEventListener("load", () => stay(document.querySelector(":target")), { once: true });
}

function setUpSearch(nav) {
  const input = nav.querySelector("input");
  if (!input) return;
  const none = nav.querySelector(".contents-none");
  const items = [...nav.querySelectorAll("li")].map((item) => ({ item, text: item.textContent.toLowerCase() }));
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    nav.classList.toggle("searching", words.length > 0);
    let shown = 0;
    for (const { item, text } of items) {
      // The contents of an experiment that is meant by its name are all meant.
      const whole = item.parentElement.closest("li")?.querySelector("a").textContent.toLowerCase() ?? "";
      item.hidden = !words.every((word) => text.includes(word) || whole.includes(word));
      if (!item.hidden) shown += 1;
    }
    none.hidden = shown > 0;
  });
}

function markCurrent(nav) {
  const links = new Map();
  for (const link of nav.querySelectorAll("a")) links.set(link.hash.slice(1), link);
  const seen = new Set();
  let marked = null;
  const watch = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        if (isIntersecting) seen.add(target);
        else seen.delete(target);
      }
      // The innermost of those in sight: an article rather than its section.
      const inner = [...seen].filter((one) => ![...seen].some((other) => other !== one && one.contains(other)));
      const link = links.get(inner[0]?.id);
      if (!link || link === marked) return;
      marked?.removeAttribute("aria-current");
      marked?.closest("[data-experiment]")?.classList.remove("here");
      link.setAttribute("aria-current", "true");
      link.closest("[data-experiment]")?.classList.add("here");
      marked = link;
      const [box, line] = [nav.getBoundingClientRect(), link.getBoundingClientRect()];
      if (line.top < box.top || line.bottom > box.bottom) nav.scrollTop += line.top - box.top - box.height / 3;
    },
    { rootMargin: "-15% 0px -75% 0px" },
  );
  for (const id of links.keys()) {
    const target = document.getElementById(id);
    if (target) watch.observe(target);
  }
}
