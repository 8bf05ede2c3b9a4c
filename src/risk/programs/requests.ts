/** What a text asks of the program behind a port or socket: `echo FLUSHALL | nc cache 6379`, `show stat` to haproxy. */
import { type Risk, stricter } from "../../base/risk.ts";
import { shown } from "../engine/arg.ts";
import { redisCommands } from "../knowledge/languages/sql.ts";
import { instanceKeys } from "../knowledge/paths.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Words of protocols with one request a line, beside those of Redis: web, mail, memcached, ZooKeeper, haproxy. */
const asking = words(
  "show stat stats info ping help version quit exit ehlo helo noop rset starttls ruok mntr srvr conf cons envi dump " +
    "wchs wchc wchp isro dirs gets capability status uptime list prompt",
);
/** `stats reset` of memcached: what is asked for is changed. */
const changing = words("reset clear set enable disable detail");
const destroying = words("flush flush_all shutdown kill stop delete drop destroy crst");
/** Methods of the web; any other is medium. */
export const methods: Readonly<Record<string, Risk>> = { GET: "low", HEAD: "low", OPTIONS: "low", DELETE: "high" };

/** ZooKeeper's word is all of a line; elsewhere more follows it (`conf t` of a router). */
const alone = words("conf cons envi dump stat");
/** What such a path does when it is more than looked at. */
const destroyingPath = /\/(_delete_by_query|_shutdown|actuator\/shutdown|quitquitquit)\b/;

function riskOfLine(line: string): Risk {
  const [first = "", second = ""] = line.trim().split(/\s+/);
  if (first === "") return "low";
  const word = first.toLowerCase();
  const isAsking = asking.has(word) && !(alone.has(word) && second !== "") && !changing.has(second.toLowerCase());
  const own = destroying.has(word) ? "high" : isAsking ? "low" : undefined;
  const command = first.toUpperCase();
  return redisCommands[`${command} ${second.toUpperCase()}`] ?? redisCommands[command] ?? own ?? "medium";
}

/** A line of what begins as a request of the web: a request, one more word of another protocol, or a header or body. */
function riskOfWebLine(line: string): Risk {
  const [, method = ""] = /^\s*([A-Za-z]+)\s.*HTTP\/\d/.exec(line) ?? [];
  if (method) return methods[method.toUpperCase()] ?? "medium";
  return /^\s*[A-Za-z_]+(\s|$)/.test(line) ? riskOfLine(line) : "low";
}

/** The risk of sending a text; what is no known question is at least medium. */
export function riskOfRequest(text: string): Risk {
  if (instanceKeys.test(text)) return "high";
  if (/^\s*[A-Z]+ \S+ HTTP\/\d/.test(text)) {
    const risk = text
      .split(/[\r\n]+/)
      .map(riskOfWebLine)
      .reduce(stricter, "low");
    return risk !== "low" && destroyingPath.test(text) ? "high" : risk;
  }
  // Long or unusual texts are data rather than questions.
  const isPlain = /^[A-Za-z0-9 \r\n/._:;-]{0,200}$/.test(text);
  return text
    .split(/[\r\n;]+/)
    .map(riskOfLine)
    .reduce(stricter, isPlain ? "low" : "medium");
}

/** The text as one line for the reader. */
export const requestLine = (text: string): string => shown(text.trim().replace(/\s+/g, " "));
