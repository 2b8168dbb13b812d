// A long text in the page. It is laid out in blocks, those out of sight by estimate; of a very long one, even the elements of
// a block are made when it comes near. So a line of ten million letters opens as quickly as a short one.

/** From how many blocks on elements are made when they come near. */
const EAGER = 40;

class LongText {
  /**
   * `wrap(piece)` gives the element that a piece with an edit or places stands in, or null. `label` names the text.
   */
  constructor(pieces, { wrap, label, mono = false }) {
    this.wrap = wrap;
    this.blocks = blocked(pieces);
    this.made = this.blocks.map(() => null);
    this.element = make("div", {
      class: `text${mono ? " mono" : ""}`,
      role: "group",
      "aria-label": label,
      dir: "auto",
      translate: "no",
    });
    const lazy = this.blocks.length > EAGER;
    this.frames = this.blocks.map((block, index) => {
      const frame = make("div", { class: "block" });
      const letters = block.reduce((sum, piece) => sum + piece.text.length, 0);
      frame.style.setProperty("--lines", String(Math.ceil(letters / 80)));
      if (!lazy || index < 2) this.fill(frame, index);
      this.element.append(frame);
      return frame;
    });
    if (lazy) this.watch();
  }

  watch() {
    const near = new IntersectionObserver(
      (changes) => {
        for (const { target, isIntersecting } of changes) {
          if (!isIntersecting) continue;
          near.unobserve(target);
          this.fill(target, this.frames.indexOf(target));
        }
      },
      { rootMargin: "1500px 0px" },
    );
    this.frames.forEach((frame, index) => {
      if (!this.made[index]) near.observe(frame);
    });
  }

  fill(frame, index) {
    if (this.made[index]) return;
    this.made[index] = true;
    const block = this.blocks[index];
    block.forEach((piece) => {
      const wrapped = this.wrap?.(piece);
      if (wrapped) {
        appendVisible(wrapped.inner ?? wrapped, piece.text);
        frame.append(wrapped.outer ?? wrapped);
      } else appendVisible(frame, piece.text);
    });
  }

  /** The first element of a selector, in the block that has the piece; its elements are made if they are not yet. */
  find(selector, has) {
    const index = this.blocks.findIndex((block) => block.some(has));
    if (index < 0) return null;
    this.fill(this.frames[index], index);
    return this.frames[index].querySelector(selector);
  }
}

/** A text without places in it. */
function plainText(text, options) {
  return new LongText([{ text, at: 0, edit: -1, role: "same", places: [] }], options).element;
}
