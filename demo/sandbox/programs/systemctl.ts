import { age, systemdTime } from "../clock.ts";
import { formatLine } from "../journal.ts";
import type { Machine, Service } from "../machine.ts";
import { fail, human, type Outcome, type Program, readArgs, say, table } from "../program.ts";
import { type Change, findService, reloadService, restartService, startService, stopService } from "../services.ts";

/** The unit is active only after its first lines. */
const startTakesMs = 5_000;

const missing = (unit: string): Outcome =>
  fail(`Unit ${unit.includes(".") ? unit : `${unit}.service`} could not be found.`, 4);
const exitOf = (service: Service): number => (service.state === "active" ? 0 : 3);

const activeLine = (service: Service, now: Date): string => {
  const since = `since ${systemdTime(service.since)}; ${age(now.getTime() - service.since.getTime())} ago`;
  if (service.state === "failed") return `failed (Result: exit-code) ${since}`;
  if (service.state === "inactive") return service.enabled ? `inactive (dead) ${since}` : "inactive (dead)";
  return `active (${service.kind === "timer" ? "waiting" : "running"}) ${since}`;
};

const status = (machine: Machine, service: Service, lines: number): string => {
  const mark = { active: "●", failed: "×", inactive: "○" }[service.state];
  const enabled = service.enabled ? "enabled" : "disabled";
  const facts = [
    ["Loaded", `loaded (/etc/systemd/system/${service.unit}; ${enabled}; preset: enabled)`],
    ["Active", activeLine(service, machine.now())],
  ];
  if (service.kind === "daemon" && service.state === "active") {
    facts.push(
      ["Main PID", `${service.pid} (${service.unit.replace(".service", "")})`],
      ["Memory", human(service.memoryBytes)],
      ["CPU", `${service.cpuSeconds.toFixed(3)}s`],
      ["CGroup", `/system.slice/${service.unit}\n             └─${service.pid} ${service.command}`],
    );
  }
  if (service.state === "failed") {
    facts.push(
      ["Process", `${service.pid} ExecStart=${service.command} (code=exited, status=1/FAILURE)`],
      ["Main PID", `${service.pid} (code=exited, status=1/FAILURE)`],
      ["CPU", "184ms"],
    );
  }
  // As systemd does: of a unit that runs only what it has said since it was started.
  const from = service.state === "active" ? service.since.getTime() - startTakesMs : 0;
  const said = machine.journal.filter(({ unit, at }) => unit === service.unit && at.getTime() >= from);
  const recent = lines === 0 ? [] : said.slice(-lines);
  return [
    `${mark} ${service.unit} - ${service.description}`,
    ...facts.map(([name, value]) => `${`${name}:`.padStart(12)} ${value}`),
    ...(recent.length > 0 ? ["", ...recent.map((line) => formatLine(machine, line))] : []),
  ].join("\n");
};

const list = (services: readonly Service[], legend: boolean): string => {
  const sub = (s: Service): string =>
    s.state === "failed" ? "failed" : s.state === "inactive" ? "dead" : s.kind === "timer" ? "waiting" : "running";
  const rows = services.map((s) => [
    s.state === "failed" ? "●" : " ",
    s.unit,
    "loaded",
    s.state,
    sub(s),
    s.description,
  ]);
  if (!legend) return rows.length === 0 ? "" : table(rows);
  const count = `${services.length} loaded units listed.`;
  return `${table([[" ", "UNIT", "LOAD", "ACTIVE", "SUB", "DESCRIPTION"], ...rows])}\n\n${count}`;
};

const told = (service: Service, verb: string, change: Change): Outcome => {
  switch (change.kind) {
    case "done":
      return say("");
    case "cannot-reload":
      return fail(`Failed to ${verb} ${service.unit}: Job type reload is not applicable for unit ${service.unit}.`);
    case "failed":
      return fail(
        `Job for ${service.unit} failed because the control process exited with error code.\n` +
          `See "systemctl status ${service.unit}" and "journalctl -xeu ${service.unit}" for details.`,
      );
  }
};

const changes: Readonly<Record<string, (machine: Machine, service: Service) => Promise<Change>>> = {
  start: async (machine, service) => (service.state === "active" ? { kind: "done" } : startService(machine, service)),
  stop: stopService,
  restart: restartService,
  reload: reloadService,
  "try-restart": async (machine, s) => (s.state === "active" ? restartService(machine, s) : { kind: "done" }),
  "reload-or-restart": (machine, s) => (s.canReload ? reloadService(machine, s) : restartService(machine, s)),
};

const change = async (machine: Machine, verb: string, units: readonly string[]): Promise<Outcome> => {
  const apply = changes[verb];
  if (!apply) return fail(`Unknown command verb '${verb}'.`);
  if (units.length === 0) return fail("Too few arguments.");
  for (const unit of units) {
    const service = findService(machine, unit);
    if (!service) return fail(`Failed to ${verb} ${unit.includes(".") ? unit : `${unit}.service`}: Unit not found.`, 5);
    const outcome = told(service, verb, await apply(machine, service));
    if (outcome.exitCode !== 0) return outcome;
  }
  return say("");
};

