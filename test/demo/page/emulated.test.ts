import { afterAll, beforeAll, expect, test } from "vitest";
import { startQuietGitHub } from "../../harness/quiet-github.ts";
import { useStarted } from "../../harness/use-started.ts";
import { repo, servePage } from "./serve.ts";

let served: { url: string; close: () => Promise<void> };

const github = useStarted(() =>
  startQuietGitHub({
    repos: [{ name: "oncall", private: true, files: { "README.md": "# oncall\n" } }],
    people: [
      { login: "mona", role: "admin" },
      { login: "lee", role: "write" },
      { login: "sam", role: "write" },
      { login: "eve", role: "none" },
    ],
  }),
);
beforeAll(async () => {
  served = await servePage(github);
});
afterAll(async () => {
  await served.close();
});

const post = async (path: string, body: unknown) => {
  const answer = await fetch(served.url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answered: { id?: number } = JSON.parse(await answer.text());
  return { status: answer.status, body: answered };
};

/** Reads the event stream until the wanted text has come by, and gives everything read. */
const listen = async (issue: number, wanted: RegExp, then: () => Promise<unknown>): Promise<string> => {
  const stop = new AbortController();
  const answer = await fetch(`${served.url}/page/events?issue=${issue}`, { signal: stop.signal });
  let text = "";
  let isTold = false;
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString("utf8");
    if (!isTold && text.includes("event: issue")) {
      isTold = true;
      await then();
    }
    if (wanted.test(text)) break;
  }
  stop.abort();
  return text;
};

test("the page's buttons do on the emulated GitHub what they say, and the page hears of it", async () => {
  const opened = await post("/page/open", {
    as: "mona",
    title: "web-1 is down",
    body: "since 14:02Z",
    labels: ["incident"],
  });
  expect(opened).toMatchObject({
    status: 201,
    body: { number: 1, user: { login: "mona" }, labels: [{ name: "incident" }] },
  });
  const comment = await post("/page/comment", { as: "lee", issue: 1, body: "/approve 1" });
  expect(comment).toMatchObject({ status: 201, body: { user: { login: "lee" } } });
  expect(await post("/page/comment", { as: "eve", issue: 1, body: "/approve 1" })).toMatchObject({ status: 404 });

  const { id } = comment.body;
  const heard = await listen(1, /"content":"eyes","count":1/, async () => {
    await post("/page/edit", { as: "mona", issue: 1, comment: String(id), body: "/approve 2" });
    await github.as("sam")("POST", `/repos/${repo}/issues/comments/${id}/reactions`, { content: "eyes" });
  });
  expect(heard).toContain('"source":"/approve 2"');
  expect(heard).toContain('"event":"issue_comment","action":"created"');
  expect(await post("/page/state", { as: "mona", issue: 1, state: "closed" })).toMatchObject({
    status: 200,
    body: { state: "closed" },
  });
});

test("AR-20 DC-5 a link to a file or an issue leads to the page's own, where there is one", async () => {
  const { body } = await github.as("mona")("GET", `/repos/${repo}/branches/main`);
  const { sha } = (body as { commit: { sha: string } }).commit;
  const at = `${github.url}/${repo}`;
  const said = `[file](${at}/blob/${sha}/README.md) [there](${at}/issues/1#issuecomment-2) [out](https://x.example/)`;
  const wanted = `href=\\"/blob/${sha}/README.md\\"`;
  const shown = await listen(1, /out<\/a>/, () => post("/page/comment", { as: "mona", issue: 1, body: said }));
  expect(shown).toContain(wanted);
  expect(shown).toContain('href=\\"/issues/1#issuecomment-2\\"');
  expect(shown).toContain('href=\\"https://x.example/\\"');
  const file = await fetch(`${served.url}/blob/${sha}/README.md`);
  expect([file.status, await file.text()]).toEqual([200, "# oncall\n"]);
  expect((await fetch(`${served.url}/blob/${sha}/none.md`)).status).toBe(404);
});
