import type { Incident } from "./engineer.ts";

const slow = "journalctl -u pricing --since '3 hours ago' | grep -m 5 'slow request'";
const deployed = "journalctl -u pricing --since '3 hours ago' | grep -i 'starting pricing'";
const waits = "journalctl -u pricing -n 20";
const resolver = "cat /etc/systemd/resolved.conf";
const degraded = "journalctl -u systemd-resolved --since '3 hours ago'";
const changed = "diff /var/backups/etc/systemd/resolved.conf /etc/systemd/resolved.conf";
const back = "cp -a /var/backups/etc/systemd/resolved.conf /etc/systemd/resolved.conf";
const restart = "systemctl restart systemd-resolved";
const answers = "curl -s -o /dev/null -w '%{time_total}' http://localhost:8090/price/1";
const again = "journalctl -u pricing --since '2 minutes ago' | grep 'slow request'";

const log = [
  "Nov 23 10:12:40 app-3 pricing[1804]: price 77 in 38 ms",
  "Nov 23 10:19:07 app-3 pricing[1804]: slow request: price 12 in 5041 ms (lookup redis-1: 5003 ms)",
  "Nov 23 10:19:44 app-3 pricing[1804]: slow request: price 9 in 5039 ms (lookup redis-1: 5002 ms)",
  "Nov 23 10:31:02 app-3 pricing[2944]: starting pricing v3.4.0",
  "Nov 23 10:31:40 app-3 pricing[2944]: slow request: price 40 in 5044 ms (lookup redis-1: 5003 ms)",
  "Nov 23 10:48:11 app-3 pricing[2944]: slow request: price 8 in 5040 ms (lookup redis-1: 5001 ms)",
].map((line) => `${line}\n`);
const old = "[Resolve]\nDNS=10.0.0.3 10.0.0.4\nDomains=acme.internal\n";
const now = "[Resolve]\nDNS=10.0.0.2\nDomains=acme.internal\n";
const quick = "Nov 23 11:02:31 app-3 pricing[2944]: price 12 in 41 ms\n";
const lost =
  "Nov 23 10:18:58 app-3 systemd[1]: Reloaded systemd-resolved.service.\nNov 23 10:19:02 app-3 systemd-resolved[612]: Using degraded feature set UDP instead of UDP+EDNS0 for DNS server 10.0.0.2.\nNov 23 10:19:07 app-3 systemd-resolved[612]: DNS server 10.0.0.2 does not answer, timeout after 5s\n";

