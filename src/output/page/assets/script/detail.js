// One judgement: what was read from the reply, the issues beside the document, the reply, the prompt, the facts.

/** The most replies about one row that are shown beside its lists. */
const MOST_OTHERS = 12;

class Detail {
  /** `close` closes it, `step` goes to the next row or the one before. */
  constructor(rows, { close, step }) {
    this.rows = rows;
    this.view = null;
    this.tip = setUpTip();
    this.turn = 0;
    this.title = make("h3", { id: "detail-title", tabindex: "-1" });
    this.place = make("span", { class: "where" });
    this.badges = make("p", { class: "badges" });
    this.body = make("div", { class: "detail-body" });
    const jump = (id, words) =>
      make("button", { type: "button", class: "plain", onclick: () => this.jump(id) }, words);
    this.toLists = jump("lists-title", "Lists");
    this.element = make(
      "section",
      { class: "detail", "aria-labelledby": "detail-title", hidden: true },
      make(
        "header",
        { class: "detail-head" },
        make(
          "div",
          { class: "detail-line" },
          this.title,
          make(
            "div",
            { class: "steps" },
            make("button", { type: "button", "aria-label": "Judgement before this one", onclick: () => step(-1) }, "\u2191"),
            this.place,
            make("button", { type: "button", "aria-label": "Next judgement", onclick: () => step(1) }, "\u2193"),
          ),
          make("button", { type: "button", class: "close", onclick: close }, "Close ", make("kbd", {}, "Esc")),
        ),
        this.badges,
        make(
          "div",
          { class: "jumps", role: "group", "aria-label": "Go to" },
          jump("scores-title", "Scores"),
          this.toLists,
          jump("reply-title", "Reply"),
          jump("prompt-title", "Prompt"),
          jump("document-title", "Document"),
        ),
      ),
      this.body,
      this.tip.tip,
    );
    this.body.addEventListener("scroll", () => this.tip.hide(), { passive: true });
  }

  jump(id) {
    const target = document.getElementById(id);
    if (!target) return;
    target.focus({ preventScroll: true });
    bringIntoView(target, "start");
  }

  /** Shows a row of the index; `place` says where in the list it is. */
  async show(row, place) {
    const { rows } = this;
    this.turn += 1;
    const turn = this.turn;
    const value = (name) => (rows.byName.has(name) ? rows.text(rows.byName.get(name), row) : "");
    this.title.replaceChildren(isolated(value("doc_id") || `row ${row + 1}`));
    this.place.textContent = place;
    this.badges.replaceChildren(...this.badgesOf(row));
    this.element.hidden = false;
    this.tip.hide();
    try {
      const [found, reply] = await Promise.all([
        documentAt(rows.documents[row], rows),
        member("replies", rows.replies[row], rows.repliesPerChunk),
      ]);
      // Somebody went on while this was opened.
      if (turn !== this.turn) return;
      const beside = await documentAt(found?.beside ?? -1, rows);
      if (turn !== this.turn) return;
      const others = found?.lists?.length ? await this.others(row, reply) : [];
      if (turn !== this.turn) return;
      // The metrics of elements have the place of theirs behind them.
      const metric = [value("metric"), value("item")].filter(Boolean).join(" ");
      const item = Number.parseInt(value("item"), 10) - 1;
      this.fill([found, beside], reply, metric, { position: rows.documents[row], others, here: { list: reply?.list, item } });
    } catch (error) {
      if (turn !== this.turn) return;
      this.view = null;
      this.body.replaceChildren(make("p", { class: "alert" }, `This judgement cannot be shown: ${error.message}`));
    }
  }

  /** What was replied about the same row, to whichever judge: this reply among them, each once. */
  async others(row, reply) {
    const { rows } = this;
    const judge = rows.byName.get("judge");
    const seen = new Set([rows.replies[row]]);
    const all = [{ judge: rows.text(judge, row), reply }];
    for (let other = 0; other < rows.count && all.length < MOST_OTHERS; other += 1) {
      if (rows.documents[other] !== rows.documents[row] || seen.has(rows.replies[other])) continue;
      seen.add(rows.replies[other]);
      const found = await member("replies", rows.replies[other], rows.repliesPerChunk);
      all.push({ judge: rows.text(judge, other), reply: found });
    }
    return all;
  }

  badgesOf(row) {
    const { rows } = this;
    return rows.columns
      .filter((column) => column.name !== "doc_id" && !column.lists && !column.ofDocument && rows.text(column, row) !== "")
      .map((column) => {
        const alert = column.name === "unscored" ? " alert" : "";
        return make("span", { class: `badge${alert}` }, make("span", {}, isolated(column.name)), " ", isolated(rows.text(column, row)));
      });
  }

