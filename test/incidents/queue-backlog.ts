import type { Incident } from "./engineer.ts";

const queues = "rabbitmqctl list_queues name messages_ready messages_unacknowledged consumers";
const unit = "systemctl status mailer";
const logged = "journalctl -u mailer -n 15";
const sockets = "ss -tnp state established '( dport = :587 )'";
const timeout = "grep -n SMTP_TIMEOUT /etc/mailer/env";
const bound = "sed -i 's/^SMTP_TIMEOUT=0$/SMTP_TIMEOUT=30/' /etc/mailer/env";
const restart = "systemctl restart mailer";
const kill = "systemctl kill -s KILL mailer";
const since = "systemctl show mailer -p SubState -p ActiveEnterTimestamp";
const drains = "journalctl -u mailer --since '2 minutes ago' | grep -c delivered";
const hangs = "journalctl -u mailer --since '2 minutes ago' | grep -i 'timed out'";

/** The only consumer hangs in a connection without a time limit and does not even end when it is told to. */
export const queueBacklog: Incident = {
  name: "queue backlog",
  title: "RabbitmqQueueGrowing: mail.outgoing on mq-1 has 48,000 messages",
  body: "mail.outgoing on mq-1 grows since 11:20Z; customers get no order confirmations. The consumer is mailer on worker-1.",
  skill: {
    name: "rabbitmq-queue-backlog",
    text: `---
name: rabbitmq-queue-backlog
description: "A RabbitMQ queue grows because its consumers are missing, slow or hang. Use when RabbitmqQueueGrowing fires, for many ready messages, or mails and jobs that do not go out."
metadata:
  service: "rabbitmq"
  runbook: "https://runbooks.acme.example/queue-backlog"
  alerts: "RabbitmqQueueGrowing, RabbitmqNoConsumers"
---

# A queue grows

## Verify

\`\`\`sh
# on mq-1: how many wait, and who takes them
${queues}
# on worker-1: does the consumer run
${unit}
# on worker-1: what it did last
${logged}
\`\`\`

- \`${queues}\` shows a queue with \`0\` consumers: \`${restart}\`

## Act (each needs an approval)

\`\`\`sh
# on worker-1: start the consumer anew; what it holds goes back into the queue
${restart}
# check: ${since}
# undo: none needed
# on worker-1, where it does not end: end it hard, systemd starts it again
${kill}
# check: ${since}
# undo: none; a mail that was half sent may be sent twice
\`\`\`

## Escalation

The mail team, in the channel mail-oncall.

## Notes

Never purge mail.outgoing: each message is somebody's order. A consumer that holds messages and logs nothing hangs: look at its connections.
`,
  },
  servers: { "mq-1": "RabbitMQ", "worker-1": "mailer and other consumers" },
  machines: (ran) => ({
    [queues]: ran(kill)
      ? "Timeout: 60.0 seconds ...\nListing queues for vhost / ...\nname\tmessages_ready\tmessages_unacknowledged\tconsumers\nmail.outgoing\t31877\t20\t1\nmail.dead\t0\t0\t0\n"
      : "Timeout: 60.0 seconds ...\nListing queues for vhost / ...\nname\tmessages_ready\tmessages_unacknowledged\tconsumers\nmail.outgoing\t48210\t20\t1\nmail.dead\t0\t0\t0\n",
    [unit]:
      "● mailer.service - Sends mail\n     Active: active (running) since Sat 2026-11-21 02:00:04 UTC; 2 days ago\n   Main PID: 2214 (mailer)\n",
    [logged]:
      "Nov 23 11:19:58 worker-1 mailer[2214]: delivered 88213\nNov 23 11:20:01 worker-1 mailer[2214]: connecting to smtp.relay.acme.example:587\n",
    [sockets]:
      'Recv-Q Send-Q Local Address:Port Peer Address:Port Process\n0      0      10.0.3.14:41022 10.0.9.5:587 users:(("mailer",pid=2214,fd=11))\n',
    [timeout]: ran(bound) ? "7:SMTP_TIMEOUT=30\n" : "7:SMTP_TIMEOUT=0\n",
    [bound]: "",
    [restart]: { exit: 1, out: "Job for mailer.service failed because a timeout was exceeded.\n" },
    [kill]: "",
    [since]: ran(kill)
      ? "SubState=running\nActiveEnterTimestamp=Mon 2026-11-23 14:31:02 UTC\n"
      : "SubState=stop-sigterm\nActiveEnterTimestamp=Sat 2026-11-21 02:00:04 UTC\n",
    [drains]: "1633\n",
    [hangs]: { exit: 1, out: "" },
  }),
  files: (ran) => ({
    "/etc/mailer/env": `QUEUE=mail.outgoing\nMQ_HOST=mq-1\nPREFETCH=20\nWORKERS=1\nSMTP_HOST=smtp.relay.acme.example\nSMTP_PORT=587\nSMTP_TIMEOUT=${ran(bound) ? "30" : "0"}\n`,
    "/var/backups/etc/mailer/env":
      "QUEUE=mail.outgoing\nMQ_HOST=mq-1\nPREFETCH=20\nWORKERS=1\nSMTP_HOST=smtp.relay.acme.example\nSMTP_PORT=587\nSMTP_TIMEOUT=0\n",
  }),
  forms: (ran) => [
    [/^sed -i.*SMTP_TIMEOUT=.*\/etc\/mailer\/env/, { as: bound }],
    [/^systemctl restart mailer(?:\.service)?$/, ran(kill) ? "" : { as: restart }],
    [/^systemctl kill .*(?:KILL|9).*mailer|^kill -(?:9|KILL) 2214|^pkill -(?:9|KILL) .*mailer/, { as: kill }],
    [/^systemctl (?:start) mailer/, ""],
    [/^rabbitmqctl list_queues/, { as: queues }],
    [
      /^rabbitmqctl list_consumers/,
      "queue_name\tchannel_pid\tconsumer_tag\tack_required\tprefetch_count\nmail.outgoing\t<rabbit@mq-1.1>\tmailer\ttrue\t20\n",
    ],
    [/^rabbitmqctl list_connections/, "user\tpeer_host\tpeer_port\tstate\nmailer\t10.0.3.14\t50122\trunning\n"],
    [/^rabbitmq(?:ctl|-diagnostics) /, "Status of node rabbit@mq-1 ...\nAlarms\n\n(none)\n"],
    [
      /^systemctl show .*mailer/,
      ran(restart) || ran(kill)
        ? { as: since }
        : "SubState=running\nActiveEnterTimestamp=Sat 2026-11-21 02:00:04 UTC\nMainPID=2214\nTimeoutStopUSec=1min 30s\n",
    ],
    [
      /^systemctl cat .*mailer/,
      "[Service]\nEnvironmentFile=/etc/mailer/env\nExecStart=/opt/mailer/bin/mailer\nRestart=always\n",
    ],
    [
      /^systemctl (?:status|is-active).*mailer/,
      ran(kill)
        ? "● mailer.service - Sends mail\n     Active: active (running) since Mon 2026-11-23 14:31:02 UTC; 9s ago\n   Main PID: 5120 (mailer)\n"
        : ran(restart)
          ? "● mailer.service - Sends mail\n     Active: deactivating (stop-sigterm) since Mon 14:29:30 UTC\n   Main PID: 2214 (mailer)\n"
          : { as: unit },
    ],
    [
      /^journalctl .*mailer/,
      ran(kill)
        ? "Nov 23 14:31:03 worker-1 mailer[5120]: delivered 88215\nNov 23 14:31:04 worker-1 mailer[5120]: delivered 88216\n"
        : { as: logged },
    ],
    [
      /^ss\b/,
      ran(kill) ? 'ESTAB 0 0 10.0.3.14:41980 10.0.9.5:587 users:(("mailer",pid=5120,fd=11))\n' : { as: sockets },
    ],
    [/^(?:lsof|netstat)\b/, "mailer 2214 mailer 11u IPv4 TCP 10.0.3.14:41022->10.0.9.5:587 (ESTABLISHED)\n"],
    [/^(?:ps|top|pgrep|pidof)\b/, ran(kill) ? "   5120 mailer\n" : "   2214 S+ 2-12:30:01 mailer\n"],
    [
      /^(?:nc|curl|openssl|getent|ping|dig|host)\b.*(?:587|smtp)/,
      "10.0.9.5 smtp.relay.acme.example: 220 relay ready\n",
    ],
    [/^(?:cat) .*\/proc\/2214\/(?:wchan|stack|status)/, "do_select\n"],
    [/^(?:strace)/, { exit: 1, out: "strace: attach: Operation not permitted\n" }],
  ],
  isSolved: (ran) => ran(bound, kill),
  guess: "mailer on worker-1 is connected to mq-1 and takes nothing; it may hang in something that it waits for.",
  steps: [
    {
      command: queues,
      title: "Queues and consumers",
      why: "Shows how many messages wait, and whether anybody takes them.",
      says: "how many messages of mail.outgoing wait",
    },
    {
      on: "worker-1",
      command: unit,
      title: "State of mailer",
      why: "Shows whether the consumer runs.",
      says: "that mailer has run for two days",
    },
    {
      on: "worker-1",
      command: logged,
      title: "What mailer did last",
      why: "Shows whether it works or hangs.",
      says: "that mailer has said nothing since it began to connect at 11:20",
    },
    {
      on: "worker-1",
      after: "connecting to smtp",
      command: sockets,
      title: "Its connections to the relay",
      why: "Shows whether it waits in an open connection.",
      says: "that mailer waits in an open connection to the relay",
    },
    {
      on: "worker-1",
      after: "connecting to smtp",
      command: timeout,
      title: "Its time limit",
      why: "Shows how long it waits for the relay; 0 is for ever.",
      says: "how long mailer waits for the relay",
    },
    {
      after: "SMTP_TIMEOUT=0",
      change: [
        {
          on: "worker-1",
          command: bound,
          title: "Give it a time limit",
          why: "Lets it give up on the relay after 30 s; undo by setting it to 0. It holds from the restart on.",
          risk: "medium",
        },
        {
          on: "worker-1",
          command: restart,
          title: "Restart mailer",
          why: "Ends the hanging one and starts it with the limit; what it holds goes back into the queue.",
          risk: "medium",
          says: "that mailer did not end within its time",
        },
      ],
      check: {
        on: "worker-1",
        command: since,
        title: "Since when it runs",
        why: "Shows whether it was started anew.",
        says: "that mailer runs anew",
        shows: "SubState=running",
      },
      fails: "a timeout was exceeded",
    },
    {
      after: "a timeout was exceeded",
      change: [
        {
          on: "worker-1",
          command: kill,
          title: "End mailer hard",
          why: "Ends it with KILL, and systemd starts it again; the mail that was half sent may be sent twice.",
          risk: "high",
        },
      ],
      check: {
        on: "worker-1",
        command: since,
        title: "Since when it runs",
        why: "Shows whether it was started anew.",
        says: "that mailer runs anew",
        shows: "SubState=running",
      },
    },
    {
      on: "worker-1",
      after: "SubState=running",
      command: drains,
      title: "Does it deliver",
      why: "Counts what it has delivered in the last two minutes.",
      says: "that it delivers, 1,633 in two minutes",
    },
    {
      on: "worker-1",
      after: "SubState=running",
      command: hangs,
      title: "Does it run into its limit",
      why: "Looks for connections that were given up; no match means the relay answers.",
      says: "no match, so the relay answers",
    },
  ],
  cause: "mailer waits for the relay without a time limit",
};
