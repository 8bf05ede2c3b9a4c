/** `mongosh --eval '…'`: JavaScript. Only methods and commands that are known to read are low. */
import type { Check } from "../engine/apply.ts";
import { shown } from "../engine/arg.ts";
import { inProduction } from "../engine/scan.ts";
import { readingCommands, readingMethods } from "../knowledge/languages/mongo.ts";

/** `mongosh --eval '…'`: method names decide. */
export const mongo: Check = ({ options, stdin, report, scan, operands }) => {
  const text = [...options.filter((o) => o.name === "--eval").map((o) => o.value?.text ?? ""), stdin.text ?? ""].join(
    "\n",
  );
  const isScript =
    operands.some((a) => /\.(c?js|mjs|mongodb)$/.test(a.text)) || options.some((o) => /^(-f|--file)$/.test(o.name));
  if (isScript) report("medium", "runs a script");
  if (text.trim() === "") {
    if (!isScript) report("medium", "opens a database shell");
    return undefined;
  }
  if (
    /\b(drop\w*|deleteMany|deleteOne|remove|shutdownServer|findOneAndDelete|killAllSessions|fsyncLock|removeShard|reconfig|resync)\s*\(|\b(drop\w*|shutdown|delete)\s*:/.test(
      text,
    )
  )
    report("high", `destroys data or stops the server: ${shown(text.trim())}`);
  else if (
    /\b(insert\w*|update\w*|replace\w*|create\w*|killOp|set\w+|stepDown|save|ensureIndex|grant\w*|bulkWrite|rename\w*|add\w*|compact|enable\w*|move\w*|out)\s*\(|\$(out|merge)\b/.test(
      text,
    )
  )
    report(inProduction("medium", scan), `changes data: ${shown(text.trim())}`);
  else if (/\bvalidate\s*\([^)]*(repair|fixMultikey)\s*:/.test(text)) report("medium", "repairs what it validates");
  else if (/^\s*(snippet|edit|enableTelemetry|disableTelemetry)\b/m.test(text))
    report("medium", "changes the database shell or opens an editor");
  else if (/\b(require|child_process|run|runProgram|exec|load|eval|Function)\s*\(/.test(text))
    report("high", "runs code in the database shell");
  else if (/\bshowCredentials\b|\bsystem\.users\b/.test(text)) report("high", "shows the hashes of passwords");
  else {
    const strange = strangeIn(text);
    report(
      strange === undefined ? "low" : inProduction("medium", scan),
      strange === undefined ? "mongosh: only reads" : `mongosh: ${strange} is not known only to read`,
    );
  }
  return undefined;
};

/** An unknown method or command, or one whose name is computed; undefined if all are known to only read. */
function strangeIn(text: string): string | undefined {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`/g, (quoted) =>
    quoted.length > 2 ? '"s"' : quoted,
  );
  if (
    /\][\s]*\(|\[[^\]]*[+`][^\]]*\]|\bdb\s*\[(?!\w+\]\.[A-Za-z])|\$(where|function|accumulator)\b|\bimport\b|\b(process|globalThis|constructor|fs)\b|=>\s*\{[^}]*\bdb\b/.test(
      bare,
    )
  )
    return "a name that is put together";
  const methods = [...bare.matchAll(/([A-Za-z_$][\w$]*)\s*\(/g)].map(([, name = ""]) => name);
  const method = methods.find((name) => !readingMethods.has(name));
  if (method !== undefined) return shown(method);
  for (const [, key = "", word = ""] of text.matchAll(
    /\b(?:admin|run)Command\s*\(\s*(?:\{\s*["']?([\w$]+)["']?\s*:|["'](\w+)["'])/g,
  )) {
    const command = key || word;
    if (!readingCommands.has(command)) return shown(command);
  }
  const calls = methods.filter((name) => /^(admin|run)Command$/.test(name)).length;
  const read = [...text.matchAll(/\b(?:admin|run)Command\s*\(\s*[{"']/g)].length;
  return calls > read ? "a command that is put together" : undefined;
}
