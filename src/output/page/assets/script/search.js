// Words found in all texts and replies: every chunk is unpacked, one after the other, and let go.

/** From how many words on the ones searched for longest ago are searched for again. */
const MOST_WORDS = 24;

/** For so many milliseconds the page may be kept busy. */
const BUSY = 24;

/** Under which names of a chunk there are texts. */
const TEXTS = { documents: ["text", "facts"], replies: ["reply", "thoughts"] };

/** In which documents and replies a word is. */
class Hits {
  constructor(word, kinds) {
    this.word = word;
    this.sought = new Word(word);
    for (const { kind, many } of kinds) this[kind] = new Uint8Array(many + 1);
    /** In which documents' own texts. */
    this.text = new Uint8Array(this.documents.length);
  }
}

class Search {
  constructor(rows) {
    this.rows = rows;
    this.turn = 0;
    this.rested = 0;
  }

  /** Looks for words; `progress` hears which share is done. Whether it came to an end: another search ends this one. */
  async run(words, progress) {
    this.turn += 1;
    const turn = this.turn;
    const { rows } = this;
    const missing = words.filter((word) => !rows.hits.has(word));
    if (!missing.length) return true;
    const last = (positions) => positions.reduce((most, at) => Math.max(most, at), -1) + 1;
    const kinds = [
      { kind: "documents", many: last(rows.documents), per: rows.documentsPerChunk },
      { kind: "replies", many: last(rows.replies), per: rows.repliesPerChunk },
    ];
    const hits = missing.map((word) => new Hits(word, kinds));
    const besides = [];
    const all = kinds.flatMap(({ kind, many, per }) =>
      Array.from({ length: Math.ceil(many / per) }, (_, number) => ({ kind, name: `${kind}-${number}`, first: number * per })),
    );
    let done = 0;
    for await (const chunk of packedAll(all.map(({ name }) => name))) {
      await this.look(all[done], chunk, hits, besides);
      if (turn !== this.turn) return false;
      done += 1;
      progress(done / all.length);
      await this.rest();
    }
    for (const [at, beside] of besides) await this.show(at, beside, hits);
    for (const hit of hits) rows.hits.set(hit.word, hit);
    while (rows.hits.size > MOST_WORDS) rows.hits.delete(rows.hits.keys().next().value);
    return true;
  }

  /** Looks through a chunk; `besides` takes pairs of a document and the one that is shown beside it. */
  async look({ kind, name, first }, packed, hits, besides) {
    const bytes = unpack(packed);
    const borrowing = new Set();
    const text = (item, start, end, of) => {
      const at = first + item + 1;
      for (const hit of hits) {
        if (hit[kind][at] && of !== "text") continue;
        if (!hit.sought.isIn(bytes, start, end)) continue;
        hit[kind][at] = 1;
        if (of === "text") hit.text[at] = 1;
      }
    };
    walk(bytes, TEXTS[kind], { text, borrows: (item) => borrowing.add(item) });
    if (!borrowing.size) return;
    const list = await chunk(name);
    for (const item of borrowing) {
      const found = list[item];
      if (typeof found.beside === "number") besides.push([first + item, found.beside]);
      if (typeof found.text !== "string" && typeof found.like === "number") await this.borrow(found, first + item, hits);
    }
  }

  /** Looks through a document with the text of another one, which was looked through before. */
  async borrow(found, at, hits) {
    const before = found.edits.length ? (await documentAt(found.like, this.rows))?.text : null;
    for (const hit of hits) {
      const has = typeof before === "string" ? isInParts(partsOf(found, before), hit.word) : hit.text[found.like + 1];
      if (has) hit.documents[at + 1] = hit.text[at + 1] = 1;
    }
  }

  /** What stands beside a document counts as if it were in it; what nobody judged was not looked through. */
  async show(at, beside, hits) {
    const judged = beside + 1 < hits[0].text.length;
    const text = judged ? null : (await documentAt(beside, this.rows))?.text;
    for (const hit of hits) {
      const has = judged ? hit.text[beside + 1] : typeof text === "string" && isInParts([text], hit.word);
      if (has) hit.documents[at + 1] = 1;
    }
  }

  /** Lets the page be drawn and used; messages come at once where timers have to wait, as out of sight. */
  async rest() {
    if (performance.now() - this.rested < BUSY) return;
    const { port1, port2 } = new MessageChannel();
    await new Promise((done) => {
      port1.onmessage = done;
      port2.postMessage(null);
    });
    port1.close();
    this.rested = performance.now();
  }
}
