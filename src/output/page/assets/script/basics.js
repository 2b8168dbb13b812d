// Elements, numbers and words. Texts become text nodes and never markup: there is no innerHTML in this script, and the
// policy of the page forbids it.

/** An element with attributes (functions under `on…` listen to events) and children: elements, texts, or nothing. */
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else element.setAttribute(name, value);
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined) element.append(child);
  }
  return element;
}

/** A number as people read it: thousands set apart, three decimals at most, a true minus. */
function number(value) {
  return value.toLocaleString("en-US", { maximumFractionDigits: 3 }).replace("-", "\u2212");
}

/** A number with its noun. */
function count(n, one, many = `${one}s`) {
  return `${number(n)} ${n === 1 ? one : many}`;
}

/** Says something to those who listen rather than look. */
function announce(text) {
  const live = document.getElementById("live");
  if (live) live.textContent = text;
}

/** Calls `work` once things have been quiet for a moment. */
function quietly(work, pause = 120) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...given), pause);
  };
}

/** How texts are ordered: `item 2` before `item 10`. */
const collator = new Intl.Collator("en", { numeric: true });

/** Whether moving things is unwelcome. */
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Brings an element into view, in its own box and in the page. */
function bringIntoView(element, block = "center") {
  element.scrollIntoView({ block, inline: "nearest", behavior: still.matches ? "auto" : "smooth" });
}
