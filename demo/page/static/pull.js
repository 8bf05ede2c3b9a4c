// One pull request that a patch opened: what it says, what it changes, and its maintainer's button.
import { diffLines, el, icon, stayHere, time } from "./view.js";

const words = { draft: "Draft", open: "Open", merged: "Merged", closed: "Closed" };

/** Without the commit, which the head of the page tells. */
function drawDiff(diff) {
  const code = el("code", {}, ...diffLines(diff.replace(/^commit .*\n/, "")));
  return el("pre", { class: "diff", tabindex: 0, "aria-label": "What it changes" }, code);
}

export function showPull(number, { setup, act, announce }) {
  const [maintainer] = setup.people;
  const root = el("div", { class: "column" }, el("p", { class: "blank" }, "Loading…"));
  let shown = "";

  const merge = async () => {
    if (await act("/page/merge", { as: maintainer.login, pull: number }))
      announce("Merged; the cluster takes it over.");
    await draw();
  };

  const drawEnd = ({ state, checks }) =>
    el(
      "div",
      { class: "pull-end" },
      el(
        "ul",
        { class: "pull-checks" },
        ...checks.map(({ name, conclusion }) =>
          el(
            "li",
            {},
            el("span", { class: `check ${conclusion}` }, conclusion === "success" ? "✓" : "•"),
            ` ${name}: ${conclusion}`,
          ),
        ),
      ),
      state === "draft" || state === "open"
        ? el(
            "div",
            { class: "pull-merge" },
            el("button", { type: "button", class: "button primary", onclick: merge }, `Merge as ${maintainer.login}`),
            el(
              "p",
              { class: "meta" },
              `Countersign never merges. ${maintainer.login} maintains ${setup.patches}; what is merged is rolled out on prod-eu.`,
            ),
          )
        : el(
            "p",
            { class: "meta" },
            state === "merged"
              ? "Merged, and rolled out on prod-eu. Its incident proposes the check."
              : "Closed without a merge.",
          ),
    );

  const draw = async () => {
    const response = await fetch(`/page/pull?number=${number}`).catch(() => undefined);
    if (!response) return;
    const text = await response.text();
    if (text === shown) return;
    shown = text;
    if (!response.ok) {
      root.replaceChildren(
        el(
          "p",
          { class: "blank" },
          `There is no pull request ${number}. `,
          el("a", { href: "/", "data-route": true }, "All incidents"),
        ),
      );
      return;
    }
    const pull = JSON.parse(text);
    document.title = `${pull.title} · ${setup.patches}#${number}`;
    const body = el("div", { class: "markdown-body" });
    body.innerHTML = pull.html;
    stayHere(body);
    root.replaceChildren(
      el(
        "div",
        { class: "issue-head" },
        el("p", { class: "meta" }, `${setup.patches} · pull request`),
        el("h1", {}, `${pull.title} `, el("span", { class: "number" }, `#${number}`)),
        el(
          "div",
          { class: "issue-meta" },
          el("span", { class: `state ${pull.state}` }, icon("pull"), words[pull.state]),
          el(
            "span",
            { class: "meta" },
            el("strong", {}, pull.author.login),
            " wants to merge into ",
            el("code", { class: "branch" }, pull.branches.base),
            " from ",
            el("code", { class: "branch" }, pull.branches.head),
            " · ",
            time(pull.createdAt),
          ),
        ),
      ),
      el("div", { class: "bubble pull-body" }, body),
      drawDiff(pull.diff),
      drawEnd(pull),
    );
  };
  void draw();
  const refresh = setInterval(() => {
    if (!root.isConnected) return clearInterval(refresh);
    void draw();
  }, 1_500);

  return { title: `Pull request ${number}`, root, on: {} };
}
