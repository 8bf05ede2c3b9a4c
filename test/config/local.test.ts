import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ensureMachine, machineOf, whereWeAre } from "../../src/base/host/machine.ts";
import { processRoles } from "../../src/base/roles.ts";
import { parseConfig } from "../../src/config/load.ts";
import { useFolder } from "../harness/use-started.ts";
import { env } from "./operator.ts";

const folder = useFolder();
const parse = (entry: string, roles = [...processRoles], more = "") =>
  parseConfig(
    `store: { url: "postgres://a@b/c" }\nservers:\n  jump: { kind: local, ${entry} }\n${more}`,
    join(folder, "countersign.yml"),
    env,
    roles,
  );
const problems = (...given: Parameters<typeof parse>): readonly string[] => {
  const parsed = parse(...given);
  return parsed.ok ? [] : parsed.problems.map(({ place, message, remedy }) => `${place} | ${message} | ${remedy}`);
};

describe("kind: local in the config", () => {
  it("CFG-1 is this machine and account, known by its folder of jobs, which the runner makes", () => {
    const parsed = parse("groups: [hops], jobs_folder: ./jobs", ["runner"]);
    const { host, user } = whereWeAre();
    const jobsFolder = join(folder, "jobs");
    expect(parsed.ok && parsed.config.servers.get("jump")).toMatchObject({
      host,
      user,
      os: "linux",
      groups: ["hops"],
      description: "The machine of the runner itself",
      local: { jobsFolder, machine: readFileSync(join(jobsFolder, "machine"), "utf8").trim() },
    });
    expect(readdirSync(jobsFolder)).toEqual(["machine"]);
    expect(ensureMachine(jobsFolder)).toBe(machineOf(jobsFolder));
  });

  it("SR-55 is refused where bot and runner are one process, unless that is allowed", () => {
    expect(problems("jobs_folder: ./jobs").join()).toMatch(
      /what runs on `jump` could read the bot's keys and database.* \| .*`allow: true`/,
    );
    expect(problems("jobs_folder: ./jobs", ["agent", "runner"])).toHaveLength(1);
    expect(problems("jobs_folder: ./jobs, allow: true")).toEqual([]);
  });

  it("SR-55 other roles make no folder, and are told host, user and machine where they cannot read it", () => {
    expect(problems("jobs_folder: ./other", ["agent"]).join()).toContain("`countersign check --role runner`");
    expect(() => readdirSync(join(folder, "other"))).toThrow("ENOENT");
    const parsed = parse(`jobs_folder: ./other, host: Hop-1, user: ops, machine: ${"ab".repeat(16)}`, ["agent"]);
    expect(parsed.ok && parsed.config.servers.get("jump")).toMatchObject({
      host: "hop-1",
      user: "ops",
      local: { machine: "ab".repeat(16) },
    });
  });

  it("CFG-1 a folder that cannot be made, or whose name is none, is a problem with a remedy", () => {
    writeFileSync(join(folder, "file"), "");
    expect(problems("jobs_folder: ./file/jobs", ["runner"]).join()).toMatch(
      /has no name that can be read \(.*ENOTDIR.*jobs_folder/,
    );
    ensureMachine(join(folder, "broken"));
    writeFileSync(join(folder, "broken/machine"), "not a name");
    expect(problems("jobs_folder: ./broken", ["runner"]).join()).toContain("has no name that can be read");
  });

  it.each([
    ["key_file: ./jobs/machine", "`key_file` means nothing for `jump`"],
    ["tty: true", "`tty` means nothing for `jump`"],
    ["namespaces: [shop]", "`namespaces` means nothing for `jump`"],
    ["os: windows", "`os` means nothing for `jump`"],
  ])("CFG-1 { %s } is refused", (entry, message) => {
    expect(problems(`jobs_folder: ./jobs, ${entry}`, ["runner"]).join()).toContain(message);
  });

  it("CFG-1 nothing jumps through it, and its keys mean nothing over SSH", () => {
    const web = "  web-1: { host: a, user: b, agent: true, jump: jump, allow: true }\n";
    expect(problems("jobs_folder: ./jobs", ["runner"], web).map((line) => line.split(" | ").slice(1))).toEqual([
      ["`jump` is this machine itself", "leave it out"],
      ["`allow` means nothing for `web-1`", "leave it out, or write `kind: local`"],
    ]);
  });
});
