/** Signals and services. */
import type { Check, ProgramCall } from "../engine/apply.ts";
import { type Arg, shown } from "../engine/arg.ts";
import { matcherOf } from "../engine/paths.ts";
import type { Scan } from "../engine/scan.ts";
import { auditServices, databaseServices, vitalServices } from "../knowledge/guards.ts";

const gentle = /^(-?(SIG)?(TERM|HUP|INT|USR1|USR2|WINCH|CONT|QUIT|CHLD|URG|PIPE|ALRM)|-?(1|2|3|15|10|12|18|28|0))$/i;

/** Shorter patterns mean anything. */
const minPattern = 4;
const isPartOfAudit = (pattern: string): boolean => {
  const plain = pattern.replace(/[^\w-]/g, "");
  return plain.length >= minPattern && auditServices.some((service) => service.includes(plain));
};

/** `kill`, `pkill`, `killall`, `fuser -k`: by signal, and by who is hit. */
export const kill: Check = ({ args, operands, value, report, program, scan }) => {
  if (args.some((a) => /^(-l|-L|--list|--table)$/.test(a.text)) && program === "kill") {
    report("low", "kill -l: lists signals");
    return undefined;
  }
  const named = value("-s", "-n", "--signal")?.text;
  const short = args.find(
    (a) =>
      /^-([A-Z]+\d*|\d+)$/i.test(a.text) &&
      (/^-\d+$/.test(a.text) ||
        /^-(SIG)?(KILL|TERM|HUP|INT|USR1|USR2|STOP|CONT|QUIT|ABRT|SEGV|WINCH|TSTP|PIPE|ALRM)$/i.test(a.text)),
  );
  const isFirst = short !== undefined && args.indexOf(short) <= 1;
  const signal = named ?? (isFirst ? short?.text : undefined) ?? "TERM";
  if (/^-?0$/.test(signal)) {
    report("low", `${program} -0: asks whether the process lives`);
    return undefined;
  }
  const targets = operands.filter((a) => a !== short || !isFirst);
  const isEverybody =
    program === "kill"
      ? args.some((a, i) => a.text === "-1" && (a !== short || i > 0 || args.length === 1) && args.indexOf(a) > 0)
      : false;
  if (isEverybody || (program === "kill" && targets.some((a) => a.text === "1"))) {
    report(
      (gentle.test(signal) || scan.inside > 0) && !isEverybody ? "high" : "block",
      isEverybody ? "kills every process" : `sends ${signal} to process 1`,
    );
    return undefined;
  }
  if (program === "killall5") report("block", "kills every process");
  // `pkill` takes a pattern, which needs not be the whole name.
  const isPart = program === "pkill" && !args.some((a) => /^-[a-z]*x|^--exact$/.test(a.text));
  const hitsAudit = targets.some(({ text }) => isAudit(text) || (isPart && isPartOfAudit(text)));
  if (hitsAudit && !/HUP|USR/i.test(signal))
    report("block", `stops the audit: ${targets.map((a) => a.text).join(" ")}`);
  const hitsVital = targets.some((a) => isVital(a.text) || isCritical(a.text, scan));
  const isBroad = targets.some((a) => /^(\.|\.\*|\*|)$/.test(a.text)) || (program === "pkill" && targets.length === 0);
  const isHard = !gentle.test(signal.replace(/^-/, ""));
  report(
    isHard || (hitsVital && !/HUP|USR/i.test(signal)) || isBroad ? "high" : "medium",
    `sends ${signal.replace(/^-/, "")} to ${targets.map((a) => shown(a.text)).join(" ") || "processes"}`,
  );
  return undefined;
};

/** Families whose members have names of their own (`wazuh-agent@x`, `systemd-timesyncd`). */
const auditFamily = /^(ossec|wazuh|aide|auditbeat|falcon|sentinel)/;
const vitalFamily = /^(systemd-|getty)/;

/** Whether a name, or a glob of names, means one of these services. */
function isOneOf(services: readonly string[], name: string): boolean {
  if (!/[*?[]/.test(name)) return services.includes(name);
  const matcher = /\w/.test(name) ? matcherOf(name) : undefined;
  return matcher !== undefined && services.some((service) => matcher.test(service));
}
const isAudit = (name: string): boolean => isOneOf(auditServices, name) || auditFamily.test(name);
const isVital = (name: string): boolean => isOneOf(vitalServices, name) || vitalFamily.test(name);

/** `postgresql@15-main`, `postgresql-16`, `postgresql-x64-16`: one of several of the same database. */
const instance = /@.*$|(?:-x64)?-\d[\w.]*$/;

/** Whether the operator calls a service critical; where they name none, the usual databases are. */
export const isCritical = (name: string, { criticalServices: own }: Pick<Scan, "criticalServices">): boolean =>
  own ? own.includes(name) : isOneOf(databaseServices, /[*?[]/.test(name) ? name : name.replace(instance, ""));

const unitName = (arg: Arg): string => arg.text.replace(/\.(service|socket|timer|target|mount)$/, "");
type Reporter = Pick<ProgramCall, "report" | "scan">;

/** Judges what stops a unit: that of the audit is blocked, one that the host or its users depend on is high. */
export function stopUnit(arg: Arg, stops: string, { report, scan }: Reporter): void {
  const unit = unitName(arg);
  if (isAudit(unit)) report("block", `${stops} ${unit}: switches off the audit`, arg);
  else if (isCritical(unit, scan)) report("high", `${stops} ${unit}: takes a service down`, arg);
  else if (isVital(unit)) report("high", `${stops} ${unit}, which the host depends on`, arg);
  if (/^\*|^$/.test(unit)) report("high", `${stops} every unit`, arg);
}

/** Judges what restarts a unit: high where the operator calls it critical. */
export function restartUnit(arg: Arg, { report, scan }: Reporter): void {
  const unit = unitName(arg);
  if (scan.criticalServices?.includes(unit)) report("high", `restarts ${unit}, which the operator calls critical`, arg);
}
