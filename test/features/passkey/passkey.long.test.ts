import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { Thread } from "../../../demo/thread.ts";
import { isInForce } from "../../../src/approval/passkey.ts";
import { auditVerify } from "../../../src/cli/audit.ts";
import { keysAsk } from "../../../src/cli/local.ts";
import { environment } from "../../../src/config/load.ts";
import { answerAsk } from "../../../src/features/operator/local.ts";
import { verifyPasskeys } from "../../../src/features/passkey/passkey.ts";
import { actionsOf, addApproval, withdrawApprovals } from "../../../src/store/actions.ts";
import { type AuditRow, auditRows } from "../../../src/store/audit/chain.ts";
import { passkeysOf } from "../../../src/store/passkeys.ts";
import { missing } from "../../harness/missing.ts";
import { repo } from "../../harness/playground.ts";
import { incidentIdOf, startStage } from "../../harness/stage.ts";
import { useStarted } from "../../harness/use-started.ts";
import { startBotProcess } from "../../harness/world.ts";
import { type Approver, createApprover } from "./approver.ts";

const executablePath = "/usr/bin/chromium";
const hasChromium = existsSync(executablePath);
if (!hasChromium) missing("chromium", "approvals by passkey were not tried in a browser");
const pictures = environment().COUNTERSIGN_PICTURES;

const medium = "systemctl restart app";
const high = "rm -rf /srv/old";

type Incident = Thread & { readonly number: number };

