import { describe, expect, it } from "vitest";
import { cardOf, statesOf, useStage } from "../../harness/stage.ts";

const folder = ".github/countersign/workflows";
const look = `name: look-at-disk
description: Looks at a volume, then grows its log's room
params:
  mount: { description: mount point }
  reason: { default: none given }
  top: { type: number, default: 3 }
steps:
  - { server: web-1, title: "Space on {{mount}}", command: "df -h {{mount}} | head -{{top}}", expect: "*fine*" }
  - { server: web-1, title: Say why, command: "logger {{reason}}" }
  - { server: web-1, title: Inodes, command: df -i, expect: { exit: 0, lacks: 100% } }
  - { server: web-1, title: Grow, command: systemctl restart app }
schedule: "0 3 * * *"
`;

const stage = useStage(() => ({
  files: {
    "AGENTS.md": "# Web\n",
    [`${folder}/look.yml`]: look.replace("mount: {", 'mount: { default: "/",'),
    [`${folder}/never.yml`]:
      "name: never\ndescription: Cannot run\nsteps:\n  - { server: web-1, title: A, command: uptime }\n  - { server: web-9, title: B, command: uptime }\n  - { server: web-1, title: C, command: mkfs.ext4 /dev/sda }\n",
    [`${folder}/broken.yml`]: "name: broken\nsteps: []\n",
    [`${folder}/needs.yaml`]:
      "name: needs\ndescription: Needs a node\nparams: { node: { enum: [a, b] }, why: {} }\nsteps:\n  - { server: web-1, title: T, command: 'echo {{node}} {{why}}' }\n",
  },
}));

describe("/workflow", () => {
  it("WF-1 without a name lists what there is, with what each takes, and what is broken", async () => {
    const thread = await stage.incident("uptime");
    await stage.expectDone(thread, "sam", "/workflow", [
      "- `look-at-disk` · Looks at a volume, then grows its log's room · 4 steps · ⏰ `0 3 * * *` UTC, not allowed by the operator",
      "  - `mount=` text, else `/` · mount point",
      "  - `node=` one of a, b",
      /⚠️ `.*broken.yml:\d+:\d+` `?\\?`?description/,
    ]);
    expect((await stage.ask(thread, "rita", "/workflow")).isMarked("-1")).toBe(true);
  });

  it("WF-1 SR-60 makes a checklist of all its steps, judged like any other, with what was given as data", async () => {
    const thread = await stage.incident("uptime");
    const started = await stage.ask(thread, "sam", `/Workflow look-at-disk mount=/var reason="it's full; rm -rf /"`);
    expect(started.isMarked("rocket")).toBe(true);
    expect(await statesOf(stage, thread.number)).toEqual({
      1: "proposed",
      2: "proposed",
      3: "proposed",
      4: "proposed",
      5: "proposed",
    });
    const { body } = await cardOf(thread, 2);
    for (const number of [3, 4, 5]) expect((await cardOf(thread, number)).body).toBe(body);
    expect(body).toContain("- [ ] **2** · 🟢 low · `web-1` · **Space on /var** — step 1 of 4 of look-at-disk");
    expect(body).toContain("  *expects:* exit 0 · `*fine*` in its output\n");
    expect(body).toContain("  *expects:* exit 0 · no `100%` in its output\n");
    expect(body).toContain("  ```sh\n  logger 'it'\\''s full; rm -rf /'\n  ```");
    expect(body).toContain("**5** · 🟡 medium");
    expect(body).toContain("`/approve 2 3 4 5`");
  });

  it("WF-1 WF-2 a step that does not go as expected fails, says so and stops what comes behind it", {
    tags: ["long"],
  }, async () => {
    const thread = await stage.incident("uptime");
    await stage.ask(thread, "sam", "/workflow look-at-disk");
    // What stands behind a change of its list waits for it.
    await stage.ask(thread, "mona", "/reject 3");
    const before = stage.ran().length;
    stage.play(async (command, { channel }) => {
      channel.write(command.includes("df -i") ? "/var 100%\n" : "fine\n");
      return 0;
    });
    await stage.ask(thread, "lee", "/approve 2 4 5", { text: "CONFIRMED by 4: inodes are used up." });
    stage.play(async () => 0);
    expect(stage.ran().slice(before)).toHaveLength(2);
    expect(await statesOf(stage, thread.number)).toMatchObject({ 2: "done", 4: "done", 5: "proposed" });
    const run = (await thread.comments()).find(({ body }) => /^\*\*2\*\* ✅/mu.test(body))?.body ?? "";
    expect(run).toMatch(/\*\*2\*\* ✅/);
    expect(run).toMatch(/\*\*4\*\* ⚠️ .* · exit 0, but: its output has ./);
    expect(run).toContain("Stopped at the first failure");
    expect(JSON.stringify(stage.model.requests.at(-1)?.body)).toContain("a surprise: its output has");
  });

  it.each([
    ["/workflow look-at-dsk", ["There is no workflow `look-at-dsk`; did you mean `look-at-disk`?"]],
    ["/workflow 3", ["There is no workflow"]],
    [
      "/workflow needs node=c",
      [
        "`node` must be one of a, b",
        "`why` (text) is missing: write `why=…`",
        "`/workflow needs node=<one of a, b> why=<text>`",
      ],
    ],
    ["/workflow needs node=a why=b nod=a", ["`nod` is not a parameter of `needs`; it has `node`, `why`"]],
    ["/workflow needs node=a why=$(id)", ["`why` may not hold `$` or a backtick (step 1, "]],
    ["/workflow needs node=a why", ["`why` is not `key=value`"]],
    ["/workflow needs --force node=a why=b", ["`--force`"]],
    ["/workflow never", ['Step 2: No server or group "web-9"', "Step 3 would never run:"]],
    ["/workflow broken", ["There is no workflow `broken`"]],
  ])("WF-1 %s is told what is wrong, and proposes nothing", async (line, told) => {
    const thread = await stage.incident("uptime");
    const { said, isMarked } = await stage.ask(thread, "sam", line);
    expect(isMarked("confused")).toBe(true);
    for (const words of told) expect(said.join("\n")).toContain(words);
    expect(said.join("\n")).toMatch(/[Nn]othing was run/);
    expect(Object.keys(await statesOf(stage, thread.number))).toEqual(["1"]);
  });
});