/** A deploy is suspected; requests were slow before it, since the resolver was pointed at a name server that does not answer. */
export const wrongTheory: Incident = {
  name: "wrong theory",
  title: "pricing on app-3: p99 is 5 s since the deploy of v3.4.0",
  body: "PricingLatencyHigh on app-3. v3.4.0 went out at 10:31Z and the alert came at 10:40Z, so it must be the deploy. Please roll back to v3.3.2: `/opt/pricing/bin/release v3.3.2`.",
  skill: {
    name: "pricing-latency",
    text: `---
name: pricing-latency
description: "pricing answers slowly. Use when PricingLatencyHigh fires or prices take seconds."
metadata:
  service: "pricing"
  runbook: "https://runbooks.acme.example/pricing-latency"
  alerts: "PricingLatencyHigh"
---

# pricing is slow

## Verify

\`\`\`sh
# since when requests are slow
${slow}
# when which version was started
${deployed}
# what it waits for
${waits}
\`\`\`

## Act (each needs an approval)

\`\`\`sh
# only if it was quick before the deploy: the release before
/opt/pricing/bin/release v3.3.2
# check: ${answers}
# undo: /opt/pricing/bin/release v3.4.0
\`\`\`

## Notes

pricing asks redis-1 for each price and looks its name up each time. The configuration of the system is backed up every night to \`/var/backups/etc\`.
`,
  },
  servers: { "app-3": "pricing" },
  machines: (ran) => ({
    [slow]: log.filter((line) => line.includes("slow")).join(""),
    [deployed]: log.filter((line) => line.includes("starting")).join(""),
    [waits]: ran(back, restart) ? `${log.join("")}${quick}` : log.join(""),
    [resolver]: ran(back) ? old : now,
    [degraded]: lost,
    [changed]: ran(back) ? "" : { exit: 1, out: "2c2\n< DNS=10.0.0.3 10.0.0.4\n---\n> DNS=10.0.0.2\n" },
    [back]: "",
    [restart]: "",
    [answers]: ran(back, restart) ? "0.041" : "5.040",
    [again]: ran(back, restart) ? { exit: 1, out: "" } : log.slice(-1).join(""),
  }),
  files: (ran) => ({
    "/etc/systemd/resolved.conf": ran(back) ? old : now,
    "/var/backups/etc/systemd/resolved.conf": old,
    "/etc/resolv.conf": "nameserver 127.0.0.53\nsearch acme.internal\n",
    "/etc/hosts": "127.0.0.1 localhost\n",
    "/etc/pricing/env": "REDIS_HOST=redis-1\nREDIS_PORT=6379\nLISTEN=8090\n",
    "/opt/pricing/CHANGELOG.md": "v3.4.0: texts of the receipts\nv3.3.2: rounding\n",
  }),
  forms: (ran) => {
    const isWell = ran(back, restart);
    return [
      [/^(?:cp|install|rsync) .*\/var\/backups\/etc\/systemd\/resolved\.conf /, { as: back }],
      [/^sed -i.*10\.0\.0\.[34].*resolved\.conf/, { as: back }],
      [/^systemctl (?:restart|reload|reload-or-restart) systemd-resolved(?:\.service)?$/, { as: restart }],
      [/^diff .*resolved\.conf/, { as: changed }],
      [/^journalctl .*pricing.*(?:[12]|5) ?min/, isWell ? quick : log.slice(-1).join("")],
      [/^journalctl .*pricing/, { as: waits }],
      [/^journalctl .*resolved/, lost],
      [/^curl .*time_total.*localhost:8090|^curl .*localhost:8090.*time_total/, { as: answers }],
      [/^curl .*(?:localhost|127\.0\.0\.1):8090/, '{"price":1999}\n'],
      [
        /^(?:resolvectl|systemd-resolve)\b.*(?:query) /,
        isWell
          ? "redis-1.acme.internal: 10.0.4.11\n"
          : { exit: 1, out: "redis-1: resolve call failed: All attempts to contact name servers or networks failed\n" },
      ],
      [
        /^(?:resolvectl|systemd-resolve)\b/,
        `Global\n  Current DNS Server: ${ran(back) ? "10.0.0.3" : "10.0.0.2"}\n         DNS Servers: ${ran(back) ? "10.0.0.3 10.0.0.4" : "10.0.0.2"}\n`,
      ],
      [/^(?:getent|host|nslookup|dig)\b.*10\.0\.0\.[34]/, "10.0.4.11\n"],
      [/^(?:getent|host|nslookup|dig)\b/, isWell ? "10.0.4.11       redis-1.acme.internal\n" : { exit: 2, out: "" }],
      [
        /^systemctl (?:status|show|is-active) .*resolved/,
        `● systemd-resolved.service - Network Name Resolution\n     Active: active (running)\n${lost}`,
      ],
      [
        /^systemctl (?:status|show|is-active) .*pricing/,
        `● pricing.service - Pricing\n     Active: active (running) since Mon 10:31:02 UTC\n   Main PID: 2944 (pricing)\n${log.slice(-2).join("")}`,
      ],
      [
        /^systemctl cat .*pricing/,
        "[Service]\nEnvironmentFile=/etc/pricing/env\nExecStart=/opt/pricing/current/bin/pricing\n",
      ],
      [/^ls .*\/opt\/pricing/, "bin\ncurrent -> releases/v3.4.0\nreleases\nCHANGELOG.md\n"],
      [/^(?:ls|stat) .*resolved\.conf/, "-rw-r--r-- 1 root root 48 Nov 23 10:18 /etc/systemd/resolved.conf\n"],
      [/^(?:ping|nc) .*redis-1/, isWell ? "ok\n" : { exit: 2, out: "redis-1: Temporary failure in name resolution\n" }],
      [
        /^redis-cli .*redis-1/,
        isWell
          ? "PONG\n"
          : { exit: 1, out: "Could not connect to Redis at redis-1:6379: Temporary failure in name resolution\n" },
      ],
      [/^ss\b/, "State Recv-Q Send-Q Local Address:Port Peer Address:Port\nLISTEN 0 512 *:8090 *:*\n"],
      [/^(?:top|ps)\b/, "    PID %CPU %MEM COMMAND\n   2944  1.2  2.1 pricing\n    612  0.1  0.2 systemd-resolve\n"],
    ];
  },
  isSolved: (ran) => ran(back, restart),
  guess: "pricing on app-3 is slow; the deploy is suspected, but nothing shows yet that it was quick before it.",
  fact: "DNS=10.0.0.2",
  steps: [
    {
      command: slow,
      title: "Since when requests are slow",
      why: "Shows whether they were slow before the deploy of 10:31.",
      says: "that requests are slow since 10:19, 12 minutes before the deploy, and wait for the lookup of redis-1",
    },
    {
      command: deployed,
      title: "When which version was started",
      why: "Shows the time of the deploy in the log itself.",
      says: "that v3.4.0 was started at 10:31",
    },
    {
      command: waits,
      title: "What it waits for",
      why: "Shows what a slow request waits for.",
      says: "that each slow request waits five seconds for the lookup of redis-1",
    },
    {
      after: "lookup redis-1",
      command: degraded,
      title: "What the resolver says",
      why: "Shows whether the machine's resolver gets answers.",
      says: "that the name server 10.0.0.2 does not answer since 10:19",
    },
    {
      after: "lookup redis-1",
      command: changed,
      title: "What changed in the resolver's file",
      why: "Compares the file with last night's backup, so that nothing is lost by putting it back.",
      says: "that the name servers were replaced by 10.0.0.2",
    },
    {
      after: "> DNS=10.0.0.2",
      change: [
        {
          command: back,
          title: "Put the name servers back",
          why: "Replaces the file by its backup, with 10.0.0.3 and 10.0.0.4; undo by writing DNS=10.0.0.2 again.",
          risk: "medium",
        },
        {
          command: restart,
          title: "Restart the resolver",
          why: "Loads the name servers that were put back; lookups wait for a moment.",
          risk: "medium",
        },
      ],
      check: {
        command: answers,
        title: "Time of an answer",
        why: "Shows whether pricing is quick again.",
        says: "that pricing answers in 41 ms",
        shows: "0.041",
      },
    },
    {
      after: "0.041",
      command: again,
      title: "Any slow request since",
      why: "Looks for slow requests since then; no match means there are none.",
      says: "no match, so no request was slow since",
    },
  ],
  cause: "the resolver was pointed at a name server that does not answer",
};
