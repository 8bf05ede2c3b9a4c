import { afterAll, beforeAll, expect, it } from "vitest";
import { proposing, type Stage, startStage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const hidden = async (number: number): Promise<Readonly<Record<string, string>>> => {
  const rows = await stage.bot.world.store.db
    .selectFrom("comment")
    .select(["slot", "foldAs", "folded", "githubId"])
    .where("issue", "=", number)
    .where("foldAs", "is not", null)
    .execute();
  const seen: { readonly id: number; readonly hidden: string | undefined }[] = [];
  for await (const page of stage.bot.world.readComments({
    installationId: await installation(),
    repo: "acme/web",
    issue: number,
  }))
    seen.push(...page);
  return Object.fromEntries(
    rows.map(({ slot, githubId }) => [
      slot.replace(/^batch:.*/, "batch"),
      String(seen.find(({ id }) => id === githubId)?.hidden),
    ]),
  );
};
const installation = async () =>
  (await stage.bot.world.store.db.selectFrom("incident").select("installationId").executeTakeFirstOrThrow())
    .installationId;

it("PRODUCT a card that nobody decided on and that was superseded is folded as outdated, an old run that went well as resolved, once; what failed or was approved stays, and /verify minds none", async () => {
  const thread = await stage.incident("uptime", "df -h");
  stage.model.play(proposing("LIKELY: on.", "ps aux"));
  await stage.ask(thread, "lee", "/approve 1");
  stage.play(async () => 1);
  // 3 fails; its card has a decision on it.
  stage.model.play(proposing("LIKELY: on.", "free -m"));
  await stage.ask(thread, "lee", "/approve 3");
  // Nobody decides on 4: a person's own command runs, and the agent proposes something else.
  stage.play(async () => 0);
  await stage.ask(thread, "lee", "/run web-1\n```sh\nuptime\n```");
  stage.model.play(proposing("LIKELY: on.", "ss -tln"));
  await stage.ask(thread, "lee", "/approve 5");
  expect(await hidden(thread.number)).toEqual({ batch: "resolved", "card:3": "outdated" });
  const { said } = await stage.ask(thread, "lee", "/verify");
  expect(said.join()).not.toMatch(/\*\*hidden\*\*|\*\*edited\*\*/);
});
