import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Thread } from "../../demo/thread.ts";
import { startPostgres } from "../harness/postgres.ts";
import type { WatchedBot } from "../injection/watched-bot.ts";
import { renderPage } from "../rendered/page.ts";
import { changeWords, doAside, openCase, sayLine, startNightBot } from "../simulation/night/night.ts";
import { type Move, writeNight as writeMoves } from "../simulation/night/script.ts";
import { type Folders, writeText } from "./files.ts";
import { steady, steadyTables, type Table } from "./steady.ts";

const size = { incidents: 4, comments: 110, seed: 20_261_126 };

/** Plays the script of a night, one comment after the other, so that each run leaves the same rows; then writes them, table by table. */
export async function writeNight({ out }: Folders, kind: "embedded" | "server"): Promise<void> {
  const cluster = kind === "server" ? await startPostgres("the oracle's rows") : undefined;
  if (kind === "server" && !cluster) throw new Error("PostgreSQL is not installed");
  const { watched, begun, close } = await startNightBot("60m", await cluster?.createDatabase());
  try {
    const threads: (Thread & { readonly number: number })[] = [];
    for (let index = 0; index < size.incidents; index++) {
      threads.push(await openCase(watched, index));
      await watched.quiet();
    }
    const goOn = async (thread: Thread): Promise<void> => {
      for (const body of ["/resume all", "/resume", "/approve all"]) await say(watched, thread, "lee", body);
    };
    for (const [index, move] of writeMoves(size).entries()) {
      const thread = threads[move.incident];
      if (thread) await play(watched, thread, move);
      // The script holds more than it resumes, and what is held shows nothing.
      if (thread && index % 8 === 7) await goOn(thread);
    }
    for (const thread of threads) await goOn(thread);
    const pages = [];
    for (const { number, comments } of threads) {
      const examples = (await comments()).map(({ login, body }) => ({ title: login, body }));
      pages.push({ title: `Issue ${number}`, examples });
    }
    writeText(join(out, `night-${kind}-begun.txt`), `${begun.join("\n")}\n`);
    writeText(join(out, `night-${kind}-issues.md`), steady(renderPage(pages)));
    writeText(join(out, `night-${kind}-audit.txt`), await auditKinds(watched));
    writeText(join(out, `night-${kind}-rows.txt`), steadyTables(await tablesOf(watched)));
  } finally {
    await close();
    await cluster?.stop();
  }
}

async function say(watched: WatchedBot, thread: Thread, login: string, body: string): Promise<number> {
  if (/approve/i.test(body)) await letCardsBeRead(watched);
  const id = await thread.say(login, body);
  await watched.quiet();
  return id;
}

/** An approval of high risk within five seconds of its card is refused: whether it comes within them must not be chance. */
async function letCardsBeRead({ bot }: WatchedBot): Promise<void> {
  const { rows } = await sql<{ readonly at: Date | null }>`
    select max(created_at) as at from action where state = 'proposed' and spec::text like '%"high"%'`.execute(
    bot.deps.store.db,
  );
  const at = rows[0]?.at;
  if (at) await sleep(Math.max(0, new Date(at).getTime() + 6_000 - Date.now()));
}

async function play(watched: WatchedBot, thread: Thread & { readonly number: number }, move: Move): Promise<void> {
  const { github, bot } = watched;
  const { nextNumber } = await bot.deps.store.db
    .selectFrom("incident")
    .select("nextNumber")
    .where("number", "=", thread.number)
    .executeTakeFirstOrThrow();
  const { body, edited } = sayLine(move, nextNumber - 1);
  const id = await say(watched, thread, move.by, body);
  if (move.copies > 0) {
    const { guid } = github.deliveries().findLast(({ event }) => event.startsWith("issue_comment")) ?? {};
    if (guid) await github.redeliver(guid);
  }
  await changeWords(github, move, { id, edited });
  await watched.quiet();
  await doAside(github, move, thread);
  await watched.quiet();
}

/** Tables of what is under way, and of how fast it went. */
const passing = ["job", "label", "write_budget", "write_share", "write_wait"];

async function tablesOf({ bot }: WatchedBot): Promise<readonly Table[]> {
  const { db } = bot.deps.store;
  const { rows: names } = await sql<{ readonly schema: string; readonly name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'
    order by table_schema, table_name`.execute(db);
  const tables: Table[] = [];
  for (const { schema, name } of names) {
    const { rows } = await sql<
      Readonly<Record<string, unknown>>
    >`select * from ${sql.table(`${schema}.${name}`)}`.execute(db);
    if (passing.includes(name)) continue;
    // What GitHub sends is GitHub's; and how often our own edits come back hangs on how many were made in one.
    const own = rows.filter(({ action }) => name !== "delivery" || !/^(edited|(un)?labeled)$/.test(String(action)));
    tables.push({ name, rows: own.map(({ payload: _, ...row }) => row) });
  }
  return tables;
}

/** What the audit says of each issue, in order: kinds alone, because two servers end a command in the order of chance. */
async function auditKinds({ bot }: WatchedBot): Promise<string> {
  const { rows } = await sql<{ readonly kind: string; readonly issue: number | null }>`
    select audit.kind, incident.number as issue from audit left join incident on incident.id = audit.incident_id
    order by audit.seq`.execute(bot.deps.store.db);
  const byIssue = Map.groupBy(rows, ({ issue }) => issue ?? 0);
  return [...byIssue]
    .sort(([a], [b]) => a - b)
    .flatMap(([issue, own]) => [`## ${issue}`, ...own.map(({ kind }) => kind), ""])
    .join("\n");
}
