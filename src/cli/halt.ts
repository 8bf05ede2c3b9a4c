import { mkdir, rm, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname } from "node:path";
import { sleep } from "../base/clock.ts";
import { OperatorError } from "../base/errors.ts";
import { type HaltEntry, haltFileOf, readHaltFile, writeHaltFile } from "../features/incident/halt.ts";
import { openStore } from "../store/database/open.ts";
import { writeHaltTable } from "../store/holds.ts";
import { readPlaces } from "./places.ts";

interface HaltTarget {
  readonly config?: string | undefined;
  readonly repo?: string | undefined;
}

interface HaltOptions extends HaltTarget {
  /** Also ends running commands. */
  readonly kill?: boolean | undefined;
}

/** Stops the bot or its work for one repository, even while it runs (SR-68). Returns what it did. */
export const halt = (options: HaltOptions): Promise<string> =>
  turn(options, { halted: true, kill: options.kill ?? false });

/** The bot's halt and a repository's are independent. Returns what it did. */
export const liftHalt = (options: HaltTarget): Promise<string> => turn(options, { halted: false, kill: false });

async function turn(options: HaltTarget, word: Pick<HaltEntry, "halted" | "kill">): Promise<string> {
  const { storeUrl, repositories } = readPlaces(options.config);
  const known = repositories.find((name) => name.toLowerCase() === options.repo?.toLowerCase());
  if (options.repo !== undefined && known === undefined)
    throw new OperatorError({
      place: "--repo",
      message: `the bot does not work for ${options.repo}`,
      remedy: `one of: ${repositories.join(", ") || "none"}`,
    });
  const scope = known ?? "*";
  const entry = { scope, ...word, by: ownName(), at: new Date().toISOString() };
  const file = haltFileOf(storeUrl);
  if (file === undefined) {
    const store = await openStore(storeUrl);
    try {
      await store.transaction((tx) => writeHaltTable(tx, entry));
    } finally {
      await store.close();
    }
  } else {
    // Under a lock, because two halts at once would lose one. A killed process's lock holds for at most three seconds.
    const lock = `${file}.lock`;
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    for (let waitedMs = 0; waitedMs < patienceMs && !(await isOurs(lock)); waitedMs += 20) await sleep(20);
    try {
      const state = await readHaltFile(file);
      // An unreadable switch halts everything, so only an entry for everything may replace it.
      if (state.kind !== "read" && scope !== "*")
        throw new OperatorError({
          place: file,
          message: `the kill switch cannot be read, so everything is halted: ${state.reason}`,
          remedy: "`halt` or `resume` without --repo writes it again; then name each repository",
        });
      const others = state.kind === "read" ? state.entries.filter((one) => one.scope !== scope) : [];
      await writeHaltFile(file, [...others, entry]);
    } finally {
      await rm(lock, { force: true });
    }
  }
  const what = scope === "*" ? "the whole bot" : scope;
  if (!word.halted) return `${what} is resumed: what was approved before must be approved again`;
  const running = word.kill ? "what runs is being ended" : "what runs goes on (--kill ends it too)";
  return `${what} is halted: nothing is approved or run until it is resumed; ${running}`;
}

const patienceMs = 3_000;

async function isOurs(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, "", { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

const ownName = (): string =>
  userInfo()
    .username.replace(/[^\p{L}\p{N} ._-]/gu, "-")
    .slice(0, 64) || "somebody";
