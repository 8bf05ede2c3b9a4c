import type { Incident } from "./engineer.ts";

const on = "web-1";
const unit = "systemctl status checkout-api";
const errors = "journalctl -u checkout-api -p err -n 20";
const disk = "df -h /var";
const deleted = "lsof -nP +L1";
const level = "grep -n level /etc/checkout/logging.yml";
const quieter = "sed -i 's/level: debug/level: info/' /etc/checkout/logging.yml";
const rotate = "logrotate -f /etc/logrotate.d/checkout";
const restart = "systemctl restart checkout-worker checkout-api";
const health = "curl -fsS localhost:8080/health";
const after = "journalctl -u checkout-api --since '2 minutes ago' | grep -i 'no space left'";

/** The log level was left on debug; what was rotated away is still held open, so that only a restart frees it. */
export const fullDisk: Incident = {
  name: "full disk",
  title: "checkout-api: 5xx above 5 % on web-1 since 13:58Z",
  body: "Started after deploy 1a2b3c.\n\n```text\ncheckout-api[311]: write /var/lib/checkout/wal: No space left on device\nsystemd[1]: checkout-api.service: Failed with result 'exit-code'.\n```",
  skill: {
    name: "checkout-api-5xx",
    text: `---
name: checkout-api-5xx
description: "Bring checkout-api back when it answers 5xx or does not start. Use when checkout-api returns 5xx or 502, when the unit checkout-api has failed, or when its log says \\"no space left on device\\"."
metadata:
  service: "checkout-api"
  runbook: "https://runbooks.acme.example/checkout-api-5xx"
  alerts: "CheckoutApiHigh5xx, HostOutOfDiskSpace"
---

# checkout-api 5xx

nginx answers 502 when checkout-api is down. The service stops when it cannot write its write-ahead log in
\`/var/lib/checkout\`, and the usual reason is the debug log on the same volume.

## Verify

\`\`\`sh
${unit}
# what the service logged
${errors}
${disk}
# expect: 100%
\`\`\`

- \`${unit}\` shows \`Active: failed\`: \`${restart}\`
- \`${health}\` shows \`"status":"ok"\`: healthy

## Act (each needs an approval)

\`\`\`sh
# rotate the debug log now
${rotate}
# check: ${disk}
# undo: none; what was rotated away is gone, and nobody needs it
# free what is deleted and held open, and start the service again
${restart}
# check: ${health}
# undo: systemctl stop checkout-api
\`\`\`

## Notes

A deleted log that the service holds open keeps its blocks until the restart: \`lsof +L1\` shows it. The level is in
\`/etc/checkout/logging.yml\` and belongs on info. Never touch \`/var/lib/checkout/wal\`: it holds orders that are not yet in the database.
`,
  },
  servers: { [on]: "checkout-api behind nginx" },
  machines: (ran) => ({
    [unit]: ran(restart)
      ? "● checkout-api.service - Checkout API\n     Active: active (running) since Mon 14:31:08 UTC; 9s ago\n"
      : {
          exit: 3,
          out: "× checkout-api.service - Checkout API\n     Active: failed (Result: exit-code) since Mon 13:58:04 UTC; 14min ago\n   Main PID: 311 (code=exited, status=1/FAILURE)\n",
        },
    [errors]:
      "Nov 23 13:58:01 web-1 checkout-api[311]: write /var/lib/checkout/wal: No space left on device\nNov 23 13:58:04 web-1 checkout-api[311]: fatal: cannot append to the write-ahead log\n",
    [disk]: `Filesystem      Size  Used Avail Use% Mounted on\n/dev/vda2        40G  ${ran(restart) ? "9.1G   29G  25%" : "40G     0 100%"} /var\n`,
    [deleted]:
      "COMMAND    PID USER     FD  TYPE DEVICE    SIZE/OFF NLINK   NODE NAME\ncheckout-w 877 checkout 14w REG   254,2 33285996544     0 393301 /var/log/checkout/debug.log.1 (deleted)\n",
    [level]: ran(quieter) ? "3:level: info\n" : "3:level: debug\n",
    [quieter]: "",
    [rotate]: "",
    worker: "",
    [restart]: "",
    [health]: ran(restart)
      ? '{"status":"ok","disk_free":"29G"}\n'
      : { exit: 7, out: "curl: (7) Failed to connect to localhost port 8080: Connection refused\n" },
    [after]: { exit: 1, out: "" },
  }),
  files: (ran) => ({
    "/etc/checkout/logging.yml": `version: 1\nhandlers: [file]\nlevel: ${ran(quieter) ? "info" : "debug"}\nfile: /var/log/checkout/debug.log\n`,
    "/var/backups/etc/checkout/logging.yml":
      "version: 1\nhandlers: [file]\nlevel: info\nfile: /var/log/checkout/debug.log\n",
    "/etc/logrotate.d/checkout": "/var/log/checkout/*.log {\n  daily\n  rotate 3\n  missingok\n}\n",
  }),
  forms: (ran) => [
    [
      /^sed -i.*level:.*(?:info|warn).*logging\.yml|^cp .*\/var\/backups\/etc\/checkout\/logging\.yml /,
      { as: quieter },
    ],
    [/^systemctl restart (?=.*checkout-worker)(?=.*checkout-api)/, { as: restart }],
    [/^systemctl restart checkout-worker(?:\.service)?$/, ran("worker") ? "" : { as: "worker" }],
    [
      /^systemctl (?:restart|start) checkout-api(?:\.service)?$/,
      ran("worker")
        ? { as: restart }
        : { exit: 1, out: "Job for checkout-api.service failed because the control process exited with error code.\n" },
    ],
    [
      /^systemctl (?:status|show|is-active).*checkout-worker/,
      "● checkout-worker.service - Checkout worker\n     Active: active (running) since Fri 2026-11-20 07:10:31 UTC; 3 days ago\n   Main PID: 877 (checkout-w)\n",
    ],
    [/^systemctl (?:status|show|is-active).*checkout-api/, { as: unit }],
    [
      /^systemctl cat .*checkout/,
      "[Service]\nExecStart=/opt/checkout/bin/api --config /etc/checkout\nWorkingDirectory=/var/lib/checkout\n",
    ],
    [
      /^journalctl .*checkout.*(?:[1-5]) ?min/,
      ran(restart) ? "Nov 23 14:31:08 web-1 checkout-api[4410]: listening on 8080\n" : { as: errors },
    ],
    [/^journalctl .*checkout/, { as: errors }],
    [
      /^df\b.*-\w*i/,
      "Filesystem      Inodes IUsed   IFree IUse% Mounted on\n/dev/vda2      2621440 91022 2530418    4% /var\n",
    ],
    [/^df\b/, { as: disk }],
    [/^lsof\b/, ran(restart) ? "" : { as: deleted }],
    [/^du\b/, "31G\t/var/log/journal-excluded\n412M\t/var/log/checkout\n6.1G\t/var/lib/checkout\n7.4G\t/var\n"],
    [
      /^(?:ls|find)\b.*\/var\/log/,
      "-rw-r----- 1 checkout checkout 431210331 Nov 23 13:58 debug.log\n-rw-r----- 1 checkout checkout 18221 Nov 23 13:58 api.log\n",
    ],
    [/^(?:ls|stat)\b.*logging\.yml/, "-rw-r--r-- 1 root root 84 Nov 23 11:02 /etc/checkout/logging.yml\n"],
    [/^curl .*(?:localhost|127\.0\.0\.1)/, { as: health }],
    [/^logrotate .*(?:-d|--debug)/, "rotating pattern: /var/log/checkout/*.log  after 1 days (3 rotations)\n"],
    [/^logrotate/, { as: rotate }],
    [/^(?:ps|pgrep|top)\b/, "    877 checkout-worker\n"],
  ],
  isSolved: (ran) => ran(quieter, restart),
  guess:
    "checkout-api on web-1 cannot write its write-ahead log because /var is full; the issue's own log lines fit that.",
  steps: [
    {
      command: unit,
      title: "State of checkout-api",
      why: "Shows whether checkout-api runs, since nginx answers 502 when it does not.",
      says: "that checkout-api has failed",
    },
    {
      command: errors,
      title: "What it logged",
      why: "Shows the last errors of the service, to see what it died of.",
      says: "that the write-ahead log could not be written: no space left on device",
    },
    {
      command: disk,
      title: "Room on /var",
      why: "Shows how full the volume is that holds log and write-ahead log.",
      says: "how full /var is",
    },
    {
      command: deleted,
      title: "Deleted files held open",
      why: "Shows files that are gone and still take room: rotating would not free them.",
      says: "a deleted debug log of 31 GB that checkout-worker still holds open",
    },
    {
      command: level,
      title: "Log level",
      why: "Shows whether the service logs at debug, which fills the volume again after every cleaning.",
      says: "the level that checkout-api logs at",
    },
    {
      after: "level: debug",
      change: [
        {
          command: quieter,
          title: "Log at info again",
          why: "Sets the level back to info; undo by the same line with the words swapped. It holds from the restart on.",
          risk: "medium",
        },
        {
          command: restart,
          title: "Restart worker and api",
          why: "Frees the deleted log and starts the service with the new level; for some seconds no order is taken, and the shop tries again.",
          risk: "medium",
        },
      ],
      check: {
        command: health,
        title: "Health of checkout-api",
        why: "Shows whether the service answers again.",
        says: "that checkout-api answers ok",
        shows: '"status":"ok"',
      },
    },
    {
      after: '"status":"ok"',
      command: after,
      title: "Any new write errors",
      why: "Looks for the write error since the restart; no match means it is gone.",
      says: "no match, so the write error is gone",
    },
  ],
  cause: "the debug log level filled /var",
};
