import { expect, test } from "vitest";
import { findingsWithin, renderWhy } from "../../../src/commands/look/action.ts";
import { createEvaluator } from "../../../src/risk/evaluate.ts";
import { labelled } from "../../risk/labelled.ts";

const ink = { plain: (text: string) => text, code: (text: string) => `\`${text}\`` };
const low = { ruleId: "r", risk: "low", text: "only reads" } as const;

test("POLICY-6 /explain shows three reasons, the place of each marked, and what would make it low", () => {
  const command = `echo ${"a".repeat(60)} > /etc/hosts && sh -c 'rm -rf /'`;
  const inner = { text: "rm -rf /", span: [7, 8] } as const;
  const findings = [
    { ruleId: "r", risk: "high", text: "overwrites /etc/hosts", span: [68, 78] },
    { ruleId: "r", risk: "block", text: "deletes /", inner },
    low,
    low,
    low,
  ] as const;
  expect(renderWhy(command, findings, ["> /etc/hosts"], ink)).toBe(
    [
      "**Why this risk**",
      "",
      `- 🔴 high · overwrites /etc/hosts · \`…${"a".repeat(21)} >\` **\`/etc/hosts\`** \`&& sh -c 'rm -rf /'\``,
      "- ⛔ block · deletes / · `…/hosts && sh -c 'rm -rf` **`/`** `'`",
      "- 🟢 low · only reads",
      "- and 2 more",
      "",
      "Low without `> /etc/hosts` (`/edit`).",
    ].join("\n"),
  );
});

test("POLICY-6 /explain of a plain reading is one line", () => {
  expect(renderWhy("df", [low], [], ink)).toBe("**Why this risk**\n\n- 🟢 low · only reads");
});

const commands = [
  "echo c3lzdGVtY3RsIHN0b3Agc3NoZAo= | base64 -d | sh",
  "sh -c 'systemctl stop sshd' && echo \"rm -r /srv/a\" | sh",
  'eval "rm -r $(echo /srv/a)"',
  "alias ll='rm -r /srv'; ll",
  ...labelled.filter(({ shell }) => shell === "bash").map(({ command }) => command),
];

test("POLICY-6 /explain quotes no other text than the command's own, whatever the command makes of it", () => {
  const evaluate = createEvaluator();
  const mark = { plain: () => "", code: (text: string) => `\0${text}\0` };
  const quotes = commands.flatMap((command) => {
    const shown = renderWhy(command, evaluate(command, { os: "linux", shell: "bash" }).findings, [], mark);
    return [...shown.matchAll(/\0(.*?)\0/g)].map(([, quote = ""]) => ({ command, quote }));
  });
  expect(quotes.length).toBeGreaterThan(100);
  const oneLine = (text: string): string => text.replace(/\s+/g, " ");
  expect(quotes.filter(({ command, quote }) => !oneLine(command).includes(quote.replace(/^…|…$/g, "")))).toEqual([]);
});

test("POLICY-6 /explain of a set gives each of its commands the reasons that are its own", () => {
  const whole = ["echo full", "uname -s"];
  const findings = [
    { ruleId: "a", risk: "low", text: "echo: only reads", span: [0, 4] },
    { ruleId: "b", risk: "low", text: "uname: only reads", span: [10, 15] },
  ] as const;
  expect(findingsWithin(findings, "echo full", 0)).toEqual([findings[0]]);
  expect(findingsWithin(findings, "uname -s", 10)).toEqual([{ ...findings[1], span: [0, 5] }]);
  expect(findingsWithin(findings, whole.join("\n"), 0)).toEqual(findings);
  expect(findingsWithin([low], "uname -s", 10)).toEqual([low]);
});
