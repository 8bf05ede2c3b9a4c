/** Programs that fetch, send or listen. */
import { type Risk, stricter } from "../../base/risk.ts";
import type { Check } from "../engine/apply.ts";
import { type Arg, type Flow, literal, nothing, shown } from "../engine/arg.ts";
import { readPath, writePath } from "../engine/effects.ts";
import { words } from "../engine/options.ts";
import { isRootTarget, normalise } from "../engine/paths.ts";
import { instanceKeys } from "../knowledge/paths.ts";
import { requestLine, riskOfRequest } from "./requests.ts";
import { isDestroyingText } from "./sql.ts";

const methods: Readonly<Record<string, Risk>> = {
  GET: "low",
  HEAD: "low",
  OPTIONS: "low",
  DELETE: "high",
  PURGE: "medium",
};
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
export const curl: Check = ({ program, options, operands, args, has, value, stdin, report, scan }) => {
  const isWget = /^wget/.test(program);
  let level: Risk = "low";
  const urls = [
    ...operands,
    ...options.filter((o) => o.name === "--url" && o.value).flatMap((o) => (o.value ? [o.value] : [])),
  ];
  for (const { name, value: given } of options) {
    if (!given || !bodies.has(name)) continue;
    if (!has("-G", "--get")) level = stricter(level, "medium");
    if (isDestroyingText(given.text)) level = "high";
    const file = sentFile(name, given);
    if (file && file.text !== "-") readPath(file, scan);
    if ((file?.text === "-" && stdin.taint === "secret") || given.taint === "secret")
      report("block", "sends a secret over the network", given);
  }
  const method =
    value("-X", "--request", "--method")?.text.toUpperCase() ??
    (/^(http|https|xh)$/.test(program)
      ? (operands[0]?.text.toUpperCase().match(/^(GET|POST|PUT|PATCH|DELETE|HEAD)$/)?.[0] ?? "GET")
      : "GET");
  level = stricter(level, methods[method] ?? "medium");
  for (const url of urls) {
    if (url.text.startsWith("file:")) readPath({ ...url, text: url.text.replace(/^file:\/\/(localhost)?/, "") }, scan);
    if (url.taint === "secret") report("block", "sends a secret in an address", url);
    // Search engines take their questions as a body.
    if (
      /\/_(search|count|msearch|explain|validate|cat|analyze|field_caps|mget|sql)\b/.test(url.text) &&
      !/DELETE|PUT/.test(method)
    )
      level = options.some(({ value: body }) => body && isDestroyingText(body.text)) ? "high" : "low";
    if (instanceKeys.test(url.text) || isDestroyingText(plainQuery(url.text))) level = "high";
    if (/\/_delete_by_query\b/.test(url.text)) level = "high";
    if (/_shutdown|\/actuator\/shutdown|\/quitquitquit/.test(url.text) && method !== "GET") level = "high";
  }
  if (
    has("--proxy-header", "-K", "--config", "--use-askpass", "--execute", "-i", "--input-file") &&
    (isWget || has("-K", "--config"))
  )
    level = stricter(level, "medium");
  const out = value("-o", "--output", "-O", "--output-document");
  const isNamed = !isWget && has("-O", "--remote-name", "-J", "--remote-name-all");
  const toStdout = isWget ? out?.text === "-" || has("--spider") : out === undefined || out.text === "-";
  const flow: Flow = { present: true, taint: "network", from: shown(urls[0]?.text ?? program) };
  if (out && out.text !== "-" && !(isNamed && !out)) {
    writePath(out, /^\/dev\//.test(out.text) ? "overwrite" : "replace", scan);
    scan.files.set(normalise(out.text, scan.cwd), flow);
  } else if (isNamed || (isWget && !toStdout && urls.length > 0)) {
    level = stricter(level, "medium");
    const folder = value("--directory-prefix", "--output-dir", isWget ? "-P" : "--output-dir")?.text;
    for (const url of urls) {
      const file = url.text.split(/[?#]/)[0]?.split("/").pop() ?? "";
      scan.files.set(normalise(folder ? `${folder}/${file}` : file, scan.cwd), flow);
    }
  }
  if (isWget && has("--delete-after", "-r", "-m", "--mirror", "--recursive")) level = stricter(level, "medium");
  report(
    level,
    level === "low"
      ? `${program}: asks ${shown(urls[0]?.text ?? "")}`
      : `${program}: ${method === "GET" ? "sends or stores data" : `${method} request`} ${shown(urls[0]?.text ?? "")}`,
  );
  if (args.some((a) => /^--use-askpass|^--execute|^-e$/.test(a.text)) && isWget)
    report("medium", "wget takes settings from its options");
  return toStdout ? flow : nothing;
};

/** What a query says once its escapes are read (`DROP%20TABLE+x`). */
function plainQuery(url: string): string {
  const query = url.split("?").slice(1).join("?").replaceAll("+", " ");
  return query.replace(/%([0-9a-f]{2})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

const isShellName = (text: string): boolean => /(^|[/ :])(ba|da|z|k|c)?sh(\.exe)?\b|cmd\.exe|powershell/i.test(text);

/** `nc`, `ncat`, `netcat`, `socat`: port checks are low, shells on a socket block. */
export const listen: Check = ({ has, value, operands, stdin, report, program }) => {
  const run = value("-e", "-c", "--exec", "--sh-exec", "--lua-exec");
  if (run || has("-e", "--exec")) {
    report("block", `${program} gives a program to the network: a reverse shell`, run);
    return nothing;
  }
  const flow: Flow = { present: true, taint: "network", from: program };
  if (stdin.from === "a shell") report("block", `${program} connects a shell to the network: a reverse shell`);
  else if (has("-z")) report("low", `${program} -z: only tries the port`);
  else if (has("-l", "--listen", "-L")) report("high", `${program} listens for connections`);
  else if (stdin.taint === "secret") report("block", `${program} sends a secret over the network`);
  else if (stdin.text !== undefined) report(riskOfRequest(stdin.text), `${program} sends ${requestLine(stdin.text)}`);
  else if (stdin.present) report("high", `${program} sends data to ${operands.map((a) => shown(a.text)).join(":")}`);
  else report("medium", `${program} opens a connection to ${operands.map((a) => shown(a.text)).join(":")}`);
  return flow;
};

/** `openssl s_client` sends what it is given, as `nc` does; `Q` ends it. */
export const tlsClient: Check = ({ stdin, report }) => {
  if (stdin.taint === "secret") report("block", "openssl sends a secret over the network");
  else if (stdin.text === undefined && stdin.present) report("high", "openssl sends data over the network");
  else if (stdin.text !== undefined && stdin.text.trim() !== "Q")
    report(riskOfRequest(stdin.text), `openssl sends ${requestLine(stdin.text)}`);
  return undefined;
};

/** `socat`: two addresses, each with a type. */
export const socat: Check = ({ operands, report, stdin, scan }) => {
  const text = operands.map((a) => a.text).join(" ");
  if (/\b(exec|system|shell)[:=]/i.test(text)) {
    const isNetwork = /\b(tcp|udp|openssl|ssl|sctp|socks|proxy|vsock)/i.test(text);
    report(
      isNetwork ? "block" : "high",
      isNetwork ? "socat gives a program to the network: a reverse shell" : "socat runs a program",
    );
  } else if (/listen/i.test(text)) report("high", "socat forwards what connects to it");
  else if (stdin.text !== undefined && stdin.text.trim() !== "")
    report(riskOfRequest(stdin.text), `socat sends ${requestLine(stdin.text)}`);
  else report(/\/null\b/i.test(text) && !stdin.present ? "low" : "medium", "socat opens a connection");
  for (const match of text.matchAll(/\b(?:open|file|gopen|create):([^,\s]+)/gi))
    readPath(literal(match[1] ?? ""), scan);
  for (const match of text.matchAll(/\b(?:create|open):([^,\s]+)/gi))
    writePath(literal(match[1] ?? ""), "replace", scan);
  return { present: true, taint: "network", from: "socat" };
};

/** A secret of another host is one, too. */
const withoutHost = (arg: Arg): Arg =>
  isRemote(arg.text) ? { ...arg, text: arg.text.replace(/^[^/:]+:(\/\/[^/]+)?/, "") || "." } : arg;

const isRemote = (text: string): boolean => /^[^/]+:(?!\\)/.test(text) || /^rsync:/.test(text);

/** `rsync`: `--delete`, the remote shell, secrets sent away. */
export const rsync: Check = ({ operands, options, has, value, report, scan }) => {
  const shell = value("-e", "--rsh", "--rsync-path");
  if (shell && isShellName(shell.text.replace(/^ssh\b.*/, ""))) {
    report("high", `rsync runs ${shown(shell.text)}`, shell);
    scan.runShell(shell.text, nothing, "in rsync");
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
  if (target && !isRemote(target.text)) writePath(target, "replace", scan);
  return undefined;
};

/** `scp`, `sftp`: files go to or come from another host. */
export const sshCopy: Check = ({ operands, value, report, scan, options }) => {
  const target = operands.at(-1);
  for (const arg of operands) if (arg !== target) readPath(withoutHost(arg), scan);
  if (target && !isRemote(target.text)) {
    writePath(target, "replace", scan);
    scan.files.set(normalise(target.text, scan.cwd), { present: true, taint: "network", from: "scp" });
  }
  const program = value("-S", "-D");
  const proxy = options.find((o) => /^ProxyCommand=/i.test(o.value?.text ?? ""))?.value;
  if (program ?? proxy) report("high", "runs a command through an option", program ?? proxy);
  report("medium", "copies files between hosts");
  return undefined;
};
