// Filters of the list: a box for each column with some values, ranges of numbers, search. Each value shows how many rows
// it would give, the other filters being as they are.

class Filters {
  /** `changed` is called after the person changed the state. */
  constructor(rows, state, changed) {
    this.rows = rows;
    this.state = state;
    this.changed = changed;
    this.boxes = new Map();
    this.element = make("form", { class: "filters", "aria-label": "Filters", onsubmit: (event) => event.preventDefault() });
    this.element.append(this.search(), ...rows.ranges.map((column) => this.range(column)));
    for (const column of rows.facets) this.element.append(this.facet(column));
  }

  search() {
    // What was typed holds from the first letter on: who goes on at once with another filter must not lose it.
    const changed = quietly(() => this.changed());
    const names = this.rows.searched.filter((column) => !column.ofDocument).map((column) => heading(column.name)).join(", ");
    this.find = make("input", {
      type: "search",
      id: "judgements-find",
      placeholder: names,
      autocomplete: "off",
      spellcheck: "false",
      oninput: () => {
        this.state.find = this.find.value;
        changed();
      },
    });
    this.whole = make("input", {
      type: "checkbox",
      onchange: () => {
        this.state.whole = this.whole.checked;
        this.changed();
      },
    });
    return make(
      "p",
      { class: "filter-find" },
      make("label", { for: "judgements-find" }, "Find"),
      this.find,
      make("label", { class: "filter-whole" }, this.whole, " in texts and replies"),
    );
  }

  range(column) {
    const [least, most] = [column.levels[0], column.levels.filter((value) => !Number.isNaN(value)).at(-1)];
    const changed = quietly(() => this.changed());
    const inputs = ["from", "to"].map((word, at) =>
      make("input", {
        type: "number",
        step: "any",
        inputmode: "decimal",
        placeholder: String(at === 0 ? least : most),
        "aria-label": `${column.name} ${word}`,
        oninput: () => {
          const [low, high] = inputs.map((input) => (input.value === "" ? Number.NaN : Number(input.value)));
          if (Number.isNaN(low) && Number.isNaN(high)) this.state.ranges.delete(column.name);
          else this.state.ranges.set(column.name, [Number.isNaN(low) ? -Infinity : low, Number.isNaN(high) ? Infinity : high]);
          changed();
        },
      }),
    );
    this.boxes.set(column, { inputs });
    return make(
      "fieldset",
      { class: "filter-range" },
      make("legend", {}, isolated(heading(column.name))),
      make("div", {}, inputs[0], make("span", { "aria-hidden": "true" }, "to"), inputs[1]),
    );
  }

  facet(column) {
    const order = [...(column.gaps ? [-1] : []), ...column.values.keys()];
    const choices = new Map();
    const list = make("ul", {});
    for (const code of order) {
      const input = make("input", {
        type: "checkbox",
        onchange: () => {
          const chosen = this.state.choices.get(column.name) ?? new Set();
          if (input.checked) chosen.add(code);
          else chosen.delete(code);
          if (chosen.size) this.state.choices.set(column.name, chosen);
          else this.state.choices.delete(column.name);
          this.changed();
        },
      });
      const words = code < 0 ? make("i", {}, column.name === "unscored" ? "scored" : "none") : isolated(column.values[code]);
      const tally = make("span", { class: "tally" });
      const item = make("li", {}, make("label", {}, input, make("span", { class: "choice" }, words), tally));
      choices.set(code, { input, tally, item });
      list.append(item);
    }
    const summary = make("summary", {}, isolated(heading(column.name)), make("span", { class: "chosen" }));
    const open = column.values.length <= 12 && !column.ofDocument;
    const element = make("details", { class: "facet", open }, summary, list);
    this.boxes.set(column, { choices, chosen: summary.lastChild });
    return element;
  }

  /** Shows the state and the counts that follow from it. */
  show(counts) {
    const { state, rows } = this;
    if (document.activeElement !== this.find) this.find.value = state.find;
    this.whole.checked = state.whole;
    for (const column of rows.ranges) {
      const [low, high] = state.ranges.get(column.name) ?? [-Infinity, Infinity];
      this.boxes.get(column).inputs.forEach((input, at) => {
        const value = at === 0 ? low : high;
        if (document.activeElement !== input) input.value = Number.isFinite(value) ? String(value) : "";
      });
    }
    for (const column of rows.facets) {
      const { choices, chosen } = this.boxes.get(column);
      const set = state.choices.get(column.name);
      const tally = counts.get(column);
      for (const [code, { input, tally: shown, item }] of choices) {
        const n = tally[code + 1];
        input.checked = Boolean(set?.has(code));
        shown.textContent = number(n);
        item.classList.toggle("empty", n === 0);
      }
      chosen.textContent = set?.size ? `${set.size} chosen` : "";
    }
  }

  /** Takes all filters away. */
  clear() {
    this.state.choices.clear();
    this.state.ranges.clear();
    this.state.find = "";
    this.find.value = "";
    this.changed();
  }

  /** How many filters there are. */
  active() {
    return this.state.choices.size + this.state.ranges.size + (this.state.find.trim() ? 1 : 0);
  }
}
