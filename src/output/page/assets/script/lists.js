// Lists and trees beside a document: each element with what judges said of it, whichever judge of the row it was.

/** The lists of a document, and what the replies that are about them say of their elements; null where there are none. */
function listsView(lists, replies, here) {
  const parts = lists.map(([name, json]) => {
    const value = parsed(json);
    const said = replies.filter(({ reply }) => reply?.list === name);
    const title = make("h5", {}, isolated(name));
    let body;
    if (Array.isArray(value) && value.length && value.every(isRecord)) body = recordsView(name, value, said, here);
    else if (Array.isArray(value)) body = elementsView(name, value, said, here);
    else body = treeView(value);
    return make("section", { class: "beside-list", "data-list": name, "aria-label": name }, title, body);
  });
  if (!parts.length) return null;
  const head = make("h4", { id: "lists-title", tabindex: "-1" }, "Lists of the row");
  return make("section", { class: "lists", "aria-labelledby": "lists-title" }, head, parts);
}

/** What JSON holds; the text itself where it is none. */
function parsed(json) {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Plain elements: texts and numbers, counted. */
function elementsView(name, values, said, here) {
  if (!values.length) return make("p", { class: "calm" }, "An empty list.");
  const items = values.map((value, at) =>
    make("li", { class: isHere(here, name, at) ? "here" : null }, valueView(value), " ", verdicts(said, at)),
  );
  return make("ol", { class: "elements" }, items);
}

/** Objects, one below the other: the longest value is what is read, the others stand below it. Further in the deeper one
 *  lies, where numbers such as 1.2 say so. */
function recordsView(name, values, said, here) {
  const keys = [...new Set(values.flatMap((value) => Object.keys(value)))];
  const place = keys.find((key) => values.every((value) => /^\d+(\.\d+)*$/.test(String(value[key] ?? ""))));
  const longest = keys.reduce((best, key) => (width(values, key) > width(values, best) ? key : best), keys[0]);
  const items = values.map((value, at) => {
    const others = keys.filter((key) => key !== longest && key !== place);
    const told = others.map((key) => make("span", {}, make("span", { class: "key" }, isolated(key)), " ", valueView(value[key])));
    const item = make(
      "li",
      { class: isHere(here, name, at) ? "here" : null },
      make("div", {}, place ? [make("span", { class: "key" }, isolated(String(value[place]))), " "] : null, valueView(value[longest])),
      make("div", { class: "told" }, told, verdicts(said, at)),
    );
    item.style.setProperty("--depth", String(place ? String(value[place]).split(".").length - 1 : 0));
    return item;
  });
  return make("ul", { class: "records" }, items);
}

/** How many letters a key's values have. */
function width(values, key) {
  return values.reduce((sum, value) => sum + (typeof value[key] === "string" ? value[key].length : 0), 0);
}

/** Objects and lists in each other, as lists in each other. */
function treeView(value) {
  if (Array.isArray(value)) return make("ul", { class: "tree" }, value.map((one) => make("li", {}, treeView(one))));
  if (!isRecord(value)) return valueView(value);
  const plain = Object.entries(value).filter(([, one]) => typeof one !== "object" || one === null);
  const deep = Object.entries(value).filter(([, one]) => typeof one === "object" && one !== null);
  const words = plain.map(([key, one], at) => [at ? " \u00b7 " : "", plain.length > 1 ? [make("span", { class: "key" }, isolated(key)), " "] : "", valueView(one)]);
  const inner = deep.map(([key, one]) => [plain.length && deep.length < 2 ? null : make("span", { class: "key" }, isolated(key)), treeView(one)]);
  return make("div", {}, words.flat(2), inner.flat());
}

/** A value as text; lists of plain values in one line. */
function valueView(value) {
  if (value === null || value === undefined) return make("span", { class: "calm" }, "\u2014");
  if (Array.isArray(value) && value.every(isRecord)) {
    const words = value.map((one) => Object.values(one).map((part) => String(part ?? "\u2014")).join(" "));
    return isolated(words.join(", "));
  }
  if (Array.isArray(value)) return isolated(value.map((one) => (typeof one === "object" ? JSON.stringify(one) : String(one))).join(", "));
  if (typeof value === "object") return treeView(value);
  return isolated(String(value));
}

/** What judges said of an element. */
function verdicts(said, at) {
  return said.flatMap(({ judge, reply }) =>
    (reply.scores ?? [])
      .filter((score) => score.item === at)
      .map((score) => {
        const none = score.score === null || score.score === undefined;
        const words = score.says ?? (none ? "" : number(score.score));
        const why = none ? [score.unscored, score.detail].filter(Boolean).join(": ") || "unscored" : "";
        const title = `${judge}, ${score.metric}`;
        return make("span", { class: `badge verdict${none ? " alert" : ""}`, title }, isolated([words, why].filter(Boolean).join(" \u00b7 ")));
      }),
  );
}

/** Whether the judgement that is shown is about this element. */
function isHere(here, name, at) {
  return here?.list === name && here.item === at;
}
