// Words found in all texts and replies: every chunk is opened once, one after the other, and let go.

/** From how many words on the ones searched for longest ago are searched for again. */
const MOST_WORDS = 24;

class Search {
  constructor(rows) {
    this.rows = rows;
    this.turn = 0;
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
      ["documents", last(rows.documents), rows.documentsPerChunk],
      ["replies", last(rows.replies), rows.repliesPerChunk],
    ];
    const hits = new Map(missing.map((word) => [word, Object.fromEntries(kinds.map(([kind, many]) => [kind, new Uint8Array(many + 1)]))]));
    const all = kinds.reduce((sum, [, many, per]) => sum + Math.ceil(many / per), 0);
    let done = 0;
    for (const [kind, many, per] of kinds) {
      for (let first = 0; first < many; first += per) {
        const texts = kind === "documents" ? await this.documents(first, Math.min(many, first + per)) : await this.replies(first / per);
        if (turn !== this.turn) return false;
        for (const [word, found] of hits) {
          texts.forEach((text, index) => {
            if (text.includes(word)) found[kind][first + index + 1] = 1;
          });
        }
        done += 1;
        progress(done / all);
      }
    }
    for (const [word, found] of hits) rows.hits.set(word, found);
    while (rows.hits.size > MOST_WORDS) rows.hits.delete(rows.hits.keys().next().value);
    return true;
  }

  /** The texts of documents with what is known of them, in small letters. */
  async documents(from, to) {
    const texts = [];
    for (let at = from; at < to; at += 1) {
      const found = await documentAt(at, this.rows);
      const beside = await documentAt(found?.beside ?? -1, this.rows);
      const facts = (found?.facts ?? []).map(([, value]) => value);
      texts.push([found?.text, beside?.text, ...facts].filter(Boolean).join("\n").toLowerCase());
    }
    return texts;
  }

  async replies(number) {
    const list = await chunk(`replies-${number}`);
    return list.map(({ reply, thoughts }) => [reply, thoughts].filter(Boolean).join("\n").toLowerCase());
  }
}
