// The list of incidents, and the page to open one.
import { avatar, el, icon, label, time } from "./view.js";

const count = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

function line(issue) {
  return el(
    "li",
    { class: "issue-line" },
    el(
      "span",
      { class: `state-icon ${issue.state}`, title: issue.state },
      icon(issue.state),
      el("span", { class: "hidden" }, issue.state),
    ),
    el(
      "div",
      { class: "issue-text" },
      el("a", { href: `/issues/${issue.number}`, "data-route": true, class: "issue-title" }, issue.title),
      " ",
      ...issue.labels.map(label),
      el("p", { class: "meta" }, `#${issue.number} opened `, time(issue.createdAt), ` by ${issue.author.login}`),
    ),
    issue.comments > 0 &&
      el(
        "span",
        { class: "comments-count", title: count(issue.comments, "comment") },
        icon("comment"),
        ` ${issue.comments}`,
      ),
  );
}

/** The incidents that one click opens. */
function choices({ setup, act, go }) {
  const [author] = setup.people;
  const open = async (incident) => {
    const issue = await act("/page/open", { as: author.login, ...incident });
    if (issue) go(`/issues/${issue.number}`);
  };
  const list = setup.incidents.map(({ choice, title, body, label: name }) =>
    el(
      "li",
      {},
      el(
        "button",
        { type: "button", class: "choice", onclick: () => open({ title, body, labels: [name] }) },
        el("span", { class: "choice-name" }, choice),
        el("span", { class: "choice-title" }, title),
        el("span", { class: "choice-body" }, body.split("\n")[0]),
      ),
    ),
  );
  return { open, list: el("ul", { class: "choices" }, ...list) };
}

export function showList(tools) {
  const { recall, remember } = tools;
  const box = el("div", { class: "box", hidden: true });
  const another = el("h2", { class: "or", hidden: true }, "or open another");
  let issues;
  let filter = recall("filter") ?? "open";
  const draw = () => {
    if (!issues) return;
    box.hidden = another.hidden = issues.length === 0;
    const shown = issues.filter((issue) => issue.state === filter);
    const tab = (state) =>
      el(
        "button",
        {
          type: "button",
          class: "tab",
          "aria-pressed": String(filter === state),
          onclick: () => {
            filter = state;
            remember("filter", state);
            draw();
          },
        },
        `${state === "open" ? "Open" : "Closed"} `,
        el("span", { class: "count" }, String(issues.filter((issue) => issue.state === state).length)),
      );
    const empty = el(
      "p",
      { class: "blank" },
      filter === "open" ? "No incident is open." : "No incident is closed yet.",
    );
    box.replaceChildren(
      el("div", { class: "box-head" }, tab("open"), tab("closed")),
      shown.length === 0 ? empty : el("ul", { class: "issue-list" }, ...shown.map(line)),
    );
  };
  draw();
  const root = el(
    "div",
    { class: "column" },
    el(
      "div",
      { class: "list-head" },
      el("h1", {}, "Incidents"),
      el("a", { href: "/new", "data-route": true, class: "button primary" }, "New incident"),
    ),
    el(
      "p",
      { class: "lede" },
      "Open an incident and watch: Countersign proposes commands, and runs nothing before an approver has signed. The servers, the cluster and its kubectl are imagined.",
    ),
    box,
    another,
    choices(tools).list,
  );
  return {
    title: "Incidents",
    root,
    on: {
      issues: (fresh) => {
        issues = fresh;
        draw();
      },
    },
  };
}

/** What was fixed stays fixed; to play an incident again its servers must be broken again. */
function resetLine({ act, announce }) {
  const said = el("span", {}, "What you fix stays fixed.");
  const reset = async () => {
    said.textContent = "Breaking them …";
    const done = await act("/page/reset", {});
    const at = new Date().toLocaleTimeString();
    said.textContent = done
      ? `Done at ${at}: the servers and the cluster are broken again, as at the start.`
      : "They could not be broken again.";
    announce(said.textContent);
  };
  const button = el("button", { type: "button", class: "button", onclick: reset }, "Break the servers again");
  return el("p", { class: "reset" }, button, " ", said);
}

export function showNew(tools) {
  const { setup } = tools;
  const [author] = setup.people;
  const { open, list } = choices(tools);
  const title = el("input", {
    id: "title",
    type: "text",
    required: true,
    maxlength: 200,
    placeholder: "What is broken, where, since when",
  });
  const body = el("textarea", { id: "body", rows: 5, placeholder: "What you see: an alert, log lines, what changed" });
  const form = el(
    "form",
    {
      class: "free",
      onsubmit: (event) => {
        event.preventDefault();
        void open({ title: title.value.trim(), body: body.value, labels: ["incident"] });
      },
    },
    el("label", { for: "title" }, "Title"),
    title,
    el("label", { for: "body" }, "Text"),
    body,
    el("div", { class: "row-end" }, el("button", { type: "submit", class: "button" }, "Open this incident")),
  );
  const root = el(
    "div",
    { class: "column" },
    el("h1", {}, "Open an incident"),
    el(
      "p",
      { class: "lede" },
      avatar(author, "small"),
      ` You open it as ${author.login}, with the label `,
      label({ name: "incident" }),
    ),
    list,
    el("h2", { class: "or" }, "or describe one yourself"),
    form,
    setup.canReset && resetLine(tools),
  );
  return { title: "New incident", root };
}
