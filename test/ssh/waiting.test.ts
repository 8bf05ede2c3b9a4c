import { describe, expect, it } from "vitest";
import { detectWaiting } from "../../src/ssh/waiting.ts";
import { ordinaryLines, pagerLines, questionLines } from "./waiting-lines.ts";

const shown = (line: string): string => `some text\r\n${line}`;

describe("detectWaiting", () => {
  it.each(pagerLines)("AR-07 sees the pager in %j", (line) => {
    expect(detectWaiting(shown(line))).toMatchObject({ kind: "pager" });
  });

  it.each(questionLines)("AR-07 sees the question in %j", (line) => {
    expect(detectWaiting(shown(`${line} `))).toEqual({ kind: "question", asks: line });
    expect(detectWaiting(shown(line))).toEqual({ kind: "question", asks: line });
  });

  it.each(ordinaryLines)("AR-07 ordinary output is not taken for waiting: %j", (line) => {
    expect(detectWaiting(shown(line))).toBeUndefined();
  });

  it.each([...pagerLines, ...questionLines])("AR-07 nothing waits where a line feed ends the line: %j", (line) => {
    expect(detectWaiting(shown(`${line}\r\n`))).toBeUndefined();
  });

  it("AR-07 a question on a line that was written over is not asked any more", () => {
    expect(detectWaiting("Continue? [y/N]\r\x1b[Kworking on it")).toBeUndefined();
  });

  it("AR-07 a bare name is a pager's where less has just warned, and nowhere else", () => {
    expect(detectWaiting(shown("/etc/services"), true)).toEqual({ kind: "pager", asks: "/etc/services" });
    expect(detectWaiting(shown("/etc/services"))).toBeUndefined();
    expect(detectWaiting(shown("Password:"), true)).toMatchObject({ kind: "question" });
  });

  it("what it asks is printable, whatever was sent", () => {
    expect(detectWaiting("\x1b]0;title\x07\x1b[1mPassword for \u202eops\x1b[0m: ")).toEqual({
      kind: "question",
      asks: "Password for ?ops:",
    });
  });

  it("reads a hostile line in the time that its length takes: backtracking would hang", () => {
    for (const text of ["\x1b[", "\x1b]", "password ", "continue ", "/", " (END", "(y", "[y/", "enter (", "-- more "])
      detectWaiting(text.repeat(1_000_000));
  });
});
