// One incident: its comments as they arrive, and the box below them.
import { composer, editor } from "./compose.js";
import {
  ago,
  avatar,
  diffLines,
  drawEmoji,
  el,
  icon,
  label,
  newest,
  offerCommands,
  offered,
  reactions,
  stayHere,
  time,
} from "./view.js";

const byline = ({ login, bot }) => [
  el("strong", { class: "author" }, login),
  bot && el("span", { class: "badge" }, "bot"),
];

export function showIssue(number, tools) {
  const { setup, act, announce } = tools;
  const head = el("div", { class: "issue-head" }, el("p", { class: "blank" }, "Loading…"));
  const thread = el("div", { class: "thread" });
  const ending = el("p", { class: "ending", hidden: true });
  const cards = new Map();
  const latest = new Map();
  let isFirst = true;
  let shown;
  let heldUntil = 0;

  const box = composer(tools, {
    submit: (as, body) => act("/page/comment", { as, issue: number, body }),
    setState: (as, state) => act("/page/state", { as, issue: number, state }),
  });

  const setHeading = (fresh) => {
    document.title = `${fresh.title} · #${number}`;
    head.replaceChildren(
      el("h1", {}, `${fresh.title} `, el("span", { class: "number" }, `#${number}`)),
      el(
        "div",
        { class: "issue-meta" },
        el("span", { class: `state ${fresh.state}` }, icon(fresh.state), fresh.state === "open" ? "Open" : "Closed"),
        ...fresh.labels.map(label),
        el(
          "span",
          { class: "meta" },
          el("strong", {}, fresh.author.login),
          " opened this ",
          time(fresh.createdAt),
          ` · ${fresh.comments} comment${fresh.comments === 1 ? "" : "s"}`,
        ),
      ),
    );
    ending.hidden = fresh.state !== "closed";
    if (fresh.closedAt) ending.replaceChildren(icon("closed"), " closed ", time(fresh.closedAt));
    box.setState(fresh.state);
  };

  /** A comment as GitHub shows it. Its open `<details>` stay open when it is edited. */
  const fill = (card, comment) => {
    const wasOpen = [...card.querySelectorAll("details")].map((details) => details.open);
    const body = el("div", { class: "markdown-body" });
    body.innerHTML = comment.html || "<p><em>No description provided.</em></p>";
    for (const [i, details] of [...body.querySelectorAll("details")].entries()) details.open ||= wasOpen[i] === true;
    for (const scrolled of body.querySelectorAll("pre, table")) scrolled.tabIndex = 0;
    for (const code of body.querySelectorAll("code.language-diff"))
      code.replaceChildren(...diffLines(code.textContent));
    stayHere(body);
    drawEmoji(body);
    offerCommands(body, setup.verbs, box.insert);
    const edit = el(
      "button",
      {
        type: "button",
        class: "quiet",
        "aria-label": `Edit this comment by ${comment.author.login}`,
        onclick: () => {
          const form = editor(setup, {
            comment,
            as: box.person(),
            save: (as, text) => act("/page/edit", { as, issue: number, comment: comment.id, body: text }),
            done: () => {
              form.remove();
              fill(card, latest.get(comment.id)); // It may have changed while somebody typed.
            },
          });
          body.replaceWith(form);
          form.querySelector("textarea").focus();
        },
      },
      "Edit",
    );
    card.className = `comment ${comment.author.bot ? "by-bot" : ""} ${comment.author.login === setup.people[0].login ? "by-me" : ""}`;
    card.setAttribute("aria-label", `Comment by ${comment.author.login}, ${ago(comment.createdAt)}`);
    card.replaceChildren(
      ...[
        avatar(comment.author),
        el(
          "div",
          { class: "bubble" },
          el(
            "header",
            {},
            avatar(comment.author, "tiny"),
            ...byline(comment.author).filter(Boolean),
            el("span", { class: "when" }, time(comment.createdAt)),
            comment.editedAt &&
              el("span", { class: "edited", title: new Date(comment.editedAt).toUTCString() }, "edited"),
            edit,
          ),
          body,
          reactions(comment.reactions),
        ),
      ].filter(Boolean),
    );
  };

  /**
   * Once for each visit, at the newest card or the first that comes; nobody who writes is moved. What is still being drawn above it
   * pushes it down for a moment, so it is held until then.
   */
  const goOn = () => {
    const { card, waits } = newest(thread);
    const isHeld = card === shown && performance.now() < heldUntil;
    if (!card || !(isFirst || waits) || (shown && !isHeld) || box.isBusy()) return;
    const isBelow = card.getBoundingClientRect().bottom > innerHeight;
    if (isHeld || isBelow) card.scrollIntoView({ block: "start" });
    if (!waits || shown) return;
    shown = card;
    heldUntil = isBelow ? performance.now() + 1_500 : 0;
  };

  const onIssue = ({ heading: fresh, order, changed }) => {
    setHeading(fresh);
    const arrived = [];
    for (const comment of changed) {
      const known = cards.get(comment.id);
      const card = known ?? el("article", {});
      cards.set(comment.id, card);
      latest.set(comment.id, comment);
      if (card.querySelector(".editor")) continue; // Somebody types in it; what they save wins.
      fill(card, comment);
      if (isFirst) continue;
      if (!known) arrived.push(comment);
      card.classList.add(known ? "touched" : "arrived");
    }
    for (const [id, card] of cards) {
      if (order.includes(id)) continue;
      card.remove();
      cards.delete(id);
    }
    for (const [i, id] of order.entries()) {
      const card = cards.get(id);
      if (card && thread.children[i] !== card) thread.insertBefore(card, thread.children[i] ?? null);
    }
    goOn();
    isFirst = false;
    if (arrived.length > 0) announce(`New comment by ${arrived.map(({ author }) => author.login).join(", ")}`);
    box.setHints(offered(thread));
  };

  const refresh = setInterval(() => {
    if (!thread.isConnected) return clearInterval(refresh);
    for (const stamp of document.querySelectorAll("time")) stamp.textContent = ago(stamp.dateTime);
  }, 15_000);

  return {
    title: `Incident #${number}`,
    root: el("div", { class: "column" }, head, thread, ending, box.root),
    on: {
      issue: onIssue,
      gone: () =>
        head.replaceChildren(
          el(
            "p",
            { class: "blank" },
            `There is no incident #${number}. `,
            el("a", { href: "/", "data-route": true }, "All incidents"),
          ),
        ),
      trouble: ({ message }) => announce(message),
    },
  };
}
