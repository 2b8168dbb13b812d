// The list of judgements: only the rows in sight are in the document, so that a hundred thousand of them cost as much as
// thirty. The list keeps the focus and names its active row; a screen reader hears rows by number and of how many.

/** The most rows that are shown: browsers cannot make boxes higher than some 17 million dots. */
const MOST_ROWS = 300_000;

class List {
  /** `open` is called with a row to be opened, `sort` with a column's name. */
  constructor(rows, state, { open, sort }) {
    this.rows = rows;
    this.state = state;
    this.open = open;
    this.found = new Int32Array(0);
    this.active = 0;
    this.shown = new Map();
    this.columns = rows.columns.filter(
      (column) => (column.distinct > 1 && !column.lists && !column.ofDocument) || column.name === "doc_id" || column.name === "score",
    );
    this.heads = new Map();
    const head = make("div", { role: "row", "aria-rowindex": "1", class: "list-head" });
    for (const column of this.columns) {
      const cell = make(
        "div",
        { role: "columnheader", class: column.kind === "number" ? "numeric" : null },
        make("button", { type: "button", class: "sort", tabindex: "-1", onclick: () => sort(column.name) }, isolated(heading(column.name))),
      );
      this.heads.set(column.name, cell);
      head.append(cell);
    }
    this.body = make("div", { role: "rowgroup", class: "list-body" });
    this.element = make(
      "div",
      { role: "grid", class: "list", id: "judgements-list", tabindex: "0", "aria-label": "Judgements", "aria-readonly": "true" },
      make("div", { role: "rowgroup" }, head),
      this.body,
    );
    this.element.addEventListener("scroll", () => this.later(), { passive: true });
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.body.addEventListener("click", (event) => {
      const row = event.target.closest("[role=row]");
      if (!row) return;
      this.activate(Number(row.getAttribute("aria-rowindex")) - 2);
      this.open(this.found[this.active]);
    });
    new ResizeObserver(() => this.fit()).observe(this.element);
  }

  /** Wide: a column each. Narrow, or with more columns than there is room for: two lines with what has a value. */
  fit() {
    let least = 0;
    const widths = this.columns.map((column) => {
      const letters = [Math.min(column.widest, 24), heading(column.name).length + 2];
      const [value, head] = letters.map((many) => many * 0.62 + 1.6);
      const id = column.name === "doc_id";
      const small = Math.max(head, Math.min(value, id ? 12 : 6.5));
      least += small;
      return `minmax(${small}em, ${id ? "1fr" : `${Math.max(value, head)}em`})`;
    });
    this.element.style.setProperty("--columns", widths.join(" "));
    this.element.style.setProperty("--least", `${least}em`);
    const width = this.element.clientWidth;
    this.narrow = width < 560 || least * Number.parseFloat(getComputedStyle(this.element).fontSize) > width;
    this.height = this.narrow ? 54 : 32;
    this.element.classList.toggle("narrow", this.narrow);
    this.clear();
    // Rows may be of another height now: the open one stays in sight.
    if (this.state.open >= 0) this.activate(this.active);
    else this.draw();
  }

