/** Harmless changes to a command that only reads: what comes out may differ, the risk may not. */
import type { Disguise } from "./blocked.ts";

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const wordsOf = (command: string): string[] => command.split(" ");
const withPath = (c: string, change: (path: string) => string): string =>
  wordsOf(c)
    .map((word) => (/^\/\w/.test(word) ? change(word) : word))
    .join(" ");

export const harmlessChanges: readonly Disguise[] = [
  (c) => `${c} 2>/dev/null`,
  (c) => `${c} 2>&1`,
  (c) => `${c} | cat`,
  (c) => `${c} | head -n 20`,
  (c) => `${c} | tail -5`,
  (c) => `${c} | grep -i error`,
  (c) => `${c} | grep -v '^#' | wc -l`,
  (c) => `${c} | sort | uniq -c | sort -rn | head`,
  (c) => `${c} | awk '{print $1}'`,
  (c) => `${c} | awk 'NR>1 && $3 > 80 {print $1, $3}'`,
  (c) => `${c} | sed -n '1,10p'`,
  (c) => `${c} | sed 's/  */ /g' | cut -d' ' -f1`,
  (c) => `${c} | less`,
  (c) => `${c} | column -t`,
  (c) => `${c} | tr -s ' ' | cut -c1-80`,
  (c) => `timeout 5 ${c}`,
  (c) => `timeout -k 2 10s ${c}`,
  (c) => `sudo ${c}`,
  (c) => `sudo -n ${c}`,
  (c) => `nice -n 19 ionice -c3 ${c}`,
  (c) => `LC_ALL=C ${c}`,
  (c) => `env LANG=C ${c}`,
  (c) => `time ${c}`,
  (c) => `${c}; echo done`,
  (c) => `${c} && echo ok || echo failed`,
  (c) => `echo "== $(hostname)"; ${c}`,
  (c) => `date; ${c}; date`,
  (c) => `out=$(${c}); echo "$out"`,
  (c) => `echo "$(${c})"`,
  (c) => `( ${c} )`,
  (c) => `{ ${c}; } | head`,
  (c) => `bash -c ${quoted(c)}`,
  (c) => `if ${c} >/dev/null; then echo yes; fi`,
  (c) => `for i in 1 2 3; do ${c}; sleep 1; done`,
  (c) => `${c} || true`,
  (c) => `set -o pipefail; ${c} | head`,
  (c) => `/usr/bin/${c}`,
  (c) => `${c} # look only`,
  (c) => `\n${c}\n`,
  (c) => `  ${c.replace(" ", "   ")}  `,
  (c) => c.replace(" ", " \\\n  "),
  (c) => withPath(c, (path) => `"${path}"`),
  (c) => withPath(c, (path) => `'${path}'`),
  (c) => `p=${wordsOf(c).find((w) => /^\/\w/.test(w)) ?? "/x"}; ${withPath(c, () => '"$p"')}`,
  (c) =>
    wordsOf(c)
      .map((w, i) => (i > 0 ? `"${w}"` : w))
      .join(" "),
  (c) => `watch -n 2 ${quoted(c)}`,
  (c) => `mapfile -t lines < <(${c}); printf '%s\\n' "\${lines[@]}"`,
  (c) => `${c} | while read -r line; do echo "$line"; done`,
  (c) => `while ${c}; do sleep 5; break; done`,
  (c) => `${c} | xargs -n1 echo`,
  (c) => `show() { ${c}; }; show`,
  (c) => `${c} | tee /dev/stderr | wc -l`,
  (c) => `[ -n "$(${c})" ] && echo found`,
  (c) => `diff <(${c}) <(${c})`,
];
