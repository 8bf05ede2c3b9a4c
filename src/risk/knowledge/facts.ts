/** Facts that hold for programs of several records: how a kind of client reaches out, what a kind of watcher waits for. */
import type { CallEffect } from "../call-effect.ts";
import type { Bound, Reach } from "../program.ts";

export const webClient: Reach = {
  kind: "request",
  operands: "hosts",
  options: {
    host: "--url -x --proxy --preproxy --socks5 --socks5-hostname --connect-to --resolve --dns-servers",
    "path-read": "-T --upload-file --post-file --body-file -K --config -i --input-file --netrc-file",
    value:
      "-o --output -O --output-document -w --write-out -m --max-time --connect-timeout --retry --retry-delay --retry-max-time -D " +
      "--dump-header -c --cookie-jar --cacert --capath --ca-certificate -P --directory-prefix --output-dir --limit-rate --interface " +
      "--stderr --trace --trace-ascii -y -Y -r --range --timeout --tries --unix-socket --max-redirs --max-filesize -a --append-output -X " +
      "--request --method -C --cert --key -E",
  },
};

/** A client of a server that it was set up for, or that an option names. */
export const serverClient: Reach = {
  kind: "service",
  options: { host: "-h --host -H --server --endpoints -http-addr -address --address -n -b -u" },
  sub: "",
};

/** A program that asks this machine, or another that an option names. */
export const otherMachine: Reach = { kind: "service", options: { host: "-H --host" }, sub: "" };

/** `bundle exec`, `poetry run`, `npx`: what stands after their own options is a command of its own. */
export const runsOperands: readonly CallEffect[] = [{ does: "runs-argv", operand: 0 }];

/** `kubectl exec POD -- cmd`, `docker compose exec SERVICE cmd`: what follows is a program. */
export const runsInside: readonly CallEffect[] = [
  { does: "runs-argv", after: "--" },
  { does: "runs-argv", operand: 1, unless: " -- " },
];

/** Editors and debuggers: `:!command`, `!command`, `shell command` among the arguments is run. */
export const escapes: CallEffect = {
  does: "runs-text",
  all: true,
  if: "^(?::?\\s*!|:?(?:shell|system)\\s+)([^]+)$",
  level: "high",
  why: "runs a command given in an option",
};

export const probe: Reach = {
  kind: "lookup",
  operands: "hosts",
  options: {
    host: "-c -H",
    "path-read": "-iL -f -E --file --sign --data-file",
    value: "-c -i -w -W -t -s -I -m -oN -oX -oG -oA",
  },
};

export const imageClient: Reach = {
  kind: "service",
  options: { host: "-H --host" },
  sub: "pull push search login run build copy repo_update repo_add manifest_inspect dependency_update search_hub search_repo",
};

export const packageClient: Reach = {
  kind: "service",
  sub: "update upgrade install download source search info check-update refresh dist-upgrade full-upgrade",
};

export const mailer: Reach = {
  kind: "copy",
  operands: "hosts",
  options: { host: "--to -t --server", "path-read": "-a -A --attach", value: "-s" },
  stays: "-bt -bv -bp -bpc -bP -bV",
  stdin: true,
};

export const followsLogs: Bound = {
  endless: "-f --follow",
  sub: "logs compose_logs service_logs",
  does: "it follows a log for ever",
  instead: "logs --tail=100",
};

export const traces: Bound = {
  ends: "-l -V --version",
  does: "it traces until it is stopped",
  instead: "timeout 10 …",
};

export const listens: Bound = {
  ends: "-e -c -C -W --max-messages --timeout-ms -L --no-follow",
  does: "it listens for ever",
  instead: "timeout 10 …",
};

export const repeats: Bound = { interval: 2, does: "it repeats for ever", instead: "vmstat 1 5" };
