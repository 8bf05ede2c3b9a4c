import { describe, expect, it } from "vitest";
import { createEvaluator } from "../../../src/risk/evaluate.ts";

const evaluate = createEvaluator();
const judge = (command: string) => evaluate(command, { os: "linux", shell: "bash" });

/** Each way in which a program is given a variable. */
const ways: readonly ((variable: string) => string)[] = [
  (variable) => `${variable} uptime`,
  (variable) => `env ${variable} uptime`,
  (variable) => `env -i ${variable} uptime`,
  (variable) => `sudo ${variable} uptime`,
  (variable) => `${variable} sudo uptime`,
  (variable) => `env -S '${variable} uptime'`,
  (variable) => `bash -c '${variable} uptime'`,
  (variable) => `timeout 5 env ${variable} uptime`,
  (variable) => `export ${variable}; uptime`,
  (variable) => `export -- ${variable}; uptime`,
  (variable) => `builtin export ${variable}; uptime`,
  (variable) => `command export ${variable}; uptime`,
  (variable) => `declare -x ${variable}; uptime`,
  (variable) => `declare -gx ${variable}; uptime`,
  (variable) => `typeset -rx ${variable}; uptime`,
  (variable) => `f() { local -x ${variable}; uptime; }; f`,
  (variable) => `${variable}; export ${variable.split("=")[0]}; uptime`,
  (variable) => `export ${variable.split("=")[0]}; ${variable}; uptime`,
  (variable) => `set -a; ${variable}; uptime`,
  (variable) => `set -o allexport; ${variable}; uptime`,
  (variable) => `set -ea; ${variable}; uptime`,
];

describe("PA-7 a variable that is set for a program is known to only read, or the call is medium at least", () => {
  const unknown = ["SSLKEYLOGFILE=/tmp/k", "GIT_TRACE=/etc/x", "MALLOC_TRACE=x", "TF_LOG_PATH=x", "NOBODY_KNOWS_IT=1"];
  it.each(ways.map((way) => [way("X=y"), way] as const))("as in %j", (_, way) => {
    for (const variable of unknown) expect(judge(way(variable)).risk, way(variable)).not.toBe("low");
  });

  it("says which variable, and for which program", () => {
    expect(judge("SSLKEYLOGFILE=/tmp/k curl https://localhost/").findings.map(({ text }) => text)).toContain(
      "SSLKEYLOGFILE set for curl is not known to only read",
    );
  });

  const known = ["LC_ALL=C", "TZ=UTC", "COLUMNS=200", "NO_COLOR=1", "PGPORT=5433", "AWS_PROFILE=prod"];
  it.each(ways.slice(0, -3).map((way) => [way("LC_ALL=C"), way] as const))("stays low as in %j", (_, way) => {
    // What sudo adds itself is no matter of the variable.
    const plain = judge(way("LC_ALL=C")).risk;
    for (const variable of known) expect(judge(way(variable)).risk, way(variable)).toBe(plain);
    expect(plain).toBe("low");
  });

  it.each([
    "LC_ALL=/tmp/x uptime",
    "LANG=../../tmp/x uptime",
    "LANGUAGE=../../../tmp uptime",
    "TZ=:/etc/shadow date",
    "TZ=/tmp/x date",
    'TZ="$x" date',
    "PGHOST=evil.example psql -c 'select 1'",
    "KUBECONFIG=/tmp/x kubectl get pods",
    "GIT_PAGER=sh git log",
    "PAGER='less -o x' git log",
  ])("%j has a value that is not", (command) => expect(judge(command).risk).not.toBe("low"));

  it.each([
    "x=1; echo $x",
    "d=/var/log; ls $d",
    "readonly X=1; uptime",
    "FOO=1 && uptime",
    "for f in a b; do echo $f; done",
    "IFS=, read a b <<< 'x,y'",
    "GIT_PAGER=cat git log",
    "PGPASSWORD=x psql -c 'select 1'",
    "env FOO=bar echo x",
    "KUBECONFIG=/etc/kubernetes/admin.conf kubectl get pods",
  ])("%j stays low", (command) => expect(judge(command).risk).toBe("low"));
});
