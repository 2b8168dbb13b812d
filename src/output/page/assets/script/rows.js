// The rows of all judgements, as columns of numbers: filtered and counted in one pass, sorted by ranks.

/** From how many values on a choice is searched rather than chosen from. */
const MOST_CHOICES = 60;

/** What a column is called in front of people. */
function heading(name) {
  return name === "doc_id" ? "document" : name;
}

class Rows {
  /** All rows: what is said of them, and then their cells, chunk by chunk. */
  static async open() {
    const index = await chunk("index");
    const rows = new Rows(index);
    const coming = (k) => (k < index.blocks.length ? packed(`rows-${k}`) : null);
    let next = coming(0);
    for (const [k, runs] of index.blocks.entries()) {
      const came = await next;
      next = coming(k + 1);
      rows.fill(unpack(came), runs);
    }
    rows.settle(index.of_documents ?? []);
    return rows;
  }

  constructor(index) {
    this.count = index.rows;
    this.documents = room(Infinity, this.count);
    this.replies = room(Infinity, this.count);
    this.documentsPerChunk = index.documents_per_chunk;
    this.repliesPerChunk = index.replies_per_chunk;
    this.columns = index.columns.map((column) => new Column(column, this.count));
    /** What was found of each word in texts and replies (`search.js`). */
    this.hits = new Map();
    this.orders = new Map();
  }

  /** Takes a chunk of rows in, which belong to these places. */
  fill(bytes, runs) {
    const many = runs.reduce((sum, [, rows]) => sum + rows, 0);
    const arrays = [...arraysOf(bytes, many)];
    place(this.replies, arrays.pop(), runs);
    place(this.documents, arrays.pop(), runs);
    for (const column of this.columns) column.fill(arrays[column.at], runs);
  }

  /** When all rows are there: looks at what there is of each column. */
  settle(ofDocuments) {
    for (const column of ofDocuments) this.columns.push(this.byRow(column));
    for (const column of this.columns) column.settle();
    this.byName = new Map(this.columns.map((column) => [column.name, column]));
    /** Chosen from, each with its counts. */
    this.facets = this.columns.filter((one) => one.kind !== "number" && one.distinct > 1 && one.values.length <= MOST_CHOICES);
    /** Searched: the document's id, and what has too many values to choose from. */
    this.searched = this.columns.filter(
      (one) => one.kind === "choice" && (one.name === "doc_id" || one.values.length > MOST_CHOICES),
    );
    this.ranges = this.columns.filter((one) => one.kind === "number" && one.distinct > 1);
  }

  /** A column of documents as one of rows. */
  byRow(told) {
    const column = new Column(told, this.count, true);
    const list = told.kind === "number" ? told.numbers : told.codes;
    if (told.kind === "number" && !list.every((value) => value === null || isShort(value))) column.widen();
    const cells = told.kind === "number" ? column.numbers : column.codes;
    this.documents.forEach((document, row) => {
      const value = document < 0 ? null : list[document];
      if (value !== null && value !== undefined) cells[row] = value;
    });
    return column;
  }

  /** A cell as it is shown; empty where there is none. */
  text(column, row) {
    if (column.kind === "number") {
      const value = column.numbers[row];
      return Number.isNaN(value) ? "" : number(value);
    }
    const code = column.codes[row];
    if (code < 0) return "";
    return column.lists ? column.lists[code].map((one) => column.values[one]).join(", ") : column.values[code];
  }

  /** The tests that a row has to pass. `of` is the column whose own counts a test leaves alone. */
  tests(state) {
    const tests = [];
    for (const column of this.facets) {
      const chosen = state.choices.get(column.name);
      if (!chosen?.size) continue;
      const allowed = column.allowed(chosen);
      tests.push({ of: column, pass: (row) => allowed[column.codes[row] + 1] });
    }
    for (const column of this.ranges) {
      const range = state.ranges.get(column.name);
      if (!range) continue;
      const [low, high] = range;
      const { numbers } = column;
      // Not a number fails both comparisons.
      tests.push({ of: null, pass: (row) => numbers[row] >= low && numbers[row] <= high });
    }
    for (const word of state.find.toLowerCase().split(/\s+/).filter(Boolean)) {
      const among = this.searched.map((column) => {
        const hit = new Uint8Array(column.values.length + 1);
        column.values.forEach((value, code) => {
          if (value.toLowerCase().includes(word)) hit[code + 1] = 1;
        });
        return { codes: column.codes, hit };
      });
      if (state.whole && this.hits.has(word)) {
        const { documents, replies } = this.hits.get(word);
        among.push({ codes: this.documents, hit: documents }, { codes: this.replies, hit: replies });
      }
      tests.push({ of: null, pass: (row) => among.some(({ codes, hit }) => hit[codes[row] + 1]) });
    }
    return tests;
  }

  /** The rows that pass all tests, in order, and for each facet how many rows each value would give. */
  filter(state) {
    const tests = this.tests(state);
    const counts = new Map(this.facets.map((column) => [column, new Uint32Array(column.codeCount + 1)]));
    const facets = [...counts];
    const passed = new Uint8Array(this.count);
    let left = 0;
    for (let row = 0; row < this.count; row += 1) {
      let failed = null;
      let fails = 0;
      for (const test of tests) {
        if (test.pass(row)) continue;
        fails += 1;
        failed = test;
        // Two tests failed, or one that no facet may leave out: the row counts nowhere.
        if (fails > 1 || !test.of) {
          fails = 2;
          break;
        }
      }
      if (fails === 0) {
        passed[row] = 1;
        left += 1;
        for (const [column, count] of facets) count[column.codes[row] + 1] += 1;
      } else if (fails === 1) {
        counts.get(failed.of)[failed.of.codes[row] + 1] += 1;
      }
    }
    for (const [column, count] of facets) if (column.lists) counts.set(column, column.byValue(count));
    const found = new Int32Array(left);
    let at = 0;
    for (const row of this.order(state.sort, state.descending)) if (passed[row]) found[at++] = row;
    return { found, counts };
  }