const enable = async (machine: Machine, verb: string, units: readonly string[], now: boolean): Promise<Outcome> => {
  for (const unit of units) {
    const service = findService(machine, unit);
    if (!service) return fail(`Failed to ${verb} unit: Unit file ${unit} does not exist.`);
    machine.services.set(service.unit, { ...service, enabled: verb === "enable" });
    if (now) await change(machine, verb === "enable" ? "start" : "stop", [unit]);
  }
  return say("");
};

const show = (service: Service, names: readonly string[] | undefined, valueOnly: boolean): string => {
  const sub = service.state === "active" ? "running" : service.state === "failed" ? "failed" : "dead";
  const properties: Readonly<Record<string, string>> = {
    Id: service.unit,
    Description: service.description,
    LoadState: "loaded",
    ActiveState: service.state,
    SubState: sub,
    Result: service.state === "failed" ? "exit-code" : "success",
    ExecMainStatus: service.state === "failed" ? "1" : "0",
    MainPID: service.state === "active" ? String(service.pid) : "0",
    NRestarts: service.state === "failed" ? "5" : "0",
    MemoryCurrent: service.state === "active" ? String(service.memoryBytes) : "[not set]",
    ActiveEnterTimestamp: systemdTime(service.since),
    UnitFileState: service.enabled ? "enabled" : "disabled",
  };
  return (names ?? Object.keys(properties))
    .filter((name) => properties[name] !== undefined)
    .map((name) => (valueOnly ? `${properties[name]}` : `${name}=${properties[name]}`))
    .join("\n");
};

/** What a unit needs, or with `--reverse` what needs it: the target that starts it, where it is enabled. */
const dependencies = ({ unit, enabled, kind }: Service, isReverse: boolean): string => {
  const [first, second] =
    kind === "timer" ? ["timers.target", "basic.target"] : ["multi-user.target", "graphical.target"];
  const reverse = enabled ? [`● └─${first}`, `●   └─${second}`] : [];
  return [unit, ...(isReverse ? reverse : ["● ├─system.slice", "● └─sysinit.target"])].join("\n");
};

const simple = (machine: Machine, verb: string, unit: string): Outcome | undefined => {
  const service = findService(machine, unit);
  if (verb === "is-active") return { ...say(service?.state ?? "inactive"), exitCode: service ? exitOf(service) : 4 };
  if (verb === "is-failed")
    return { ...say(service?.state ?? "inactive"), exitCode: service?.state === "failed" ? 0 : 1 };
  if (verb === "is-enabled") {
    if (!service) return fail(`Failed to get unit file state for ${unit}: No such file or directory`);
    return { ...say(service.enabled ? "enabled" : "disabled"), exitCode: service.enabled ? 0 : 1 };
  }
  return undefined;
};

/** `systemctl`: reads and changes the units of the imagined machine. */
export const systemctl: Program = async (args, { machine, fs }) => {
  const { words, has, text } = readArgs(args, {
    lines: { type: "string", short: "n" },
    type: { type: "string", short: "t" },
    state: { type: "string" },
    property: { type: "string", short: "p" },
    value: { type: "boolean" },
    quiet: { type: "boolean", short: "q" },
    "no-legend": { type: "boolean" },
    output: { type: "string", short: "o" },
    reverse: { type: "boolean" },
  });
  const [verb = "list-units", ...units] = words;
  const services = [...machine.services.values()];
  if (has("failed") || verb === "list-units" || verb === "list-timers" || verb === "list-unit-files") {
    const state = has("failed") ? "failed" : text("state");
    const type = verb === "list-timers" ? "timer" : text("type");
    const chosen = services.filter((s) => (!state || s.state === state) && (!type || s.unit.endsWith(`.${type}`)));
    return say(list(chosen, !has("no-legend")));
  }
  if (verb === "status") {
    const found = units.map((unit) => findService(machine, unit));
    if (units.length === 0)
      return say(
        `● ${machine.name}\n    State: ${services.some((s) => s.state === "failed") ? "degraded" : "running"}`,
      );
    const absent = units.find((_, i) => !found[i]);
    if (absent !== undefined) return missing(absent);
    const present = found.filter((s) => s !== undefined);
    const report = present.map((s) => status(machine, s, Number(text("lines") ?? 10))).join("\n\n");
    return { ...say(report), exitCode: Math.max(...present.map(exitOf)) };
  }
  if (verb === "is-system-running") {
    const failed = services.some((s) => s.state === "failed");
    return { ...say(failed ? "degraded" : "running"), exitCode: failed ? 1 : 0 };
  }
  const answer = simple(machine, verb, units[0] ?? "");
  if (answer) return has("quiet") ? { ...answer, stdout: "" } : answer;
  if (verb === "list-dependencies") {
    const service = findService(machine, units[0] ?? "");
    if (!service) return missing(units[0] ?? "");
    return say(dependencies(service, has("reverse")));
  }
  if (verb === "show" || verb === "cat") {
    const service = findService(machine, units[0] ?? "");
    if (!service) return missing(units[0] ?? "");
    if (verb === "show") return say(show(service, text("property")?.split(","), has("value")));
    const path = `/etc/systemd/system/${service.unit}`;
    return say(`# ${path}\n${await fs.readFile(path).catch(() => `[Service]\nExecStart=${service.command}\n`)}`);
  }
  if (verb === "daemon-reload" || verb === "reset-failed") return say("");
  if (verb === "enable" || verb === "disable") return enable(machine, verb, units, has("now"));
  return change(machine, verb, units);
};
