import { expect, test } from "vitest";
import { checkSchedules } from "../../../src/cli/check/repo.ts";
import { parseWorkflow } from "../../../src/runbooks/workflows.ts";
import { inventory, server } from "../../ssh/inventory-entry.ts";

function workflow(name: string, place: string, schedule: string) {
  const text = `name: ${name}\ndescription: d\nsteps:\n  - { server: ${place}, title: T, command: uptime }\n${schedule}`;
  const parsed = parseWorkflow({ path: `${name}.yml`, text, source: "web@1" });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.workflow;
}

test("WF-2 check names schedules whose content, cron expression or server does not fit, and what is not allowed yet", () => {
  const daily = 'schedule: "0 3 * * *"\n';
  const workflows = [
    workflow("good", "web-1", daily),
    workflow("other", "web-1", daily),
    workflow("strange", "db-1", daily),
    workflow("plain", "web-1", ""),
    workflow("open", "web-1", daily),
  ];
  const entry = (name: string, sha256 = workflows.find((one) => one.name === name)?.sha256 ?? "0") => ({
    repo: "acme/web",
    workflow: name,
    servers: ["web"],
    sha256,
  });
  const allowed = [entry("good"), entry("other", "0".repeat(64)), entry("strange"), entry("plain"), entry("gone")];
  const servers = inventory(server({ name: "web-1", groups: ["web"] }), server({ name: "db-1" }));
  const repositories = [{ name: "acme/web", servers: [], allowPublic: false }];
  const lines: string[] = [];
  const problems = checkSchedules(
    { schedules: { allowed }, servers, repositories },
    { repo: "web", workflows },
    (line) => lines.push(line),
  );
  expect(problems.map(({ place, message }) => `${place} ${message}`)).toEqual([
    "schedules.allowed.1 `other` is suspended: its file is not the one that is allowed",
    "schedules.allowed.2 step 1 of `strange` runs on db-1, which the entry does not allow",
    "schedules.allowed.3 `plain` has no `schedule:`",
    "schedules.allowed.4 there is no workflow `gone` that can be used",
  ]);
  expect(problems[0]?.remedy).toContain(workflows[1]?.sha256);
  expect(lines).toEqual([
    expect.stringMatching(/open is due 0 3 \* \* \* and not allowed; its sha256 is [0-9a-f]{64}/),
  ]);
});

test("WF-2 check holds a checkout against what its own repository is allowed, whatever another one has under the same name", () => {
  const nightly = workflow("nightly", "web-1", 'schedule: "0 3 * * *"\n');
  const allowed = [{ repo: "acme/api", workflow: "nightly", servers: ["web-1"], sha256: "0".repeat(64) }];
  const repositories = ["acme/web", "acme/api"].map((name) => ({ name, servers: [], allowPublic: false }));
  const config = { schedules: { allowed }, servers: inventory(server({ name: "web-1" })), repositories };
  const lines: string[] = [];
  const given = { repo: "web", workflows: [nightly] };
  expect(checkSchedules(config, given, (line) => lines.push(line))).toEqual([]);
  expect(lines).toEqual([expect.stringMatching(/nightly is due .* and not allowed/)]);
  const entry = { repo: "acme/web", workflow: "nightly", servers: ["web-1"] };
  const both = ["0".repeat(64), nightly.sha256.toUpperCase()].map((sha256) => ({ ...entry, sha256 }));
  expect(checkSchedules({ ...config, schedules: { allowed: both } }, given, () => {})).toEqual([]);
  expect(checkSchedules(config, { ...given, repo: "my-checkout" }, () => {})).toHaveLength(1);
});
