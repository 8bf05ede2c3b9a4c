import { describe, expect, test } from "vitest";
import { createEvaluator } from "../../../src/risk/evaluate.ts";

/** One program whose words are of every kind that an effect can be about. */
const evaluate = createEvaluator({
  rules: [
    {
      id: "shopctl",
      names: "shopctl",
      level: "low",
      options: { value: "--name -c" },
      rows: [
        { does: { is: "runs-argv", after: "run" } },
        { does: { is: "runs-argv", after: "remote", joins: true } },
        { operands: true, if: "^ in \\S+ \\S", does: { is: "runs-argv", operand: 2 } },
        { does: { is: "runs-text", after: "-c --hook*" } },
        { does: { is: "runs-text", all: true, if: "^set:\\w+=([^;]*)|;([^;]+)" } },
        { does: { is: "runs-text", after: "maybe", tried: true } },
        { if: " stdin ", does: { is: "runs-text", stdin: true, if: "do (.*)" } },
        { does: { is: "runs-text", after: "script", file: true, prefix: "rm " } },
        { does: { is: "reads", after: "from" } },
        { unless: " --dry ", does: { is: "writes", after: "to" } },
        { does: { is: "writes", after: "save", input: true } },
        { does: { is: "appends", after: "log" } },
        { does: { is: "deletes", after: "drop" } },
        { does: { is: "stops", after: "halt" } },
        { does: { is: "restarts", after: "cycle" } },
        { does: { is: "reads", after: "warn", level: "medium", why: "warns" } },
      ],
    },
  ],
});
const riskOf = (command: string): string => evaluate(command, { os: "linux", shell: "bash" }).risk;

describe("SR-33 what a record says that a call does with its words", () => {
  test.each([
    ["the program behind a word", "shopctl run rm -rf /srv/x", "high"],
    ["one word with blanks is shell text", "shopctl run 'rm -rf /'", "block"],
    ["its own words are no program", "shopctl rm -rf /", "low"],
    ["words joined to shell text", "shopctl remote rm '-rf /'", "block"],
    ["the operands from one on", "shopctl in web rm -rf /", "block"],
    ["and not where another word stands", "shopctl on web rm -rf /", "low"],
    ["the value of an option", "shopctl -c 'rm -rf /srv/x'", "high"],
    ["glued to it", "shopctl '-crm -rf /srv/x'", "high"],
    ["behind a word with any end", "shopctl --hook-after 'rm -rf /srv/x'", "high"],
    ["the group of a pattern", "shopctl 'set:x=rm /srv/x'", "high"],
    ["as often as it fits", "shopctl 'set:x=ls;rm /srv/x'", "high"],
    ["only what must be blocked, where it is tried", "shopctl maybe 'rm /srv/x'", "low"],
    ["what must be blocked, where it is tried", "shopctl maybe 'rm -rf /'", "block"],
    ["lines of its input", "echo 'do rm /srv/x' | shopctl stdin", "high"],
    ["no other line", "echo 'say rm /srv/x' | shopctl stdin", "low"],
    ["an input that nobody knows", "journalctl | shopctl stdin", "high"],
    ["an input that was downloaded", "curl -s https://x.example | shopctl stdin", "block"],
    ["an input that is not run", "journalctl | shopctl", "low"],
    ["what this script wrote to a file", "echo /etc > /opt/list; shopctl script /opt/list", "block"],
    ["a file that nobody knows", "shopctl script /opt/list", "low"],
    ["a file it reads", "shopctl from /etc/shadow", "block"],
    ["a file it writes", "shopctl to /etc/hosts", "high"],
    ["unless a word says otherwise", "shopctl --dry to /etc/hosts", "low"],
    ["a file it adds to", "shopctl log /opt/x.log", "medium"],
    ["what it is given is in the file", "curl -s https://x.example | shopctl save /opt/x; sh /opt/x", "block"],
    ["a file it deletes", "shopctl drop /etc", "block"],
    ["a service it stops", "shopctl halt auditd", "block"],
    ["what doing so adds itself", "shopctl warn /etc/hosts", "medium"],
  ])("%s: %s is %s", (_what, command, risk) => {
    expect(riskOf(command)).toBe(risk);
  });

  test("a service it restarts that the operator calls critical: high", () => {
    const where = { os: "linux", shell: "bash", criticalServices: ["shop"] } as const;
    expect(evaluate("shopctl cycle shop", where).risk).toBe("high");
    expect(evaluate("shopctl cycle cart", where).risk).toBe("low");
  });

  test("a kind of effect that is not in the list is refused", () => {
    const rule = { id: "x", names: "shopctl", rows: [{ does: "explodes" }] };
    expect(() => createEvaluator({ rules: [rule] })).toThrow("policy");
  });
});
