import type { Incident } from "./engineer.ts";

const on = "edge-1";
const unit = "systemctl status haproxy";
const logged = "journalctl -u haproxy -n 20";
const valid = "haproxy -c -f /etc/haproxy/haproxy.cfg";
const changed = "diff /var/backups/etc/haproxy/haproxy.cfg /etc/haproxy/haproxy.cfg";
const mend = "cp -a /var/backups/etc/haproxy/haproxy.cfg /etc/haproxy/haproxy.cfg";
const restart = "systemctl restart haproxy";
const answers = "curl -sS -o /dev/null -w '%{http_code}' http://localhost/health";
const alerts = "journalctl -u haproxy --since '2 minutes ago' | grep ALERT";

/** Last night's change of the configuration has a word that haproxy does not know; systemd starts it again and again. */
export const restartLoop: Incident = {
  name: "restart loop",
  title: "edge-1: haproxy is restarting over and over, shop.acme.example is down",
  body: "Alert SystemdUnitFlapping on edge-1 since 06:12Z, unit haproxy.service, 41 restarts. Customers get connection refused.",
  skill: {
    name: "haproxy-restart-loop",
    text: `---
name: haproxy-restart-loop
description: "haproxy does not start or restarts in a loop. Use when SystemdUnitFlapping fires for haproxy, the edge refuses connections, or haproxy's log says \\"Error(s) found in configuration file\\"."
metadata:
  service: "haproxy"
  runbook: "https://runbooks.acme.example/haproxy-restart-loop"
  alerts: "SystemdUnitFlapping, EdgeDown"
---

# haproxy restarts in a loop

systemd starts haproxy again five seconds after it has ended. In nine of ten cases the configuration was changed and not checked.

## Verify

\`\`\`sh
${unit}
# what it says when it dies
${logged}
# is the configuration sound
${valid}
# expect: Fatal errors found in configuration
\`\`\`

- \`${valid}\` shows \`Configuration file is valid\`: healthy

## Act (each needs an approval)

\`\`\`sh
# put last night's configuration back
${mend}
# check: ${valid}
# undo: the newer file is in git, in acme/edge-config
# start it
${restart}
# check: ${answers}
# undo: systemctl stop haproxy
\`\`\`

## Escalation

The edge team, in the channel edge-oncall.

## Notes

Compare with the backup of the night before you put it back: what was changed on purpose has to be said to whoever changed it.
`,
  },
  servers: { [on]: "haproxy, the way in" },
  machines: (ran) => ({
    [unit]: ran(mend, restart)
      ? "● haproxy.service - HAProxy Load Balancer\n     Active: active (running) since Mon 07:02:44 UTC; 6s ago\n"
      : {
          exit: 3,
          out: "● haproxy.service - HAProxy Load Balancer\n     Loaded: loaded (/lib/systemd/system/haproxy.service; enabled)\n     Active: activating (auto-restart) (Result: exit-code) since Mon 06:58:31 UTC; 2s ago\n    Process: 9121 ExecStartPre=/usr/sbin/haproxy -Ws -f $CONFIG -c -q (code=exited, status=1/FAILURE)\n",
        },
    [logged]:
      "Nov 23 06:58:31 edge-1 haproxy[9121]: [ALERT] (9121) : config : parsing [/etc/haproxy/haproxy.cfg:41] : unknown keyword 'timout' in 'backend shop' section\nNov 23 06:58:31 edge-1 haproxy[9121]: [ALERT] (9121) : config : Error(s) found in configuration file : /etc/haproxy/haproxy.cfg\nNov 23 06:58:31 edge-1 systemd[1]: haproxy.service: Scheduled restart job, restart counter is at 41.\n",
    [valid]: ran(mend)
      ? "Configuration file is valid\n"
      : {
          exit: 1,
          out: "[ALERT] (9140) : config : parsing [/etc/haproxy/haproxy.cfg:41] : unknown keyword 'timout' in 'backend shop' section\n[ALERT] (9140) : config : Fatal errors found in configuration.\n",
        },
    [changed]: { exit: 1, out: "41c41\n<     timeout server 30s\n---\n>     timout server 60s\n" },
    [mend]: "",
    [restart]: ran(mend)
      ? ""
      : { exit: 1, out: "Job for haproxy.service failed because the control process exited with error code.\n" },
    [answers]: ran(mend, restart)
      ? "200"
      : { exit: 7, out: "000curl: (7) Failed to connect to localhost port 80: Connection refused\n" },
    [alerts]: { exit: 1, out: "" },
  }),
  files: (ran) => {
    const config = (line: string) =>
      `global\n  daemon\ndefaults\n  mode http\nbackend shop\n    balance roundrobin\n${line}\n    server web-1 10.0.1.11:8080 check\n`;
    return {
      "/etc/haproxy/haproxy.cfg": config(ran(mend) ? "    timeout server 30s" : "    timout server 60s"),
      "/var/backups/etc/haproxy/haproxy.cfg": config("    timeout server 30s"),
    };
  },
  forms: (ran) => [
    [/^(?:cp|install|rsync) .*\/var\/backups\/etc\/haproxy\/haproxy\.cfg /, { as: mend }],
    [/^sed -i.*timout.*timeout.*haproxy\.cfg/, { as: mend }],
    [/^systemctl (?:restart|start|reload-or-restart) haproxy(?:\.service)?$/, { as: restart }],
    [/^systemctl reset-failed haproxy/, ""],
    [/^systemctl (?:status|show|is-active).*haproxy/, { as: unit }],
    [
      /^systemctl cat .*haproxy/,
      "[Service]\nExecStartPre=/usr/sbin/haproxy -Ws -f $CONFIG -c -q\nExecStart=/usr/sbin/haproxy -Ws -f $CONFIG\nRestart=always\nRestartSec=5\n",
    ],
    [
      /^journalctl .*haproxy.*(?:[1-5]) ?min/,
      ran(mend, restart) ? "Nov 23 07:02:44 edge-1 systemd[1]: Started haproxy.service.\n" : { as: logged },
    ],
    [/^journalctl .*haproxy/, { as: logged }],
    [/^haproxy .*-c/, { as: valid }],
    [/^diff .*haproxy\.cfg/, ran(mend) ? "" : { as: changed }],
    [
      /^(?:ls|stat)\b.*haproxy\.cfg/,
      "-rw-r--r-- 1 root root 1892 Nov 23 06:11 /etc/haproxy/haproxy.cfg\n-rw-r--r-- 1 root root 1893 Nov 22 02:00 /var/backups/etc/haproxy/haproxy.cfg\n",
    ],
    [/^(?:ls)\b.*\/etc\/haproxy/, "errors\nhaproxy.cfg\n"],
    [/^curl .*%\{http_code\}/, { as: answers }],
    [
      /^curl .*(?:localhost|127\.0\.0\.1)/,
      ran(mend, restart)
        ? "HTTP/1.1 200 OK\nok\n"
        : { exit: 7, out: "curl: (7) Failed to connect to localhost port 80: Connection refused\n" },
    ],
    [
      /^ss\b/,
      ran(mend, restart)
        ? 'LISTEN 0 4096 *:80 *:* users:(("haproxy",pid=9302,fd=7))\n'
        : "State Recv-Q Send-Q Local Address:Port Peer Address:Port\n",
    ],
    [/^git .*(?:log|show)/, "commit 91ac3 (Nov 23 06:11): raise the server timeout to 60s\n"],
  ],
  isSolved: (ran) => ran(mend, restart),
  guess: "haproxy on edge-1 ends as soon as it starts; most likely its configuration cannot be read.",
  steps: [
    {
      command: unit,
      title: "State of haproxy",
      why: "Shows whether haproxy runs, and what systemd says of its last start.",
      says: "that haproxy is started again and again",
    },
    {
      command: logged,
      title: "What it logged",
      why: "Shows the last words of haproxy before it ends.",
      says: "an unknown keyword in line 41 of the configuration",
    },
    {
      command: valid,
      title: "Check of the configuration",
      why: "Reads the configuration as a start would, without starting anything.",
      says: "whether haproxy can read its configuration",
    },
    {
      command: changed,
      title: "What changed since last night",
      why: "Compares the configuration with last night's backup, so that nothing is lost by putting it back.",
      says: "that line 41 is all that differs, a misspelt timeout",
    },
    {
      after: "timout server 60s",
      change: [
        {
          command: mend,
          title: "Put last night's configuration back",
          why: "Replaces the file by its backup; the new timeout of 60 s goes with it, and stays in git.",
          risk: "medium",
        },
        {
          command: restart,
          title: "Restart haproxy",
          why: "Starts haproxy with the configuration that was put back; it is down already.",
          risk: "medium",
        },
      ],
      check: {
        command: answers,
        title: "Answer of the edge",
        why: "Shows whether the edge answers again.",
        says: "that the edge answers",
        shows: "200",
      },
    },
    {
      after: "200",
      command: alerts,
      title: "Any new alerts of haproxy",
      why: "Looks for complaints since the restart; no match means there are none.",
      says: "no match, so haproxy has nothing to complain of",
    },
  ],
  cause: "a misspelt timeout in haproxy.cfg",
};
