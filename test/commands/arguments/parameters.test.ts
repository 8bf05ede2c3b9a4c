import { describe, expect, test } from "vitest";
import { parseParameters } from "../../../src/commands/arguments.ts";

const parse = (line: string) => {
  const parsed = parseParameters(line.split(/[ \t]+/).filter((word) => word !== ""));
  return parsed.ok ? parsed.values : parsed.refusals;
};

describe("WF-1 key=value", () => {
  test("WF-1 values may be quoted, also as a phone writes quotes", () => {
    expect(parse(`node=web-1 reason="the disk is full" other='it "is"' phone=“two words” empty= none=""`)).toEqual({
      node: "web-1",
      reason: "the disk is full",
      other: 'it "is"',
      phone: "two words",
      empty: "",
      none: "",
    });
    expect(parse("a=b=c url=http://x/?a=b")).toEqual({ a: "b=c", url: "http://x/?a=b" });
    expect(parse("")).toEqual({});
    expect(parse("__proto__=x")).toEqual([expect.stringContaining("is not `key=value`")]);
    expect(Object.hasOwn(parse("constructor=x"), "constructor")).toBe(true);
  });

  test("WF-1 whatever cannot be read is named, all of it at once", () => {
    expect(parse('web-1 reason="open a="x"y 1NODE=1 n=1 n=2')).toEqual([
      expect.stringContaining("`web-1` is no"),
      expect.stringContaining('`reason="open` is no'),
      expect.stringContaining('`a="x"y` is no'),
      expect.stringContaining("`1NODE=1` is no"),
      "`n` is given twice",
    ]);
  });
});
