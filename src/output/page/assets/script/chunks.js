// The chunks of the judgements (`src/output/page/store` says what is in them): embedded in the page, or beside it where the
// page is served. A chunk is opened when it is needed, and the ones not looked at for longest are let go.

const MOST_CHUNKS = 32;
const chunksOpen = new Map();

/** The JSON of a chunk. */
function chunk(name) {
  let opened = chunksOpen.get(name);
  if (opened) chunksOpen.delete(name);
  else {
    opened = open(name);
    opened.catch(() => chunksOpen.delete(name));
  }
  chunksOpen.set(name, opened);
  if (chunksOpen.size > MOST_CHUNKS) chunksOpen.delete(chunksOpen.keys().next().value);
  return opened;
}

async function open(name) {
  return (await unpacked(name)).json();
}

/** What is in a chunk that is no JSON. */
async function bytesOf(name) {
  return new Uint8Array(await (await unpacked(name)).arrayBuffer());
}

async function unpacked(name) {
  const bytes = (await embedded(name)) ?? (await fetched(name));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
}

/** Whether the chunks lie beside the page, and the page was opened from a file: then nothing can be fetched. */
function outOfReach(holder) {
  return holder.hasAttribute("data-served") && location.protocol === "file:";
}

/** The bytes of a chunk that stands in the page, if it does. */
async function embedded(name) {
  if (document.getElementById("browser").hasAttribute("data-served")) return null;
  await complete();
  const found = embeddedAll().get(name);
  if (found === undefined) throw new Error(`the page lacks its part ${name}`);
  const text = textsOf(found.element)[found.at];
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at += 1) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

let embeddedByName = null;

/** Where each chunk stands: several are in an element, a line each. */
function embeddedAll() {
  if (!embeddedByName) {
    embeddedByName = new Map();
    for (const element of document.querySelectorAll("script[data-chunk]")) {
      element.dataset.chunk.split(" ").forEach((name, at) => embeddedByName.set(name, { element, at }));
    }
  }
  return embeddedByName;
}

/** The element that was looked at last, with its texts: chunks are mostly opened one after the other. */
let lastTexts = { element: null, texts: [] };

function textsOf(element) {
  if (lastTexts.element !== element) lastTexts = { element, texts: element.textContent.split("\n") };
  return lastTexts.texts;
}

/** Resolves when all of the page has been read: the chunks stand at its end. */
function complete() {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((done) => {
    document.addEventListener("DOMContentLoaded", () => done(), { once: true });
  });
}

async function fetched(name) {
  const answer = await fetch(`chunks/${encodeURIComponent(name)}`);
  if (!answer.ok) throw new Error(`${name} was not served (${answer.status})`);
  return answer.arrayBuffer();
}

/** A document. Its text may be that of another one, with the edits made in it. */
async function documentAt(position, rows) {
  const found = await member("documents", position, rows.documentsPerChunk);
  if (!found || typeof found.text === "string" || typeof found.like !== "number") return found;
  const before = (await documentAt(found.like, rows))?.text;
  if (typeof before !== "string") return found;
  const parts = [];
  let length = 0;
  let at = 0;
  for (const { start, original, text } of found.edits) {
    const until = at + start - length;
    parts.push(before.slice(at, until), text);
    length = start + text.length;
    at = until + original.length;
  }
  return { ...found, text: parts.join("") + before.slice(at) };
}

/** One of many that lie in chunks `<kind>-<k>` of so many each; null for position -1. */
async function member(kind, position, perChunk) {
  if (position === null || position < 0) return null;
  const list = await chunk(`${kind}-${Math.floor(position / perChunk)}`);
  return list[position % perChunk] ?? null;
}
