import { readFileSync } from "node:fs";
import type { Activity } from "../emulator/interface.ts";
import { faultTime, shortTime } from "./fault-time.ts";

/** An incident a visitor may open with one click. */
export interface DemoIncident {
  readonly id: "full-disk" | "connections" | "certificate" | "rollout" | "memory";
  /** What the button says. */
  readonly choice: string;
  readonly title: string;
  readonly body: string;
  readonly label: string;
}

const label = "incident";

/** What happened in the repository of the shop's checkout before its incidents, by the same clock. */
export const changesBefore = (startedAt: Date): Activity => {
  const before = (minutes: number): string =>
    new Date(faultTime(startedAt).getTime() - minutes * 60_000).toISOString().replace(/\.\d+/, "");
  return {
    merged: [{ number: 412, title: "Log each cart at debug level", by: "sam", at: before(31) }],
    deployments: [
      { environment: "production", ref: "1a2b3c", by: "sam", at: before(4), state: "SUCCESS" },
      { environment: "staging", ref: "1a2b3c", by: "sam", at: before(24), state: "SUCCESS" },
    ],
    releases: [{ tag: "checkout-worker 2.8.0", by: "lee", at: before(48) }],
    runs: [
      {
        name: "load test",
        title: "Log each cart at debug level",
        branch: "main",
        by: "sam",
        at: before(19),
        conclusion: "failure",
      },
    ],
  };
};

/** The choice of five; their times agree with the logs of a sandbox started at the same moment. */
export const createIncidents = (startedAt: Date): readonly DemoIncident[] => {
  const since = shortTime(faultTime(startedAt));
  const tomorrow = new Date(startedAt.getTime() + 21 * 3_600_000).toISOString().slice(0, 16).replace("T", " ");
  return [
    {
      id: "full-disk",
      choice: "checkout-api is down: a full disk on web-1",
      title: `checkout-api: 5xx above 5 % on web-1 since ${since}`,
      body: [
        "Started right after deploy 1a2b3c. PagerDuty is paging every 5 minutes.",
        "",
        "The last lines of the log on web-1:",
        "",
        "```text",
        "checkout-api[311]: write /var/lib/checkout/wal: No space left on device",
        "systemd[1]: checkout-api.service: Failed with result 'exit-code'.",
        "```",
      ].join("\n"),
      label,
    },
    {
      id: "connections",
      choice: "PostgreSQL refuses connections on db-1",
      title: `PostgresqlTooManyConnections on db-1 since ${since}`,
      body: [
        "PostgreSQL on db-1 uses 97 of 100 connections; carts time out.",
        "",
        "```text",
        "FATAL:  sorry, too many clients already",
        "FATAL:  remaining connection slots are reserved for non-replication superuser connections",
        "```",
        "",
        "checkout-worker was deployed an hour ago.",
      ].join("\n"),
      label,
    },
    {
      id: "certificate",
      choice: "The shop's certificate on web-2 ends tomorrow",
      title: "BlackboxSslCertificateWillExpireSoon: shop.acme.example on web-2",
      body: `The SSL certificate of https://shop.acme.example expires in less than a day (${tomorrow} UTC), instance web-2.\n\nIt should have been renewed weeks ago.`,
      label,
    },
    {
      id: "rollout",
      choice: "A bad rollout: the cart on prod-eu is in a crash loop",
      title: `KubePodCrashLooping: cart on prod-eu since ${since}`,
      body: [
        "All pods of cart in namespace shop restart again and again since release 2.4.1 was rolled out. Carts answer 503.",
        "",
        "```text",
        "Back-off restarting failed container cart",
        "```",
      ].join("\n"),
      label,
    },
    {
      id: "memory",
      choice: "A fix in Git: pricing on prod-eu is killed for its memory",
      title: `KubeContainerOOMKilled: pricing on prod-eu since ${since}`,
      body: [
        "Both pods of pricing in namespace shop are killed while they load the new price list. The shop shows no prices.",
        "",
        "```text",
        "Last State: Terminated, Reason: OOMKilled, Exit Code: 137",
        "```",
      ].join("\n"),
      label,
    },
  ];
};

const agentsMd = `# Acme on call

## What runs where

- \`web-1\`: checkout-api (port 8080) behind nginx. Orders wait in \`/var/lib/checkout/wal\`: never delete or move that file.
- \`web-2\`: the shop front end, nginx with a Let's Encrypt certificate.
- \`prod-eu\`: Kubernetes; namespace \`shop\` has cart and pricing. It is deployed from \`acme/infra\`. What a rollout broke is undone first and understood later.
- \`db-1\`: PostgreSQL 15, the only primary. There is no replica to fail over to.

## How we work

- Look before you change anything: unit, log, disk, in this order.
- Restart one thing at a time and check \`curl -s localhost:8080/health\` on web-1 afterwards.
- Deploys on web-1 and web-2 are rolled back by the release team, not by hand.
`;

const rulesMd = `- Between 22:00Z and 06:00Z propose no restart of a database.
- Name the unit and the server in the first sentence.
`;

const skills = [
  "checkout-api-5xx",
  "postgres-too-many-connections",
  "tls-certificate-expiring",
  "rollout-crash-loop",
] as const;

/** The files of the demo's repository: path → text. */
export const repositoryFiles = (): Readonly<Record<string, string>> => ({
  "README.md": "# oncall\n\nIncidents of acme. Open an issue with the label `incident`.\n",
  "AGENTS.md": agentsMd,
  ".github/countersign/rules.md": rulesMd,
  ".github/countersign/workflows/morning-look.yml": readFileSync(
    new URL("./workflows/morning-look.yml", import.meta.url),
    "utf8",
  ),
  ...Object.fromEntries(
    skills.map((name) => [
      `.github/skills/${name}/SKILL.md`,
      readFileSync(new URL(`./skills/${name}/SKILL.md`, import.meta.url), "utf8"),
    ]),
  ),
});
