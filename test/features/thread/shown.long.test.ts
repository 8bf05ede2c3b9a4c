import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withoutMarker } from "../../../src/github/comments.ts";
import { quote } from "../../../src/ssh/wrap.ts";
import { startPostgres } from "../../harness/postgres.ts";
import { call, cardOf, type Stage, startStage, statesOf } from "../../harness/stage.ts";
import { heardBy } from "../../text/bots.ts";
import { nodesOf, parse } from "../../text/markdown.ts";

const postgres = await startPostgres("what is shown is what runs, on PostgreSQL");
const stores = [
  { name: "the embedded store", available: true, url: async () => undefined },
  { name: "PostgreSQL", available: postgres !== undefined, url: async () => postgres?.createDatabase() },
] as const;
afterAll(() => postgres?.stop());

const workflow = `name: look
description: Looks
steps:
  - server: web-1
    title: Look
    command: |
      uptime
      df -h
`;

const params = (command: string) => ({ server: "web-1", command, title: "Look", description: "looks" });
const actions = (command: string) => ({
  actions: [{ id: "1", api: "ssh.execute", title: "Look", description: "looks", params: { server: "web-1", command } }],
});
const block = (command: string): string => `\n\`\`\`sh\n${command}\n\`\`\``;
const blank = "spaces around it removed";
const lineEnds = "line ends changed to LF";

