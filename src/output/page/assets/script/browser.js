// The browser of judgements as a whole: filters, list and detail, and the address that says what is shown.
//
// The address is `#judgements?metric=fluency&score=2..4&find=story&sort=-score&row=17`: a link to it shows the same.

class Browser {
  constructor(holder) {
    this.holder = holder;
    this.state = { choices: new Map(), ranges: new Map(), find: "", whole: false, sort: null, descending: false, open: -1 };
    this.rows = null;
    holder.hidden = false;
    holder.append(make("p", { class: "calm" }, "Opening \u2026"));
  }

  /** Opens the rows, once. */
  load() {
    this.loading ??= Rows.open().then(
      (rows) => {
        this.build(rows);
        moveOut();
      },
      (error) => {
        this.holder.replaceChildren(make("p", { class: "alert" }, `The judgements cannot be shown: ${error.message}`));
      },
    );
    return this.loading;
  }

  build(rows) {
    this.rows = rows;
    this.search = new Search(rows);
    this.filters = new Filters(rows, this.state, () => this.changed());
    this.list = new List(rows, this.state, { open: (row) => this.open(row), sort: (name) => this.sort(name) });
    this.detail = new Detail(rows, { close: () => this.close(), step: (by) => this.step(by) });
    this.tally = make("span", { class: "found" });
    this.clear = make("button", { type: "button", class: "plain", onclick: () => this.filters.clear() }, "Clear filters");
    this.toggle = make("button", {
      type: "button",
      class: "plain filters-toggle",
      "aria-expanded": "false",
      onclick: () => this.unfold(!this.holder.classList.contains("filtering")),
    });
    this.order = make(
      "select",
      { id: "judgements-order", onchange: () => this.sort(this.order.value || null, false) },
      make("option", { value: "" }, "as asked"),
      this.list.columns.map((column) => make("option", { value: column.name }, heading(column.name))),
    );
    const same = rows.columns.filter((column) => column.kind === "choice" && column.distinct === 1 && !column.ofDocument && !this.list.columns.includes(column));
    const parts = [];
    const words = same.filter((column) => rows.count && rows.text(column, 0) !== "");
    if (words.length) {
      const line = make("p", { class: "same" }, "The same in all: ");
      words.forEach((column, index) => {
        line.append(index ? ", " : "", isolated(column.name), " ", isolated(rows.text(column, 0), { class: "value" }));
      });
      parts.push(line);
    }
    this.bar = make(
      "div",
      { class: "bar" },
      this.toggle,
      this.tally,
      this.clear,
      make("label", { class: "order", for: "judgements-order" }, "Sort ", this.order),
    );
    this.holder.replaceChildren(
      ...parts,
      make("div", { class: "bench" }, this.bar, this.filters.element, this.list.element, this.detail.element),
    );
    this.apply(false);
  }

  /** The filters of a narrow page, unfolded or folded. */
  unfold(open) {
    this.holder.classList.toggle("filtering", open);
    this.toggle.setAttribute("aria-expanded", String(open));
    if (open) this.filters.find.focus();
  }

  /** Shows what follows from the state; words that are looked for in texts are looked for first. */
  async refresh(tell = true) {
    const words = this.state.find.toLowerCase().split(/\s+/).filter(Boolean);
    if (this.state.whole && words.some((word) => !this.rows.hits.has(word))) {
      const progress = (share) => {
        const said = `Searching \u2026 ${Math.floor(share * 100)} %`;
        if (this.tally.textContent !== said) this.tally.textContent = said;
      };
      try {
        if (!(await this.search.run(words, progress))) return;
      } catch (error) {
        this.tally.textContent = `The texts cannot be searched: ${error.message}`;
        return;
      }
    }
    this.apply(tell);
  }

  apply(tell) {
    const { found, counts } = this.rows.filter(this.state);
    this.found = found;
    this.filters.show(counts);
    this.list.show(found);
    const active = this.filters.active();
    const all = this.rows.count;
    let words = found.length === all ? count(all, "judgement") : `${number(found.length)} of ${count(all, "judgement")}`;
    if (found.length > MOST_ROWS) words += `, the first ${number(MOST_ROWS)} in the list`;
    this.tally.textContent = words;
    this.clear.hidden = active === 0;
    this.toggle.textContent = active ? `Filters (${active})` : "Filters";
    this.order.value = this.state.sort ?? "";
    if (tell) announce(words);
  }

  changed() {
    this.refresh();
    this.remember();
  }

