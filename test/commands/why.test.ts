import { expect, test } from "vitest";
import { renderWhy } from "../../src/commands/why.ts";

const ink = { plain: (text: string) => text, code: (text: string) => `\`${text}\`` };
const low = { ruleId: "r", risk: "low", text: "only reads" } as const;

test("POLICY-6 /explain shows three reasons, the place of each marked, and what would make it low", () => {
  const command = `echo ${"a".repeat(60)} > /etc/hosts && df`;
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
      `- 🔴 high · overwrites /etc/hosts · \`…${"a".repeat(21)} >\` **\`/etc/hosts\`** \`&& df\``,
      "- ⛔ block · deletes / · `rm -rf` **`/`**",
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
