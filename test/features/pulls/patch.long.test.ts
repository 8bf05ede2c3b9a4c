import { describe, expect, it } from "vitest";
import { followPullRequests } from "../../../src/features/pulls/follow.ts";
import { auditOf, call, useStage } from "../../harness/stage.ts";

const deployment = [
  "apiVersion: apps/v1",
  "kind: Deployment",
  "metadata:",
  "  name: pricing",
  "spec:",
  "  template:",
  "    spec:",
  "      containers:",
  "        - name: pricing",
  "          resources:",
  "            limits:",
  "              memory: 128Mi",
  "              cpu: 500m",
  "",
].join("\n");

const diff = [
  "--- a/k8s/pricing.yaml",
  "+++ b/k8s/pricing.yaml",
  "@@ -9,5 +9,5 @@",
  "         - name: pricing",
  "           resources:",
  "             limits:",
  "-              memory: 128Mi",
  "+              memory: 256Mi",
  "               cpu: 500m",
].join("\n");

const patched = (more: object = {}) =>
  call("propose_patch", {
    server: "infra",
    commit: "0".repeat(40),
    patch: diff,
    title: "Raise the memory limit of pricing",
    description: "It is killed at 128 MiB each time it starts.",
    ...more,
  });

describe("a patch is an action", () => {
  const stage = useStage(() => ({ infra: { "k8s/pricing.yaml": deployment, "README.md": "# Infra\n" } }));
  const git = (method: "GET" | "PUT" | "PATCH" | "POST", path: string, body?: object) =>
    stage.github.as("mona")(method, `/repos/acme/infra${path}`, body);
  /** Somebody else's commit on main. */
  const commit = async (path: string, text: string): Promise<void> => {
    const { body } = await git("GET", `/contents/${path}`);
    const content = Buffer.from(text).toString("base64");
    const put = { message: `Change ${path}`, content, sha: (body as { sha: string }).sha, branch: "main" };
    expect((await git("PUT", `/contents/${path}`, put)).status).toBe(200);
  };
  const pulls = async (): Promise<readonly Record<string, unknown>[]> =>
    (await git("GET", "/pulls?state=all")).body as readonly Record<string, unknown>[];
  const rowsOf = () => stage.bot.deps.store.db.selectFrom("pullRequest").selectAll().execute();
  const board = async (thread: { comments: () => Promise<readonly { body: string }[]> }) =>
    (await thread.comments()).find(({ body }) => body.includes("Board of this incident"))?.body ?? "";

  it("is read, proposed, approved and opened as one draft pull request, and the board follows it", async () => {
    const thread = await stage.opened(
      {},
      call("read_repository", { server: "infra", path: "k8s/pricing.yaml" }),
      patched({ check: ["uptime"], check_on: "web-1" }),
      { text: "LIKELY: pricing is killed for its memory limit." },
    );
    const asked = JSON.stringify(stage.model.requests.at(-1)?.body);
    expect(asked).toContain("memory: 128Mi");
    const { body: card } = await thread.waitFor((text) => text.includes("```diff"), "the card");
    expect(card).toMatch(/🟡 medium · `infra` · \*\*Raise the memory limit of pricing\*\*/);
    expect(card).toContain("-              memory: 128Mi\n  +              memory: 256Mi");
    expect(card).toContain("opens a draft pull request in acme/infra");
    expect(card).toContain("*once it is merged, proposed as a check:* `uptime` on `web-1`");
    expect(await pulls()).toEqual([]);

    const { said } = await stage.ask(thread, "lee", "/approve 1", {
      text: "LIKELY: the pull request is there; `/close` once it is merged.",
    });
    const [pull, ...more] = await pulls();
    expect(more).toEqual([]);
    expect(pull).toMatchObject({ draft: true, title: "Raise the memory limit of pricing", state: "open" });
    expect(pull?.body).toContain("approved by @lee");
    expect(pull?.body).toContain(`/acme/web/issues/${thread.number}`);
    expect(said.join("\n")).toContain(`draft pull request ${pull?.html_url}`);
    const [row] = await rowsOf();
    expect(row).toMatchObject({ number: pull?.number, state: "open" });
    expect(await board(thread)).toContain(`[pull request ${pull?.number}](${pull?.html_url}), a draft`);
    expect(await board(thread)).toContain("patch of k8s/pricing.yaml");

    // Merged by people: the board says so, and its check is proposed.
    await git("PATCH", `/pulls/${pull?.number}`, { draft: false });
    expect((await git("PUT", `/pulls/${pull?.number}/merge`)).status).toBe(200);
    await followPullRequests(stage.bot.deps);
    await stage.quiet();
    expect(await board(thread)).toContain("merged");
    const { body: check } = await thread.waitFor((text) => text.includes("Check: Raise the memory limit"), "the check");
    expect(check).toContain("`/approve 2`");
    const changes = await auditOf(stage, { kind: "pull_request_changed", issue: thread.number });
    expect(changes).toHaveLength(2);
    await followPullRequests(stage.bot.deps);
    expect(await auditOf(stage, { kind: "pull_request_changed", issue: thread.number })).toHaveLength(2);
  });

  it("is a person's by `/run infra` with a diff block", async () => {
    const thread = await stage.opened({}, { text: "INCONCLUSIVE: nothing yet." });
    await stage.expectRefusal(
      thread,
      "lee",
      `/run infra\n\`\`\`diff\n${diff.replaceAll("k8s/pricing.yaml", "README.md")}\n\`\`\``,
      "`README.md` is not one of the files for patches to acme/infra",
    );
    await stage.expectRefusal(
      thread,
      "lee",
      "/run infra\n```sh\nuptime\n```",
      "Line 1 of the patch is no part of a diff",
    );
    const before = (await pulls()).length;
    const next = diff.replace("128Mi", "256Mi").replace("+              memory: 256Mi", "+              memory: 512Mi");
    const { said } = await stage.ask(thread, "mona", `/run infra\n\`\`\`diff\n${next}\n\`\`\``);
    expect(said.join("\n")).toContain("+              memory: 512Mi");
    await stage.ask(thread, "lee", "/approve 1", { text: "LIKELY: it is proposed." });
    expect(await pulls()).toHaveLength(before + 1);
  });

  it("is proposed again under a new number if its base has moved, and void if it does not apply there", async () => {
    const thread = await stage.opened(
      {},
      patched({
        check: ["uptime"],
        check_on: "web-1",
        patch: diff
          .replaceAll("128Mi", "256Mi")
          .replace("+              memory: 256Mi", "+              memory: 300Mi"),
      }),
      {
        text: "LIKELY: it is killed for its memory limit.",
      },
    );
    await thread.waitFor((text) => text.includes("```diff"), "the card");
    await commit("README.md", "# Infrastructure\n");
    const before = (await pulls()).length;
    const moved = await stage.ask(thread, "lee", "/approve 1");
    expect(moved.said.join("\n")).toContain("main of acme/infra has moved from");
    expect(moved.said.join("\n")).toContain("1 applies to the newest commit as it is, and is proposed for that as 2.");
    expect(await pulls()).toHaveLength(before);
    expect(moved.said.join("\n")).toContain("*once it is merged, proposed as a check:* `uptime` on `web-1`");
    await commit("k8s/pricing.yaml", "gone: true\n");
    const gone = await stage.ask(thread, "lee", "/approve 2");
    expect(gone.said.join("\n")).toMatch(/2 is not proposed again: .*does not fit/);
    expect(await pulls()).toHaveLength(before);
  });
});
