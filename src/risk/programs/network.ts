import { type Risk, stricter } from "../../base/risk.ts";
import type { Check, ProgramCall } from "../engine/apply.ts";
import { type Arg, type Flow, literal, nothing, shown } from "../engine/arg.ts";
import { readPath, writePath } from "../engine/effects.ts";
import { levelsOf, words } from "../engine/options.ts";
import { isRootTarget, normalise } from "../engine/paths.ts";
import { isRemote, noteCopy } from "../engine/touch.ts";
import { instanceKeys } from "../knowledge/paths.ts";
import { knownVerbs } from "../knowledge/verbs.ts";
import { methods, requestLine, riskOfRequest } from "./requests.ts";
import { isDestroyingText } from "./sql.ts";

/** Programs that fetch, send or listen. */

const bodies = new Set(
  words(
    "-d --data --data-binary --data-raw --data-urlencode --data-ascii --json -F --form --form-string -T --upload-file " +
      "--post-data --post-file --body-data --body-file",
  ),
);

/** The files in `@file`, `name=@file`, `-T file`. */
const sentFile = (name: string, value: Arg): Arg | undefined => {
  if (/^(-T|--upload-file|--post-file|--body-file)$/.test(name)) return value;
  const match = /(?:^|=)[@<]([^;]+)/.exec(value.text);
  return match && /^(-d|--data|-F|--form|--json)/.test(name) && name !== "--data-raw" && name !== "--form-string"
    ? { ...value, text: match[1] ?? "" }
    : undefined;
};

/** `curl`, `wget`, `http`: method, body, uploaded and written files. */
export const curl: Check = (call) => {
  const { program, options, operands, has, report, value } = call;
  const isWget = /^(wget|aria2c|axel)/.test(program);
  const urls = [...operands, ...options.flatMap((o) => (o.name === "--url" && o.value ? [o.value] : []))];
  const method = methodOf(call);
  // What stands before `--next` holds for one request, what stands behind it for another.
  const isOne = !has("--next", "-:");
  const target = value("--request-target");
  const asked = urls
    .concat(target ?? [])
    .reduce(
      (level, url) => riskOfAddress(url, method, level, call),
      stricter(judgeBodies(call, isOne), isOne ? (methods[method] ?? "medium") : strictestMethod(call)),
    );
  const hasSettings =
    has("-K", "--config") || (isWget && has("-i", "--input-file", "-e", "--execute", "--use-askpass"));
  const keepsFiles = isWget && has("--delete-after", "-r", "-m", "--mirror", "--recursive");
  const { flow, toStdout, isStored } = storeAnswer(urls, isWget, call);
  for (const one of options) if (/^(-w|--write-out)$/.test(one.name) && one.value) touchFormat(one.value, call.scan);
  const level = hasSettings || keepsFiles || isStored ? stricter(asked, "medium") : asked;
  const what = method === "GET" ? "sends or stores data" : `${method} request`;
  report(level, `${program}: ${level === "low" ? "asks" : what} ${shown(urls[0]?.text ?? "")}`);
  return toStdout ? flow : nothing;
};

/** `-w` reads a format from `@FILE` and writes to the file of an `%output{FILE}`. */
function touchFormat(format: Arg, scan: ProgramCall["scan"]): void {
  if (format.text.startsWith("@")) readPath({ ...format, text: format.text.slice(1) }, scan);
  for (const [, appends, file = ""] of format.text.matchAll(/%output\{(>>)?([^}]*)\}/g))
    writePath({ ...format, text: file }, appends ? "append" : "overwrite", scan);
}

function methodOf({ program, value, operands, has, stdin }: ProgramCall): string {
  const given = value("-X", "--request", "--method")?.text.toUpperCase();
  const isHttpie = /^(http|https|xh|curlie)$/.test(program);
  const word = isHttpie ? (operands[0]?.text.toUpperCase() ?? "") : "";
  // HTTPie sends its items: `name=value`, `name:=json`, and what is in a file: `name@file`, `name==@file`, `Name:@file`.
  const isFed = stdin.present && !has("--ignore-stdin", "-I");
  const sends = isHttpie && (isFed || operands.some(({ text }) => /^([\w.-]+(:?=(?!=)|(==|:)?@)|@)/.test(text)));
  return given ?? (/^(GET|POST|PUT|PATCH|DELETE|HEAD)$/.test(word) ? word : sends ? "POST" : "GET");
}

