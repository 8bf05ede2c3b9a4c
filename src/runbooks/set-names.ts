/** Which variables a line of a runbook sets itself: nobody else's value may stand for them. Pure. */

const value = String.raw`(?:"[^"]{0,500}"|'[^']{0,500}'|\$\([^)]{0,500}\)|(?!\$\()[^\s;&|"'])*`;
const assignment = String.raw`[A-Za-z_]\w*(?:\[[^\]\s]{0,60}\])?\+?=${value}`;
const words = "export|local|declare|readonly|typeset|if|elif|while|until|else|then|do|time";
/** Looked at without being taken, since a value may hold a command that sets another. */
const assigned = new RegExp(
  String.raw`(?:^|[;&|(){\n!]|\b(?:${words})\s)(?=(?:\s{1,40}|-\w+\s|!\s|\b(?:${words})\s)*((?:${assignment}\s{1,40})*${assignment}))`,
  "g",
);
const assignedName = new RegExp(String.raw`([A-Za-z_]\w*)(?:\[[^\]\s]{0,60}\])?\+?=${value}`, "g");
const named =
  /\b(?:for|select)\s{1,40}([A-Za-z_]\w*)|\bprintf\s{1,40}-v\s{0,40}([A-Za-z_]\w*)|\bgetopts\s{1,40}\S{1,100}\s{1,40}([A-Za-z_]\w*)|\$\{([A-Za-z_]\w*):?=/g;
const reads = /\b(?:read|mapfile|readarray)\s([^;&|<>()\n]{0,500})/g;
const inPowershell = /\$([A-Za-z_]\w*)\s{0,40}[-+*/]?=(?!=)|\bforeach\s{0,40}\(\s{0,40}\$([A-Za-z_]\w*)\s{1,40}in\b/gi;

/** The names that a POSIX shell's command sets where a command begins or by `for`, `read` and their like; `env POD=$POD` only passes one on. */
export function namesSetIn(command: string): ReadonlySet<string> {
  const assignments = [...command.matchAll(assigned)].flatMap(([, chain = ""]) =>
    [...chain.matchAll(assignedName)].map(([, name = ""]) => name),
  );
  const others = [...command.matchAll(named)].flatMap((match) => match.slice(1).filter((name) => name !== undefined));
  const read = [...command.matchAll(reads)].flatMap(([, rest = ""]) =>
    rest.split(/\s+/).filter((word) => /^[A-Za-z_]\w*$/.test(word)),
  );
  return new Set([...assignments, ...others, ...read]);
}

/** The names that a line of PowerShell sets; its variables are alike in large and small letters, here in small ones. */
export const namesSetInPowershell = (line: string): ReadonlySet<string> =>
  new Set([...line.matchAll(inPowershell)].map(([, plain, looped]) => (plain ?? looped ?? "").toLowerCase()));