  /** Shows other rows; the active one stays active if it is among them. */
  show(found) {
    const before = this.found[this.active];
    this.found = found;
    const again = found.indexOf(before);
    this.active = Math.max(again, 0);
    this.element.setAttribute("aria-rowcount", String(found.length + 1));
    for (const [name, cell] of this.heads) {
      const sorted = this.state.sort === name;
      if (sorted) cell.setAttribute("aria-sort", this.state.descending ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    }
    this.clear();
    if (again < 0) this.element.scrollTop = 0;
    this.draw();
  }

  clear() {
    this.body.replaceChildren();
    this.shown.clear();
  }

  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  /** Puts the rows in sight, and a few around them, into the document. */
  draw() {
    const { height, element, found } = this;
    if (!height) return;
    const most = Math.min(found.length, MOST_ROWS);
    this.body.style.height = `${most * height}px`;
    const first = Math.max(0, Math.floor(element.scrollTop / height) - 6);
    const last = Math.min(most, Math.ceil((element.scrollTop + element.clientHeight) / height) + 6);
    for (const [at, row] of this.shown) {
      if (at >= first && at < last) continue;
      row.remove();
      this.shown.delete(at);
    }
    for (let at = first; at < last; at += 1) {
      if (this.shown.has(at)) continue;
      const row = this.row(at);
      this.shown.set(at, row);
      this.body.append(row);
    }
    this.mark();
  }

  row(at) {
    const { rows, found, height } = this;
    const row = found[at];
    const element = make("div", { role: "row", id: `judgement-${row}`, "aria-rowindex": at + 2, class: "list-row" });
    element.style.top = `${at * height}px`;
    const cell = (column) => {
      const text = rows.text(column, row);
      const shown = isolated(column.name === "score" && text === "" ? "\u2014" : text);
      // What may be cut off is shown whole by pointing at it. Names of columns are data: only these two are classes.
      const kind = column.kind === "number" ? "numeric " : "";
      const known = ["doc_id", "score", "unscored"].includes(column.name) ? `cell-${column.name}` : "";
      const title = text.length > 8 ? spelled(text) : null;
      return make("div", { role: "gridcell", class: kind + known, title }, shown);
    };
    if (!this.narrow) {
      element.append(...this.columns.map(cell));
      return element;
    }
    const top = this.columns.filter(({ name }) => name === "doc_id" || name === "score");
    const rest = this.columns.filter((column) => !top.includes(column) && rows.text(column, row) !== "");
    // Which experiments a judgement is in is long, and says the least.
    rest.sort((one, other) => (one.name === "in") - (other.name === "in"));
    const line = make("div", { role: "gridcell", class: "list-rest" });
    rest.forEach((column, index) => {
      if (index > 0) line.append(" · ");
      const text = rows.text(column, row);
      line.append(isolated(column.kind === "number" ? `${column.name} ${text}` : text));
    });
    element.append(...top.map(cell), line);
    return element;
  }

  /** Says which row is active and which one is open. */
  mark() {
    const active = this.found[this.active];
    for (const [at, row] of this.shown) {
      row.classList.toggle("active", at === this.active);
      row.setAttribute("aria-selected", String(this.found[at] === this.state.open));
    }
    if (active !== undefined && this.shown.has(this.active)) {
      this.element.setAttribute("aria-activedescendant", `judgement-${active}`);
    } else this.element.removeAttribute("aria-activedescendant");
  }

  /** Makes a place of the list active and brings it into sight. */
  activate(at) {
    this.active = Math.max(0, Math.min(at, Math.min(this.found.length, MOST_ROWS) - 1));
    const { element, height } = this;
    // Before the list has been laid out nothing can be scrolled; `fit` comes back to this.
    if (!height) return;
    this.body.style.height = `${Math.min(this.found.length, MOST_ROWS) * height}px`;
    const head = this.narrow ? 0 : 32;
    const [top, bottom] = [this.active * height, (this.active + 1) * height];
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight - head) {
      element.scrollTop = bottom - element.clientHeight + head;
    }
    this.draw();
  }

  /** The row so many places from the active one, made active; null at an end. */
  step(by) {
    const at = this.active + by;
    if (at < 0 || at >= this.found.length) return null;
    this.activate(at);
    return this.found[this.active];
  }

  key(event) {
    if (event.target !== this.element || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.height) - 2);
    const steps = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: page, PageUp: -page };
    if (event.key in steps) this.activate(this.active + steps[event.key]);
    else if (event.key === "Home") this.activate(0);
    else if (event.key === "End") this.activate(this.found.length - 1);
    else if ((event.key === "Enter" || event.key === " ") && this.found.length) this.open(this.found[this.active]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
