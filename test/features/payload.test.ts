import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { call, proposing, useStage } from "../harness/stage.ts";
import { saying } from "../ssh/fake-host.ts";

const stage = useStage(() => ({ config: { logging: { level: "debug", stdout: false, payloads: true } } }));

const secret = "Zx8Kq2mVb7Tn4Rw9Yc3L";
const lines = (event: string) => stage.log.filter((line) => line.event === event);
const bodies = (event: string) => lines(event).map(({ body }) => String(body));

describe("the log at level debug, where the operator asks for payloads", () => {
  it("S14 S14.10 has what went to the model and came back, tools' results, outputs and webhooks, each redacted", {
    tags: ["long"],
  }, async () => {
    stage.play(saying(`password=${secret}\nuser=app\n`));
    stage.model.play(call("list_servers", {}), proposing("LIKELY: the password is wrong.", "cat /etc/app.conf"));
    const thread = await stage.open({ body: `It says password=${secret}` });
    await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
    await stage.quiet();
    await stage.ask(thread, "lee", "/approve 1", { text: "CONFIRMED by 1: it is wrong." });

    expect(bodies("message")).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^<instructions>\n/),
        expect.stringContaining("user=app"),
        "CONFIRMED by 1: it is wrong.",
      ]),
    );
    expect(lines("tool_result")).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ tool: "list_servers", body: expect.stringContaining("web-1") }),
        expect.objectContaining({ tool: "ssh", body: "password=[REDACTED]\nuser=app\n" }),
      ]),
    );
    expect(bodies("delivery_payload").join()).toContain("/approve 1");
    expect(JSON.stringify(stage.log)).not.toContain(secret);
    for (const { body, bytes, sha256 } of [...lines("message"), ...lines("tool_result")]) {
      const text = String(body);
      expect({ bytes, sha256 }).toEqual({
        bytes: Buffer.byteLength(text),
        sha256: createHash("sha256").update(text).digest("hex"),
      });
    }
  });

  it("S14.1 S14.3 a turn that fails names the model that was asked, and counts in what the session took", async () => {
    await stage.opened({}, { status: 400, body: { error: { message: "no" } } });
    const { sessionId } = lines("session_created").at(-1) ?? {};
    const of = (event: string) => lines(event).filter((line) => line.sessionId === sessionId);
    expect(of("turn_end")).toEqual([expect.objectContaining({ model: "fake", totalTokens: 0 })]);
    const { durationMs } = of("turn_end")[0] ?? {};
    expect(of("session_usage").at(-1)?.totalDurationMs).toBeGreaterThanOrEqual(Number(durationMs));
  });
});
