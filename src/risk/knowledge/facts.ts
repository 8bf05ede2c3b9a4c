/** Rows for programs of several records: how a kind of client reaches out, what a kind of watcher waits for. */
import type { CallEffect, Row } from "../program.ts";

/** Editors and debuggers: `:!command`, `!command`, `shell command` among the arguments is run. */
export const escapes: Row = {
  does: {
    is: "runs-text",
    all: true,
    if: "^:?(?:sil(?:ent)?!?\\s+)?(?:\\s*!|(?:shell|system)\\s+)([^]+)$",
    level: "high",
    why: "runs a command given in an option",
  },
};

export const followsLogs: Row = {
  words: "logs compose_logs service_logs",
  ends: { endless: "-f --follow", does: "it follows a log for ever", instead: "logs --tail=100" },
};

export const imageClient: Row = {
  words:
    "pull push search login run build copy repo_update repo_add manifest_inspect dependency_update search_hub " +
    "search_repo",
  reach: { kind: "service", options: { host: "-H --host" } },
};

export const mailer: Row = {
  reach: {
    kind: "copy",
    operands: "hosts",
    options: { host: "--to -t --server", "path-read": "-a -A --attach", value: "-s" },
    stays: "-bt -bv -bp -bpc -bP -bV",
    stdin: true,
  },
};

/** A program that asks this machine, or another that an option names. */
export const otherMachine: Row = { words: "", reach: { kind: "service", options: { host: "-H --host" } } };

export const packageClient: Row = {
  words: "update upgrade install download source search info check-update refresh dist-upgrade full-upgrade",
  reach: { kind: "service" },
};

export const networkProbe: Row = {
  reach: {
    kind: "lookup",
    operands: "hosts",
    options: {
      host: "-c -H",
      "path-read": "-iL -f -E --file --sign --data-file",
      value: "-c -i -w -W -t -s -I -m -oN -oX -oG -oA",
    },
  },
};

/** Programs that do something without a sub-command: they open a console, start a server, or do their work. */
export const actsAlone = (names: string): Row => ({
  names,
  if: "^( -\\S+)* *$",
  unless: " (-v|-V|-h|--version|--help) ",
  level: "medium",
  why: "does more than print its help",
});

/** A file that can be no disk: none below a mounted /dev, no link of a store to its device. */
const file =
  "((?!\\S*/(dev|block)(/|\\s))/(tmp|var|srv|home|root|opt|data|mnt|media|swap)[\\w.-]*(/[\\w-][\\w.-]*)*|" +
  "(\\./)?[\\w-][\\w.-]*\\.(img|qcow2|iso|ext[234]|vhd))";
/** The operands of a call that is about files alone, and sizes. */
const onFiles = `^(?!.*[ =,]/dev/)( ${file}| \\d+[kKmMgG]?)*( ${file})( \\d+[kKmMgG]?)* $`;
/** Those of a call whose first operand is a file. */
export const onFile = `^(?!.*[ =,]/dev/) ${file} `;

/** Erases a disk: block, but of a file high. */
export const erases = (list?: string): readonly Row[] => [
  { ...(list === undefined ? {} : { words: list }), level: "high", why: "erases what it is given" },
  {
    ...(list === undefined ? {} : { words: list }),
    unless: onFiles,
    operands: true,
    level: "block",
    why: "erases a disk",
  },
  // Also as the value of an option, such as a journal's device.
  {
    ...(list === undefined ? {} : { words: list }),
    if: "[ =,]/dev/(?!(null|zero|u?random|stdin|stdout|stderr|fd)\\b)",
    level: "block",
    why: "erases a disk",
  },
];

/** `kubectl exec POD -- cmd`, `vagrant ssh -c TEXT`: hands on what stands behind so many operands, or in an option. */
export const elsewhere = (names: string, list: string, operand?: number, more: Partial<CallEffect> = {}): Row => ({
  names,
  ...(list === "" ? {} : { words: list }),
  does: { is: "runs-elsewhere", ...(operand === undefined ? {} : { operand }), ...more },
});

export const signsIn: Partial<CallEffect> = { joins: true, level: "medium", why: "signs in elsewhere" };

/** `bundle exec`, `poetry run`, `npx`: what stands after their own options is a command of its own. */
export const runsOperands: Row = { does: { is: "runs-argv", operand: 0 } };

/** A client of a server that it was set up for, or that an option names. */
export const serverClient: Row = {
  words: "",
  reach: {
    kind: "service",
    options: { host: "-h --host -H --server --endpoints -http-addr -address --address -n -b -u" },
  },
};

/** Each client has its own: `-i`, `-a`, `-c`, `-O` and `-x` take a value in one and none in another, and what takes none must not swallow the host. */
export const curlClient: Row = {
  reach: {
    kind: "request",
    operands: "hosts",
    options: {
      host: "--url -x --proxy --preproxy --socks5 --socks5-hostname --connect-to --resolve --dns-servers",
      "path-read": "-T --upload-file -K --config --netrc-file",
      value:
        "-o --output -w --write-out -m --max-time --connect-timeout --retry --retry-delay --retry-max-time -D " +
        "--dump-header -c --cookie-jar --cacert --capath --output-dir --limit-rate --interface --stderr --trace " +
        "--trace-ascii -y -Y -r --range --unix-socket --max-redirs --max-filesize -X --request -C --cert --key -E",
    },
  },
};

export const wgetClient: Row = {
  reach: {
    kind: "request",
    operands: "hosts",
    options: {
      host: "--proxy",
      "path-read": "-i --input-file --post-file --body-file --config",
      value:
        "-o --output-file -O --output-document -a --append-output -P --directory-prefix -t --tries -T --timeout " +
        "--connect-timeout --limit-rate --ca-certificate --method",
    },
  },
};

export const plainWebClient: Row = {
  reach: {
    kind: "request",
    operands: "hosts",
    options: { host: "--proxy --url", value: "-a --auth -o --output --timeout --cert" },
  },
};

/** Of a program that also changes something, the words with which it only shows. */
export const onlyShows = (names: string, words: string): Row => ({ names, words, level: "low", why: "only shows" });
