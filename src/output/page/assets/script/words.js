// Words looked for in JSON as it was unpacked, byte by byte. A text that was made of all these bytes would be thrown away at
// once, and a browser lets a hundred megabytes of such texts lie before it clears them away.

const [QUOTE, COMMA, COLON, BACKSLASH] = [34, 44, 58, 92];

let writtenSmall = null;

/** By what becomes of it in small letters, each letter that is not small. */
function capitals() {
  if (writtenSmall) return writtenSmall;
  writtenSmall = new Map();
  for (let code = 0; code < 0x1f000; code += 1) {
    const letter = String.fromCodePoint(code);
    const small = letter.toLowerCase();
    if (small !== letter) writtenSmall.set(small, [...(writtenSmall.get(small) ?? []), letter]);
  }
  // At the end of a word this letter is another one.
  return writtenSmall.set("\u03c2", ["\u03a3"]);
}

/** A word in small letters, which is found however it is written. */
class Word {
  constructor(word) {
    const written = new TextEncoder();
    const letters = [...word];
    this.steps = [];
    while (letters.length) {
      // A capital with a dot becomes a letter and a dot.
      const pair = letters.slice(0, 2).join("");
      const step = letters.length > 1 && capitals().has(pair) ? pair : letters[0];
      letters.splice(0, step === pair ? 2 : 1);
      const ways = [step, ...(capitals().get(step) ?? [])];
      // Of a capital with a dot the dot remains behind the word.
      if (step === "i" && !letters.length) ways.push("\u0130");
      this.steps.push(ways.map((way) => written.encode(JSON.stringify(way).slice(1, -1))));
    }
    /** The bytes that it may begin with. */
    this.begins = new Uint8Array(256);
    for (const [first] of this.steps[0]) this.begins[first] = 1;
  }

  /** Whether it stands in a text of JSON, from one byte to another. */
  isIn(bytes, from, to) {
    const { begins } = this;
    for (let at = from; at < to; at += 1) {
      if (begins[bytes[at]] === 1 && this.isAt(bytes, at) && !inEscape(bytes, from, at)) return true;
    }
    return false;
  }

  /** Whether it stands at a place. It does not go on behind a text: no word holds a bare quote. */
  isAt(bytes, from) {
    const { steps } = this;
    let at = from;
    for (let step = 0; step < steps.length; step += 1) {
      const length = lengthAt(bytes, at, steps[step]);
      if (length === 0) return false;
      at += length;
    }
    return true;
  }
}

/** How many bytes are one of several ways to write something; 0 if none stands there. */
function lengthAt(bytes, from, ways) {
  for (let number = 0; number < ways.length; number += 1) {
    const way = ways[number];
    let at = 0;
    while (at < way.length && bytes[from + at] === way[at]) at += 1;
    if (at === way.length) return at;
  }
  return 0;
}

/** Whether a place is within what stands for another sign, as the last letter of `\n` and `\u001b` is. */
function inEscape(bytes, from, at) {
  for (let back = 1; back <= 5 && at - back >= from; back += 1) {
    if (bytes[at - back] !== BACKSLASH) continue;
    let first = at - back;
    while (first > from && bytes[first - 1] === BACKSLASH) first -= 1;
    // Each two stand for one.
    const stands = (at - back - first) % 2 === 0;
    return stands && (back === 1 || bytes[at - back + 1] === 117);
  }
  return false;
}

/** Where a text ends that begins behind a quote. */
function textEnd(bytes, start) {
  for (let end = start; ; end += 1) {
    end = bytes.indexOf(QUOTE, end);
    if (end < 0) throw damaged();
    let first = end;
    while (bytes[first - 1] === BACKSLASH) first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
}

/** Whether a name in an object is this one. */
function isNamed(bytes, start, end, name) {
  if (end - start !== name.length) return false;
  for (let at = 0; at < name.length; at += 1) if (bytes[start + at] !== name.charCodeAt(at)) return false;
  return true;
}

/**
 * Walks through a list of objects. `text(item, start, end, name)` hears of texts under one of these names, and of the second of
 * each pair in a list under them; `borrows(item)` of objects that have a text of another one.
 */
function walk(bytes, names, { text, borrows }) {
  let [depth, item, name] = [0, -1, null];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === 123 || byte === 91) {
      depth += 1;
      if (depth === 2) item += 1;
    } else if (byte === 125 || byte === 93) depth -= 1;
    else if (byte === QUOTE) {
      const [start, end] = [at + 1, textEnd(bytes, at + 1)];
      at = end;
      if (depth === 2 && bytes[end + 1] === COLON) {
        const is = (other) => isNamed(bytes, start, end, other);
        name = names.find(is) ?? null;
        const digit = bytes[end + 2] - 48;
        if (digit >= 0 && digit <= 9 && (is("like") || is("beside"))) borrows(item);
      } else if (name && (depth === 2 || (depth === 4 && bytes[start - 2] === COMMA))) text(item, start, end, name);
    }
  }
}

/** Looked at together are so many letters of a text that is told in parts. */
const TOGETHER = 1 << 12;

/** Whether a word in small letters is in a text that is told in parts, which is not put together for that. */
function isInParts(parts, word) {
  let seen = "";
  for (const part of parts) {
    for (let at = 0; at < part.length; at += TOGETHER) {
      seen += part.slice(at, at + TOGETHER);
      if (seen.length < TOGETHER) continue;
      if (seen.toLowerCase().includes(word)) return true;
      // What the word may have begun in.
      seen = seen.slice(-word.length);
    }
  }
  return seen.toLowerCase().includes(word);
}