const strictestMethod = ({ options }: ProgramCall): Risk =>
  options
    .filter(({ name }) => /^(-X|--request)$/.test(name))
    .map(({ value }) => methods[value?.text.toUpperCase() ?? ""] ?? "medium")
    .reduce<Risk>(stricter, "low");

/** What its bodies do, and the files that are sent in them. */
function judgeBodies({ options, has, stdin, report, scan }: ProgramCall, isOne: boolean): Risk {
  let level: Risk = "low";
  for (const { name, value } of options) {
    const [, method] = (/^(-H|--header)$/.test(name) && overriding.exec(value?.text ?? "")) || [];
    if (method !== undefined) level = stricter(level, methods[method.toUpperCase()] ?? "medium");
    if (/^(-H|--header|--proxy-header)$/.test(name) && value?.text.startsWith("@")) {
      level = stricter(level, "medium");
      readPath({ ...value, text: value.text.slice(1) }, scan);
    }
    if (!value || !bodies.has(name)) continue;
    if (isOne && has("-G", "--get")) level = stricter(level, riskOfActs(`?${value.text}`));
    else level = stricter(level, "medium");
    if (isDestroyingText(value.text)) level = "high";
    const file = sentFile(name, value);
    if (file && file.text !== "-") readPath(file, scan);
    if ((file?.text === "-" && stdin.taint === "secret") || value.taint === "secret")
      report("block", "sends a secret over the network", value);
  }
  return level;
}

/** A header that stands for another method. */
const overriding = /^x-(?:http-)?method(?:-override)?\s*:\s*(\w+)/i;
const verbLevels: ReadonlyMap<string, Risk> = new Map(levelsOf(knownVerbs));
/** Parameters that say what is to be done. */
const deciding = /^(action|\w*cmd|cmnd|command|do|_?method|op|operation|task|verb|stream\.body)$/i;

/** Parameters whose name alone says that something is done, and scripts that a timer is meant to call. */
const actingKey =
  /^(down|up|on|off|turn|power|unsubscribe|reboot|restart|reload|reset|delete|remove|drop|purge|flush|kill|shutdown|disable|enable|forget|re(boot|start)_?now)$/i;
/** A part of a path before its last that says what is done to the rest: `/purge/index.html`. */
const actingPart =
  /^(delete|remove|destroy|purge|drop|flush|kill|terminate|reset|reboot|restart|cancel|revoke|force-leave|unsubscribe|write|exec|set|shutdown)$/i;
/** Addresses of a mail: who opens them has confirmed. */
const givesToken = /^(verify|activate|confirm|accept)\b/i;
/** A switch and what it is set to. */
const switched = /^(state|switch|relay|outlet|output|led|value)=(on|off|toggle|cycle)$/i;
/** What a search engine or a database of times writes when it is asked. */
const writing = /^((soft)?commit|optimize|rollback)=true$|^q=select\b.*\binto\b/i;
const startingScript =
  /(^|[-_.])(cron|install|setup|upgrade|update|migrate|deploy|run|trigger)[-_\w]*\.(php\d?|cgi|pl|py|asp|aspx|jsp|do)$/i;

/** A list in an address. Curl asks for each entry: `{status,shutdown}`. */
const alternatives = /\{([^{}]*,[^{}]*)\}/;
const maxAddresses = 64;

/** The addresses that an address stands for, as the server reads them. */
function addressesOf(address: string): readonly string[] {
  let found = [address];
  while (found.length < maxAddresses && found.some((one) => alternatives.test(one)))
    found = found.flatMap((one) => {
      const listed = alternatives.exec(one)?.[1]?.split(",") ?? [""];
      return listed.map((word) => one.replace(alternatives, () => word));
    });
  return found.flatMap((one) => [
    one,
    one.replace(/%([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16))),
  ]);
}

/** The level of what an address asks for: a path that ends in a verb, or a verb in a parameter that says what to do. */
const riskOfActs = (address: string): Risk => addressesOf(address).map(riskOfOne).reduce(stricter, "low");

