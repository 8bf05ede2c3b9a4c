/** Words that mean trouble (AR-15), most telling first. `weight` orders lines; each pattern is linear on its line. */
const signs: readonly { readonly weight: number; readonly pattern: RegExp }[] = [
  { weight: 9, pattern: /\b(?:no space left|disk quota exceeded|read-only file system|input\/output error)\b/i },
  { weight: 9, pattern: /\b(?:out of memory|oom[- ]?kill(?:ed|er)?|oom|cannot allocate memory)\b/i },
  { weight: 9, pattern: /\b(?:panic|segfault|segmentation fault|core dumped|kernel bug)\b/i },
  { weight: 8, pattern: /\b(?:traceback|[\w.]{0,80}exception|stack overflow|unhandled)\b/i },
  {
    weight: 8,
    pattern: /\b(?:connection (?:refused|reset)|refused|timed out|timeout|unreachable|no route to host)\b/i,
  },
  {
    weight: 8,
    pattern: /\b(?:permission denied|access (?:is )?denied|denied|forbidden|unauthori[sz]ed|not permitted)\b/i,
  },
  { weight: 7, pattern: /\b(?:fatal|critical|crit|emerg|alert|killed|aborted|crash(?:ed)?|crashloopbackoff)\b/i },
  { weight: 7, pattern: /\b(?:no such file or directory|command not found|not recognized|address already in use)\b/i },
  {
    weight: 8,
    pattern:
      /\b(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENOSPC|EDQUOT|EROFS|ENOMEM|EMFILE|EACCES|EPERM|ENOENT|EADDRINUSE|EPIPE|EIO)\b/,
  },
  { weight: 6, pattern: /(?:\b|_)(?:errors?|err|[a-z]{1,40}error)\b/i },
  { weight: 6, pattern: /\b(?:fail|failed|failure|failing|could not|cannot|unable to)\b/i },
  { weight: 5, pattern: /\b(?:invalid|corrupt(?:ed)?|expired|dead|degraded|broken pipe|bad gateway|unavailable)\b/i },
];

/** Words that name trouble only to say that there is none, or how long something may take; the rest of their line still counts. */
const harmless =
  /\b(?:no|0|zero|without)\s{1,3}(?:\w{1,20}\s)?(?:errors?|failures?|failed|exceptions?|timeouts?)\b|\b(?:errors?|err|failures?|failed|fail|fatal|critical|crit|alerts?|dead|killed|denied|refused|timeouts?|unreachable|invalid|expired)["']?\s{0,2}[=:]\s{0,2}["']?(?:(?:0|false|none|null|nil|no|off)\b|<nil>)|\btimeout["']?\s{0,2}[=:]\s{0,2}["']?\d{1,9}\s?(?:ms|s|m|sec|min|h)?\b/gi;

const longestLine = 2000;
const mostLines = 5;

/** The lines of an output that a reader must not miss: at most 5, most telling first; line numbers count from 1. */
export function findTrouble(text: string): readonly { readonly line: number; readonly text: string }[] {
  const found: { line: number; text: string; weight: number }[] = [];
  for (const [index, whole] of text.split("\n").entries()) {
    const line = whole.slice(0, longestLine);
    const told = line.replace(harmless, " ");
    const sign = signs.find(({ pattern }) => pattern.test(told));
    if (sign) found.push({ line: index + 1, text: line.trim(), weight: sign.weight });
  }
  const seen = new Set<string>();
  return found
    .sort((a, b) => b.weight - a.weight || a.line - b.line)
    .filter((one) => !seen.has(one.text) && seen.add(one.text))
    .slice(0, mostLines)
    .map(({ line, text: said }) => ({ line, text: said }));
}
