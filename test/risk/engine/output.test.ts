// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what the shell expands
import { expect, test } from "vitest";
import { createEvaluator } from "../../../src/risk/evaluate.ts";

const evaluate = createEvaluator();
const riskOf = (command: string) => evaluate(command, { os: "linux", shell: "bash" }).risk;

const changed = [
  "base64 -d <<< dXB0aW1l",
  "echo 757074696d65 | xxd -r -p",
  "printf '\\165ptime'",
  "echo -e '\\x75ptime'",
  "rev <<< emitpu",
  "echo hcgvzr | tr a-z n-za-m",
  "echo uptXime | sed s/X//",
  "cut -c2- <<< xuptime",
  "grep . <<< uptime",
  "awk 'BEGIN { print \"uptime\" }'",
  "sort <<< uptime",
  "head -1 <<< uptime",
];

test.each(changed)(
  "AR-01 what the command itself decodes or changes is blocked, unread, if a shell runs it: %s",
  (make) => {
    for (const command of [
      `${make} | sh`,
      `${make} | python3`,
      `eval "$(${make})"`,
      `bash -c "$(${make})"`,
      `$(${make})`,
    ])
      expect([command, riskOf(command)]).toEqual([command, "block"]);
  },
);

test.each([
  ["systemctl status $(rev <<< xnign)", "low"],
  ["systemctl restart $(rev <<< xnign)", "high"],
  ["rm -f $(rev <<< x)", "block"],
  ["for h in $(echo a,b | tr , ' '); do ping -c1 $h; done", "low"],
  ["kill -s USR2 $(pidof gunicorn | cut -d' ' -f1)", "medium"],
  ["printf '%s\\n' uptime | sh", "low"],
] as const)(
  "PA-7 a call that does more than look is one level higher with a word that nobody can read: %s is %s",
  (command, risk) => expect(riskOf(command)).toBe(risk),
);
