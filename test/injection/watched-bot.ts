import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import type { Bot } from "../../src/service/start.ts";
import { type Message, type Said, startTalkingModel } from "../agent/fake-model.ts";
import { endpointsOf, type Playground, type PlaygroundOptions, startPlayground } from "../harness/playground.ts";
import type { Play } from "../ssh/fake-host.ts";
import { startWireTap, type Tapped } from "./wire-tap.ts";

export const modelKey = "sk-test-Q7vX2mB9kT4wZ8pL";

/** A place where a text of the bot comes to rest or leaves it. */
export interface Sink {
  readonly name: string;
  readonly text: string;
}

/** A whole bot whose every exit is watched: what it sends to GitHub and to the model, its own log file, its store. */
export interface WatchedBot extends Playground {
  readonly configFile: string;
  readonly sent: readonly Tapped[];
  readonly sinks: () => Promise<readonly Sink[]>;
}

export interface WatchedOptions extends Omit<PlaygroundOptions, "modelKey"> {
  readonly answer: (messages: readonly Message[]) => Said;
  readonly play: Play;
}

export async function startWatchedBot({ answer, ...options }: WatchedOptions): Promise<WatchedBot> {
  const folder = mkdtempSync(join(tmpdir(), "countersign-watched-"));
  const [model, tap] = await Promise.all([startTalkingModel(answer), startWireTap()]);
  const playground = await startPlayground({
    machine: { "web-1": {} },
    ...options,
    modelKey,
    configure: (config) => {
      const github = config.github as { api_url: string };
      tap.lead(github.api_url);
      github.api_url = tap.url;
      config.model = {
        endpoints: endpointsOf(model),
        // Hundreds of incidents at once on a slow machine: each is to be heard, and none is to be too dear.
        deadline: "10m",
        retry: { max_retries: 2, base_delay_ms: 100 },
        budget: { tokens_per_incident: 100_000_000, tokens_per_day: 1_000_000_000 },
      };
      config.agent = { turns_per_person_per_hour: 100_000 };
      // Nobody is called to what expires soon, however slow the machine.
      config.policy = { ...(config.policy as object | undefined), high: { expires: "60m" } };
      config.logging = { level: "debug", stdout: false, file: join(folder, "log") };
      options.configure?.(config);
    },
  });
  const { bot } = playground;
  const logged = (): Sink[] =>
    readdirSync(folder).map((name) => ({ name: `log ${name}`, text: readFileSync(join(folder, name), "utf8") }));
  return {
    ...playground,
    bot,
    configFile: bot.deps.config.file,
    sent: tap.passed,
    sinks: async () => [
      ...tap.passed.map(({ method, path, body }) => ({ name: `GitHub ${method} ${path}`, text: body })),
      ...model.requests.map(({ body }, index) => ({ name: `model request ${index + 1}`, text: JSON.stringify(body) })),
      ...(await tablesOf(bot)),
      ...logged(),
    ],
    close: async () => {
      await playground.close();
      await Promise.all([model.close(), tap.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Every row of every table, the queue's included. */
async function tablesOf({ deps: { store } }: Bot): Promise<readonly Sink[]> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`.execute(store.db);
  const sinks: Sink[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await sql`select * from ${sql.table(`${schema}.${name}`)}`.execute(store.db);
    sinks.push({ name: `store ${schema}.${name}`, text: JSON.stringify(rows) });
  }
  return sinks;
}