describe.runIf(hasChromium)("an approval by passkey", () => {
  let mona: Approver;
  let lee: Approver;
  let origin = "";

  const linkIn = (texts: readonly string[]): string => {
    const link = /http:\/\/localhost:\d+\/k\/[0-9a-f]{64}/.exec(texts.join("\n"))?.[0];
    if (!link) throw new Error(`no link in: ${texts.join("\n")}`);
    return link;
  };
  const challengeOn = async (link: string): Promise<string> => {
    const page = await (await fetch(link)).text();
    const options = /data-options="([^"]*)"/
      .exec(page)?.[1]
      ?.replace(/&#(\d+);/g, (_, n) => String.fromCodePoint(Number(n)));
    return JSON.parse(options ?? "{}").challenge;
  };
  const post = async (link: string, body: object): Promise<number> => {
    const headers = { "content-type": "application/json" };
    return (await fetch(link, { method: "POST", headers, body: JSON.stringify(body) })).status;
  };
  /** The operator's link for a key. */
  const linkByOperator = async (login: string): Promise<string> => {
    const { deps } = stage.bot;
    const { id } = (await stage.github.as(login)("GET", `/users/${login}`)).body as { id: number };
    let link = "";
    for await (const text of answerAsk(deps, keysAsk({ config: deps.config.file }, "add", [login, `${id}`])))
      link += text;
    return linkIn([link]);
  };
  /** A command that lee, who has a key by then, has approved in words, and the link that the bot answers with. */
  const asked = async (command = medium, words = "/approve 1") => {
    const keys = await passkeysOf(stage.bot.deps.store.db);
    if (!keys.some((key) => isInForce(key) && key.login === "lee"))
      expect(await lee.press(await linkByOperator("lee"))).toContain("in force");
    const thread = await stage.incident(command);
    await letRead(thread);
    const answer = await stage.ask(thread, "lee", words);
    const link = linkIn(answer.said);
    return { thread, link, comment: answer.id, challenge: await challengeOn(link) };
  };
  const letRead = (thread: Incident) =>
    stage.bot.deps.store.db
      .updateTable("comment")
      .set({ firstPostedAt: new Date(Date.now() - 120_000) })
      .where("issue", "=", thread.number)
      .execute();
  const look = (name: string, who: Approver) => async (when: string) => {
    if (pictures) await who.page.screenshot({ path: `${pictures}/passkey-${name}-${when}.png`, fullPage: true });
  };
  const rowsOf = async (): Promise<readonly AuditRow[]> => {
    const rows: AuditRow[] = [];
    for await (const some of auditRows(stage.bot.deps.store.db, {})) rows.push(...some);
    return rows;
  };

  const browser = useStarted(() => chromium.launch({ executablePath, args: ["--no-sandbox"] }));
  const stage = useStarted(() =>
    startStage({
      configure: (config) => {
        const server = Object(config.server);
        origin = `http://localhost:${server.port}`;
        config.server = { ...server, public_url: origin };
        config.policy = {
          approvers: { teams: ["acme/oncall"] },
          passkey: "medium",
          high: { approvals: 2, expires: "15m", reason: "required", restate_server: true },
        };
      },
    }),
  );
  beforeAll(async () => {
    [mona, lee] = await Promise.all([createApprover(browser, "dark"), createApprover(browser)]);
  });

  it("PK-01 PK-02 PK-03 from the operator's link to a run: keys are added, confirmed, and a command runs", async () => {
    expect(await mona.press(await linkByOperator("mona"), look("add", mona))).toContain("in force");

    const thread = await stage.incident(medium);
    await stage.expectSaid(thread, "lee", "/approve 1", "`/key add`");
    const added = await lee.press(linkIn((await stage.ask(thread, "lee", "/key add")).said));
    const fingerprint = /[0-9a-f]{12}/.exec(added)?.[0];
    // Its owner alone puts no key in force, and neither does the other approver's comment alone.
    await stage.expectSaid(thread, "lee", `/key confirm ${fingerprint}`, "another approver");
    const confirm = await stage.ask(thread, "mona", `/key confirm ${fingerprint}`);
    await stage.expectSaid(thread, "lee", "/approve 1", "`/key add`");
    expect(await mona.press(linkIn(confirm.said), look("confirm", mona))).toContain("Confirmed");
    await stage.quiet();

    const answer = await stage.expectSaid(thread, "lee", "/approve 1", "not approved yet");
    expect(await stage.sent(async () => {})).toBe(0);
    const approve = linkIn(answer.said);
    const pressed = await stage.sent(async () => {
      expect(await lee.press(approve, look("approve", lee))).toContain("Confirmed");
    });
    expect(pressed).toBe(1);
    const [reply] = (await thread.comments()).filter(({ body }) => body.includes("**1** is on its way"));
    expect(reply).toBeDefined();
    expect((await fetch(approve)).status).toBe(410);
  });

  it("PK-01 what only reads takes none", async () => {
    const thread = await stage.incident("uptime");
    expect(await stage.sent(() => stage.ask(thread, "lee", "/approve 1"))).toBe(1);
  });

  it("PK-03 the page shows the whole command, the server, the risk and who asks, and loads nothing from elsewhere", async () => {
    const command = `systemctl restart app # ${"<b>&".repeat(20)}`;
    const { link } = await asked(command);
    expect((await lee.page.goto(link))?.headers()["content-security-policy"]).toContain("default-src 'none'");
    expect(await lee.page.locator("pre").textContent()).toBe(command);
    expect(await lee.page.locator("dl").textContent()).toMatch(/web-1[\s\S]*medium[\s\S]*the agent[\s\S]*@lee/);
    const isWide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
    expect(await lee.page.evaluate(isWide)).toBe(false);
  });

  it.each<[string, (at: Awaited<ReturnType<typeof asked>>) => Promise<object>, number]>([
    ["an assertion for another action", async () => lee.sign({ challenge: (await asked()).challenge, origin }), 400],
    ["another person's passkey", ({ challenge }) => mona.sign({ challenge, origin }), 400],
    ["another origin", ({ challenge }) => lee.sign({ challenge, origin: "https://countersign.example" }), 400],
    ["another site", ({ challenge }) => lee.sign({ challenge, origin, rpId: "countersign.example" }), 400],
    ["nobody verified (UV=0)", ({ challenge }) => lee.sign({ challenge, origin, uv: false }), 400],
    ["a signature with a changed byte", async ({ challenge }) => spoilt(await lee.sign({ challenge, origin })), 400],
    [
      "a page whose time is over",
      async ({ link, challenge }) => {
        const page = stage.bot.deps.store.db.updateTable("passkeyPage").where("id", "=", link.split("/k/")[1] ?? "");
        await page.set({ endsAt: new Date(Date.now() - 1) }).execute();
        return lee.sign({ challenge, origin });
      },
      400,
    ],
    [
      "a comment that was swapped for another",
      async ({ thread, comment, challenge }) => {
        await stage.github.editComment("lee", repo, comment, "/approve 1 yes");
        await stage.quiet();
        expect(thread.number).toBeGreaterThan(0);
        return lee.sign({ challenge, origin });
      },
      // The passkey is right; the comment that it stands behind is not there any more.
      200,
    ],
  ])("PK-01 runs nothing with %s", async (_what, forge, status) => {
    const at = await asked();
    const body = await forge(at);
    expect(await stage.sent(async () => expect(await post(at.link, body)).toBe(status))).toBe(0);
  });

  it("PK-01 an assertion counts once: not for its page again, in no second tab, and not on another page", async () => {
    const first = await asked();
    const body = await lee.sign({ challenge: first.challenge, origin });
    const other = await lee.sign({ challenge: first.challenge, origin });
    const ran = await stage.sent(async () => {
      expect((await Promise.all([post(first.link, body), post(first.link, other)])).sort()).toEqual([200, 400]);
    });
    expect(ran).toBe(1);
    const second = await asked();
    const again = await stage.sent(async () => {
      expect([await post(first.link, body), await post(second.link, body), await post(second.link, other)]).toEqual([
        400, 400, 400,
      ]);
    });
    expect(again).toBe(0);
  });

  it("PK-01 a bot that ends in between runs it once, and only with the passkey", async () => {
    const at = await asked();
    expect(await stage.sent(() => stage.restart())).toBe(0);
    const body = await lee.sign({ challenge: at.challenge, origin });
    const ran = await stage.sent(async () => {
      expect(await post(at.link, body)).toBe(200);
      await stage.restart();
      expect(await post(at.link, body)).toBe(400);
    });
    expect(ran).toBe(1);
  });

  it.each(["CP16", "CP08"])("PK-01 %s a bot that is killed there, behind the passkey, runs it once", async (point) => {
    const at = await asked();
    const body = await lee.sign({ challenge: at.challenge, origin });
    const { file, server } = stage.bot.deps.config;
    const killed = async () => {
      const env = { TEST_MODEL_KEY: "sk-test-0123456789abcdef", CRASH_AT: point };
      const bot = await startBotProcess({ configFile: file, port: server.port }, { env });
      expect(await post(at.link, body)).toBe(200);
      expect(await bot.ended).toBe("SIGKILL");
    };
    expect(await stage.sent(() => stage.restart(killed))).toBe(1);
    expect(await stage.sent(async () => expect(await post(at.link, body)).toBe(400))).toBe(0);
  });

  it("PK-01 DC-4 of several numbers each is asked for by itself, in their order; its check and what only reads take none", async () => {
    const change = { command: medium, check: ["systemctl status app", "uptime -p"] };
    const thread = await stage.incident("uptime", change, "systemctl restart web");
    await letRead(thread);
    const press = (link: string) =>
      stage.sent(async () =>
        expect(await post(link, await lee.sign({ challenge: await challengeOn(link), origin }))).toBe(200),
      );
    const reply = async (): Promise<string> =>
      (await thread.comments()).find(({ body }) => /on (its|their) way/.test(body))?.body ?? "";
    expect(await stage.sent(() => stage.ask(thread, "lee", "/approve 1 2 4"))).toBe(1);
    const first = linkIn([await reply()]);
    // The change's digest has its checks in it, and so has its page.
    expect(await (await fetch(first)).text()).toContain("<dd>systemctl status app\nuptime -p</dd>");
    expect(await press(first)).toBe(3);
    const second = linkIn([await reply()]);
    expect(second).not.toBe(first);
    expect(await press(second)).toBe(1);
    // What the same comment had set going before is no news, and nothing to be typed again.
    expect(await reply()).toMatch(/^\*\*4\*\* is on its way\.\n/);
  });

  const ofOneCard = async (): Promise<Incident> => stage.incident(medium, "systemctl restart web");
  const ofTwoCards = async (): Promise<Incident> => {
    const thread = await stage.opened();
    for (const unit of ["app", "web"])
      await thread.say("sam", `/run web-1\n\`\`\`sh\nsystemctl restart ${unit}\n\`\`\``);
    await stage.quiet();
    return thread;
  };

  it.each([
    { on: "one card", begin: ofOneCard, flag: "", runs: 0 },
    { on: "one card", begin: ofOneCard, flag: "--keep-going", runs: 1 },
    { on: "two cards", begin: ofTwoCards, flag: "", runs: 0 },
    { on: "two cards", begin: ofTwoCards, flag: "--keep-going", runs: 1 },
  ])(
    "PK-01 DC-4 a failure stops what its comment names behind it, also behind a passkey: $on, `/approve 1 2 $flag`",
    async ({ begin, flag, runs }) => {
      const thread = await begin();
      await letRead(thread);
      const press = (link: string) =>
        stage.sent(async () =>
          expect(await post(link, await lee.sign({ challenge: await challengeOn(link), origin }))).toBe(200),
        );
      const { said } = await stage.ask(thread, "lee", `/approve 1 2 ${flag}`);
      const first = linkIn(said);
      stage.play(async () => 3);
      expect(await press(first)).toBe(1);
      stage.play(async () => 0);
      const links = [
        ...(await thread.comments())
          .map(({ body }) => body)
          .join()
          .matchAll(/http:\S+\/k\/[0-9a-f]{64}/g),
      ];
      const second = links.map(([link]) => link).find((link) => link !== first);
      expect(await press(second ?? "")).toBe(runs);
      const bodies = (await thread.comments()).map(({ body }) => body).join();
      expect(bodies.includes("failed after you wrote this")).toBe(runs === 0);
    },
  );

  it("PK-01 DC-4 what a comment names later waits for the passkeys of what it names first, also on other cards", async () => {
    const thread = await stage.opened();
    for (const command of ["systemctl restart one", "systemctl restart two", "uptime", "systemctl restart three"])
      await thread.say("sam", `/run web-1\n\`\`\`sh\n${command}\n\`\`\``);
    await stage.quiet();
    await letRead(thread);
    const incidentId = await incidentIdOf(stage.bot.deps.store.db, thread.number);
    const own = (await actionsOf(stage.bot.deps.store.db, incidentId)).filter(({ origin }) => origin === "person");
    const [one, two, read, three] = own.map(({ number }) => number);
    const press = (link: string | undefined) =>
      stage.sent(async () =>
        expect(await post(link ?? "", await lee.sign({ challenge: await challengeOn(link ?? ""), origin }))).toBe(200),
      );
    const sent: string[] = [];
    stage.play(async (script) => {
      sent.push(...(/systemctl restart (\w+)|uptime/.exec(script) ?? []).slice(0, 1));
      return 0;
    });
    const { said } = await stage.ask(thread, "lee", `/approve ${one} ${two} ${read} ${three}`);
    const reply = async (): Promise<string> =>
      (await thread.comments()).find(({ body }) => body.includes(`**${read}**`) && /passkey/.test(body))?.body ?? "";
    const [first, second, third, ...more] = [...said.join().matchAll(/http:\S+\/k\/[0-9a-f]{64}/g)].map(
      ([link]) => link,
    );
    expect([first, second, third, ...more]).toEqual(Array(3).fill(expect.any(String)));
    expect(said.join()).toContain(
      `**${read}** is not run yet: it follows once you have confirmed **${one}** and **${two}** with your passkey.`,
    );
    expect(await press(second)).toBe(0);
    expect(await reply()).toContain(
      `**${two}** is not run yet: it follows once you have confirmed **${one}** with your passkey.`,
    );
    expect(await reply()).toContain(third);
    expect(await press(third)).toBe(0);
    expect(await reply()).toContain(
      `**${three}** is not run yet: it follows once you have confirmed **${one}** with your passkey.`,
    );
    expect(await press(first)).toBe(4);
    expect(sent).toEqual(["systemctl restart one", "systemctl restart two", "uptime", "systemctl restart three"]);
  });

  it("PK-01 SR-28 an approval that was taken back is given by no other passkey of its comment", async () => {
    const { db, ...store } = stage.bot.deps.store;
    const thread = await stage.opened();
    for (const unit of ["one", "two"])
      await thread.say("sam", `/run web-1\n\`\`\`sh\nsystemctl restart ${unit}\n\`\`\``);
    await stage.quiet();
    await letRead(thread);
    const [one, two] = (await actionsOf(db, await incidentIdOf(db, thread.number))).filter(
      ({ origin }) => origin === "person",
    );
    if (!one || !two) throw new Error("there are not two actions");
    const { id, said } = await stage.ask(thread, "lee", `/approve ${one.number} ${two.number}`);
    const person = { id: 1, login: "lee" };
    const comment = { id, nodeId: "C", sha256: "ab".repeat(32) };
    await store.transaction(async (tx) => {
      await addApproval(tx, one, { verdict: "approve", person, role: "write", comment, reason: "" });
      await withdrawApprovals(tx, { actionIds: [one.id] });
    });
    const link = linkIn(said);
    expect(linkIn([said.join().replace(link, "")])).not.toBe(link);
    const proved = await lee.sign({ challenge: await challengeOn(link), origin });
    expect(await stage.sent(async () => expect(await post(link, proved)).toBe(200))).toBe(0);
    const reply = (await thread.comments()).find(({ body }) => body.includes("taken back"));
    // What stands behind it waits for it, and is asked for again with the next comment.
    expect(reply?.body).toContain(`**${two.number}** waits for **${one.number}**`);
    expect(reply?.body).toContain(`Comment \`/approve ${one.number}\``);
  });

  it("PK-04 audit verify --passkeys finds one changed byte in whatever was signed", async () => {
    const rows = await rowsOf();
    const verify = (changed: readonly AuditRow[]) =>
      verifyPasskeys(
        (async function* () {
          yield* changed;
        })(),
      );
    const good = await verify(rows);
    expect(good.faults).toEqual([]);
    const proved = rows.filter(({ body }) => "proof" in body);
    expect(good.verified).toBe(proved.length);
    expect(proved.length).toBeGreaterThanOrEqual(4);
    expect(await auditVerify({ config: stage.bot.deps.config.file, passkeys: true })).toBe(true);
    const parts = /"(digest|sha256|authenticatorData|clientDataJSON|signature|publicKey|origin)":"[^"]{6}/g;
    for (const row of proved) {
      const text = JSON.stringify(row.body);
      for (const { index, 0: found } of text.matchAll(parts)) {
        const at = index + found.length - 1;
        const changed = `${text.slice(0, at)}${text[at] === "a" ? "b" : "a"}${text.slice(at + 1)}`;
        const { faults } = await verify(rows.map((one) => (one === row ? { ...one, body: JSON.parse(changed) } : one)));
        expect(faults, found).not.toEqual([]);
      }
    }
  });

  it("PK-01 PK-02 a key that is revoked between approval and sending runs nothing, and opens no page any more", async () => {
    const waiting = await asked();
    const { thread, link, challenge } = await asked(high, "/approve 1 web-1 old release");
    expect(await post(link, await lee.sign({ challenge, origin }))).toBe(200);
    await stage.quiet();
    const list = (await stage.ask(thread, "lee", "/key list")).said.join();
    const fingerprint = /([0-9a-f]{12}) @lee/.exec(list)?.[1];
    await stage.expectSaid(thread, "lee", `/key revoke ${fingerprint}`, "is revoked");
    const second = linkIn((await stage.ask(thread, "mona", "/approve 1 web-1 old release")).said);
    const body = await mona.sign({ challenge: await challengeOn(second), origin });
    expect(await stage.sent(async () => expect(await post(second, body)).toBe(200))).toBe(0);
    const said = (await thread.comments()).map(({ body: text }) => text).join("\n");
    expect(said).toContain("no passkey in force behind it");
    const late = await lee.sign({ challenge: waiting.challenge, origin });
    expect(await stage.sent(async () => expect(await post(waiting.link, late)).toBe(400))).toBe(0);
  });
});

function spoilt(body: object): object {
  const { response } = body as { response: { signature: string } };
  const bytes = Buffer.from(response.signature, "base64url");
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
  return { ...body, response: { ...response, signature: bytes.toString("base64url") } };
}
