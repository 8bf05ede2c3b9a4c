import { expect, test } from "vitest";
import type { Server } from "../../../src/base/server.ts";
import { isJudgedAsThen, riskNowOf, whyAttendedNow } from "../../../src/features/proposal/in-force.ts";
import { createEvaluator, type ScanPlace } from "../../../src/risk/evaluate.ts";
import { whyAttended } from "../../../src/risk/unattended.ts";

const evaluate = createEvaluator();
const bash = { os: "linux", shell: "bash", groups: [] } as const;
const alike = Array.from({ length: 40 }, (_, n) => ({ ...bash, name: `web-${n}`, host: `10.0.0.${n}` }));
const others = [
  { ...bash, name: "db-1", env: "prod" },
  { ...bash, name: "db-2", protectedPaths: ["/srv/db"] },
  { ...bash, name: "db-3", criticalServices: ["postgresql"] },
  { ...bash, name: "win-1", os: "windows", shell: "powershell" },
];
const servers = [...alike, ...others] as unknown as readonly Server[];

test.each(["uptime", "rm -r /srv/db/x", "systemctl restart postgresql"])(
  "on many servers `%s` is judged once for those on which the rules are the same, and as strictly as on each",
  (command) => {
    const asked: ScanPlace[] = [];
    const deps = {
      evaluate: (text: string, where: ScanPlace) => {
        asked.push(where);
        return evaluate(text, where);
      },
    } as never;
    const each = servers.map((server) =>
      evaluate(command, { ...server, os: server.os === "windows" ? "windows" : "linux" }),
    );
    const risk = riskNowOf(deps, servers, { command });
    expect(asked).toHaveLength(1 + others.length);
    expect(new Set(each.map((verdict) => verdict.risk))).toContain(risk);
    const [{ rulesVersion } = { rulesVersion: "" }] = each;
    const judgedOn = (level: typeof risk) =>
      isJudgedAsThen(deps, servers, { command, risk: level, rulesVersion } as never);
    expect([judgedOn(risk), judgedOn("low")]).toEqual([true, risk === "low"]);
    expect(whyAttendedNow(deps, servers, { command })).toBe(each.map(whyAttended).find((why) => why !== undefined));
  },
);
