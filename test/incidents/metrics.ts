import type { Incident } from "./engineer.ts";

const errors = 'query_range \'sum(rate(http_requests_total{job="search",code=~"5.."}[5m]))\' --since 6h';
const open = "query_range 'process_open_fds{job=\"search\"}' --since 6h";
const logged = "journalctl -u search -n 20";
const limit = "systemctl show search -p LimitNOFILE -p MainPID -p ActiveEnterTimestamp";
const file = "cat /etc/systemd/system/search.service.d/limits.conf";
const raise = "sed -i 's/^LimitNOFILE=1024$/LimitNOFILE=65536/' /etc/systemd/system/search.service.d/limits.conf";
const load = "systemctl daemon-reload";
const restart = "systemctl restart search";
const health = "curl -fsS http://localhost:9200/health";
const again = "journalctl -u search --since '2 minutes ago' | grep -i 'too many open files'";

const lines =
  "Nov 23 12:02:10 app-6 search[1881]: accept: too many open files\nNov 23 12:02:11 app-6 search[1881]: open /var/lib/search/seg-204: too many open files\nNov 23 12:02:11 app-6 search[1881]: GET /q 503\n";
const conf = (ran: boolean) => `[Service]\nLimitNOFILE=${ran ? "65536" : "1024"}\n`;

