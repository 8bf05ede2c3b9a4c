import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { missing } from "../harness/missing.ts";
import { type Playground, repo, startPlayground } from "../harness/playground.ts";
import { startPostgres } from "../harness/postgres.ts";
import { startSshd } from "../harness/sshd.ts";

const sshd = await startSshd();
const postgres = await startPostgres("the whole loop on PostgreSQL");
if ("missing" in sshd) missing("sshd", `the whole story over a real sshd was not run: ${sshd.missing}`);

const stores = [
  { name: "the embedded store", available: true, url: async () => undefined },
  { name: "PostgreSQL", available: postgres !== undefined, url: async () => postgres?.createDatabase() },
] as const;

afterAll(async () => {
  if (!("missing" in sshd)) await sshd.close();
  await postgres?.stop();
});

describe.each(stores)("the whole loop on $name", ({ available, url }) => {
  describe.runIf(available && !("missing" in sshd))("over a real sshd", () => {
    let playground: Playground;

    beforeAll(async () => {
      if ("missing" in sshd) return;
      const storeUrl = await url();
      playground = await startPlayground({
        servers: { "web-1": { ...sshd.entry, description: "mail relay" } },
        ...(storeUrl === undefined ? {} : { storeUrl }),
      });
    });
    afterAll(() => playground.close());

    it("DC-1 DC-3 DC-4 DC-5 webhook → proposals → /approve 1 → sshd → results → next proposals", async () => {
      const { github, open, quiet, log } = playground;
      const thread = await open();
      const card = await thread.waitFor((body) => body.includes("- [ ] **1**"), "the proposal card");
      await quiet();
      const toCard = installationRequests(github);
      expect(card.body).toContain("- [ ] **1** · 🟢 low · `web-1`");
      expect(card.body).toContain("echo spool is at 97 percent\n  uname -s");
      expect(card.body).toContain("📖 **Runbook links**");
      expect(await issueReactions(thread.number)).toEqual(["eyes"]);
      const beforeCard = toCard.slice(0, toCard.lastIndexOf("issues/create-comment") + 1);
      console.log(`requests from issues.opened to the card: ${beforeCard.join(", ")}; in all ${toCard.length}`);
      // A slow machine may edit the board before the card is there.
      expect(beforeCard.filter((operation) => operation !== "issues/update-comment").length).toBeLessThanOrEqual(4);

      github.resetCounts();
      const asked: { readonly operationId: string | undefined; readonly at: number }[] = [];
      const deaf = github.onTraffic((traffic) => {
        if (traffic.kind === "request" && traffic.by === "installation") asked.push({ ...traffic, at: Date.now() });
      });
      const approval = await thread.say("lee", "/approve 1");
      const result = await thread.waitFor((body) => /^\*\*1\*\* ✅/.test(body), "the results");
      expect(result.body).toContain("spool is at 97 percent");
      expect(result.body).toContain("Linux");
      const next = await thread.waitFor((body) => /- \[ \] \*\*2\*\*/.test(body), "the next proposals");
      expect(next.body).toContain("systemctl restart spooler");
      await quiet();
      deaf();
      const startedAt = Date.parse(String(log.find((line) => line.event === "run_start")?.ts));
      const beforeStart = asked.filter((request) => request.at <= startedAt).map((request) => request.operationId);
      console.log(
        `requests from /approve to the command's start: ${beforeStart.join(", ")}; in all ${installationRequests(github).length}`,
      );
      // A slow machine looks again, because a look holds for a second, and edits board and card meanwhile: neither is a request of
      // another kind. The eyes may come later there.
      const isRepeat = (operation: string | undefined, at: number): boolean =>
        operation === "issues/update-comment" || (operation === "graphql Facts" && beforeStart.indexOf(operation) < at);
      const first = beforeStart.filter((operation, at) => !isRepeat(operation, at));
      expect(first).toContain("graphql Facts");
      expect(
        ["graphql Facts", "issues/create-comment", "reactions/create-for-issue-comment"].filter(
          (operation) => !first.includes(operation),
        ).length,
      ).toBe(3 - first.length);
      expect(await thread.reactions(approval)).toEqual(["eyes", "rocket"]);
      expect(log.filter((line) => line.event === "run_start")).toHaveLength(2);
      expect(github.invalid()).toEqual([]);
    });

    it("DC-2 the agent's context comes from the default branch in one GraphQL request, and a push drops it", async () => {
      const { github, open, quiet } = playground;
      await quiet();
      github.resetCounts();
      const first = await open();
      await first.waitFor((body) => body.includes("- [ ] **1**"), "a card");
      await quiet();
      expect(installationRequests(github).filter((operation) => operation === "graphql RepoContext")).toEqual([]);

      // Whoever is first to want it after the push asks for it, and nobody else.
      github.resetCounts();
      await github.as("mona")("PUT", `/repos/${repo}/contents/AGENTS.md`, await newAgentsFile());
      await quiet();
      const second = await open();
      await second.waitFor((body) => body.includes("- [ ] **1**"), "a card");
      await quiet();
      expect(installationRequests(github).filter((operation) => operation === "graphql RepoContext")).toHaveLength(1);
    });

    it("SR-26 a second /approve of the same action does not run it again, and says so", async () => {
      const { open, quiet, log } = playground;
      const thread = await open();
      await thread.waitFor((body) => body.includes("- [ ] **1**"), "a card");
      await thread.say("lee", "/approve 1");
      await thread.waitFor((body) => /\*\*1\*\* ✅/.test(body), "the result");
      await quiet();
      const before = log.filter((line) => line.event === "run_start").length;
      const again = await thread.say("mona", "/approve 1");
      await thread.waitFor((body) => body.includes("has already run"), "the answer");
      await quiet();
      expect(log.filter((line) => line.event === "run_start")).toHaveLength(before);
      expect(await thread.reactions(again)).toEqual([]);
    });

    it("DC-4 /approve 99 is answered with what is open, and nothing runs", async () => {
      const { open, quiet } = playground;
      const thread = await open();
      await thread.waitFor((body) => body.includes("- [ ] **1**"), "a card");
      await thread.say("lee", "/approve 99");
      const answer = await thread.waitFor((body) => body.includes("**99**: there is no such number"), "the answer");
      expect(answer.body).toContain("Open right now: 1.");
      expect(answer.body).toContain("Nothing was run.");
      await quiet();
    });

    it("DC-6 the audit of it all verifies, and names who approved what", async () => {
      const { db } = playground.bot.deps.store;
      const { verifyAudit } = await import("../../src/store/audit/chain.ts");
      expect(await verifyAudit(db)).toMatchObject({ ok: true });
      const rows = await db.selectFrom("audit").select(["kind", "body"]).orderBy("seq").execute();
      const kinds = rows.map((row) => row.kind);
      const first = kinds.indexOf("command_proposed");
      expect(kinds.indexOf("command_approved")).toBeGreaterThan(first);
      expect(kinds.indexOf("command_dispatched")).toBeGreaterThan(kinds.indexOf("command_approved"));
      expect(kinds.indexOf("command_executed")).toBeGreaterThan(kinds.indexOf("command_dispatched"));
      const approved = JSON.parse(rows[kinds.indexOf("command_approved")]?.body ?? "{}");
      expect(approved).toMatchObject({ number: 1, by: { login: "lee", role: "write" } });
    });

    async function issueReactions(number: number): Promise<readonly string[]> {
      const { body } = await playground.github.as("mona")("GET", `/repos/${repo}/issues/${number}/reactions`);
      return Array.isArray(body) ? body.map((reaction: { content: string }) => reaction.content) : [];
    }

    async function newAgentsFile() {
      const { body } = await playground.github.as("mona")("GET", `/repos/${repo}/contents/AGENTS.md`);
      const sha = typeof body === "object" && body !== null && "sha" in body ? body.sha : undefined;
      return { message: "say more", content: Buffer.from("# Web\n\nCall first.\n").toString("base64"), sha };
    }
  });
});

/** The operations the App asked of GitHub, in order; minting tokens is counted apart. */
function installationRequests(github: Playground["github"]): string[] {
  return github
    .requests()
    .filter((request) => request.by === "installation")
    .map((request) => request.operationId ?? request.path);
}
