import { describe, expect, it } from "vitest";
import { detectWaiting } from "../../src/ssh/waiting.ts";

describe("detectWaiting", () => {
  it.each([
    "(END)",
    "--More--",
    "--More--(42%)",
    "-- More --",
    "lines 1-23",
    "lines 1-23/87 (END)",
    "lines 5-9 12%",
    ":",
    "Manual page ls(1) line 1 (press h for help or q to quit)",
    "\x1b[7m(END)\x1b[27m\x1b[K",
    "syslog (END)",
  ])("AR-07 sees the pager in %j", (line) => {
    expect(detectWaiting(`some text\r\n${line}`)).toEqual({ kind: "pager" });
  });

  it.each([
    "[sudo] password for ops:",
    "Enter passphrase for key 'x':",
    "Continue? [y/N]",
    "Are you sure you want to continue connecting (yes/no)?",
    "Do you want to continue?",
    "Press any key to continue",
    "Overwrite (y or n)",
  ])("AR-07 sees the question in %j", (line) => {
    expect(detectWaiting(`some text\n${line} `)).toEqual({ kind: "question", asks: line });
  });

  it.each([
    "",
    "done.\n",
    "password: changed\nok\n",
    "lines 1-23 of the file were read",
    "10:42:01 up 3 days",
    "root@web:~#",
    "more than 5",
    "END",
  ])("ordinary output is not taken for waiting: %j", (text) => {
    expect(detectWaiting(text)).toBeUndefined();
  });

  it("stays fast on a hostile line", () => {
    const started = process.cpuUsage().user;
    for (const text of ["\x1b[", "password ", "continue ", "/", " (END"]) detectWaiting(text.repeat(100_000));
    expect(process.cpuUsage().user - started).toBeLessThan(2_000_000);
  });
});
