/** A PowerShell command by its name: alias, verb and cmdlet, or a program. */
import type { Risk } from "../../base/types.ts";
import { shown } from "../engine/arg.ts";
import { aliases, cmdlets, providers, revealing, secretWords, shapes, verbs } from "../knowledge/windows.ts";
import { looks } from "../knowledge/windows-cmdlets.ts";
import { boundCmdlet } from "./bounds.ts";
import { type Context, type Named, textOf, values } from "./context.ts";
import { isDownloaded } from "./downloads.ts";
import { judgeNative } from "./native.ts";
import { reachCmdlet } from "./reach.ts";
import { specials } from "./specials.ts";
import { isThing, listOf, toText } from "./values.ts";

const levels = (lists: Partial<Readonly<Record<Risk, string>>>): ReadonlyMap<string, Risk> =>
  new Map(
    Object.entries(lists).flatMap(([risk, list]) =>
      list.split(" ").map((word): [string, Risk] => [word, risk as Risk]),
    ),
  );
const verbLevels = levels(verbs);
const cmdletLevels = levels(cmdlets);
const shaping = new Set(shapes.split(" "));
const looking = new Set(
  Object.entries(looks).flatMap(([verb, nouns]) => nouns.split(" ").map((noun) => `${verb}-${noun}`)),
);

const order: readonly Risk[] = ["block", "high", "medium", "low"];
/** Names that a wildcard may stand for, those that must never run first. */
export const knownNames: readonly string[] = [...cmdletLevels]
  .toSorted(([, a], [, b]) => order.indexOf(a) - order.indexOf(b))
  .map(([name]) => name)
  .concat([...aliases.values()]);

/** Judges a command; adds findings. */
export function judgeName(named: Named, context: Context) {
  const { scan, state, languages } = context;
  const { name } = named;
  const bare = (/^[\w.]+\\([\w-]+)$/.exec(name)?.[1] ?? name).toLowerCase();
  const isProgram = /\.(exe|com|bat|cmd)$/.test(bare) || /[\\/:]/.test(bare);
  const cmdlet = state.aliases.get(bare) ?? (isProgram ? bare : (aliases.get(bare) ?? bare));
  if (/[^ -~]/.test(bare))
    return scan.report("high", "windows.look-alike", `the name ${shown(name)} has letters that are not ASCII`);
  if (isDownloaded(name, scan))
    return scan.report("block", "windows.download", `runs ${shown(name)}, which was downloaded just before`);
  if (/\.(ps1|psm1)$/.test(bare)) return scan.report("medium", "windows.script", `runs the script ${shown(name)}`);
  if (/^[a-z]+-[a-z]\w*$/.test(cmdlet)) return judgeCmdlet({ ...named, name: cmdlet }, context);
  if (/\s/.test(bare) && !isProgram) {
    // `& 'iex x'` is no command; what it was meant to be is judged all the same.
    const [head = "", ...rest] = name.split(/\s+/);
    return judgeNative([head, ...rest], scan, languages);
  }
  if (named.isPiped && /^(cmd|powershell|pwsh)(\.exe)?$/.test(bare.split(/[\\/]/).at(-1) ?? ""))
    runPiped(named, context);
  judgeNative([state.aliases.get(bare) ?? name, ...nativeArguments(named)], scan, languages, named.isPiped);
}

/** A shell that reads its commands from the pipe. */
function runPiped({ name, input, words }: Named, { scan, state, languages }: Context) {
  if (state.fetched) scan.report("block", "windows.download", "runs what was downloaded");
  const isReader = words.every(
    ({ parameter, texts }) =>
      parameter !== undefined || texts.join("") === "-" || /^(bypass|hidden|\/q|\/k|\/d)$/i.test(texts.join("")),
  );
  if (!isReader) return;
  scan.report("high", "windows.stdin", `${name} runs what comes through a pipe`);
  if (input === null || input === undefined) return;
  const text = listOf(input).map(toText).join("\n");
  if (/cmd/i.test(name)) languages.cmd(text, "in a pipe");
  else languages.powershell(text, "in a pipe");
}

/** As a program gets them: a list as one word, a parameter as it is written. */
const nativeArguments = ({ words }: Pick<Named, "words">): string[] =>
  words.map((word) =>
    word.parameter !== undefined
      ? word.attached
        ? `-${word.parameter}:${word.texts.join(",")}`
        : word.source
      : word.texts.join(","),
  );

const itemCmdlets = /^(get|test|resolve)-(childitem|item|itemproperty|itempropertyvalue|content|acl|path)$/;

const isOnKnownDrive = (path: string): boolean =>
  providers.test(/^([a-z][\w.\\]*)::?(?![\w$]*:)/i.exec(path)?.[1] ?? "c");

/** Files that hold secrets, looked for by their names. */
const hidden =
  /(^|\s)-(inc\w*|fi\w*)\s.*(passw|credential|secret|\.kdbx|\.ppk|\.pfx|\.p12|\.key\b|\.pem|id_rsa|unattend)/i;

/** `Select-String password` over files: what comes from another command is only narrowed. */
const isSecretSearch = ({ name, words, isPiped, input }: Named): boolean =>
  name === "select-string" && (!isPiped || (isThing(input) && input.is === "found")) && secretWords.test(textOf(words));

function judgeCmdlet(named: Named, context: Context) {
  const { name, words } = named;
  const { scan } = context;
  const [verb = "", noun = ""] = name.split("-");
  const isShape = shaping.has(name);
  const listed = cmdletLevels.get(name) ?? (isShape || looking.has(name) ? "low" : verbLevels.get(verb));
  if (listed === undefined) scan.markUnknown();
  const said = `${name} ${shown(words.map((word) => word.source).join(" "))}`;
  const isTried = words.some(
    ({ parameter, attached, texts }) =>
      parameter !== undefined &&
      /^(wh|whatif|wi)/.test(parameter) &&
      "whatif".startsWith(parameter) &&
      (!attached || !/false|0/i.test(texts.join(""))),
  );
  if (isTried && listed !== "low")
    return scan.report("medium", "windows.whatif", `${name} -WhatIf: only says what it would do`);
  const special = specials[name] ?? specials[`*-${noun}`];
  let risk: Risk = special?.(named, context) ?? listed ?? "medium";
  reachCmdlet(named, isShape, scan);
  boundCmdlet(name, words, scan);
  const text = textOf(words).toLowerCase();
  if (risk === "low" && itemCmdlets.test(name) && !words.every((word) => word.texts.every(isOnKnownDrive)))
    risk = "medium";
  if (risk === "low" && (isSecretSearch(named) || revealing.test(text) || (verb === "get" && hidden.test(text))))
    return scan.report("medium", "windows.reveals", `${said}: may reveal secrets`);
  if (risk === "medium" && words.some((word) => word.made || (word.dynamic && word.source.startsWith("@"))))
    risk = "high";
  if (
    risk !== "low" &&
    values(words).some((text) => isDownloaded(text, scan)) &&
    /^(import|invoke|start|add|install|register)-(module|item|process|type|command|appx\w*|package\w*|job|threadjob|script)/.test(
      name,
    )
  )
    scan.report("block", "windows.download", `runs what was downloaded just before: ${said}`);
  const unlisted = listed === undefined && risk === "medium" ? ": not among the cmdlets known to only look" : "";
  scan.report(risk, `windows.${name}`, `${said}${risk === "low" ? ": only reads" : unlisted}`);
}
