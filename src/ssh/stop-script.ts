/**
 * Housekeeping (AR-08): ends one command's process group on its server and says what is left. Holds no text of the
 * model: three numbers go in front. It finds the command without any mark in the approved bytes: sshd starts each
 * command of a connection as a child of the same process, this script too, so the command is the INDEXth of COUNT
 * siblings in order of start. Where the count differs it touches nothing. On the runner's own machine the leading process L is known. Needs sh, /proc, sort, sleep; no forks in
 * the loops, because a busy server is the usual reason to be here. Single quotes are not allowed in the text.
 */
const text = `
all() { for f in /proc/[0-9]*/stat; do read -r l < $f || continue; p=\${l%% *}; set -- \${l##*) }
  [ "$1" = Z ] || echo "$p $2 $3 $4 \${20}"; done 2>/dev/null; }
say() { echo "@countersign $*"; }
leaders() { all | while read -r p pp g s t; do [ "$pp" = $PPID ] && [ "$p" != $$ ] && echo "$t $p"; done | sort -n -k1,1 -k2,2; }
if [ -z "$L" ]; then
  set -- $(leaders)
  [ $(($# / 2)) -eq 0 ] && { say absent; exit; }
  [ $(($# / 2)) -eq $COUNT ] || { say unsure $(($# / 2)); exit; }
  shift $((INDEX * 2)); L=$2
elif ! kill -0 $L 2>/dev/null; then
  say absent; exit
fi
T=" "
look() { A=$(all); G=; n=
  while [ "$n" != "$T" ]; do n=$T
    while read -r p pp g s t; do case $T in *" $p:$t "*) continue;; esac
      case $T in *" $pp:"*) T="$T$p:$t ";; *) [ "$s" = $L ] || [ "$g" = $L ] && T="$T$p:$t ";; esac
    done <<E
$A
E
  done
  while read -r p pp g s t; do [ "$g" = $L ] && G=1; done <<E
$A
E
}
hit() { kill -s $1 -- -$L 2>/dev/null || kill -$1 -$L 2>/dev/null; }
look; hit TERM || say refused
i=0; while look; [ -n "$G" ] && [ $i -lt $GRACE ]; do sleep 0.1 2>/dev/null || { sleep 1; i=$((i + 9)); }; i=$((i + 1)); done
if [ -n "$G" ]; then hit KILL; say killed
  i=0; while look; [ -n "$G" ] && [ $i -lt 20 ]; do sleep 0.1 2>/dev/null || { sleep 1; i=$((i + 9)); }; i=$((i + 1)); done; fi
while read -r p pp g s t; do case $T in *" $p:$t "*) [ $p = $$ ] || say survivor $p $(stat -c %U /proc/$p) $(cat /proc/$p/comm);; esac; done 2>/dev/null <<E
$A
E
say done
`;

/** Which command is to end: by its place among those of its connection, or where it runs here by its leading process. */
type Which = { readonly index: number; readonly count: number } | { readonly leader: number };

/** The command line of the script; `graceMs` from TERM to KILL. */
export function stopScript(which: Which & { readonly graceMs: number }): string {
  const place = "leader" in which ? `L=${which.leader}` : `L=; INDEX=${which.index}; COUNT=${which.count}`;
  const numbers = `${place}; GRACE=${Math.ceil(which.graceMs / 100)}`;
  return `exec sh -c '${numbers}${text}'`;
}

export type StopVerdict =
  | { readonly kind: "stopped"; readonly killed: boolean; readonly survivors: readonly string[] }
  | { readonly kind: "absent" }
  | { readonly kind: "unverified"; readonly why: string };

/** Reads what the script printed; whatever else a noisy login prints is passed over. */
export function parseStopOutput(output: string): StopVerdict {
  const lines = [...output.matchAll(/^@countersign (\w+) ?([^\n]*)$/gm)].map(([, word = "", rest = ""]) => ({
    word,
    rest,
  }));
  return readVerdict(lines);
}

/** What the words of a stop come to. */
export function readVerdict(lines: readonly { readonly word: string; readonly rest: string }[]): StopVerdict {
  const has = (word: string): boolean => lines.some((line) => line.word === word);
  if (has("absent")) return { kind: "absent" };
  if (has("unsure")) return { kind: "unverified", why: "its process could not be told from others on this connection" };
  if (!has("done")) return { kind: "unverified", why: "the check could not run on this server" };
  const survivors = lines.filter(({ word }) => word === "survivor").map(({ rest }) => nameSurvivor(rest));
  return { kind: "stopped", killed: has("killed"), survivors };
}

/** `123 root sleep` → `pid 123 (root, sleep)`. The name is the process's own choice: printable ASCII, short. */
function nameSurvivor(rest: string): string {
  const [pid = "?", user = "?", ...name] = rest.replace(/[^\x20-\x7e]/g, "?").split(" ");
  return `pid ${pid} (${user}, ${name.join(" ").slice(0, 32)})`;
}
