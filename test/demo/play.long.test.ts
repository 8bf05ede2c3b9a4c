import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { demoRepo, startDemo } from "../../demo/demo.ts";
import { startSandbox } from "../../demo/sandbox/start.ts";
import { createThread, openIssue, type Thread } from "../../demo/thread.ts";
import { startPlayground } from "../harness/playground.ts";
import { useStarted } from "../harness/use-started.ts";

/** What an incident came to: the commands of each card, how often somebody approved, and the newest card's last sentence. */
interface Played {
  readonly cards: readonly (readonly string[])[];
  readonly approvals: number;
  readonly last: string;
}

/** lee approves whatever the newest card asks for, mona whatever needs a second one, until nothing more is proposed. */
async function play(thread: Thread, quiet: () => Promise<void>): Promise<Played> {
  let approvals = 0;
  for (;;) {
    await quiet();
    const cards = (await thread.comments()).filter(({ body }) => /^\*\*Phase/.test(body) && !body.includes("Board of"));
    const wanted = cards.flatMap(({ body }) => /^`(\/approve [\d ]+)`/m.exec(body)?.[1] ?? []);
    const [only, ...more] = wanted;
    expect(more).toEqual([]);
    if (only === undefined || approvals === 10) {
      const prose =
        cards
          .at(-1)
          ?.body.replace(/^\*\*Phase [^*]+\*\* · /, "")
          .split("\n\n") ?? [];
      return {
        cards: cards.map(({ body }) =>
          [...body.matchAll(/^ {2}```sh\n([\s\S]*?)\n {2}```$/gm)].flatMap((match) =>
            (match[1] ?? "").split("\n").map((line) => line.slice(2)),
          ),
        ),
        approvals,
        last: prose.filter((part) => !/^(?:\*\*Suggestions|📖|⚠️|<!--)/u.test(part)).at(-1) ?? "",
      };
    }
    approvals++;
    await thread.say("lee", only);
  }
}

const lines = (...parts: readonly string[]): string => parts.join("\n");
const done = "Done. If it is healthy: `/close <cause>`";

describe("OFF-1 an incident of the demo ends when its runbook is at its end", () => {
  const quiet = async () => {
    for (let still = 0; still < 2; still++) {
      await demo.github.settled();
      await demo.bot.deps.store.queue.idle();
    }
  };
  const demo = useStarted(() => startDemo({ port: 0 }));

  const health = "curl -s localhost:8080/health";
  const states = 'psql -c "select state, count(*) from pg_stat_activity group by 1 order by 2 desc"';
  const checkend = "openssl x509 -enddate -checkend 604800 -noout";
  const file = `${checkend} -in /etc/letsencrypt/live/shop.acme.example/fullchain.pem`;
  const served = `openssl s_client -connect localhost:443 -servername shop.acme.example </dev/null 2>/dev/null | ${checkend}`;

  it.each([
    {
      id: "full-disk",
      cards: [
        ["systemctl status checkout-api", "journalctl -u checkout-api -p err -n 20", "df -h /var"],
        ["logrotate -f /etc/logrotate.d/checkout", "df -h /var"],
        ["systemctl restart checkout-api", health, "systemctl status checkout-api"],
        [],
      ],
      last: `${done}. \`curl -s localhost:8080/health\` showed \`"status":"ok"\` (5), which the runbook calls healthy.`,
    },
    {
      id: "connections",
      cards: [
        [states, expect.stringContaining("application_name"), expect.stringContaining("max_connections")],
        [expect.stringContaining("pg_terminate_backend"), states],
        [],
      ],
      // The first card's checks ran under the opening lease.
      approvals: 1,
      last: done,
    },
    {
      id: "certificate",
      cards: [
        [file, served, "systemctl status certbot.timer"],
        ["certbot renew --cert-name shop.acme.example", file],
        ["systemctl reload nginx", served],
        ["systemctl enable --now certbot.timer", "systemctl status certbot.timer"],
        [],
      ],
      last: done,
    },
    {
      id: "rollout",
      cards: [
        [
          "kubectl get pods -n shop -l app=cart",
          "kubectl logs deploy/cart -n shop --tail=5",
          "kubectl rollout history deploy/cart -n shop",
        ],
        [
          "kubectl rollout undo deploy/cart -n shop",
          "kubectl rollout status deploy/cart -n shop --timeout=30s",
          "kubectl get pods -n shop -l app=cart",
        ],
        [],
      ],
      last: `${done}. \`kubectl rollout status deploy/cart -n shop --timeout=30s\` showed \`successfully rolled out\` (3), which the runbook calls healthy.`,
    },
  ])("OFF-1 $id: each act after looking, with its own check, one approval a card, and then the end", async (wanted) => {
    const incident = demo.incidents.find(({ id }) => id === wanted.id);
    if (!incident) throw new Error(`no incident ${wanted.id}`);
    const number = await openIssue(demo.github, demoRepo, { by: "mona", ...incident, labels: [incident.label] });
    const thread = createThread(demo.github, demoRepo, number);
    const played = await play(thread, quiet);
    const { cards, approvals = cards.length - 1, last } = wanted;
    expect(played).toEqual({ cards, approvals, last });

    const before = (await thread.comments()).length;
    await thread.say("lee", "/ask Why did it happen?");
    await quiet();
    const [answer, ...more] = (await thread.comments()).slice(before + 1).map(({ body }) => body);
    expect(more).toEqual([]);
    expect(answer).toContain("That question needs a model.");
    expect(answer).not.toContain("- [ ]");
    await thread.say("lee", "/ask look again");
    await thread.waitFor((body) => body.includes("Look again; these only read."), "checks anew");
    await quiet();
  });
});