describe.each(stores)("what is shown is what runs, on $name", ({ available, url }) => {
  describe.runIf(available)("byte for byte", () => {
    let stage: Stage;
    beforeAll(async () => {
      const storeUrl = await url();
      const files = { "AGENTS.md": "# Web\n", ".github/countersign/workflows/look.yml": workflow };
      stage = await startStage({ files, ...(storeUrl === undefined ? {} : { storeUrl }) });
    });
    afterAll(() => stage.close());

    type Opened = Awaited<ReturnType<Stage["incident"]>>;
    const shownIn = async (thread: Opened, number: number) => {
      const { body } = await cardOf(thread, number);
      const entry = nodesOf(parse(body)).find(
        (node) =>
          node.type === "listItem" && nodesOf(node).some((one) => one.type === "text" && one.value === `${number}`),
      );
      const code = entry && nodesOf(entry).find((node) => node.type === "code");
      expect(heardBy(withoutMarker(body))).toEqual([]);
      return { body, command: code?.type === "code" ? code.value : undefined };
    };

    /** Approved, and the bytes that the server got: its last word is the command. */
    const runs = async (thread: Opened, number: number, command: string): Promise<void> => {
      const before = stage.ran().length;
      await stage.ask(thread, "lee", `/approve ${number}`, { text: "CONFIRMED: done." });
      expect(stage.ran().slice(before)).toEqual([expect.stringMatching(/^env -u BASH_ENV /)]);
      expect(
        stage
          .ran()
          .at(-1)
          ?.endsWith(` ${quote(command)}`),
      ).toBe(true);
      expect(await statesOf(stage, thread.number)).toMatchObject({ [number]: "done" });
    };

    it.each([
      { path: "the model's JSON", open: () => stage.incident(" df -h"), command: "df -h", tidied: blank },
      {
        path: "a call of propose_actions",
        open: () => byCall("propose_actions", actions("df -h \n")),
        command: "df -h",
        tidied: blank,
      },
      {
        path: "a call of suggest_ssh_command",
        open: () => byCall("suggest_ssh_command", params("\tuptime\r\n")),
        command: "uptime",
        tidied: `${blank}; ${lineEnds}`,
      },
    ])("SR-20 SR-34 by $path", async ({ open, command, tidied }) => {
      const thread = await open();
      const shown = await shownIn(thread, 1);
      expect(shown.command).toBe(command);
      expect(shown.body).toContain(`\n  *changed from what was written:* ${tidied}\n`);
      await runs(thread, 1, command);
    });

    async function byCall(tool: string, given: object): Promise<Opened> {
      stage.model.play(call(tool, given), { text: "LIKELY: looking." });
      const thread = await stage.open();
      await thread.waitFor((body) => body.includes("```sh"), "the card");
      await stage.quiet();
      return thread;
    }

    it.each([
      ["/run web-1", " df -h", "df -h", blank],
      ["/run web-1", "df -h\r\nuptime", "df -h\nuptime", lineEnds],
      ["/run web-1", "echo a\n/approve 1\nbors r+\n  @mona", "echo a\n/approve 1\nbors r+\n  @mona", undefined],
      ["/run web-1", "cat <<EOF\n  a \n\n```\n~~~\nEOF", "cat <<EOF\n  a \n\n```\n~~~\nEOF", undefined],
      ["/edit 1", "df -i \n", "df -i", blank],
      ["/edit 1", "/usr/bin/uptime \\\n  -p", "/usr/bin/uptime \\\n  -p", undefined],
    ])("SR-20 SR-34 SR-43 by %s with %j", async (typed, written, command, tidied) => {
      const thread = await stage.incident("uptime");
      const fence = written.includes("```") ? "````" : "```";
      await stage.ask(thread, "mona", `${typed}\n${fence}sh\n${written}\n${fence}`);
      const shown = await shownIn(thread, 2);
      expect(shown.command).toBe(command);
      expect(shown.body.includes("*changed from what was written:*")).toBe(tidied !== undefined);
      expect(shown.body).toContain(tidied ?? "**2**");
      expect(shown.body.includes("*quoted, so that no other bot")).toBe(command.includes("/approve"));
      expect(shown.body).not.toContain("│");
      const { said } = await stage.ask(thread, "sam", "/explain 2");
      const [bytes] = nodesOf(parse(said.join())).filter((node) => node.type === "code");
      expect(bytes?.type === "code" && bytes.value.endsWith(` ${quote(command)}`)).toBe(true);
      expect(heardBy(said.join())).toEqual([]);
      if ((await statesOf(stage, thread.number))[2] === "proposed" && shown.body.includes("🟢 low"))
        await runs(thread, 2, command);
    });

    it("SR-34 WF-1 by a workflow, and once more by /retry, which writes nothing anew", async () => {
      const thread = await stage.incident("uptime");
      await stage.ask(thread, "sam", "/workflow look");
      const shown = await shownIn(thread, 2);
      expect(shown.command).toBe("uptime\ndf -h");
      expect(shown.body).toContain(`*changed from what was written:* ${blank}`);
      await runs(thread, 2, "uptime\ndf -h");
      await stage.ask(thread, "lee", "/retry 2");
      const again = await shownIn(thread, 3);
      expect(again.command).toBe("uptime\ndf -h");
      expect(again.body).not.toContain("*changed from what was written:*");
    });

    it.each([
      ["echo a\rb", "U+000D at character 7. Write blanks or line breaks in their place"],
      ["\tcat <<-EOF\n\ta\n\tEOF", "U+0009"],
      ["echo a \\\n", "Leave both out"],
    ])("SR-32 SR-34 %j is refused with what to write instead", async (written, why) => {
      const thread = await stage.incident("uptime");
      const { said } = await stage.ask(thread, "sam", `/run web-1${block(written)}`);
      expect(said.join().toLowerCase()).toContain(why.toLowerCase());
      expect(said.join()).toContain("Nothing was run.");
      expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
    });

    it("SR-20 SR-55 a card on which one blank of the command was changed is no card of it", async () => {
      const thread = await stage.incident("uptime");
      await stage.ask(thread, "sam", `/run web-1${block("echo 'a  b'")}`);
      const before = stage.ran().length;
      const { id, body } = await cardOf(thread, 2);
      stage.github.fault({ event: "issue_comment.edited" }, { drop: "before" });
      await stage.github.as("mona")("PATCH", `/repos/acme/web/issues/comments/${id}`, {
        body: body.replace("a  b", "a b"),
      });
      await stage.ask(thread, "lee", "/approve 2");
      expect(stage.ran()).toHaveLength(before);
      expect((await statesOf(stage, thread.number))[2]).toBe("void");
    });
  });
});
