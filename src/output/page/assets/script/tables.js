// Tables sorted by a click or a key on a column's head: upwards, downwards, as they were.

/** The heads that stand directly over a column, by column; several rows of heads span each other. */
function leaves(table) {
  const taken = [];
  const found = new Map();
  [...(table.tHead?.rows ?? [])].forEach((row, level) => {
    let column = 0;
    for (const cell of row.cells) {
      while (taken[level]?.[column]) column += 1;
      for (let down = 0; down < cell.rowSpan; down += 1) {
        const line = (taken[level + down] ??= []);
        for (let right = 0; right < cell.colSpan; right += 1) line[column + right] = cell;
      }
      if (cell.scope === "col") found.set(column, cell);
      column += cell.colSpan;
    }
  });
  return { found, levels: taken };
}

/** A cell's number, without stars and counts; null where it has none. */
function numberOf(cell) {
  const first = cell.firstChild;
  if (first?.nodeType !== Node.TEXT_NODE) return null;
  const text = first.data.replace(/[\u2212\u2013]/g, "-").replace(/[,\s<]/g, "");
  const value = Number.parseFloat(text);
  return Number.isNaN(value) ? null : value;
}

/** Compares rows by a column: numbers by size, words as words, cells without a value last whatever the direction. */
function comparison(rows, column, direction) {
  const words = rows.some((row) => {
    const cell = row.cells[column];
    return cell && (cell.tagName === "TH" || cell.classList.contains("words"));
  });
  const keys = new Map();
  for (const row of rows) {
    const cell = row.cells[column];
    const key = words ? cell?.textContent.trim() || null : cell && numberOf(cell);
    keys.set(row, key);
  }
  return (one, other) => {
    const [a, b] = [keys.get(one), keys.get(other)];
    if (a === null || b === null) return (a === null) - (b === null);
    return direction * (words ? collator.compare(a, b) : a - b);
  };
}

function setUpTable(table) {
  const body = table.tBodies[0];
  if (!body) return;
  const { found } = leaves(table);
  const labels = [...(body.rows[0]?.cells ?? [])].filter((cell) => cell.tagName === "TH").length;
  for (const [column, head] of found) {
    const words = column < labels || body.rows[0]?.cells[column]?.classList.contains("words");
    if (words) head.classList.add("label");
    if (body.rows.length < 2) continue;
    const button = make("button", { type: "button", class: "sort" });
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(table, found, column));
  }
}

const asItWas = new WeakMap();

function sort(table, found, column) {
  const body = table.tBodies[0];
  if (!asItWas.has(table)) asItWas.set(table, [...body.rows]);
  const head = found.get(column);
  const next = { none: "ascending", ascending: "descending", descending: "none" };
  const to = next[head.getAttribute("aria-sort") ?? "none"];
  for (const other of found.values()) other.removeAttribute("aria-sort");
  const rows = [...asItWas.get(table)];
  if (to !== "none") {
    head.setAttribute("aria-sort", to);
    rows.sort(comparison(rows, column, to === "ascending" ? 1 : -1));
  }
  body.append(...rows);
  const name = head.textContent.trim();
  announce(to === "none" ? "Rows as they were" : `Sorted by ${name}, ${to}`);
}

/** A text as Markdown shows it: on one line, with everything escaped that would be read as markup. */
function literal(text) {
  const line = text.trim().replace(/\s+/g, " ");
  return line.replace(/[\\|*`[\]~#]|<(?=\S)|&(?=[#\w])|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\$&");
}

/** A table with its title and all that stands under it as Markdown: groups of columns in front of their names, rows in the
    order shown. */
function markdown(article) {
  const table = article.querySelector("table");
  const { levels } = leaves(table);
  const width = levels[0]?.length ?? 0;
  const clean = literal;
  const head = Array.from({ length: width }, (_, column) => {
    const over = levels.map((line) => line[column]).filter((cell, at, all) => cell && cell !== all[at - 1]);
    return over.map((cell) => clean(cell.textContent)).join(" · ");
  });
  const rows = [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => clean(cell.textContent)));
  const labels = [...table.tBodies[0].rows[0].cells].filter((cell) => cell.tagName === "TH").length;
  const rule = head.map((_, column) => (column < labels ? ":---" : "---:"));
  const lines = [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
  const title = clean((table.caption ?? article.querySelector("h3"))?.textContent ?? "");
  const notes = [...article.querySelectorAll(".table-notes li")].map((note) => `- ${clean(note.textContent)}\n`).join("");
  const remarks = [...article.querySelectorAll(".table-remark")].map((remark) => `${clean(remark.textContent)}\n`);
  return [title && `**${title}**\n`, lines, notes, ...remarks].filter(Boolean).join("\n");
}

function setUpTables() {
  for (const table of document.querySelectorAll(".report-table table, .audit table")) setUpTable(table);
}

/** The width of a printed page in dots, by and large: A4 and Letter, upright. */
const PRINTED = 690;

/** Before printing: warnings and drawings are unfolded, what is wider than paper is made smaller. */
function setUpPrint() {
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details.grade:not([open]), .drawing:not([open])")];
    for (const fold of folded) fold.open = true;
    for (const wide of document.querySelectorAll(".scroll > table, .scroll > svg")) {
      const width = wide.getBoundingClientRect().width;
      if (width > PRINTED) wide.style.setProperty("--shrink", (PRINTED / width).toFixed(3));
    }
  });
  addEventListener("afterprint", () => {
    for (const fold of folded) fold.open = false;
  });
}
