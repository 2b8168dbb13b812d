// A document with what was done to it: as it was judged, as it was before, or both; from one edit to the next.

const MODES = [
  ["damaged", "As judged"],
  ["before", "As it was"],
  ["both", "Both"],
];

class DocumentView {
  /** `quotes` are places `{start, end, issue}` that issues quote; `before` fetches the document before its manipulation. */
  constructor(document, { quotes, before }) {
    this.document = document;
    this.quotes = quotes;
    this.before = before;
    this.edits = document.edits ?? [];
    this.mode = "damaged";
    this.current = -1;
    this.holder = make("div", { class: "document-text" });
    this.element = make("section", { class: "document", "aria-labelledby": "document-title" }, this.head(), this.holder);
    this.show();
  }

  head() {
    const { document, edits } = this;
    const kinds = new Map();
    for (const { kind } of edits) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const parts = [make("h4", { id: "document-title", tabindex: "-1" }, "Document ", isolated(document.label ?? document.id, { class: "label" }))];
    if (edits.length || document.before !== null) parts.push(this.tools(kinds));
    for (const note of [document.why, document.edits_note]) if (note) parts.push(make("p", { class: "calm" }, isolated(note)));
    return make("header", {}, parts);
  }

  tools(kinds) {
    const { edits } = this;
    const modes = MODES.map(([mode, words]) =>
      make(
        "button",
        { type: "button", "data-mode": mode, "aria-pressed": String(mode === this.mode), onclick: () => this.switch(mode) },
        words,
      ),
    );
    this.modes = make("div", { class: "switch", role: "group", "aria-label": "Show the document" }, modes);
    if (!edits.length) return make("div", { class: "document-tools" }, this.modes);
    this.where = make("span", { class: "where" }, count(edits.length, "edit"));
    const words = [...kinds].map(([kind, n]) => `${kind} ${number(n)}`).join(", ");
    return make(
      "div",
      { class: "document-tools" },
      this.modes,
      make(
        "div",
        { class: "steps" },
        make("button", { type: "button", onclick: () => this.step(-1), "aria-label": "Edit before this one" }, "\u2191"),
        this.where,
        make("button", { type: "button", onclick: () => this.step(1), "aria-label": "Next edit" }, "\u2193"),
      ),
      make("span", { class: "kinds" }, isolated(words)),
    );
  }

  switch(mode) {
    this.mode = mode;
    for (const button of this.modes.children) button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
    this.show();
    announce(MODES.find(([one]) => one === mode)[1]);
  }

  async show() {
    const { document, edits, mode } = this;
    let text = document.text;
    if (mode === "before" && !edits.length) text = (await this.before())?.text ?? null;
    if (text === null || text === undefined) {
      this.text = null;
      this.holder.replaceChildren(make("p", { class: "calm" }, "There is no text."));
      return;
    }
    const runs = composed(text, edits, mode);
    const pieces = cut(runs, mode === "before" && !edits.length ? [] : this.quotes);
    this.text = new LongText(pieces, { wrap: (piece) => this.wrap(piece), label: "Text of the document" });
    this.holder.replaceChildren(this.text.element);
  }

  /** What a piece stands in: the edit that made it, the issues that quote it. */
  wrap({ edit, role, places }) {
    let outer = null;
    let inner = null;
    if (edit >= 0) {
      const tag = { new: "ins", old: "del", gap: "span" }[role];
      // What was there is told by style (generated content), so that the text of the element is the document's and nothing else.
      outer = make(tag, { class: `edit ${role}`, "data-edit": edit, "data-said": this.said(edit, role), tabindex: "-1" });
      inner = outer;
    }
    if (places?.length) {
      const issues = places.map((place) => this.quotes[place].issue);
      const mark = make("mark", { class: "quote", "data-issue": issues.join(" "), tabindex: "-1" });
      if (outer) outer.append(mark);
      else outer = mark;
      inner = mark;
    }
    return outer && { outer, inner };
  }

  /** What an edit did, for those who hear the page. */
  said(index, role) {
    const { kind } = this.edits[index];
    const [original, text] = [this.edits[index].original, this.edits[index].text].map((one) => spelled(shortened(one ?? "")));
    if (this.mode === "both") return role === "old" ? `${kind}, before: ` : `${kind}: `;
    if (role === "new") return original ? `${kind}, before: ${original}; now: ` : `${kind}, put in: `;
    if (role === "old") return text ? `${kind}, now: ${text}; before: ` : `${kind}, taken out: `;
    return original ? `${kind}, taken out: ${original}` : `${kind}, put in: ${text}`;
  }

  /** To the next edit or the one before. */
  step(by) {
    const { edits } = this;
    if (!edits.length || !this.text) return;
    this.current = (this.current + by + edits.length) % edits.length;
    if (this.current < 0) this.current = edits.length - 1;
    this.go(this.current);
  }

  go(index) {
    this.current = index;
    const element = this.text?.find(`[data-edit="${index}"]`, (piece) => piece.edit === index);
    this.where.textContent = `edit ${number(index + 1)} of ${number(this.edits.length)}`;
    if (!element) return;
    element.focus({ preventScroll: true });
    bringIntoView(element);
  }

  /** To the passage that an issue quotes. */
  goToIssue(issue) {
    const has = (piece) => piece.places?.some((place) => this.quotes[place].issue === issue);
    const element = this.text?.find(`[data-issue~="${issue}"]`, has);
    if (!element) return false;
    element.focus({ preventScroll: true });
    bringIntoView(element);
    return true;
  }
}

/** The beginning of a text that is only named. */
function shortened(text, most = 300) {
  return text.length <= most ? text : `${text.slice(0, most)}\u2026`;
}

/** A small box beside the edit that is pointed at or has the focus: what it is and what was there. */
function setUpTip() {
  const tip = make("div", { class: "tip", hidden: true, "aria-hidden": "true" });
  let view = null;
  const hide = () => {
    tip.hidden = true;
  };
  const show = (element) => {
    const edit = view?.edits[Number(element.dataset.edit)];
    if (!edit) return hide();
    tip.replaceChildren(make("b", {}, isolated(edit.kind)));
    const say = (word, text) => tip.append(make("div", {}, make("span", {}, word), isolated(shortened(text))));
    if (edit.original) say("before", edit.original);
    if (edit.text) say("now", edit.text);
    tip.hidden = false;
    const [at] = element.getClientRects();
    if (!at) return hide();
    const { offsetWidth: width, offsetHeight: height } = tip;
    tip.style.left = `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`;
    tip.style.top = `${at.top - height - 6 < 8 ? at.bottom + 6 : at.top - height - 6}px`;
  };
  return {
    tip,
    attach(documentView) {
      view = documentView;
      hide();
      const { holder } = documentView;
      for (const type of ["mouseover", "focusin"]) {
        holder.addEventListener(type, (event) => {
          const edit = event.target.closest?.("[data-edit]");
          if (edit) show(edit);
        });
      }
      for (const type of ["mouseout", "focusout"]) holder.addEventListener(type, hide);
      holder.addEventListener("click", (event) => {
        const edit = event.target.closest?.("[data-edit]");
        if (edit) documentView.go(Number(edit.dataset.edit));
      });
    },
    hide,
  };
}
