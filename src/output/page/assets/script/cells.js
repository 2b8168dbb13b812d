// Cells of many rows as the page holds them: typed arrays as narrow as what is in them. Chunks of rows are read one after the
// other (`src/output/page/store/cells.rs` says how they are packed), and no text or object is made for a row.

/** Room for so many codes below `codes`, or -1. */
function room(codes, rows) {
  const Narrow = codes <= 1 << 7 ? Int8Array : codes <= 1 << 15 ? Int16Array : Int32Array;
  return new Narrow(rows).fill(-1);
}

/** Room for so many numbers, of which none is there yet. */
function roomForNumbers(rows, exact = true) {
  return new (exact ? Float32Array : Float64Array)(rows).fill(Number.NaN);
}

/** Whether half as many bytes hold a number as it is. */
const isShort = (value) => Number.isNaN(value) || Math.fround(value) === value;

/** The arrays of a chunk of so many rows, one after the other: each a list, or `same`, which all rows have. */
function* arraysOf(bytes, rows) {
  let at = 0;
  const take = (Kind, many) => {
    // A copy begins where such numbers may begin; browsers have the least byte first, as the chunk.
    const list = new Kind(bytes.slice(at, at + many * Kind.BYTES_PER_ELEMENT).buffer);
    at += many * Kind.BYTES_PER_ELEMENT;
    return list;
  };
  const kinds = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 12: Int16Array, 18: Float64Array, 24: Uint32Array };
  while (at < bytes.length) {
    const kind = bytes[at++];
    if (kind === 0) yield { same: take(Uint32Array, 1)[0] - 1 };
    else if (kind === 10) yield { same: take(Float64Array, 1)[0] };
    else if (kind in kinds) yield { kind, list: take(kinds[kind], rows) };
    else throw new Error("the page holds cells that its script does not know");
  }
}

/** Puts an array of a chunk where its rows belong; `runs` are pairs of a place and how many rows. */
function place(target, { same, kind, list }, runs) {
  let from = 0;
  let sum = 0;
  for (const [to, many] of runs) {
    if (list === undefined) target.fill(same, to, to + many);
    else if (kind === 24) {
      for (let n = 0; n < many; n += 1) {
        sum = (sum + list[from + n]) | 0;
        target[to + n] = sum - 1;
      }
    } else if (kind === 12) {
      for (let n = 0; n < many; n += 1) target[to + n] = list[from + n] === -32768 ? Number.NaN : list[from + n];
    } else if (kind === 18) {
      for (let n = 0; n < many; n += 1) target[to + n] = list[from + n];
    } else {
      for (let n = 0; n < many; n += 1) target[to + n] = list[from + n] - 1;
    }
    from += many;
  }
}
