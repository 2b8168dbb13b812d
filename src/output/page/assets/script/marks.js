// A text with places in it: cut into runs, each with what it is. Pure: strings and numbers in, lists out.

/** Letters per block of a shown text: what is laid out at once. */
const BLOCK = 20_000;

/**
 * A damaged text as runs, in order: `{text, at, edit, role}`. `role` is "same", "new" (what an edit put there), "old" (what
 * stood there before) or "gap" (an edit leaves nothing to see). `at` is the place in the damaged text, or -1 for old text.
 * `mode` is "damaged", "before" or "both".
 */
function composed(text, edits, mode) {
  const runs = [];
  let at = 0;
  const same = (to) => {
    if (to > at) runs.push({ text: text.slice(at, to), at, edit: -1, role: "same" });
    at = Math.max(at, to);
  };
  const order = edits.map((_, index) => index).sort((a, b) => edits[a].start - edits[b].start || edits[a].end - edits[b].end);
  for (const index of order) {
    const edit = edits[index];
    // An edit within another one begins where that one ends.
    const start = Math.min(Math.max(edit.start, at), text.length);
    const end = Math.min(Math.max(edit.end, start), text.length);
    same(start);
    const before = mode !== "damaged" ? (edit.original ?? "") : "";
    const after = mode !== "before" ? text.slice(start, end) : "";
    if (before) runs.push({ text: before, at: -1, edit: index, role: "old" });
    if (after) runs.push({ text: after, at: start, edit: index, role: "new" });
    if (!before && !after) runs.push({ text: "", at: start, edit: index, role: "gap" });
    at = end;
  }
  same(text.length);
  return runs;
}

/**
 * Runs cut where places begin and end, so that each piece lies wholly in or out of each: pieces get `places`, the positions
 * of those they lie in. Places are `{start, end}` in the text that runs count by.
 */
function cut(runs, places) {
  const edges = [...new Set(places.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  const pieces = [];
  let next = 0;
  const open = new Set();
  const starts = places.map((_, index) => index).sort((a, b) => places[a].start - places[b].start);
  let started = 0;
  for (const run of runs) {
    if (run.at < 0 || run.text === "") {
      pieces.push({ ...run, places: [...open] });
      continue;
    }
    let from = run.at;
    const end = run.at + run.text.length;
    while (next < edges.length && edges[next] < from) next += 1;
    while (from < end) {
      while (next < edges.length && edges[next] <= from) next += 1;
      const to = Math.min(end, edges[next] ?? end);
      for (const index of open) if (places[index].end <= from) open.delete(index);
      while (started < starts.length && places[starts[started]].start <= from) {
        const index = starts[started++];
        if (places[index].end > from) open.add(index);
      }
      pieces.push({ ...run, text: run.text.slice(from - run.at, to - run.at), at: from, places: [...open] });
      from = to;
    }
  }
  return pieces;
}

/** Pieces in blocks of some twenty thousand letters, which end with a line where a line ends in time. */
function blocked(pieces) {
  const blocks = [];
  let block = [];
  let size = 0;
  const close = () => {
    if (block.length) blocks.push(block);
    block = [];
    size = 0;
  };
  for (const piece of pieces) {
    let rest = piece;
    while (size + rest.text.length > BLOCK) {
      const room = BLOCK - size;
      const line = rest.text.lastIndexOf("\n", room - 1);
      let at = line >= 0 && (size > 0 || line > room / 2) ? line + 1 : room;
      // A letter of two units stays whole.
      const unit = rest.text.charCodeAt(at - 1);
      if (unit >= 0xd800 && unit < 0xdc00) at += 1;
      if (at > 0) block.push({ ...rest, text: rest.text.slice(0, at) });
      close();
      rest = { ...rest, text: rest.text.slice(at), at: rest.at < 0 ? -1 : rest.at + at };
    }
    if (rest.text || rest.role === "gap") block.push(rest);
    size += rest.text.length;
  }
  close();
  return blocks;
}
