import { expect, test } from "vitest";
import { renderMarkdown } from "../../../demo/page/markdown.ts";
import { useStarted } from "../../harness/use-started.ts";
import { createMemoryGitHub } from "./memory-github.ts";
import { repo, servePage } from "./serve.ts";

const github = createMemoryGitHub(repo);
const served = useStarted(() => servePage(github));

const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetch(served.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

test("paths that are not the page's are left to others", async () => {
  const answer = await fetch(`${served.url}/api/github/webhooks`);
  expect([answer.status, await answer.text()]).toEqual([404, "not the page's"]);
});

test("the document comes with a policy that forbids everything but its own files", async () => {
  const answer = await fetch(served.url);
  expect(answer.headers.get("content-security-policy")).toContain(
    "default-src 'none'; script-src 'self'; style-src 'self'",
  );
  expect(await answer.text()).not.toMatch(/https?:\/\/(?!www\.w3\.org)/);
});

test("what an open page listens to ends with the demo, and does not hold it for ten seconds", async () => {
  const other = await servePage(createMemoryGitHub(repo));
  const events = await fetch(`${other.url}/page/events`);
  const heard = events.text();
  other.endPage();
  expect(await heard).toContain("event: traffic");
  await other.close();
});

test.each([
  ["another site's form", { origin: "https://evil.example" }],
  ["a body that is no JSON", { "content-type": "text/plain" }],
])("%s may not act as mona", async (_who, headers) => {
  const answer = await post("/page/open", { as: "mona", title: "x", body: "" }, headers);
  expect(answer.status).toBe(403);
});

test.each([
  ["/page/open", { as: "root", title: "x" }],
  ["/page/comment", { as: "mona", issue: "../../x", body: "x" }],
  ["/page/edit", { as: "mona", comment: "1/../../x", body: "x" }],
  ["/page/state", { as: "mona", issue: 1, state: "deleted" }],
  ["/page/merge", { as: "mona", pull: "../../x" }],
])("%s with %j is refused before GitHub is asked", async (path, body) => {
  expect((await post(path, body)).status).toBe(400);
});

test.each([
  ["- [x] done", '<input type="checkbox" disabled class="task-list-item-checkbox" checked />'],
  ["`a` <!-- marker --> b", "<p><code>a</code>  b</p>"],
  ["one\ntwo", "one<br />two"],
  ["ask @acme/oncall", '<strong class="mention">@acme/oncall</strong>'],
  ["mail me@example.com", "me@example.com"],
  ["> [!WARNING]\n> careful", '<div class="markdown-alert markdown-alert-warning">'],
  ["[x](javascript:alert(1))", "<p><a"],
  ["<details><summary>s</summary>\n\n```text\n</details><script>\n```\n\n</details>", "&lt;/details&gt;&lt;script&gt;"],
])("%j is shown as GitHub shows it", (text, html) => {
  expect(renderMarkdown(text)).toContain(html);
  expect(renderMarkdown(text)).not.toMatch(/<script|javascript:|on\w+=/);
});