  fill([found, beside], reply, metric, { position, others, here }) {
    const issues = reply?.issues ?? [];
    const quotes = issues.flatMap((issue, index) =>
      (issue.quotes ?? []).map(([start, end]) => ({ start, end, issue: index })),
    );
    this.view = null;
    const left = make("div", { class: "detail-document" });
    const right = make("div", { class: "detail-words" });
    // Only what is short is read beside other texts.
    const short = typeof found?.text === "string" && found.text.length <= SHORT;
    const [fields, known] = short ? apart(found.facts ?? []) : [[], found?.facts ?? []];
    const around = fields.length ? fieldsView(fields) : null;
    if (around) left.append(around);
    if (found) {
      const before = () => documentAt(found.before, this.rows);
      this.view = new DocumentView(found, { quotes, before });
      this.tip.attach(this.view);
      (around && !found.edits?.length ? around : left).append(this.view.element);
      if (beside) left.append(this.beside(beside));
    } else left.append(make("p", { class: "calm" }, "There is no document to show."));
    const lists = listsView(found?.lists ?? [], others, here);
    this.toLists.hidden = !lists;
    if (reply) {
      const shown = replyView(reply);
      right.append(this.scores(reply, metric, shown.go));
      if (issues.length) right.append(this.issues(issues, metric, quotes, shown.go));
      if (lists) right.append(lists);
      right.append(shown.element, promptView(reply, position, this.rows));
    } else right.append(make("p", { class: "calm" }, "No model was called."), lists ?? "");
    const facts = [...(reply?.facts ?? []), ...known];
    if (facts.length) right.append(this.facts(facts));
    // Where there is room for one column only, what was judged comes before the long document.
    const narrow = this.element.clientWidth < 768;
    this.body.replaceChildren(...(narrow ? [right, left] : [left, right]));
    for (const box of [this.body, left, right]) box.scrollTop = 0;
  }

  /** The other text of a pair. */
  beside({ label, text }) {
    const head = make("header", {}, make("h4", {}, "Document ", isolated(label, { class: "label" })));
    const whole = plainText(text ?? "", { label: "Text of the other document" });
    return make("section", { class: "document" }, head, make("div", { class: "document-text" }, whole));
  }

  scores(reply, metric, go) {
    const rows = (reply.scores ?? []).map((score, index) => {
      const scored = score.score !== null && score.score !== undefined;
      const from = score.spans?.length
        ? make("button", { type: "button", class: "plain", onclick: () => go("scores", index) }, "where")
        : null;
      const why = [score.unscored, score.detail].filter(Boolean);
      return make(
        "tr",
        { class: score.metric === metric ? "here" : null, "aria-current": score.metric === metric ? "true" : null },
        make(
          "th",
          { scope: "row" },
          isolated(score.metric),
          score.about ? make("div", { class: "about" }, isolated(score.about)) : null,
        ),
        make("td", { class: "numeric" }, scored ? number(score.score) : "\u2014"),
        make(
          "td",
          {},
          score.says ? make("span", { class: "says" }, isolated(score.says), " ") : null,
          scored ? null : make("span", { class: "badge alert" }, "unscored "),
          isolated(why.join(": ")),
          score.contradicted ? make("span", { class: "badge alert" }, " the reply names another score too") : null,
        ),
        make("td", {}, from),
      );
    });
    const head = ["metric", "score", "remarks", "read from"].map((word) => make("th", { scope: "col" }, word));
    return make(
      "section",
      { class: "scores", "aria-labelledby": "scores-title" },
      make("h4", { id: "scores-title", tabindex: "-1" }, "Scores read from the reply"),
      rows.length
        ? make("table", { "aria-labelledby": "scores-title" }, make("thead", {}, make("tr", {}, head)), make("tbody", {}, rows))
        : make("p", { class: "calm" }, "None."),
    );
  }

  issues(issues, metric, quotes, go) {
    const order = [...issues.keys()].sort((a, b) => (issues[b].metric === metric) - (issues[a].metric === metric));
    const items = order.map((index) => {
      const issue = issues[index];
      const words = [issue.metric, issue.label].filter(Boolean).join(" · ");
      const quoted = quotes.some((quote) => quote.issue === index);
      return make(
        "li",
        { "data-issue-item": index, class: issue.metric && issue.metric !== metric ? "other" : null },
        make("b", {}, isolated(words)),
        make("div", { class: "issue-text" }, isolated(issue.text ?? "")),
        make(
          "div",
          { class: "issue-links" },
          quoted
            ? make("button", { type: "button", class: "plain", onclick: () => this.view?.goToIssue(index) }, "quoted passage")
            : null,
          issue.spans?.length
            ? make("button", { type: "button", class: "plain", onclick: () => go("issues", index) }, "in the reply")
            : null,
        ),
      );
    });
    return make(
      "section",
      { class: "issues", "aria-labelledby": "issues-title" },
      make("h4", { id: "issues-title" }, count(issues.length, "issue")),
      make("ol", {}, items),
    );
  }

  facts(facts) {
    const lines = facts.map(([label, value]) =>
      make("div", {}, make("dt", {}, isolated(label)), make("dd", {}, isolated(value))),
    );
    return make(
      "section",
      { "aria-labelledby": "facts-title" },
      make("h4", { id: "facts-title" }, "Facts"),
      make("dl", { class: "facts" }, lines),
    );
  }
}

/** From how many words on what is known of a document is a text that is read beside it: a question, a reference. */
const FIELD_WORDS = 3;

/** The longest document that stands beside such texts, in letters. */
const SHORT = 3_000;

/** What is known of a document: texts, and the rest. Lists and objects are no texts. */
function apart(facts) {
  const isText = ([, value]) => !/^\s*[[{]/.test(value) && value.trim().split(/\s+/).length >= FIELD_WORDS;
  return [facts.filter(isText), facts.filter((fact) => !isText(fact))];
}

/** The texts of a row that stand beside the document, next to each other. */
function fieldsView(fields) {
  const boxes = fields.map(([label, value]) =>
    make("section", { class: "field" }, make("h4", {}, isolated(label)), plainText(value, { label })),
  );
  return make("div", { class: "fields" }, boxes);
}
