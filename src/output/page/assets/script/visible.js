// Signs without a look of their own, shown as small boxes with their number. `src/output/page/visible.rs` has the same list.
// A carriage return before the end of a line belongs to it; another one is shown.

const HIDDEN =
  /([\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\r(?!\n))\1*/gu;

/** Appends a text to an element, hidden signs as boxes; many of the same in a row are one box. */
function appendVisible(parent, text) {
  let from = 0;
  for (const found of text.matchAll(HIDDEN)) {
    if (found.index > from) parent.append(text.slice(from, found.index));
    const code = found[1].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    const times = found[0].length / found[1].length;
    parent.append(make("span", { class: "sign" }, `U+${code}${times > 1 ? ` \u00d7 ${number(times)}` : ""}`));
    from = found.index + found[0].length;
  }
  if (from < text.length) parent.append(text.slice(from));
  return parent;
}

/** A short text from data, kept apart from the direction in which its surroundings are written. */
function isolated(text, attributes) {
  return appendVisible(make("bdi", attributes), String(text));
}

/** A text for an attribute: hidden signs by their numbers. */
function spelled(text) {
  return appendVisible(make("span"), text).textContent;
}
