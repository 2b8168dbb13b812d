// Chunks that stand in the page: in elements at its end, several in each, a line of letters for every chunk; one that
// stands for several has all their names, with `=` between them. The letters of a large page are as many as all else that a
// tab holds. When its judgements are opened they leave the document for blobs, which are a quarter smaller, and which most
// browsers keep outside of the tab.

/** A page with so few letters keeps them: there is little to be gained, and a copy that a browser saves of it is whole. */
const FEW_LETTERS = 8 << 20;

/** Why a copy may lack its chunks. */
const SAVED = "A browser saves a large page without judgements that were opened: copy the file of the page instead";

/** Some chunks that stand together. */
class Pack {
  constructor(element) {
    this.element = element;
    /** Their bytes one after the other, and where each ends, once they have left the document. */
    this.blob = null;
    this.ends = null;
  }

  get letters() {
    return this.element.textContent.length;
  }

  /** All of them: each as letters or as bytes. */
  async read() {
    if (!this.blob) return this.element.textContent.split("\n");
    const bytes = new Uint8Array(await this.blob.arrayBuffer());
    return this.ends.map((end, at) => bytes.subarray(this.ends[at - 1] ?? 0, end));
  }

  /** Takes them out of the document; `room` is for as many bytes as there are letters. */
  moveOut(room) {
    let end = 0;
    const ends = this.element.textContent.split("\n").map((letters) => (end += decoded(letters, room.subarray(end)).length));
    this.blob = new Blob([room.subarray(0, end)]);
    this.ends = ends;
    // An element of a script keeps its text for itself, whatever becomes of what is in it.
    this.element.remove();
    this.element = null;
  }
}

let packs = null;

/** Where each chunk stands, by its name. */
function embeddedAll() {
  if (packs) return packs;
  packs = new Map();
  for (const element of document.querySelectorAll("script[data-chunk]")) {
    const pack = new Pack(element);
    element.dataset.chunk.split(" ").forEach((names, at) => {
      for (const name of names.split("=")) packs.set(name, { pack, at });
    });
  }
  return packs;
}

/** What was read last: chunks are mostly opened one after the other. */
let lastRead = { pack: null, chunks: null };

/** A chunk that stands in the page, if chunks do. */
async function embedded(name) {
  if (document.getElementById("browser").hasAttribute("data-served")) return null;
  await complete();
  const found = embeddedAll().get(name);
  if (found === undefined) throw new Error(`this copy of the page lacks its part ${name}. ${SAVED}`);
  const { pack, at } = found;
  if (lastRead.pack !== pack) lastRead = { pack, chunks: pack.read() };
  const chunks = await lastRead.chunks.catch((error) => {
    lastRead = { pack: null, chunks: null };
    throw error;
  });
  return chunks[at];
}

/** Takes the chunks of a large page out of the document, an element at a time. */
async function moveOut() {
  const all = [...new Set([...embeddedAll().values()].map(({ pack }) => pack))];
  const letters = all.map((pack) => pack.letters);
  if (letters.reduce((sum, many) => sum + many, 0) <= FEW_LETTERS) return;
  const room = new Uint8Array(Math.max(...letters));
  for (const pack of all) {
    await atLeisure();
    pack.moveOut(room);
  }
}

/** Resolves when nothing else is to be done; browsers that do not say when that is are given a moment. */
function atLeisure() {
  return new Promise((done) => (self.requestIdleCallback ? requestIdleCallback(done, { timeout: 200 }) : setTimeout(done, 20)));
}

/** Resolves when all of the page has been read: the chunks stand at its end. */
function complete() {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((done) => {
    document.addEventListener("DOMContentLoaded", () => done(), { once: true });
  });
}
