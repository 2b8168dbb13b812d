// The chunks of the judgements (`src/output/page/store` says what is in them): embedded in the page, or beside it where the
// page is served. A chunk is opened when it is needed, and the ones not looked at for longest are let go.

/** Of what was opened so many bytes stay open, or the last few chunks if these are more. */
const MOST_OPEN = 6 << 20;
const LEAST_OPEN = 4;

const chunksOpen = new Map();

/** The JSON of a chunk. */
function chunk(name) {
  const opened = chunksOpen.get(name) ?? open(name);
  chunksOpen.delete(name);
  chunksOpen.set(name, opened);
  return opened.json;
}

function open(name) {
  const opened = { json: null, bytes: 0 };
  const read = async () => {
    const bytes = unpack(await packed(name));
    opened.bytes = bytes.length;
    letGo();
    return JSON.parse(textIn(bytes));
  };
  opened.json = read();
  opened.json.catch(() => chunksOpen.delete(name));
  return opened;
}

/** Lets chunks go that were not looked at for longest. */
function letGo() {
  let bytes = 0;
  for (const opened of chunksOpen.values()) bytes += opened.bytes;
  for (const [name, opened] of chunksOpen) {
    if (bytes <= MOST_OPEN || chunksOpen.size <= LEAST_OPEN) return;
    chunksOpen.delete(name);
    bytes -= opened.bytes;
  }
}

/** A chunk as it lies in the page, in letters, or beside it, in bytes. */
async function packed(name) {
  return (await embedded(name)) ?? (await fetched(name));
}

const unpacker = new Unpacker();
const decoder = new TextDecoder();

/** What was packed. The bytes are good until this is called again. */
function unpack(chunk) {
  return unpacker.unpack(typeof chunk === "string" ? decoded(chunk) : chunk);
}

/** The text that bytes are. It is made anew, while the bytes make room for others. */
function textIn(bytes) {
  return decoder.decode(bytes);
}

/** For the bytes of a chunk until it is unpacked. */
const roomForLetters = new Uint8Array(1 << 18);

/** The bytes that letters stand for, in a room that most fit in. */
function decoded(text, room = roomForLetters) {
  const bytes = text.length > room.length ? new Uint8Array(text.length) : room;
  if (bytes.setFromBase64) return bytes.subarray(0, bytes.setFromBase64(text).written);
  const letters = atob(text);
  for (let at = 0; at < letters.length; at += 1) bytes[at] = letters.charCodeAt(at);
  return bytes.subarray(0, letters.length);
}

/** Whether the chunks lie beside the page, and the page was opened from a file: then nothing can be fetched. */
function outOfReach(holder) {
  return holder.hasAttribute("data-served") && location.protocol === "file:";
}

async function fetched(name) {
  const answer = await fetch(`chunks/${name}`);
  if (!answer.ok) throw new Error(`${name} was not served (${answer.status})`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** So many chunks are asked for at once; `src/cli/view/serve.rs` gives the first of them, as many as are not too large. */
const MOST_ASKED = 64;

/** The first of several chunks beside the page: each comes behind its length. */
async function fetchedFirst(names) {
  const bytes = await fetched(names.slice(0, MOST_ASKED).join(","));
  if (names.length === 1) return [bytes];
  const lengths = new DataView(bytes.buffer);
  const chunks = [];
  for (let at = 0; at < bytes.length; ) {
    const start = at + 4;
    at = start + lengths.getUint32(start - 4, true);
    chunks.push(bytes.subarray(start, at));
  }
  return chunks;
}

/** Some chunks, one after the other; the next are on their way while somebody looks at one. */
async function* packedAll(names) {
  const from = async (at) => {
    const first = await embedded(names[at]);
    return first === null ? fetchedFirst(names.slice(at)) : [first];
  };
  let at = 0;
  let coming = from(0);
  while (at < names.length) {
    const came = await coming;
    at += came.length;
    coming = at < names.length ? from(at) : null;
    // What goes wrong is told where it is waited for.
    coming?.catch(() => undefined);
    yield* came;
  }
}

/** A document. */
async function documentAt(position, rows) {
  return withText(await member("documents", position, rows.documentsPerChunk), rows);
}

/** A document with its text, which may be that of another one with the edits made in it. */
async function withText(found, rows) {
  if (!found || typeof found.text === "string" || typeof found.like !== "number") return found;
  const before = (await documentAt(found.like, rows))?.text;
  return typeof before === "string" ? { ...found, text: [...partsOf(found, before)].join("") } : found;
}

/** The text of a document in parts, from the text before its edits. */
function* partsOf({ edits }, before) {
  let length = 0;
  let at = 0;
  for (const { start, original, text } of edits) {
    const until = at + start - length;
    yield before.slice(at, until);
    yield text;
    length = start + text.length;
    at = until + original.length;
  }
  yield before.slice(at);
}

/** One of many that lie in chunks `<kind>-<k>` of so many each; null for position -1. */
async function member(kind, position, perChunk) {
  if (position === null || position < 0) return null;
  const list = await chunk(`${kind}-${Math.floor(position / perChunk)}`);
  return list[position % perChunk] ?? null;
}