  /** Sorts by a column: upwards, then downwards, then as asked. */
  sort(name, turning = true) {
    const { state } = this;
    if (!turning || state.sort !== name) [state.sort, state.descending] = [name, false];
    else if (!state.descending) state.descending = true;
    else [state.sort, state.descending] = [null, false];
    this.changed();
  }

  /** Opens a row: the browser takes all of the window, the rest of the page rests. */
  async open(row, { quietly: silent = false } = {}) {
    const opening = this.state.open < 0;
    this.state.open = row;
    this.holder.classList.add("open");
    this.unfold(false);
    this.rest(true);
    if (!silent) this.remember(opening);
    const place = this.found.indexOf(row);
    if (place >= 0) this.list.activate(place);
    this.list.mark();
    const where = place < 0 ? "not in the list" : `${number(place + 1)} of ${number(this.found.length)}`;
    await this.detail.show(row, where);
    if (opening) this.detail.title.focus({ preventScroll: true });
    announce(`Judgement ${where}: ${this.detail.title.textContent}`);
  }

  close({ quietly: silent = false } = {}) {
    if (this.state.open < 0) return;
    this.state.open = -1;
    this.holder.classList.remove("open");
    this.detail.element.hidden = true;
    this.detail.tip.hide();
    this.rest(false);
    if (!silent) this.remember();
    this.list.fit();
    this.list.activate(this.list.active);
    this.list.element.focus({ preventScroll: true });
    this.holder.scrollIntoView({ block: "nearest" });
  }

  /** To the next row or the one before, with the detail if it is open. */
  step(by) {
    const row = this.list.step(by);
    if (row !== null && this.state.open >= 0) this.open(row);
  }

  /** Keeps everything outside the browser from focus and readers while a judgement fills the window. */
  rest(resting) {
    document.documentElement.classList.toggle("judgement-open", resting);
    for (let inner = this.holder; inner !== document.body; inner = inner.parentElement) {
      for (const other of inner.parentElement.children) {
        if (other !== inner && other.id !== "live" && other.tagName !== "DIALOG") other.inert = resting;
      }
    }
  }

  /** Writes the state into the address; a step back from a judgement that was opened closes it. */
  remember(step = false) {
    const { state, rows } = this;
    const words = new URLSearchParams();
    for (const column of rows.facets) {
      for (const code of state.choices.get(column.name) ?? []) words.append(column.name, code < 0 ? "" : column.values[code]);
    }
    const edge = (value) => (Number.isFinite(value) ? String(value) : "");
    for (const [name, [low, high]] of state.ranges) words.append(name, `${edge(low)}..${edge(high)}`);
    if (state.find.trim()) words.append("find", state.find.trim());
    if (state.whole) words.append("whole", "yes");
    if (state.sort) words.append("sort", (state.descending ? "-" : "") + state.sort);
    if (state.open >= 0) words.append("row", String(state.open));
    const address = `#judgements${words.size ? `?${words}` : ""}`;
    if (step) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  }

  /** Shows what the address says, if it is about judgements. */
  async recall() {
    const [place, words = ""] = location.hash.slice(1).split("?");
    if (place !== "judgements") {
      if (this.state.open >= 0) this.close({ quietly: true });
      return;
    }
    await this.load();
    if (!this.rows) return;
    const { state, rows } = this;
    const given = new URLSearchParams(words);
    state.choices.clear();
    state.ranges.clear();
    for (const column of rows.facets) {
      const codes = given.getAll(column.name).map((value) => (value === "" ? -1 : column.values.indexOf(value)));
      const known = codes.filter((code, at) => code >= 0 || given.getAll(column.name)[at] === "");
      if (known.length) state.choices.set(column.name, new Set(known));
    }
    for (const column of rows.ranges) {
      const [, low, high] = /^(-?[\d.e+-]*?)\.\.(-?[\d.e+-]*)$/.exec(given.get(column.name) ?? "") ?? [];
      if (low || high) {
        const edge = (text, other) => (text && Number.isFinite(Number(text)) ? Number(text) : other);
        state.ranges.set(column.name, [edge(low, -Infinity), edge(high, Infinity)]);
      }
    }
    state.find = given.get("find") ?? "";
    state.whole = given.get("whole") === "yes";
    const sort = given.get("sort") ?? "";
    state.descending = sort.startsWith("-");
    state.sort = rows.byName.has(sort.replace(/^-/, "")) ? sort.replace(/^-/, "") : null;
    const row = given.has("row") ? Number(given.get("row")) : -1;
    await this.refresh();
    if (Number.isInteger(row) && row >= 0 && row < rows.count) await this.open(row, { quietly: true });
    else if (state.open >= 0) this.close({ quietly: true });
    else if (words) document.getElementById("judgements").scrollIntoView();
  }
}