it("PA-6 AR-21 a number typed on a phone still stands when the other checks have run, and a step waits for /ask act while one is open", async () => {
  const { playground, close } = await startWith(
    lines(
      "---\nname: disk-full\ndescription: A disk is full. Use when a disk is full or no space is left on the device.\n---",
      "# Disk full\n\n## Verify\n",
      "```sh\ndf -h /var\n# expect: 100%\nuptime\njournalctl -u <unit> -n 3\nsystemctl status <service>\n```\n",
      "## Act\n\n```sh\nlogrotate -f /etc/logrotate.d/checkout\n# check: df -h /var\n```",
    ),
  );
  const thread = await playground.open({ title: "web-1: no space left on device", body: "" });
  const say = async (body: string) => {
    await playground.quiet();
    await thread.say("lee", body);
    await playground.quiet();
    return (await thread.comments()).at(-1)?.body ?? "";
  };
  await say("/fill 2 unit=checkout-api");
  await say("/fill 3 service=checkout-api");
  const card = await say("/approve 1");
  expect(card).toContain(
    "`df -h /var` showed `100%` (1). Some checks are still open; `/ask act` goes on without them.",
  );
  expect(card).toMatch(/^Still open: \*\*4\*\* \(\[card\]\(\S+\)\) · \*\*5\*\* .*\n\n`\/approve 4 5` · /m);
  expect(card).not.toContain("- [ ]");
  expect(card).toMatch(/^- `\/ask a` Next step: logrotate -f /m);
  const step = await say("/ask a");
  expect(step).toMatch(/^- \[ \] \*\*6\*\* · 🟡 medium .*\n[\s\S]*^- \[ \] \*\*7\*\* · 🟢 low /mu);
  // What a person has given a value stays beside the step.
  expect(await say("/approve 2 3")).toContain("superseded");
  expect(await say("/approve 5")).not.toContain("superseded");
  const { db } = playground.bot.deps.store;
  const states = await db.selectFrom("action").select("state").orderBy("number").execute();
  expect(states.map(({ state }) => state)).toEqual([
    "done",
    "superseded",
    "superseded",
    "proposed",
    "done",
    "proposed",
    "proposed",
  ]);
  await close();
});

it("OFF-1 README's first incident: nothing is changed where the disk is healthy, and what changes something is of medium risk", async () => {
  const [skill = ""] = /^---\nname: disk-full[\s\S]*?(?=^````$)/m.exec(readFileSync("README.md", "utf8")) ?? [];
  const { playground, close } = await startWith(skill);
  const checks = ["df -h / /var", "du -xh --max-depth=2 /var 2>/dev/null | sort -rh | head"];

  const healthy = await playground.open({ title: "web-2: no space left on device", body: "" });
  expect(await play(healthy, playground.quiet)).toEqual({
    cards: [checks, []],
    approvals: 1,
    last: "No check shows what the runbook expects of this fault (`100%`), so nothing is changed. If it is healthy: `/close <cause>`. If not: `/ask act`",
  });
  const full = await playground.open({ title: "web-1: no space left on device", body: "" });
  expect(await play(full, playground.quiet)).toEqual({
    cards: [checks, ["logrotate -f /etc/logrotate.conf", "df -h / /var"], []],
    approvals: 2,
    last: done,
  });
  const risks = (await full.comments()).flatMap(({ body }) => body.match(/^- \[x\] \S+ · (\S+ \w+)/gmu) ?? []);
  expect(risks.map((line) => line.split(" ").at(-1))).toEqual(["low", "medium", "low"]);
  await close();
});

/** A bot for the demo's servers that knows one skill. */
async function startWith(skill: string) {
  const sandbox = await startSandbox();
  const folder = mkdtempSync(join(tmpdir(), "countersign-test-"));
  const key_file = join(folder, "ssh_key");
  writeFileSync(key_file, sandbox.privateKey, { mode: 0o600 });
  const servers = Object.fromEntries(
    sandbox.servers.map(({ name, ...rest }) => [name, { ...rest, os: "linux", key_file, host_key: sandbox.hostKey }]),
  );
  const playground = await startPlayground({ servers, files: { ".github/skills/disk-full/SKILL.md": skill } });
  const close = async () => {
    await playground.close();
    await sandbox.close();
    rmSync(folder, { recursive: true });
  };
  return { playground, close };
}
