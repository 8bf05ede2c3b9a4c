import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { hashBody } from "../../../src/features/run/approval-comment.ts";
import { type ActionSpec, digestOf } from "../../../src/store/actions.ts";
import { missing } from "../../harness/missing.ts";
import { type SignerWorld, startSignerWorld, word } from "./signer-world.ts";

const key = generateKeyPairSync("ec", { namedCurve: "P-256" });
const { x = "", y = "" } = key.publicKey.export({ format: "jwk" });
/** As an authenticator gives it (COSE, ES256). */
const publicKey = Buffer.concat([
  Buffer.from("a5010203262001215820", "hex"),
  Buffer.from(x, "base64url"),
  Buffer.from("225820", "hex"),
  Buffer.from(y, "base64url"),
]).toString("base64url");
const keyId = Buffer.from("lee's phone").toString("base64url");
const origin = "https://bot.example.com";

const policy = { passkey: "high", high: { approvals: 1, reason: "optional", restate_server: false } };
const started = await startSignerWorld({
  policy,
  server: { public_url: origin },
  passkeys: (id) => [{ login: "lee", id: id("lee"), key_id: keyId, public_key: publicKey }],
});
if ("missing" in started) missing("sshd", `test/features/signer/decide.long.test.ts was left out: ${started.missing}`);

describe.runIf(!("missing" in started))("a signer with an approval", () => {
  const world = started as SignerWorld;
  afterAll(() => world.close());

  const lure = async (order: Parameters<SignerWorld["specOf"]>[1]) => {
    const issue = await world.issueOf(word());
    const spec = world.specOf(issue, order);
    const card = await world.post(issue.number, world.cardOf(spec));
    return { issue, spec, card };
  };

  /** What lee's device signs for this digest and comment. */
  const assertionOf = (spec: ActionSpec, comment: number, body: string, from = origin) => {
    const challenge = createHash("sha256")
      .update(
        ["countersign-passkey-1", digestOf(spec), world.github.person("lee").id, comment, hashBody(body)].join("\n"),
      )
      .digest("base64url");
    const host = createHash("sha256").update(new URL(origin).hostname).digest();
    const data = Buffer.concat([host, Buffer.from([0b101]), Buffer.from([0, 0, 0, 9])]);
    const client = Buffer.from(JSON.stringify({ type: "webauthn.get", challenge, origin: from, crossOrigin: false }));
    const signed = Buffer.concat([data, createHash("sha256").update(client).digest()]);
    return {
      id: keyId,
      authenticatorData: data.toString("base64url"),
      clientDataJSON: client.toString("base64url"),
      signature: sign("sha256", signed, key.privateKey).toString("base64url"),
    };
  };

  const highRisk = { command: "rm -rf /srv/gone", risk: "high" } as const;

  it("PK-01 SR-72 signs high risk with a passkey of its own file, and for no other digest, comment or origin", async () => {
    const { issue, spec } = await lure(highRisk);
    await sleep(5_500);
    const comment = await world.say("lee", issue.number, "/approve 1");
    const ask = (passkey: object | undefined) =>
      world.ask({ ...world.requestOf(issue, spec, []), approvals: [{ comment, ...(passkey && { passkey }) }] });
    const wrong = [
      undefined,
      assertionOf(world.specOf(issue, highRisk), comment, "/approve 1"),
      assertionOf(spec, comment + 1, "/approve 1"),
      assertionOf(spec, comment, "/approve 2"),
      assertionOf(spec, comment, "/approve 1", "https://evil.example.com"),
      { ...assertionOf(spec, comment, "/approve 1"), id: "another" },
    ];
    for (const passkey of wrong)
      expect(await ask(passkey)).toEqual({ ok: false, reason: "no passkey proves the approval of @lee" });
    expect(await ask(assertionOf(spec, comment, "/approve 1"))).toMatchObject({ ok: true });
  });

  it("signs what the bot wrote before it drew the card anew", async () => {
    const { issue, spec, card } = await lure({});
    const comment = await world.say("lee", issue.number, "/approve 1");
    await world.edit(issue.number, card, world.cardOf(spec).replace("- [ ]", "- [x]"));
    expect(await world.ask(world.requestOf(issue, spec, [comment]))).toMatchObject({ ok: true });
  });

  it("SR-72 does not take a passkey of somebody whom its file does not know", async () => {
    const { issue, spec } = await lure(highRisk);
    await sleep(5_500);
    const comment = await world.say("mona", issue.number, "/approve 1");
    const passkey = assertionOf(spec, comment, "/approve 1");
    const request = { ...world.requestOf(issue, spec, []), approvals: [{ comment, passkey }] };
    expect(await world.ask(request)).toMatchObject({
      ok: false,
      reason: expect.stringContaining("you have no passkey"),
    });
  });

  it("signs each command of a set for itself, once", async () => {
    const { issue, spec } = await lure({ command: "df -h\nuptime", members: ["df -h", "uptime"], risk: "low" });
    const comment = await world.say("lee", issue.number, "/approve 1");
    const ask = (step: number) =>
      world.ask({ ...world.requestOf(issue, spec, [comment]), step, bytes: spec.targets[step]?.wrapped });
    expect([await ask(0), await ask(1)]).toMatchObject([{ ok: true }, { ok: true }]);
    expect([await ask(0), await ask(1)]).toMatchObject([{ ok: false }, { ok: false }]);
  });

  it("signs an approver's own /run of a read, and its /retry by what the record knows", async () => {
    const issue = await world.issueOf(word());
    const run = world.specOf(issue, { command: "uptime", risk: "low" });
    const comment = await world.say("lee", issue.number, "/run web-1\n```sh\nuptime\n```");
    await world.post(issue.number, world.cardOf(run));
    expect(await world.ask(world.requestOf(issue, run, [comment]))).toMatchObject({ ok: true });
    const again = { ...world.specOf(issue, { command: "uptime", risk: "low", number: 2 }), again: 1 };
    const other = { ...world.specOf(issue, { command: "id", risk: "low", number: 3 }), again: 1 };
    const retry = await world.say("lee", issue.number, "/retry 1");
    for (const spec of [again, other]) await world.post(issue.number, world.cardOf(spec));
    expect(await world.ask(world.requestOf(issue, other, [retry]))).toMatchObject({ ok: false });
    expect(await world.ask(world.requestOf(issue, again, [retry]))).toMatchObject({ ok: true });
  });

  it("F-12 signs nothing while GitHub does not answer, and says so", async () => {
    const { issue, spec } = await lure({});
    const comment = await world.say("lee", issue.number, "/approve 1");
    world.github.fault({ path: /graphql/, times: 5 }, { status: 502 });
    expect(await world.ask(world.requestOf(issue, spec, [comment]))).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^the signer cannot make sure/),
    });
    world.github.clearFaults();
    expect(await world.ask(world.requestOf(issue, spec, [comment]))).toMatchObject({ ok: true });
  });
});