function riskOfOne(address: string): Risk {
  const [place = "", query = ""] = address.replace(/^[a-z+]+:\/\/[^/?]*/i, "").split("?");
  const parts = place.split("/").filter(Boolean);
  const last = parts.at(-1) ?? "";
  const pairs = query.split(/[&;]/).map((pair) => pair.split("="));
  const asked = pairs.flatMap(([key = "", value = ""]) => (deciding.test(key) ? [value] : []));
  if (
    startingScript.test(last) ||
    parts.slice(0, -1).some((part) => actingPart.test(part)) ||
    pairs.some(([key = ""]) => (key === "level" && /log/i.test(last)) || (key === "token" && givesToken.test(last))) ||
    query.split(/[&;]/).some((pair) => switched.test(pair)) ||
    pairs.some(([key = "", value = ""]) => writing.test(`${key}=${value}`)) ||
    pairs.some(([key = "", value = ""]) => actingKey.test(key) && !/^(0|false|no)$/.test(value))
  )
    asked.push("do");
  // A parameter that says what to do is closed: an unknown verb is no read.
  return [riskOfAct(last), ...asked.map((text) => riskOfAct(text, "medium"))].reduce(stricter, "low");
}

/** `undeploy`, `TerminateInstances`, `doDelete`: by its first word. */
function riskOfAct(text: string, unknown: Risk = "low"): Risk {
  const [first = ""] = text
    .replace(/^do(?=[A-Z])/, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z]+/)
    .filter(Boolean);
  const level = (word: string): Risk | undefined => acting.get(word) ?? verbLevels.get(word);
  const whole = acting.get(text.toLowerCase());
  if (whole !== undefined) return whole;
  const last = /-([a-z]+)$/.exec(text)?.[1] ?? "";
  const ends = level(last) === "high" ? "high" : undefined;
  const second = level(/[a-z]-and-([a-z]+)$/.exec(text)?.[1] ?? "") ?? "low";
  // A method of a service, or what a router's pages are called: `Shelly.Reboot`, `SystemReboot`.
  const method = level(
    (/[A-Za-z]\.([A-Z][a-z]+)$/.exec(text) ?? /^[A-Z][a-z]+([A-Z][a-z]+)$/.exec(text))?.[1]?.toLowerCase() ?? "",
  );
  const own = level(first.toLowerCase()) ?? ends ?? (/^last$/i.test(first) ? undefined : method);
  return stricter(own ?? (text === "" ? "low" : unknown), second);
}
const acting: ReadonlyMap<string, Risk> = new Map(
  levelsOf({
    low: "status stat stats info ping version health help",
    medium:
      "reload build restore quitquitquit deploy trigger cron snapshot reroute forcemerge expire fail quietdown saferestart exit dequeue pop on off " +
      "toggle turn_on turn_off rebuild warmup invalidate clearcache freeosmemory unsubscribe confirm vote pub",
    high: "undeploy unload quit leave",
  }),
);

/** Search engines take their questions as a body. */
const asksByBody = /\/_(search|count|msearch|explain|validate|cat|analyze|field_caps|mget|sql)\b/;

const scripted = /"(script\w*|\w+_script|runtime_mappings|scripted_metric)"\s*:|\\u/i;

/** The level of a request by its address, where the ones before and the method have given one. */
function riskOfAddress(url: Arg, method: string, before: Risk, { options, report, scan, stdin }: ProgramCall): Risk {
  if (url.text.startsWith("file:")) readPath({ ...url, text: url.text.replace(/^file:\/\/(localhost)?/, "") }, scan);
  if (url.taint === "secret") report("block", "sends a secret in an address", url);
  // `gopher:` and `dict:` say any words to any port.
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url.text)?.[1]?.toLowerCase() ?? "http";
  if (!/^(https?|ftps?|file|telnet|unix)$/.test(scheme))
    return scheme === "gopher" || scheme === "dict" ? "high" : stricter(before, "medium");
  if (scheme === "telnet" && stdin.present)
    return stricter(before, stdin.text === undefined ? "high" : riskOfRequest(stdin.text));
  const stops = /_shutdown|\/actuator\/shutdown|\/quitquitquit/.test(url.text) && method !== "GET";
  if (stops || instanceKeys.test(url.text) || isDestroyingText(plainQuery(url.text))) return "high";
  if (/\/_delete_by_query\b/.test(url.text)) return "high";
  if (/\/api\/v1\/(namespaces\/[^/]+\/)?secrets\b/.test(url.text)) return "high";
  if (/\/(hooks?|webhooks?)\/|\/wp-cron\b/.test(url.text)) return stricter(before, "medium");
  const acts = /\/_cat\//.test(url.text) ? "low" : riskOfActs(url.text);
  if (acts !== "low") return stricter(before, acts);
  if (before === "high" || !asksByBody.test(url.text) || /DELETE|PUT/.test(method)) return before;
  if (options.some(({ value }) => value && isDestroyingText(value.text))) return "high";
  // It keeps what it found for the next page, or runs a script in the server.
  const isMore =
    /[?&](scroll|keep_alive)=|[?&]source=.*script/.test(url.text) ||
    options.some(({ value }) => scripted.test(value?.text ?? ""));
  return isMore ? stricter(before, "medium") : "low";
}

