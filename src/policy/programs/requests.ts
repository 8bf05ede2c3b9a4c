/** What a text asks of whatever listens at a port or socket: `echo FLUSHALL | nc cache 6379`, `show stat` to haproxy. */
import { type Risk, stricter } from "../../types.ts";
import { shown } from "../arg.ts";
import { redisCommands } from "../rules/sql.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Words of protocols with one request a line, beside those of Redis: web, mail, memcached, ZooKeeper, haproxy. */
const asking = words(
  "show stat stats info ping help version quit exit ehlo helo noop rset starttls ruok mntr srvr conf cons envi dump " +
    "wchs wchc wchp isro dirs gets capability status uptime list prompt",
);
const destroying = words("flush flush_all shutdown kill stop delete drop destroy crst");
const methods: Readonly<Record<string, Risk>> = { GET: "low", HEAD: "low", OPTIONS: "low", DELETE: "high" };

function riskOfLine(line: string): Risk {
  const [first = "", second = ""] = line.trim().split(/\s+/);
  if (first === "") return "low";
  const own = destroying.has(first.toLowerCase()) ? "high" : asking.has(first.toLowerCase()) ? "low" : undefined;
  const [command, word] = [first.toUpperCase(), second.toUpperCase()];
  return redisCommands[`${command} ${word}`] ?? redisCommands[command] ?? own ?? "medium";
}

/** The risk of sending a text; what is no known question is at least medium. */
export function riskOfRequest(text: string): Risk {
  const web = [...text.matchAll(/^\s*([A-Z]+) \S+ HTTP\/\d/gm)].map(([, method = ""]) => methods[method] ?? "medium");
  if (web.length > 0 && /^\s*[A-Z]+ \S+ HTTP\/\d/.test(text)) return web.reduce(stricter, "low");
  // Long or unusual texts are data rather than questions.
  const isPlain = /^[A-Za-z0-9 \r\n/._:;-]{0,200}$/.test(text);
  return text
    .split(/[\r\n;]+/)
    .map(riskOfLine)
    .reduce(stricter, isPlain ? "low" : "medium");
}

/** The text as one line for the reader. */
export const requestLine = (text: string): string => shown(text.trim().replace(/\s+/g, " "));