/** A graph shows that open files have climbed to their limit, from when on requests fail. */
export const metricsAlert: Incident = {
  name: "metrics",
  title: "SearchErrorRateHigh: search on app-6 answers 5xx for 4 % of requests",
  body: 'SearchErrorRateHigh, firing for 20 minutes. Metrics of app-6 are in prom (`http_requests_total`, `process_open_fds`, both with `job="search"`). The index was split into more segments this morning.',
  skill: {
    name: "search-error-rate",
    text: `---
name: search-error-rate
description: "search answers 5xx. Use when SearchErrorRateHigh fires."
metadata:
  service: "search"
  runbook: "https://runbooks.acme.example/search-error-rate"
  alerts: "SearchErrorRateHigh"
---

# search answers 5xx

## Verify

\`\`\`sh
# on app-6: what it says
${logged}
# on app-6: its limits
${limit}
\`\`\`

## Act (each needs an approval)

\`\`\`sh
# on app-6
${restart}
# check: ${health}
# undo: none needed
\`\`\`

## Notes

A restart alone helps for some hours when something climbs: look at the graphs of prom first. Limits are in \`/etc/systemd/system/search.service.d/limits.conf\`; systemd reads them after a daemon-reload, search after its restart.
`,
  },
  servers: { "app-6": "search" },
  metrics: (expression, ran) => {
    const isWell = ran(raise, load, restart);
    const labels = { job: "search", instance: "app-6:9100" };
    if (/process_open_fds/.test(expression))
      return [
        {
          labels,
          at: (ago) => (isWell && ago < 1 ? 260 : Math.round(Math.min(1024, Math.max(240, 1024 - (ago - 90) * 3)))),
        },
      ];
    if (/process_max_fds/.test(expression)) return [{ labels, at: () => (isWell ? 65536 : 1024) }];
    if (/http_requests_total/.test(expression) && /5\.\.|5xx|50\d/.test(expression))
      return [
        {
          labels: { job: "search" },
          at: (ago) => (isWell && ago < 1 ? 0 : ago > 90 ? 0 : 3.8 + (Math.round(ago) % 5) / 10),
        },
      ];
    if (/http_requests_total/.test(expression))
      return [{ labels: { job: "search" }, at: (ago) => 96 + (Math.round(ago) % 7) }];
    if (/^up\b|up\{/.test(expression)) return [{ labels, at: () => 1 }];
    if (/memory|cpu|load/.test(expression)) return [{ labels, at: () => 0.4 }];
    return [];
  },
  machines: (ran) => {
    const isWell = ran(raise, load, restart);
    return {
      [logged]: isWell ? `${lines}Nov 23 12:20:31 app-6 search[2950]: listening on 9200\n` : lines,
      [limit]: `LimitNOFILE=${isWell ? 65536 : 1024}\nMainPID=${isWell ? 2950 : 1881}\nActiveEnterTimestamp=Mon 2026-11-23 ${isWell ? "12:20:31" : "06:00:07"} UTC\n`,
      [file]: conf(ran(raise)),
      [raise]: "",
      [load]: "",
      [restart]: "",
      [health]: isWell
        ? '{"status":"green"}\n'
        : { exit: 22, out: "curl: (22) The requested URL returned error: 503\n" },
      [again]: isWell ? { exit: 1, out: "" } : lines,
    };
  },
  files: (ran) => ({
    "/etc/systemd/system/search.service.d/limits.conf": conf(ran(raise)),
    "/etc/systemd/system/search.service": "[Service]\nExecStart=/opt/search/bin/search\n",
    "/proc/1881/limits":
      "Limit                     Soft Limit           Hard Limit           Units\nMax open files            1024                 1024                 files\n",
    "/proc/2950/limits":
      "Limit                     Soft Limit           Hard Limit           Units\nMax open files            65536                65536                files\n",
  }),
  forms: (ran) => {
    const isWell = ran(raise, load, restart);
    return [
      [/^sed -i.*LimitNOFILE=\d+.*limits\.conf/, { as: raise }],
      [/^systemctl (?:edit|set-property) .*search.*LimitNOFILE/, { as: raise }],
      [/^systemctl restart search(?:\.service)?$/, { as: restart }],
      [/^systemctl show .*search/, { as: limit }],
      [
        /^systemctl (?:status|is-active).*search/,
        `● search.service - Search\n     Active: active (running)\n   Main PID: ${isWell ? 2950 : 1881} (search)\n${isWell ? "" : lines}`,
      ],
      [
        /^systemctl cat .*search/,
        `# /etc/systemd/system/search.service\n[Service]\nExecStart=/opt/search/bin/search\n# /etc/systemd/system/search.service.d/limits.conf\n${conf(ran(raise))}`,
      ],
      [
        /^journalctl .*search.*(?:[125]) ?min/,
        isWell ? "Nov 23 12:20:31 app-6 search[2950]: listening on 9200\n" : lines,
      ],
      [/^journalctl .*search/, { as: logged }],
      [/^curl .*(?:localhost|127\.0\.0\.1):9200/, { as: health }],
      [/^(?:pgrep|pidof)/, `${isWell ? 2950 : 1881}\n`],
      [
        /^(?:lsof|ls .*\/proc\/\d+\/fd)/,
        Array.from(
          { length: isWell ? 260 : 1024 },
          (_, at) => `search ${isWell ? 2950 : 1881} search ${at}r REG 254,2 /var/lib/search/seg-${at}\n`,
        ).join(""),
      ],
      [/^ls .*\/var\/lib\/search/, Array.from({ length: 880 }, (_, at) => `seg-${at}\n`).join("")],
      [/^ss\b/, "State Recv-Q Send-Q Local Address:Port Peer Address:Port\nLISTEN 129 128 *:9200 *:*\n"],
      [/^(?:top|ps)\b/, "    PID %CPU %MEM COMMAND\n   1881 21.0 11.2 search\n"],
    ];
  },
  isSolved: (ran) => ran(raise, load, restart),
  guess: "search on app-6 fails for some requests; a graph will show since when, and what climbed.",
  steps: [
    {
      on: "prom",
      command: errors,
      title: "Rate of 5xx",
      why: "Shows since when requests fail.",
      says: "since when requests fail",
    },
    {
      on: "prom",
      command: open,
      title: "Open files",
      why: "Shows whether open files climbed before.",
      says: "that open files climbed to 1024 and stay there",
    },
    {
      command: logged,
      title: "What search says",
      why: "Shows what a failing request fails with.",
      says: "too many open files",
    },
    {
      command: limit,
      title: "Its limit",
      why: "Shows the limit that the process has.",
      says: "the limit of open files",
    },
    {
      command: file,
      title: "Where the limit is set",
      why: "Shows the file that sets it.",
      says: "the limit that is set",
    },
    {
      after: "LimitNOFILE=1024",
      change: [
        {
          command: raise,
          title: "Raise the limit",
          why: "Sets the limit of open files to 65,536; undo by setting 1024. It holds from the restart on.",
          risk: "medium",
        },
        {
          command: load,
          title: "Have systemd read it",
          why: "Lets systemd read the changed file; nothing is restarted by it.",
          risk: "medium",
        },
        {
          command: restart,
          title: "Restart search",
          why: "Starts search with the new limit; for some seconds no search is answered.",
          risk: "medium",
        },
      ],
      check: {
        command: health,
        title: "Health of search",
        why: "Shows whether search answers again.",
        says: "that search is green",
        shows: '"status":"green"',
      },
    },
    {
      after: '"status":"green"',
      command: again,
      title: "Any refused file since",
      why: "Looks for the error since the restart; no match means it is gone.",
      says: "no match, so the limit is not hit",
    },
  ],
  cause: "the limit of 1,024 open files was too small for the split index",
};
