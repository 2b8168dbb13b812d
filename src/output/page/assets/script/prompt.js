// The exact prompt and the reply, as they went over the wire.

/** The prompt: a message after the other; where the document stands in it word for word, it is folded. */
function promptView(reply, position, rows) {
  const parts = [make("h4", { id: "prompt-title", tabindex: "-1" }, "Prompt")];
  if (reply.prompt_note) parts.push(make("p", { class: "calm" }, isolated(reply.prompt_note)));
  for (const message of reply.prompt ?? []) {
    const body = make("div", { class: "message-body" });
    for (const part of message.parts) {
      if (typeof part === "string") {
        if (part) body.append(plainText(part, { label: `${message.role} message`, mono: true }));
      } else body.append(foldedDocument(position, rows));
    }
    parts.push(make("div", { class: "message" }, make("h5", {}, isolated(message.role)), body));
  }
  return make("section", { class: "prompt", "aria-labelledby": "prompt-title" }, parts);
}

/** A document in a prompt, whose text comes when it is unfolded. */
function foldedDocument(position, rows) {
  const words = make("span", {}, `document ${position}`);
  const fold = make("details", { class: "folded" }, make("summary", {}, words));
  const load = () => documentAt(position, rows);
  load().then(
    (found) => {
      if (!found) return;
      const letters = found.text === null ? "no text" : count(found.text.length, "character");
      words.replaceChildren("document ", isolated(found.label ?? found.id), ` \u2014 ${letters}, word for word`);
    },
    () => undefined,
  );
  fold.addEventListener("toggle", async () => {
    if (!fold.open || fold.childElementCount > 1) return;
    try {
      const found = await load();
      fold.append(plainText(found?.text ?? "", { label: "Document in the prompt", mono: true }));
    } catch (error) {
      fold.append(make("p", { class: "calm" }, String(error.message)));
    }
  });
  return fold;
}

/** What a model wrote before its reply, folded. */
function thoughtsView(thoughts) {
  const fold = make("details", { class: "folded" }, make("summary", {}, `Thoughts \u2014 ${count(thoughts.length, "character")}`));
  fold.addEventListener("toggle", () => {
    if (fold.open && fold.childElementCount === 1) fold.append(plainText(thoughts, { label: "Thoughts", mono: true }));
  });
  return fold;
}

/** The reply, with the places that scores and issues were read from. Gives the element, and a way to a score's place. */
function replyView(reply) {
  const places = [];
  reply.scores?.forEach((score, index) => {
    for (const [start, end] of score.spans ?? []) places.push({ start, end, score: index, metric: score.metric });
  });
  reply.issues?.forEach((issue, index) => {
    for (const [start, end] of issue.spans ?? []) places.push({ start, end, issue: index, metric: issue.metric });
  });
  const parts = [make("h4", { id: "reply-title", tabindex: "-1" }, "Reply")];
  if (reply.finish && reply.finish !== "stop") {
    parts[0].append(" ", make("span", { class: "badge alert" }, "ended by: ", isolated(reply.finish)));
  }
  if (reply.thoughts) parts.push(thoughtsView(reply.thoughts));
  let text = null;
  if (reply.reply) {
    const pieces = cut([{ text: reply.reply, at: 0, edit: -1, role: "same" }], places);
    text = new LongText(pieces, {
      label: "Text of the reply",
      mono: true,
      wrap: ({ places: within }) => {
        if (!within?.length) return null;
        const scores = within.map((place) => places[place]).filter((place) => place.score !== undefined);
        const issues = within.map((place) => places[place]).filter((place) => place.issue !== undefined);
        const names = [...new Set([...scores, ...issues].map((place) => place.metric).filter(Boolean))].join(", ");
        return make("mark", {
          class: scores.length ? "read" : "told",
          "data-scores": scores.map((place) => place.score).join(" "),
          "data-issues": issues.map((place) => place.issue).join(" "),
          title: scores.length ? `score of ${names}` : `issue of ${names}`,
          tabindex: "-1",
        });
      },
    });
    parts.push(text.element);
  } else parts.push(make("p", { class: "calm" }, reply.reply === "" ? "The reply is empty." : "There is no reply."));
  const go = (kind, index) => {
    const has = (piece) => piece.places?.some((place) => places[place][kind.slice(0, -1)] === index);
    const element = text?.find(`[data-${kind}~="${index}"]`, has);
    element?.focus({ preventScroll: true });
    if (element) bringIntoView(element);
  };
  return { element: make("section", { class: "reply", "aria-labelledby": "reply-title" }, parts), go };
}
