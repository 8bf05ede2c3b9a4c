import { describe, expect, it } from "vitest";
import { readOs } from "../../src/ssh/probe.ts";

describe("readOs", () => {
  it.each([
    ["Linux\n", "linux"],
    ["Welcome to web-1\nLinux\n", "linux"],
    ["Darwin\n", "linux"],
    ["FreeBSD\n", "linux"],
    ["MINGW64_NT-10.0-20348\n", "windows"],
    ["\r\nMicrosoft Windows [Version 10.0.20348.2340]\r\n", "windows"],
    ["", undefined],
    ["'uname' is not recognized as an internal or external command", undefined],
    ["This account is currently not available.\n", undefined],
  ])("AR-06 reads %j as %s", (answer, os) => {
    expect(readOs(answer)).toBe(os);
  });
});