const plain = await startSignerWorld();

describe.runIf(!("missing" in plain))("a signer with the usual policy", () => {
  const world = plain as SignerWorld;
  afterAll(() => world.close());

  it("SR-72 signs high risk once two people have approved it, and no sooner", async () => {
    const issue = await world.issueOf(word());
    const spec = world.specOf(issue, { command: "rm -rf /srv/gone", risk: "high" });
    await world.post(issue.number, world.cardOf(spec));
    await sleep(5_500);
    const comments = [await world.say("lee", issue.number, "/approve 1 web-1 it is full")];
    expect(await world.ask(world.requestOf(issue, spec, comments))).toMatchObject({ ok: false });
    comments.push(await world.say("mona", issue.number, "/approve 1 web-1 so it is"));
    expect(await world.ask(world.requestOf(issue, spec, comments))).toMatchObject({ ok: true });
    expect(world.log.at(-1)).toMatchObject({ event: "signer_signed", keyId: expect.stringMatching(/:lee,mona$/) });
  });
});

const busy = await startSignerWorld({
  policy: { high_per_hour: 1, high: { approvals: 1, reason: "optional", restate_server: false } },
});

describe.runIf(!("missing" in busy))("a signer whose policy has one person approve one high risk an hour", () => {
  const world = busy as SignerWorld;
  afterAll(() => world.close());

  it("SR-57 SR-72 wants a second one to be said twice", async () => {
    const ask = async (times: number) => {
      const issue = await world.issueOf(word());
      const spec = world.specOf(issue, { command: "rm -rf /srv/gone", risk: "high" });
      await world.post(issue.number, world.cardOf(spec));
      await sleep(5_500);
      let comment = 0;
      for (let nth = 0; nth < times; nth++) comment = await world.say("lee", issue.number, "/approve 1");
      return world.ask(world.requestOf(issue, spec, [comment]));
    };
    expect(await ask(1)).toMatchObject({ ok: true });
    expect(await ask(1)).toMatchObject({ ok: false, reason: expect.stringContaining("confirm this one") });
    expect(await ask(2)).toMatchObject({ ok: true });
  });
});

const hasty = await startSignerWorld({ policy: { medium: { expires: "2s" } } });

describe.runIf(!("missing" in hasty))("a signer whose policy gives an approval two seconds", () => {
  const world = hasty as SignerWorld;
  afterAll(() => world.close());

  it("SR-72 does not believe what the bot says of an action's time", async () => {
    const issue = await world.issueOf(word());
    const spec = {
      ...world.specOf(issue),
      expiresAt: "2099-01-01T00:00:00.000Z",
      createdAt: "2099-01-01T00:00:00.000Z",
    };
    await world.post(issue.number, world.cardOf(spec));
    const comment = await world.say("lee", issue.number, "/approve 1");
    await sleep(3_500);
    expect(await world.ask(world.requestOf(issue, spec, [comment]))).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/expired/),
    });
  });
});
