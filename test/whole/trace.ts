import { Session } from "node:inspector/promises";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { root } from "../architecture/source-tree.ts";
import { proposing, startStage } from "../harness/stage.ts";

/**
 * `npm run trace` plays one webhook → card → `/approve 1` → result on the real bot, and prints which files of src are entered on the way,
 * and through which frames `execute` releases the first bytes to the server. `-- --files` names the files.
 */

/** Files of src, by how many of their functions were entered. */
type Entered = ReadonlyMap<string, number>;

const srcUrl = pathToFileURL(`${root}src/`).href;
const short = (url: string): string => fileURLToPath(url).slice(root.length);

async function watch(): Promise<() => Promise<Entered>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  return async () => {
    // What is taken is counted from nothing again.
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const counted = result
      .filter(({ url }) => url.startsWith(srcUrl))
      .map(({ url, functions }) => {
        const end = Math.max(...functions.flatMap(({ ranges }) => ranges.map(({ endOffset }) => endOffset)));
        // A module's own body is entered when it is loaded, which is no step of a flow.
        const isBody = (range: (typeof functions)[number]["ranges"][number]): boolean =>
          range.startOffset === 0 && range.endOffset === end;
        const entered = functions.filter(({ ranges: [range] }) => range && range.count > 0 && !isBody(range));
        return [short(url), entered.length] as const;
      });
    return new Map(counted.filter(([, functions]) => functions > 0));
  };
}

/** The frames of our own at the moment when ssh2 is handed an exec request: the last call first, awaited ones too. */
function framesAtExec(found: (frames: readonly string[]) => void): void {
  const { prototype } = createRequire(import.meta.url)("ssh2/lib/protocol/Protocol.js") as {
    readonly prototype: { exec: (...given: unknown[]) => unknown };
  };
  const { exec } = prototype;
  Object.assign(prototype, {
    exec(this: unknown, ...given: unknown[]) {
      const { stackTraceLimit } = Error;
      Error.stackTraceLimit = Number.POSITIVE_INFINITY;
      const { stack = "" } = new Error("here");
      Error.stackTraceLimit = stackTraceLimit;
      found(stack.split("\n").filter((line) => line.includes(srcUrl)));
      return exec.apply(this, given);
    },
  });
}

/** `send src/ssh/session.ts:120` of `at async Object.send (file:///…/src/ssh/session.ts:120:5)`. */
function readFrame(line: string): { readonly name: string; readonly file: string; readonly place: string } {
  const [, name = "(anonymous)", url = "", at = ""] =
    /at (?:async )?(?:(.+?) \()?(file:[^\s)]+?):(\d+):\d+\)?$/.exec(line) ?? [];
  return { name, file: short(url), place: `${short(url)}:${at}` };
}

function printEntered(title: string, entered: Entered, isListed: boolean): void {
  const functions = [...entered.values()].reduce((sum, count) => sum + count, 0);
  console.log(`${title}: ${entered.size} files, ${functions} functions`);
  if (isListed) for (const [file, count] of [...entered].sort()) console.log(`  ${file} ${count}`);
}

function printFrames(title: string, frames: readonly string[]): void {
  const own = frames.map(readFrame);
  const until = own.findLastIndex(({ name }) => /\bexecute$/.test(name));
  const chain = until < 0 ? own : own.slice(0, until + 1);
  const files = new Set(chain.map(({ file }) => file));
  console.log(`${title}: ${chain.length} frames in ${files.size} files${until < 0 ? " (no frame is execute)" : ""}`);
  for (const { name, place } of chain.toReversed()) console.log(`  ${name} ${place}`);
}

const isListed = process.argv.includes("--files");
const stage = await startStage();
await stage.quiet();
let frames: readonly string[] = [];
framesAtExec((found) => {
  frames = found;
});
const take = await watch();
const thread = await stage.incident("systemctl status web", "systemctl restart web");
const card = await take();
stage.model.play({ text: "CONFIRMED by 1: nothing to do." });
await stage.ask(thread, "lee", "/approve 1");
const result = await take();
const read = frames;
stage.model.play(proposing("CONFIRMED by 2: it is up."));
await stage.ask(thread, "lee", "/approve 2");
printEntered("webhook → card", card, isListed);
printEntered("/approve → result", result, isListed);
console.log(`both: ${new Set([...card.keys(), ...result.keys()]).size} files`);
printFrames("execute → bytes of a read", read);
printFrames("execute → bytes of a change, as a job", frames);
await stage.close();
process.exit(0);
