import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { kindsOf, slots, whyOf } from "../../../src/store/outbox/thread-comments.ts";

describe("the kinds of comments", () => {
  it("PRODUCT each is asked for, a decision to be made, a result, or unsolicited", () => {
    expect({
      asked: kindsOf("asked"),
      decision: kindsOf("decision"),
      result: kindsOf("result"),
      unsolicited: kindsOf("unsolicited"),
    }).toEqual({
      asked: ["board", "reply", "edited", "ticked"],
      decision: ["card", "action", "reminder", "call", "alert-again", "lease-ended", "merge-check", "soft-limit"],
      result: ["batch", "unread", "schedule", "resolved"],
      unsolicited: ["notice"],
    });
  });

  it("PRODUCT a slot is of its kind, whatever follows it", () => {
    expect(whyOf(slots.unread("a:b"))).toBe("result");
    expect(whyOf(slots.notice(3))).toBe("unsolicited");
    expect(whyOf("toString")).toBe("result");
  });

  it("PRODUCT none is named anywhere but in their table", () => {
    const files = readdirSync(new URL("../../../src/", import.meta.url), { recursive: true, encoding: "utf8" });
    const named = files
      .filter((file) => file.endsWith(".ts") && file !== "store/slots.ts")
      .flatMap((file) => {
        const text = readFileSync(new URL(`../../../src/${file}`, import.meta.url), "utf8");
        return [...text.matchAll(/slot: ["`][^"`]*["`]/g)].map(([found]) => `${file} ${found}`);
      });
    expect(named).toEqual([]);
  });
});