  /** All rows in the order of a column; equal ones as in the index, those without a value last. */
  order(name, descending) {
    const key = `${descending ? "-" : ""}${name ?? ""}`;
    let order = this.orders.get(key);
    if (!order) {
      const column = this.byName.get(name);
      order = column ? sorted(column.ranks(), column.distinctRanks, descending) : Int32Array.from({ length: this.count }, (_, row) => row);
      this.orders.clear();
      this.orders.set(key, order);
    }
    return order;
  }
}

class Column {
  /** `ofDocument` says that it is a column of what was judged, by which rows are chosen and not shown. */
  constructor({ name, kind, at, values, lists, numbered }, rows, ofDocument = false) {
    this.name = name;
    this.kind = kind;
    /** Its place in chunks of rows. */
    this.at = at;
    this.ofDocument = ofDocument;
    /** For rows with several values: the lists of them, to which codes point. */
    this.lists = lists ?? null;
    /** The places of codes, where values do not stand in the order of codes. */
    this.numbered = numbered ?? null;
    this.rankOf = null;
    if (kind === "number") this.numbers = roomForNumbers(rows);
    else {
      this.values = values;
      this.codeCount = (lists ?? values).length;
      this.codes = room(this.codeCount, rows);
    }
  }

  /** Takes in its cells of a chunk. */
  fill(cells, runs) {
    if (this.kind === "number") {
      if (!(cells.list ?? [cells.same]).every(isShort)) this.widen();
      place(this.numbers, cells, runs);
      return;
    }
    place(this.codes, this.numbered ? this.inOrder(cells) : cells, runs);
  }

  /** The same cells with the places of their codes. */
  inOrder({ same, list }) {
    const { numbered } = this;
    if (!list) return { same: same < 0 ? same : numbered[same] };
    return { kind: 4, list: Uint32Array.from(list, (code) => (code ? numbered[code - 1] + 1 : 0)) };
  }

  /** Makes room for numbers that need all their bytes. */
  widen() {
    if (this.numbers instanceof Float32Array) this.numbers = Float64Array.from(this.numbers);
  }

  /** When all cells are there: looks at what there is. */
  settle() {
    this.numbered = null;
    if (this.kind === "number") {
      this.levels = Float64Array.from(new Set(this.numbers)).sort();
      this.distinct = this.levels.length;
      this.widest = 6;
      return;
    }
    const seen = new Uint8Array(this.codeCount + 1);
    for (const code of this.codes) seen[code + 1] = 1;
    this.gaps = seen[0] === 1;
    this.distinct = seen.reduce((sum, one) => sum + one, 0);
    this.widest = this.values.reduce((most, value) => Math.max(most, value.length), 0);
  }

  /** For each code, and before them for none, whether it has one of the values that were chosen. */
  allowed(chosen) {
    const allowed = new Uint8Array(this.codeCount + 1);
    if (this.lists) this.lists.forEach((list, code) => (allowed[code + 1] = list.some((one) => chosen.has(one)) ? 1 : 0));
    else for (const code of chosen) allowed[code + 1] = 1;
    if (chosen.has(-1)) allowed[0] = 1;
    return allowed;
  }

  /** Counts of lists as counts of the values in them. */
  byValue(counts) {
    const sums = new Uint32Array(this.values.length + 1);
    sums[0] = counts[0];
    this.lists.forEach((list, code) => list.forEach((one) => (sums[one + 1] += counts[code + 1])));
    return sums;
  }

  /** Each row's place among the values, from 0; -1 for none. */
  ranks() {
    if (this.rankOf) return this.rankOf;
    if (this.kind === "choice") {
      const order = this.values.map((_, code) => code).sort((a, b) => collator.compare(this.values[a], this.values[b]));
      const rank = new Int32Array(this.values.length + 1).fill(-1);
      order.forEach((code, at) => {
        rank[code + 1] = at;
      });
      this.rankOf = this.codes.map((code) => rank[code + 1]);
      this.distinctRanks = this.values.length;
    } else {
      const rank = new Map(Array.from(this.levels, (value, at) => [value, at]));
      this.rankOf = Int32Array.from(this.numbers, (value) => (Number.isNaN(value) ? -1 : rank.get(value)));
      this.distinctRanks = this.levels.length;
    }
    return this.rankOf;
  }
}

/** Rows by rank, by counting: as many steps as there are rows. */
function sorted(ranks, distinct, descending) {
  const bucket = (rank) => (rank < 0 ? distinct : descending ? distinct - 1 - rank : rank);
  const starts = new Int32Array(distinct + 2);
  for (const rank of ranks) starts[bucket(rank) + 1] += 1;
  for (let at = 1; at < starts.length; at += 1) starts[at] += starts[at - 1];
  const order = new Int32Array(ranks.length);
  for (let row = 0; row < ranks.length; row += 1) {
    order[starts[bucket(ranks[row])]++] = row;
  }
  return order;
}
