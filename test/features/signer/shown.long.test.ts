import { sql } from "kysely";
import { pino } from "pino";
import { expect, it } from "vitest";
import { whatWasShown } from "../../../src/features/signer/decide.ts";
import { createClient } from "../../../src/github/client.ts";
import { createReadEvidence } from "../../../src/github/evidence.ts";
import { actionsOf } from "../../../src/store/actions.ts";
import { repo } from "../../harness/playground.ts";
import { useStage } from "../../harness/stage.ts";

const stage = useStage();

it("SR-71 what the bot itself writes, in all its versions, shows each command under its number and no other", async () => {
  const thread = await stage.incident("uptime", "systemctl restart nginx", {
    command: "df -h\nfree -m",
    commands: ["df -h", "free -m"],
  });
  for (const body of ["/approve 1", "/approve 2", "/approve 3", "/retry 1", "/status"]) {
    await stage.ask(thread, "lee", body, ...(body === "/status" ? [] : [{ text: "Fine." }]));
  }
  const { github, bot } = stage;
  const client = createClient({
    appId: github.appId,
    privateKey: github.privateKey,
    apiUrl: github.url,
    log: pino({ level: "silent" }),
    idOf: async () => undefined,
    usesTeams: () => false,
  });
  const app = (await thread.comments()).find(({ login }) => login.endsWith("[bot]"));
  const raw = await github.as("mona")("GET", `/repos/${repo}/issues/comments/${app?.id}`);
  const appUser = (raw.body as { user: { id: number } }).user.id;
  const evidence = await createReadEvidence(client)({
    repo,
    issue: thread.number,
    historyOf: appUser,
    reads: { issues: "read", metadata: "read" },
  });
  const own = evidence.comments.filter(({ author }) => author?.id === appUser);
  expect(own.some(({ versions }) => versions.length > 1)).toBe(true);
  const { rows } = await sql<{ id: string }>`select id from incident`.execute(bot.deps.store.db);
  const actions = await actionsOf(bot.deps.store.db, rows[0]?.id ?? "");
  expect(actions.length).toBeGreaterThanOrEqual(3);
  for (const { spec } of actions) {
    expect([spec.number, whatWasShown(own, spec, spec.targets[0]?.server ?? "")]).toMatchObject([
      spec.number,
      { kind: "shown", conditional: false },
    ]);
  }
});
