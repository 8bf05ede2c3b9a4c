import { describe, expect, it } from "vitest";
import { auditOf, call, proposing, startStage } from "../../harness/stage.ts";
import { useStarted } from "../../harness/use-started.ts";

const stage = useStarted(() => startStage());

describe("/handover", () => {
  it("PRODUCT passes an incident on with what is open and held, once who was asked has accepted", async () => {
    const thread = await stage.incident("uptime", "systemctl restart nginx");
    const board = async () => (await thread.comments()).find(({ body }) => body.includes("Board of this"))?.body ?? "";
    const told = async (login: string, body: string): Promise<string> =>
      (await stage.ask(thread, login, body)).said.join("\n");

    for (const [body, said] of [
      ["/handover", "To whom? Write `/handover @login`. The incident is with `@mona`."],
      ["/handover sam", "To whom?"],
      ["/handover @sam's", "To whom?"],
      ["/handover accept", "Nobody was asked to take this over."],
      ["/handover @Mona", "`@mona` already has it. To hand it to somebody else: `/handover @login`"],
      [
        "/handover @Lee",
        "Nothing was handed over: you named yourself. The incident is with `@mona`. Somebody else can offer it to you: `/handover @lee`",
      ],
    ] as const)
      expect(await told("lee", body), body).toContain(said);

    await stage.ask(thread, "lee", "/hold");
    const offer = await told("lee", "/handover @sam good night");
    expect(offer).toContain("**`@sam`, `@lee` would like to hand this incident over to you.**");
    expect(offer).toContain("Comment `/handover accept` to take it");
    expect(offer).toContain("Phase 1 of 5, identify · step 1 of 20 · the agent's last finding: LIKELY: looking.");
    expect(offer).toContain(
      "- **1** Look on `web-1` · waits for approval\n- **2** Look on `web-1` · waits for approval",
    );
    expect(offer).toMatch(/held by `@lee` since \d{4}-/);
    expect(offer).not.toMatch(/(?<![`\w])@\w/);

    expect(await told("lee", "/handover accept")).toContain("It is `@sam` who was asked.");
    expect((await stage.ask(thread, "rita", "/handover accept")).isMarked("-1")).toBe(true);
    expect(await told("sam", "/handover decline")).toContain("the incident stays with `@mona`");
    expect(await told("sam", "/handover accept")).toContain("Nobody was asked");

    expect(await told("lee", "/handover @sam-b_acme")).toContain("**`@sam-b_acme`, `@lee` would like to hand");
    await stage.ask(thread, "lee", "/handover @sam");
    expect(await told("sam", "/handover @sam")).toContain(
      "You were already asked to take this incident. To take it: `/handover accept`",
    );
    expect(await told("sam", "/handover ACCEPT")).toContain("`@sam` has this incident now, from `@mona`.");
    expect(await board()).toContain(" · with `@sam`");
    expect(await told("sam", "/handover @sam")).toContain("You already have this incident. To hand it over:");
    expect(await told("rita", "/status")).toMatch(/- session `[^`]+`, opened by `@mona`, with `@sam`; /);
    expect(await told("sam", "/approve 1")).toContain("Nothing was run. Only members of `acme/oncall`");
    const kinds = (await auditOf(stage)).map(({ kind }) => kind).filter((kind) => kind.startsWith("handover"));
    const offered = "handover_offered";
    expect(kinds).toEqual([offered, "handover_declined", offered, offered, "handover_accepted"]);
    await stage.github.as("mona")("PATCH", `/repos/acme/web/issues/${thread.number}`, { state: "closed" });
    expect(await told("sam", "/handover @lee")).toContain("This incident is closed.");
  });

  it("PRODUCT tells what changed, what is confirmed, what was turned down and why, what was asked, and what is under way", async () => {
    const thread = await stage.incident("df -h", "systemctl restart nginx", "rm -r /srv/x");
    await stage.ask(thread, "sam", "/run web-1\n```sh\nuptime\n```");
    expect((await stage.ask(thread, "lee", "/handover @sam")).said.join("\n")).toContain(
      "\n\n**Confirmed** · Nothing yet.\n\n**Changed** · Nothing so far.\n\n**Under way**\n\n- **1** Look",
    );
    await stage.ask(thread, "lee", "/reject 3 backups live there <!-- x --> @acme/db");
    await stage.ask(thread, "lee", "/approve 1 2", { text: "CONFIRMED by **1** and 2: a worker hung.\n\nMore." });
    stage.model.play(
      call("ask_question", { question: "Which release?" }),
      call("ask_question", { question: "Who else?" }),
    );
    await stage.ask(thread, "sam", "/ask which release is it?");
    stage.model.play(proposing("LIKELY: that one.", "kubectl -n shop logs <pod>"));
    await stage.ask(thread, "sam", "/answer q1 the one of 14:00:11Z: two");
    await stage.ask(thread, "sam", "/ask and who?", call("ask_question", { question: "Who else?" }));
    const notes = (await stage.ask(thread, "lee", "/handover @sam")).said.join("\n");
    expect(notes.slice(notes.indexOf("\n\n**Confirmed**"), notes.indexOf("\n\n<!--"))).toBe(
      [
        "",
        "**Confirmed** · A worker hung. *(CONFIRMED by 1 and 2, in the agent's words, not verified)*",
        "**Changed**",
        "- **2** `systemctl restart nginx` on `web-1` · ✅ exit 0, approved by `@lee`",
        "**Turned down**",
        "- **3** `rm -r /srv/x` on `web-1` · by `@lee`: backups live there `@acme/db`",
        "**Asked**",
        "- **q1** Which release? · the one of 14:00:11Z: two (`@sam`)\n- **q2** Who else? · no answer yet: `/answer q2 <text>`",
        "**Under way**",
        "- **4** Proposed by `@sam` on `web-1` · waits for approval\n- **5** Look on `web-1` · waits for values: `/fill 5 pod=…`",
      ].join("\n\n"),
    );
  });
});
