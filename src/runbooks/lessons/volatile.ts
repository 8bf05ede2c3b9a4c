/** Values that belong to one incident alone: a pod's hash, a process, a revision, a time. Pure. */

import * as z from "zod";

/** What each is asked for by in a runbook. */
type VolatileName = "pod" | "replicaset" | "job" | "container" | "pid" | "revision" | "id" | "host" | "time";

interface Volatile {
  readonly name: VolatileName;
  /** What stays of it for the next incident: of a pod its workload. */
  readonly stem: string;
}

/** Kubernetes takes these for random names: no vowels, no 0, 1 and 3. */
const safe = "[bcdfghjklmnpqrstvwxz2456789]";
const podOfDeployment = new RegExp(`^(.+)-(?:${safe}{6,10}|(?=[a-z]*\\d)(?=\\d*[a-z])[a-z0-9]{8,10})-[a-z0-9]{5}$`);
const podOfJob = /^(.+)-\d{8,10}-[a-z0-9]{5}$/;
const podOfSet = new RegExp(`^(.+)-(?=[a-z]*\\d)(?=\\d*[a-z])${safe}{5}$`);
const podOfSetNamed = new RegExp(`^(.+)-${safe}{5}$`);
const replicaSet = new RegExp(`^(.+)-(?=[a-z]*\\d)(?=\\d*[a-z])${safe}{8,10}$`);
const cronJob = /^(.+)-(?:2[5-9]|3\d)\d{6}$/;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** A commit, an image's digest, a container: longer ones may be of one kind of sign, a word has no digit. */
const hexOf = (least: number): string => `(?:[0-9a-f]{32,64}|(?=[a-f]*\\d)(?=\\d*[a-f])[0-9a-f]{${least},64})`;
const hex = new RegExp(`^${hexOf(7)}$`, "i");
const endsInHex = new RegExp(`^(.+-)${hexOf(7)}$`, "i");
const bareHex = /^[0-9a-f]{7,40}$/i;
/** Hexadecimal by chance. */
const noHex = /(?:^|-)ed25519$/i;

const podBefore = /\b(?:pods?[/\s]|logs\s|exec\s)\s{0,9}(?:-\S{1,99}\s{1,9}){0,9}$/;
const gitBefore = /\bgit\s[^|;&]{0,300}$/;
const containerBefore = /\b(?:docker|podman|nerdctl|crictl|ctr)\s(?:[^|;&]{0,300}[^|;&:@])?$/;

/** Which of them a word is; undefined for one that may come again. */
function volatileWord(word: string, before: string): Volatile | undefined {
  const stemOf = (...shapes: readonly RegExp[]): string | undefined =>
    shapes.flatMap((shape) => shape.exec(word)?.[1] ?? [])[0];
  if (noHex.test(word)) return undefined;
  if (uuid.test(word)) return { name: "id", stem: "" };
  if (gitBefore.test(before) && bareHex.test(word)) return { name: "revision", stem: "" };
  const pod = stemOf(podOfDeployment, podOfJob, podOfSet, ...(podBefore.test(before) ? [podOfSetNamed] : []));
  if (pod !== undefined) return { name: "pod", stem: pod };
  const set = stemOf(replicaSet);
  if (set !== undefined) return { name: "replicaset", stem: set };
  const job = stemOf(cronJob);
  if (job !== undefined) return { name: "job", stem: job };
  if (hex.test(word)) return { name: containerBefore.test(before) ? "container" : "revision", stem: "" };
  return undefined;
}

const address =
  /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?!\w|\.\w)|(?<![\w.:])(?:[0-9A-Fa-f]{0,4}:){2,8}(?:[0-9A-Fa-f]{1,4})?(?:\.\d{1,3}){0,3}(?![\w:]|\.\w)/g;
const ip = z.union([z.ipv4(), z.ipv6()]);
const ownAddress = /^(?:127\.|0\.0\.0\.0$|::1?$)/;
const day = String.raw`\d{4}-\d\d-\d\d`;
const clock = String.raw`\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?`;
const month = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
const time = new RegExp(
  [
    String.raw`(?<![\w-])${day}(?:[T _]${clock})?(?:Z|[+-]\d\d:?\d\d)?(?![\w-])`,
    String.raw`(?<!\w)${month} {1,2}\d{1,2}(?: ${clock})?(?![\w:])`,
    String.raw`(?<![\w:.])${clock}Z?(?![\w:])`,
    // Seconds or milliseconds since 1970, and a day as one number.
    String.raw`(?<![\w.])1[5-9]\d{8}(?:\d{3})?(?![\w.])`,
    String.raw`(?<![^\W_])20\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:T?\d{6}Z?)?(?![A-Za-z0-9])`,
  ].join("|"),
  "g",
);
/** What takes a process by its number, and the options of others that do. */
const process =
  /(\b(?:kill|jstack|jmap|jcmd|jinfo|pmap|pstack|gcore|pwdx|taskkill|stop-process)\b(?:\s+-[^\s|;&]+)*\s+(?:-s\s+\w+\s+)?|\b(?:strace|ltrace|ps|lsof|gdb|perf|top|htop|nsenter|renice|ionice|taskset|chrt|prlimit|py-spy)\b[^|;&\n]{0,200}?\s(?:-[a-z]*p|--pid|-t|--target)[\s=]{1,3}|\B-Id\s+|\/pid\s+|\/proc\/|\b(?:pid|process)[\s:=#]{1,3})\d{1,8}(?:\s+\d{1,8})*(?![\w.])/gi;
const revision = /(--(?:to-)?revision[\s=]{1,3}|\bhelm\s+rollback\s+[^\s|;&]+\s+)\d+(?![\w.])/g;

/** Replaces each value of a text that belongs to one incident alone. */
export function replaceVolatile(text: string, write: (value: Volatile) => string): string {
  const as = (name: VolatileName) => write({ name, stem: "" });
  return text
    .replace(address, (found) => (!ip.safeParse(found).success || ownAddress.test(found) ? found : as("host")))
    .replace(process, (_whole, before: string) => `${before}${as("pid")}`)
    .replace(revision, (_whole, before: string) => `${before}${as("revision")}`)
    .replace(/[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*/g, (word, at: number, whole: string) => {
      const found = volatileWord(word, whole.slice(Math.max(0, at - 400), at));
      if (found) return write(found);
      const tail = noHex.test(word) ? undefined : endsInHex.exec(word)?.[1];
      return tail === undefined ? word : `${tail}${as("revision")}`;
    })
    .replace(time, () => as("time"));
}

/** A command with a place for each of them. What is quoted as a whole is quoted again by whoever fills it in. */
export const placesForVolatile = (command: string): string =>
  replaceVolatile(command, ({ name }) => `<${name}>`).replace(/(["'])(<[a-z]+>)\1/g, "$2");

/** A sentence without them, as it holds for the next incident too. */
export const withoutVolatile = (text: string): string =>
  replaceVolatile(text, ({ stem }) => stem || " ")
    .replace(/\(\s*\)|\[\s*\]/g, " ")
    .replace(/\s+([,.:;)])/g, "$1")
    .replace(/\s{2,}/g, " ")
    .trim();
