import type { Incident } from "./engineer.ts";

const killed = "journalctl -k --since '2 hours ago' | grep -iE 'oom|killed process'";
const memory = "free -m";
const largest = "ps -eo pid,rss,etime,comm --sort=-rss | head -8";
const unit = "systemctl show thumbs -p MemoryCurrent -p MemoryMax -p NRestarts -p ActiveEnterTimestamp";
const cache = "grep -n CACHE_MAX_ITEMS /etc/thumbs/env";
const bound = "sed -i 's/^CACHE_MAX_ITEMS=0$/CACHE_MAX_ITEMS=20000/' /etc/thumbs/env";
const restart = "systemctl restart thumbs";
const status = "systemctl status thumbs";
const cap = "systemctl set-property thumbs MemoryMax=1500M";
const capped = "systemctl show thumbs -p MemoryMax";
const again = "journalctl -k --since '2 minutes ago' | grep -i 'killed process'";

/** A cache without a bound eats the machine until the kernel ends it: bounded, started anew, and capped. */
export const outOfMemory: Incident = {
  name: "out of memory",
  title: "app-2: thumbs is killed every 20 minutes, HostOomKillDetected",
  body: "HostOomKillDetected on app-2, four times since noon. Product pictures are missing for a minute each time. thumbs had a release yesterday.",
  skill: {
    name: "host-oom-kill",
    text: `---
name: host-oom-kill
description: "The kernel's OOM killer ends processes on a server. Use when HostOomKillDetected fires, a daemon vanishes with signal 9, or memory runs out again and again."
metadata:
  service: "linux"
  runbook: "https://runbooks.acme.example/oom-kill"
  alerts: "HostOomKillDetected, HostOutOfMemory"
---

# OOM kill

## Verify

\`\`\`sh
# who was killed
${killed}
# expect: Killed process
${memory}
# who takes most
${largest}
\`\`\`

## Act (each needs an approval)

\`\`\`sh
# free its memory
systemctl restart $SERVICE
# check: systemctl status $SERVICE
# undo: none needed
# let it hit its own limit and not the whole machine
systemctl set-property $SERVICE MemoryMax=1500M
# check: systemctl show $SERVICE -p MemoryMax
# undo: systemctl set-property $SERVICE MemoryMax=infinity
\`\`\`

## Escalation

The team of the service; the platform team where it is the machine that is too small.

## Notes

The one that is killed is the one with the highest score, not always the one that leaks. A restart alone only winds the clock back: find out what grows.
`,
  },
  servers: { "app-2": "thumbs and two small services" },
  machines: (ran) => ({
    [killed]:
      "Nov 23 15:41:09 app-2 kernel: thumbs invoked oom-killer: gfp_mask=0x140cca, order=0, oom_score_adj=0\nNov 23 15:41:09 app-2 kernel: Out of memory: Killed process 30871 (thumbs) total-vm:9412044kB, anon-rss:7140232kB\n",
    [memory]: ran(restart)
      ? "               total        used        free      shared  buff/cache   available\nMem:            7955         902        6120           4         932        6811\nSwap:              0           0           0\n"
      : "               total        used        free      shared  buff/cache   available\nMem:            7955        7411         168           4         375         289\nSwap:              0           0           0\n",
    [largest]:
      "    PID   RSS     ELAPSED COMMAND\n  31240 6810232    00:17:52 thumbs\n    702  91240  3-04:11:20 fluent-bit\n    644  40120  3-04:11:22 node_exporter\n",
    [unit]:
      "MemoryCurrent=6973677568\nMemoryMax=infinity\nNRestarts=4\nActiveEnterTimestamp=Mon 2026-11-23 15:41:14 UTC\n",
    [cache]: ran(bound) ? "4:CACHE_MAX_ITEMS=20000\n" : "4:CACHE_MAX_ITEMS=0\n",
    [bound]: "",
    [restart]: "",
    [status]:
      "● thumbs.service - Thumbnails\n     Active: active (running) since Mon 16:00:41 UTC; 4s ago\n     Memory: 211.3M\n",
    [cap]: "",
    [capped]: ran(cap) ? "MemoryMax=1572864000\n" : "MemoryMax=infinity\n",
    [again]: { exit: 1, out: "" },
  }),
  files: (ran) => ({
    "/etc/thumbs/env": `LISTEN=8300\nCACHE_DIR=/var/cache/thumbs\nCACHE_TTL=86400\nCACHE_MAX_ITEMS=${ran(bound) ? "20000" : "0"}\n`,
    "/var/backups/etc/thumbs/env": "LISTEN=8300\nCACHE_DIR=/var/cache/thumbs\nCACHE_TTL=86400\nCACHE_MAX_ITEMS=20000\n",
  }),
  forms: (ran) => [
    [/^sed -i.*CACHE_MAX_ITEMS.*\/etc\/thumbs\/env|^cp .*\/var\/backups\/etc\/thumbs\/env /, { as: bound }],
    [/^systemctl restart thumbs(?:\.service)?$/, { as: restart }],
    [/^systemctl set-property .*thumbs.*Memory(?:Max|High)=/, { as: cap }],
    [
      /^systemctl show .*thumbs.*MemoryMax/,
      ran(cap) ? "MemoryCurrent=221459251\nMemoryMax=1572864000\nNRestarts=0\n" : { as: unit },
    ],
    [/^systemctl show .*thumbs/, { as: unit }],
    [
      /^systemctl cat .*thumbs/,
      "[Service]\nEnvironmentFile=/etc/thumbs/env\nExecStart=/opt/thumbs/bin/thumbs\nRestart=always\n",
    ],
    [
      /^systemctl (?:status|is-active).*thumbs/,
      ran(restart)
        ? { as: status }
        : "● thumbs.service - Thumbnails\n     Active: active (running) since Mon 15:41:14 UTC; 17min ago\n     Memory: 6.4G\n",
    ],
    [/^free\b/, { as: memory }],
    [
      /^(?:ps|top)\b/,
      ran(restart)
        ? "    PID   RSS     ELAPSED COMMAND\n  33102  216320    00:00:41 thumbs\n    702  91240  3-04:11:20 fluent-bit\n"
        : { as: largest },
    ],
    [/^(?:journalctl .*(?:-k|--dmesg|kernel)|dmesg).*(?:[1-5]) ?min/, "-- No entries --\n"],
    [
      /^(?:journalctl .*(?:-k|--dmesg|kernel)|dmesg)/,
      "Nov 23 15:41:09 app-2 kernel: thumbs invoked oom-killer: gfp_mask=0x140cca, order=0, oom_score_adj=0\nNov 23 15:41:09 app-2 kernel: Out of memory: Killed process 30871 (thumbs) total-vm:9412044kB, anon-rss:7140232kB\n",
    ],
    [
      /^journalctl .*thumbs/,
      ran(restart)
        ? "Nov 23 16:00:41 app-2 thumbs[33102]: cache: bound 20000 items\n"
        : "Nov 23 15:41:14 app-2 thumbs[31240]: thumbs v5.2.0 starting\nNov 23 15:41:14 app-2 thumbs[31240]: cache: no bound (CACHE_MAX_ITEMS=0)\nNov 23 15:58:40 app-2 thumbs[31240]: cache: 91204 items\n",
    ],
    [/^cat .*\/proc\/meminfo/, "MemTotal: 8145920 kB\nMemAvailable: 295936 kB\n"],
    [
      /^diff .*thumbs\/env/,
      ran(bound) ? "" : { exit: 1, out: "4c4\n< CACHE_MAX_ITEMS=20000\n---\n> CACHE_MAX_ITEMS=0\n" },
    ],
    [/^(?:ls|stat)\b.*\/etc\/thumbs/, "-rw-r--r-- 1 root root 78 Nov 22 17:20 env\n"],
    [/^(?:curl) .*(?:localhost|127\.0\.0\.1):8300/, "HTTP/1.1 200 OK\n"],
    [/^(?:systemd-cgtop)/, "thumbs.service 6.4G\n"],
  ],
  isSolved: (ran) => ran(bound, restart) && ran(cap),
  guess: "thumbs on app-2 grows until the kernel ends it; yesterday's release may have taken a bound away.",
  steps: [
    {
      command: killed,
      title: "Who was killed",
      why: "Shows which process the kernel ended, and how large it was.",
      says: "that thumbs was killed with 7 GB",
    },
    {
      command: memory,
      title: "Memory of the machine",
      why: "Shows how much is left until the next kill.",
      says: "how much memory is left",
    },
    {
      command: largest,
      title: "Who takes most",
      why: "Shows whether the one that was killed is the one that grows.",
      says: "that thumbs has grown to 6.8 GB in 18 minutes",
    },
    {
      after: "thumbs",
      command: unit,
      title: "Limits of thumbs",
      why: "Shows whether the unit has a limit, and how often it was started again.",
      says: "that thumbs has no limit and was started again four times",
    },
    {
      after: "thumbs",
      command: cache,
      title: "Bound of its cache",
      why: "Shows whether the cache has a bound; 0 is none.",
      says: "how many pictures the cache may hold",
    },
    {
      after: "CACHE_MAX_ITEMS=0",
      change: [
        {
          command: bound,
          title: "Give the cache a bound",
          why: "Sets the bound to the 20,000 pictures of its documentation; undo by setting it to 0. It holds from the restart on.",
          risk: "medium",
        },
        {
          command: restart,
          title: "Restart thumbs",
          why: "Frees the memory and starts it with the bound; pictures are missing for some seconds.",
          risk: "medium",
        },
      ],
      check: {
        command: status,
        title: "State of thumbs",
        why: "Shows whether it runs, and how much memory it takes.",
        says: "that thumbs runs and takes 211 MB",
        shows: "Active: active (running)",
      },
    },
    {
      after: "MemoryMax=infinity",
      change: [
        {
          command: cap,
          title: "Cap thumbs at 1.5 GB",
          why: "Lets thumbs hit its own limit before the machine has none left; undo with MemoryMax=infinity.",
          risk: "medium",
        },
      ],
      check: {
        command: capped,
        title: "The limit now",
        why: "Shows whether the limit stands.",
        says: "the limit of thumbs",
        shows: "MemoryMax=1572864000",
      },
    },
    {
      after: "Active: active (running)",
      command: again,
      title: "Any kill since",
      why: "Looks for kills since the restart; no match means there are none.",
      says: "no match, so nothing was killed since",
    },
  ],
  cause: "the cache of thumbs had no bound",
};
