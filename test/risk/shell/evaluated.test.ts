// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what the shell expands
import { describe, expect, it } from "vitest";
import { createEvaluator } from "../../../src/risk/evaluate.ts";

const evaluate = createEvaluator();
const riskOf = (command: string) => evaluate(command, { os: "linux", shell: "bash" }).risk;

/** Each place where bash evaluates a text as arithmetic or as an index; `n` names the variable that holds it. */
const places = [
  "echo $((n))",
  "echo $(( $n ))",
  "echo $((1 + n * 2))",
  "echo $[n]",
  "(( n ))",
  "(( x = n, 1 ))",
  "(( 1 ? n : 0 ))",
  "let n",
  "let x=n+1",
  "[[ n -gt 0 ]]",
  "[[ 0 -eq $n ]]",
  '[[ -v "$n" ]]',
  'test -v "$n"',
  "t=abc; echo ${t:n}",
  't=abc; echo "${t:0:$n}"',
  "l=(a b); echo ${l[n]}",
  "l=(a b); echo ${l[$n]}",
  'l=(a b); echo "${l[@]:n:1}"',
  "l[n]=3",
  "l=([n]=3)",
  "echo ${!n}",
  "for ((i = n; i < 2; i++)); do uptime; done",
  "for ((i = 0; i < n; i++)); do uptime; done",
  "while ((n)); do uptime; done",
  "case $((n)) in 1) uptime;; esac",
  "cat <<< $((n))",
  "declare -i z=n",
  "declare -i z; z=n",
  "declare -ai z=(n)",
  "readonly -i z=$n",
  'unset "$n"',
  'read "$n" <<< 1',
  'printf -v "$n" 1',
  "m=n; o=m; echo $((o))",
] as const;

/** How the variable may have got a text of the command itself. */
const held = [
  "n='q[$(rm -rf /)]'",
  "n='q[`rm -rf /`]'",
  'n="q[\\$(rm -rf /)]"',
  "n='q['; n+='$(rm -rf /)]'",
  "read -r n <<< 'q[$(rm -rf /)]'",
  "printf -v n 'q[%s]' '$(rm -rf /)'",
];
/** How it may have got one from outside. */
const foreign = ["n=$(cat /srv/x)", "read -r n < /srv/x", "mapfile -t n < /srv/x", "n=$(curl -s http://localhost/)"];

describe("PA-7 what a shell evaluates again is code", () => {
  it.each(places)("a text of the command in %j is judged as the command it holds", (place) => {
    for (const set of held) expect(riskOf(`${set}; ${place}`), set).toBe("block");
  });

  it.each(places)("a text from outside in %j is medium at least, and left to people", (place) => {
    for (const set of foreign) {
      const verdict = evaluate(`${set}; ${place}`, { os: "linux", shell: "bash" });
      expect(verdict.risk, set).not.toBe("low");
      expect(verdict.unknown, set).toBe(true);
    }
  });

  it.each([
    "f() { echo $(($1)); }; f 'q[$(rm -rf /)]'",
    "set -- 'q[$(rm -rf /)]'; echo $(($1))",
    "bash -c 'echo $(($1))' x 'q[$(rm -rf /)]'",
    "n='q[$(rm -rf /)]'; export m=n; bash -c 'echo $((m))'",
    "for n in 'q[$(rm -rf /)]'; do echo $((n)); done",
    "wait -p 'x[$(rm -rf /)]' 1",
    "getopts ab 'x[$(rm -rf /)]'",
    "mapfile 'x[$(rm -rf /)]' < /etc/hosts",
    "echo ${x^^$(rm -rf /)}",
    "case $x in $(rm -rf /)) uptime;; esac",
    "mapfile -C 'rm -rf /' -c 1 l < /etc/hosts",
    "mapfile -t -C'rm -rf /' -c1 l < /etc/hosts",
    "complete -C 'rm -rf /' ls",
    "compgen -C'rm -rf /'",
    "compgen -W '$(rm -rf /)'",
    "bind -x '\"\\C-l\": rm -rf /'",
    "bind -x '\"a\":rm -rf /'",
    "trap 'rm -rf /' DEBUG",
    "PROMPT_COMMAND=(uptime 'rm -rf /')",
    "PS1='$(rm -rf /)'",
    "PS0='`rm -rf /`'",
    'set rm -rf /; "$@"',
    'set -e -- rm -rf /; "$@"',
    'set -- rm -rf /; "$1" $2 $3',
    'a[0]=rm; a[1]=-rf; a[2]=/; "${a[@]}"',
  ])("%j is blocked", (command) => expect(riskOf(command)).toBe("block"));

  it.each([
    "n=$(wc -l < /etc/hosts); echo $((n / 2))",
    "echo $(( $(nproc) * 2 ))",
    "echo $(( $(date +%s) - 100 ))",
    "[[ $(nproc) -gt 3 ]] && uptime",
    "n=$(awk '/MemAvailable/ {print $2}' /proc/meminfo); [[ $n -gt 3 ]]",
    "if [[ $(df --output=pcent / | tail -1 | tr -dc 0-9) -gt 90 ]]; then echo full; fi",
    "i=0; while [ $i -lt 3 ]; do uptime; i=$((i + 1)); done",
    "for i in {1..5}; do echo $((i)); done",
    "for i in $(seq 1 5); do echo $((i)); done",
    "a=(1 2); i=1; echo ${a[i]} ${a[-1]} ${a[i+1]}",
    "x=abc; echo ${x:0:${#x}-1}",
    "echo $((RANDOM % 5)) $((SECONDS)) $((x)) $((16#ff))",
    "declare -A m=([x]=1); k=$(cat /srv/x); echo ${m[$k]}",
    "[[ -n $(cat /srv/x) ]] && uptime",
    "read -r line < /srv/x; echo $line",
    "unset x",
  ])("%j stays low", (command) => expect(riskOf(command)).toBe("low"));
});
