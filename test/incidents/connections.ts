import type { Incident } from "./engineer.ts";

const states = 'psql -c "select state, count(*) from pg_stat_activity group by 1 order by 2 desc"';
const holders =
  'psql -c "select application_name, state, count(*), max(now() - state_change) as longest from pg_stat_activity group by 1, 2 order by 3 desc limit 5"';
const most = 'psql -c "show max_connections"';
const leaking = "journalctl -u report-worker -n 20";
const stuck = "psql -tAc \"select 'stuck: ' || count(*) from pg_stat_activity where state = 'idle in transaction'\"";
const end =
  "psql -c \"select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'report-worker' and state = 'idle in transaction'\"";
const limit = "psql -c \"alter role report set idle_in_transaction_session_timeout = '60s'\"";
const limits = "psql -c \"select rolname, rolconfig from pg_roles where rolname = 'report'\"";
const restart = "systemctl restart report-worker";
const fatals = "journalctl -u postgresql --since '2 minutes ago' | grep 'too many clients'";

/** A worker leaves transactions open; its sessions are ended, it is started anew, and the role gets a limit. */
export const connections: Incident = {
  name: "connections",
  title: "PostgresqlTooManyConnections on db-1 since 13:20Z",
  body: "PostgreSQL on db-1 uses 97 of 100 connections; carts time out.\n\n```text\nFATAL:  sorry, too many clients already\n```\n\nreport-worker (on app-1) was deployed an hour ago.",
  skill: {
    name: "postgres-too-many-connections",
    text: `---
name: postgres-too-many-connections
description: "Give PostgreSQL its connection slots back. Use for \\"sorry, too many clients already\\", \\"remaining connection slots are reserved\\", or when connections come near max_connections."
metadata:
  service: "postgresql"
  runbook: "https://runbooks.acme.example/postgres-connections"
  alerts: "PostgresqlTooManyConnections"
---

# PostgreSQL: too many connections

## Verify

\`\`\`sh
# what the connections do
${states}
# expect: idle in transaction
# who holds them, and for how long
${holders}
${most}
\`\`\`

- \`${states}\` shows \`idle in transaction\`: end the sessions of whoever holds most of them

## Act (each needs an approval)

\`\`\`sh
# end the sessions that do nothing; their transactions are rolled back
${end}
# check: ${stuck}
# undo: none needed; clients connect again
# keep it from coming back
${limit}
# check: ${limits}
# undo: psql -c "alter role report reset idle_in_transaction_session_timeout"
\`\`\`

## Escalation

The database team, in the channel db-oncall. There is no replica to fail over to.

## Notes

Never restart PostgreSQL for this: it takes minutes, and the connections are back at once. Look at the client that leaks and restart that one.
`,
  },
  servers: { "db-1": "PostgreSQL 15, primary", "app-1": "report-worker and other jobs" },
  machines: (ran) => ({
    [states]:
      "        state        | count\n---------------------+-------\n idle in transaction |    78\n idle                |    13\n active              |     6\n(3 rows)\n",
    [stuck]: ran(end) ? "stuck: 0\n" : "stuck: 78\n",
    [holders]:
      " application_name |        state        | count |     longest\n------------------+---------------------+-------+-----------------\n report-worker    | idle in transaction |    78 | 00:51:09.420118\n cart             | idle                |    13 | 00:00:04.118\n cart             | active              |     6 | 00:00:00.2\n(3 rows)\n",
    [most]: " max_connections\n-----------------\n 100\n(1 row)\n",
    [leaking]:
      "Nov 23 13:51:10 app-1 report-worker[5120]: pool: opened connection 78, 0 returned\nNov 23 13:51:40 app-1 report-worker[5120]: pool: cannot open connection 79: FATAL: sorry, too many clients already\n",
    [end]: " pg_terminate_backend\n----------------------\n t\n t\n(78 rows)\n",
    [limit]: "ALTER ROLE\n",
    [limits]: ran(limit)
      ? " rolname |                rolconfig\n---------+------------------------------------------\n report  | {idle_in_transaction_session_timeout=60s}\n(1 row)\n"
      : " rolname | rolconfig\n---------+-----------\n report  |\n(1 row)\n",
    [restart]: "",
    [fatals]: { exit: 1, out: "" },
  }),
  files: () => ({
    "/etc/report-worker/env": "DB_HOST=db-1\nDB_USER=report\nPOOL_MAX=0\n",
    "/etc/postgresql/15/main/postgresql.conf": "max_connections = 100\n#idle_in_transaction_session_timeout = 0\n",
  }),
  forms: (ran) => [
    [/^psql .*pg_terminate_backend/, { as: end }],
    [
      /^psql .*alter (?:role|user) report .*idle_in_transaction_session_timeout|^psql .*alter (?:system|database) .*idle_in_transaction_session_timeout/i,
      { as: limit },
    ],
    [/^psql .*pg_reload_conf/, " pg_reload_conf\n----------------\n t\n(1 row)\n"],
    [/^systemctl restart report-worker(?:\.service)?$/, { as: restart }],
    [/^psql .*(?:pg_roles|rolconfig|pg_db_role_setting)/, { as: limits }],
    [/^psql .*show max_connections|^psql .*max_connections/i, { as: most }],
    [
      /^psql .*show idle_in_transaction/i,
      " idle_in_transaction_session_timeout\n-------------------------------------\n 0\n(1 row)\n",
    ],
    [
      /^psql .*pg_stat_activity.*application_name|^psql .*application_name.*pg_stat_activity/,
      ran(end)
        ? " application_name | state  | count |  longest\n------------------+--------+-------+----------\n cart             | idle   |    13 | 00:00:04\n cart             | active |     6 | 00:00:00\n report-worker    | idle   |     4 | 00:00:02\n"
        : { as: holders },
    ],
    [
      /^psql -\w*t\w* .*'stuck|^psql .*count\(\*\).*idle in transaction/,
      ran(end) ? " count\n-------\n     0\n(1 row)\n" : " count\n-------\n    78\n(1 row)\n",
    ],
    [
      /^psql .*pg_stat_activity.*(?:usename|client_addr|query)/,
      ran(end)
        ? "(0 rows)\n"
        : "  usename |     state           | client_addr | query                        | age\n report   | idle in transaction | 10.0.2.7    | SELECT * FROM orders WHERE … | 00:51:09\n(78 rows)\n",
    ],
    [
      /^psql .*pg_stat_activity/,
      ran(end)
        ? "        state        | count\n---------------------+-------\n idle                |    17\n active              |     6\n(2 rows)\n"
        : { as: states },
    ],
    [/^psql .*pg_locks/, " relation | mode | granted\n(0 rows)\n"],
    [/^pg_isready/, "/var/run/postgresql:5432 - accepting connections\n"],
    [
      /^systemctl (?:status|show|is-active).*report-worker/,
      `● report-worker.service - Reports\n     Active: active (running) since Mon ${ran(restart) ? "14:31:02" : "12:20:11"} UTC\n`,
    ],
    [
      /^systemctl (?:status|show|is-active).*postgres/,
      "● postgresql.service\n     Active: active (exited) since Mon 2026-11-02 04:00:01 UTC\n",
    ],
    [
      /^journalctl .*report-worker.*(?:[1-5]) ?min/,
      ran(restart)
        ? "Nov 23 14:31:09 app-1 report-worker[7110]: pool: opened connection 4, 3 returned\n"
        : { as: leaking },
    ],
    [/^journalctl .*report-worker/, { as: leaking }],
    [
      /^journalctl .*postgres.*(?:[1-5]) ?min/,
      ran(end) ? "-- No entries --\n" : "Nov 23 13:52:02 db-1 postgres[901]: FATAL:  sorry, too many clients already\n",
    ],
    [
      /^journalctl .*postgres/,
      "Nov 23 13:20:02 db-1 postgres[901]: FATAL:  sorry, too many clients already\nNov 23 13:52:02 db-1 postgres[901]: FATAL:  sorry, too many clients already\n",
    ],
    [
      /^(?:tail|grep|ls) .*\/var\/log\/postgresql/,
      "2026-11-23 13:52:02 UTC [901] FATAL:  sorry, too many clients already\n",
    ],
    [/^ss\b/, "ESTAB 0 0 10.0.2.7:51022 10.0.2.5:5432\n"],
    [/^(?:ls|cat) .*\/(?:opt|etc)\/report-worker/, "env\n"],
  ],
  isSolved: (ran) => ran(end) && ran(limit, restart),
  guess: "somebody holds connections of db-1 without using them; report-worker was deployed shortly before.",
  steps: [
    {
      command: states,
      title: "What the connections do",
      why: "Shows how many connections work and how many only stand there.",
      says: "what the connections do",
    },
    {
      command: holders,
      title: "Who holds them",
      why: "Shows which application holds most connections, and for how long.",
      says: "that report-worker holds 78 in open transactions, for up to 51 minutes",
    },
    {
      command: most,
      title: "How many there may be",
      why: "Shows the limit that the 97 stand against.",
      says: "that 100 are allowed",
    },
    {
      on: "app-1",
      command: leaking,
      title: "What report-worker says",
      why: "Shows whether the worker gives connections back, before its sessions are ended.",
      says: "that report-worker has opened 78 and returned none",
    },
    {
      after: "0 returned",
      change: [
        {
          command: end,
          title: "End the idle transactions",
          why: "Ends the 78 sessions of report-worker that do nothing; their transactions are rolled back, reports are made again.",
          risk: "medium",
          says: "78 sessions ended",
        },
      ],
      check: {
        command: stuck,
        title: "Idle transactions now",
        why: "Shows whether the slots are free again.",
        says: "how many idle transactions are left",
        shows: "stuck: 0",
      },
    },
    {
      after: "0 returned",
      change: [
        {
          command: limit,
          title: "Limit idle transactions of report",
          why: "Lets PostgreSQL end what stands idle for a minute; undo with alter role report reset. It holds for new sessions.",
          risk: "medium",
        },
        {
          on: "app-1",
          command: restart,
          title: "Restart report-worker",
          why: "Starts the worker anew, so that its sessions have the limit; reports wait for some seconds.",
          risk: "medium",
        },
      ],
      check: {
        command: limits,
        title: "The limit of the role",
        why: "Shows whether the limit stands.",
        says: "that the limit of a minute stands",
        shows: "idle_in_transaction_session_timeout=60s",
      },
    },
    {
      command: fatals,
      title: "Any client turned away since",
      why: "Looks for refused clients in the last two minutes; no match means there are none.",
      says: "no match, so no client was turned away since",
    },
  ],
  cause: "report-worker never returns its connections",
};
