import { type OpenParts, openTogether } from "../src/base/opened.ts";
import { createControls } from "./controls.ts";
import { createDeliveries } from "./deliveries.ts";
import { startEmulate } from "./emulate.ts";
import { createFaults } from "./faults.ts";
import { createGraphql } from "./graphql/endpoint.ts";
import { createInstallation } from "./installation.ts";
import type { EmulatedGitHub, SecondApp, Seed } from "./interface.ts";
import { createNotes } from "./notes.ts";
import { createRateLimit } from "./rate-limit.ts";
import { loadRepos } from "./repos.ts";
import { loadPeople, writeFiles } from "./seed.ts";
import { createTraffic } from "./traffic.ts";
import { userJson } from "./user-json.ts";
import { createCorrect } from "./wire/correct.ts";
import { createGateway } from "./wire/gateway.ts";
import { describe, handle } from "./wire/handle.ts";
import { loadOpenApi } from "./wire/openapi.ts";
import type { User } from "./wire/shapes.ts";
import { createTokens, generatePrivateKey } from "./wire/tokens.ts";
import type { App, World } from "./world.ts";

export type { EmulatedGitHub, Seed, Traffic } from "./interface.ts";

/**
 * Starts an emulated GitHub on 127.0.0.1: emulate for issues, comments, labels and files, and a gateway in front of it
 * that adds what it lacks, corrects what it gets wrong, validates what the App sends and injects faults.
 */
export const startGitHub = (seed: Seed): Promise<EmulatedGitHub> =>
  openTogether(["front", "emulate"], (opened) => openGitHub(seed, opened));

async function openGitHub(seed: Seed, opened: OpenParts<"front" | "emulate">): Promise<EmulatedGitHub> {
  const bot = `${seed.app.slug}[bot]`;
  const privateKey = seed.app.privateKey || generatePrivateKey();
  const front = createGateway();
  const gateway = await front.listen();
  opened.add("front", gateway.close);
  const { secondApp } = seed;
  const secondBot = secondApp && `${secondApp.slug}[bot]`;
  const bots = [bot, ...(secondBot === undefined ? [] : [secondBot])] as const;
  const emulate = await startEmulate(seed, bots);
  opened.add("emulate", emulate.close);
  const [people] = await Promise.all([loadPeople(emulate, seed, bots), writeFiles(emulate, seed, bot)]);

  const { url } = gateway;
  const notes = createNotes();
  const faults = createFaults();
  const traffic = createTraffic();
  const appJson: Record<string, unknown> = {};
  const correct = createCorrect({ people, notes, app: appJson, from: emulate.url, to: url });
  const call: World["call"] = async (alias, method, path, body) => {
    const answer = await emulate.call(alias, method, path, body);
    return correct(answer) as typeof answer;
  };
  const repos = await loadRepos(
    call,
    bot,
    seed.repos.map((r) => `${seed.owner}/${r.name}`),
  );
  const { login, id, node_id: nodeId } = (await call(bot, "GET", `/orgs/${seed.owner}`)).body as User;
  const org = userJson(url, { login, id, nodeId, type: "Organization" }) as unknown as User;
  const installation = createInstallation({ app: seed.app, owner: org, url });
  Object.assign(appJson, installation.appJson());
  const deliveries = createDeliveries({ ...seed.webhook, appId: seed.app.id, faults, onTraffic: traffic.add });
  opened.add("front", deliveries.stop);
  function appOf(app: Seed["app"]): App {
    const key = app.privateKey || generatePrivateKey();
    return {
      bot: people.byAlias(`${app.slug}[bot]`) ?? never(),
      privateKey: key,
      tokens: createTokens({ id: app.id, privateKey: key }),
      installation: createInstallation({ app, owner: org, url }),
    };
  }
  const first: App = {
    bot: people.byAlias(bot) ?? never(),
    privateKey,
    tokens: createTokens({ id: seed.app.id, privateKey }),
    installation,
  };
  const second = secondApp && appOf(secondApp);
  if (second)
    for (const one of repos.all()) second.installation.include(one.id, secondApp?.repos.includes(one.name) ?? false);
  const world: World = {
    ...first,
    apps: [first, ...(second ? [second] : [])],
    url,
    webhookUrl: seed.webhook.url,
    webhookSecret: seed.webhook.secret,
    org,
    people,
    repos,
    notes,
    deliveries,
    rateLimit: createRateLimit(),
    activity: new Map(),
    gitObjects: new Map(),
    call,
    userJson: (person) => userJson(url, person),
  };
  const openApi = loadOpenApi();
  const graphql = createGraphql(world);
  const handling = { world, openApi, graphql, onInvalid: traffic.addInvalid };
  front.serve({
    faults,
    rateLimit: world.rateLimit,
    onTraffic: traffic.add,
    describe: (request) => describe(handling, request),
    handle: (request) => handle(handling, request),
  });
  return {
    url,
    appId: seed.app.id,
    privateKey,
    installationId: installation.id,
    secondApp: second && secondApp && controlledBy(world)(second, secondApp),
    ...traffic.read,
    ...createControls(world),
    minted: world.tokens.minted,
    rateLimit: world.rateLimit.now,
    fault: faults.add,
    clearFaults: faults.clear,
    settled: deliveries.settled,
    close: opened.close,
  };
}

const controlledBy =
  (world: World) =>
  ({ installation, tokens, privateKey }: App, { id, slug }: Seed["app"]): SecondApp => ({
    appId: id,
    slug,
    privateKey,
    installationId: installation.id,
    setPermissions: installation.setPermissions,
    setGranted: installation.setGranted,
    include: (name, included) => {
      const repo = world.repos.find(name);
      if (!repo) throw new Error(`there is no repository ${name}`);
      installation.include(repo.id, included);
    },
    setState: installation.setState,
    revokeTokens: tokens.revokeAll,
    minted: tokens.minted,
  });

function never(): never {
  throw new Error("emulate lost the App's account");
}