interface NetworkFlow {
  readonly flow: Flow;
  readonly toStdout: boolean;
  /** True where it is stored under the name that the address has. */
  readonly isStored: boolean;
}

/** Where the answer goes: it came over the network, wherever it is kept. */
function storeAnswer(urls: readonly Arg[], isWget: boolean, { program, has, value, scan }: ProgramCall): NetworkFlow {
  const out = value("-o", "--output", "-O", "--output-document");
  const toStdout = isWget ? out?.text === "-" || has("--spider") : out === undefined || out.text === "-";
  const flow: Flow = { present: true, taint: "network", from: shown(urls[0]?.text ?? program) };
  if (out && out.text !== "-") {
    writePath(out, /^\/dev\//.test(out.text) ? "overwrite" : "replace", scan);
    scan.files.set(normalise(out.text, scan.cwd), flow);
    return { flow, toStdout, isStored: false };
  }
  const isNamed = !isWget && has("-O", "--remote-name", "-J", "--remote-name-all");
  const isStored = isNamed || (isWget && !toStdout && urls.length > 0);
  const folder = value("--directory-prefix", "--output-dir", isWget ? "-P" : "--output-dir")?.text;
  for (const url of isStored ? urls : []) {
    const file = url.text.split(/[?#]/)[0]?.split("/").pop() ?? "";
    scan.files.set(normalise(folder ? `${folder}/${file}` : file, scan.cwd), flow);
  }
  return { flow, toStdout, isStored };
}

/** What a query says once its escapes are read (`DROP%20TABLE+x`). */
function plainQuery(url: string): string {
  const query = url.split("?").slice(1).join("?").replaceAll("+", " ");
  return query.replace(/%([0-9a-f]{2})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

const isShellName = (text: string): boolean => /(^|[/ :])(ba|da|z|k|c)?sh(\.exe)?\b|cmd\.exe|powershell/i.test(text);

/** `nc`, `ncat`, `openssl s_client`: port checks are low, shells on a socket block; what is sent is judged as a request. */
export const listen: Check = ({ has, value, operands, stdin, report, program, detail }) => {
  const run = value("-e", "-c", "--exec", "--sh-exec", "--lua-exec");
  if (run || has("-e", "--exec")) {
    report("block", `${program} gives a program to the network: a reverse shell`, run);
    return nothing;
  }
  const flow: Flow = { present: true, taint: "network", from: program };
  const target = operands.length === 0 ? "" : ` to ${operands.map((a) => shown(a.text)).join(":")}`;
  if (stdin.from === "a shell") report("block", `${program} connects a shell to the network: a reverse shell`);
  else if (program === "openssl" && stdin.text?.trim() === "Q") report("low", "openssl ends the connection");
  else if (has("-z")) report("low", `${program} -z: only tries the port`);
  else if (has("-l", "--listen", "-L")) report("high", `${program} listens for connections`);
  else if (stdin.taint === "secret") report("block", `${program} sends a secret over the network`);
  else if (stdin.text !== undefined) report(riskOfRequest(stdin.text), `${program} sends ${requestLine(stdin.text)}`);
  else if (stdin.present) report("high", `${program} sends data${target}`);
  else report(detail.level ?? "medium", `${program} opens a connection${target}`);
  return flow;
};

/** A file, or what comes in by a pipe, on the way to an address of a network. */
const sendsFile = (text: string, { present, text: known }: Flow): boolean =>
  /\b(tcp|udp|openssl|ssl|sctp|socks|proxy|vsock)\w*:/i.test(text) &&
  (/\b(open|file|gopen|pipe|fd):/i.test(text) || (present && known === undefined));

/** Nothing on one side, and on the other a port that is opened with options which change nothing. */
function triesPort(addresses: readonly Arg[]): boolean {
  const others = addresses.filter(({ text }) => !/^((open|file):)?\/dev\/null$/i.test(text));
  const port =
    /^((tcp|ssl|openssl|sctp)[46]?(-connect)?:[^,]+|unix(-connect)?:[^,]+)(,((connect-)?timeout|verify|cafile|capath|snihost|commonname|pf|nodelay|shut-\w+)(=[^,]*)?)*$/i;
  return addresses.length === 2 && others.length === 1 && port.test(others[0]?.text ?? "");
}

/** `socat`: two addresses, each with a type. */
export const socat: Check = ({ operands, report, stdin, scan }) => {
  const text = operands.map((a) => a.text).join(" ");
  if (/\b(exec|system|shell)[:=]/i.test(text)) {
    const isNetwork = /\b(tcp|udp|openssl|ssl|sctp|socks|proxy|vsock)/i.test(text);
    report(
      isNetwork ? "block" : "high",
      isNetwork ? "socat gives a program to the network: a reverse shell" : "socat runs a program",
    );
  } else if (/listen|\brecv/i.test(text)) report("high", "socat forwards what connects to it");
  else if (sendsFile(text, stdin) || operands.some((one) => one.dynamic)) {
    scan.reach("outside", true);
    report("high", "socat sends what only the server knows");
  } else if (stdin.text !== undefined && stdin.text.trim() !== "")
    report(riskOfRequest(stdin.text), `socat sends ${requestLine(stdin.text)}`);
  else report(!stdin.present && triesPort(operands) ? "low" : "medium", "socat opens a connection");
  for (const match of text.matchAll(/\b(?:open|file|gopen|create):([^,\s]+)/gi))
    readPath(literal(match[1] ?? ""), scan);
  for (const match of text.matchAll(/\b(?:create|open):([^,\s]+)/gi))
    writePath(literal(match[1] ?? ""), "replace", scan);
  return { present: true, taint: "network", from: "socat" };
};

/** What rsync reaches the other host by, and is there: `ssh -p 22 -o BatchMode=yes`, `sudo rsync`. */
const plainTransport =
  /^(sudo (-n )?)?(\/(usr\/(local\/)?)?bin\/)?(rsync|ssh( +-([46Cqx]+|[pli] *[\w.@/~-]+|o *(?!\w*(command|proxy|provider|include))\w+=[\w.:-]+))*)$/i;

/** `rsync`: `--delete`, what it starts here and there, which it does for a dry run too, secrets sent away. */
export const rsync: Check = ({ operands, options, has, report, scan }) => {
  for (const { name, value } of options) {
    if (!value || !/^(-e|--rsh|--rsync-path)$/.test(name) || plainTransport.test(value.text)) continue;
    report(isShellName(value.text) ? "high" : "medium", `rsync runs ${shown(value.text)}`, value);
    scan.runShell(value.text, nothing, "in rsync");
  }
  const target = operands.at(-1);
  for (const arg of operands) if (arg !== target && !isRemote(arg.text)) readPath(arg, scan);
  if (has("-n", "--dry-run", "--list-only") || operands.length === 1) {
    report("low", "rsync: only lists");
    return undefined;
  }
  if (options.some(({ name }) => /^--(del|delete(-\w+)?|remove-source-files)$/.test(name))) {
    report("high", "rsync deletes files");
    if (target && !isRemote(target.text) && isRootTarget(target, scan.cwd, scan.protectedPaths))
      report("block", `rsync deletes what is in ${shown(target.text)}, a root of the system`, target);
  } else report("medium", `rsync copies to ${target ? shown(target.text) : "?"}`);
  if (!target || isRemote(target.text)) return undefined;
  writePath(target, "replace", scan);
  const path = normalise(target.text, scan.cwd);
  for (const source of operands.slice(0, -1)) {
    if (!isRemote(source.text)) noteCopy(source, path, scan);
    else for (const place of [path, `${path}/**`]) scan.files.set(place, { present: true, from: "rsync" });
  }
  return undefined;
};
