/** Logs, clocks and what runs by the clock. */
import type { Rule } from "../rule.ts";

export const scheduleRules: readonly Rule[] = [
  { id: "log.history", names: "history", check: "history", examples: { low: ["history"], block: ["history -c"] } },
  { id: "log.fc", names: "fc", level: "medium", when: { low: "-l" }, examples: { medium: ["fc -s"] } },
  {
    id: "log.journal",
    names: "journalctl",
    level: "low",
    takes:
      "-u -n -p -S -U -t -o -g -D -M -c --unit --lines --priority --since --until --identifier --output --grep --directory --field -F --user-unit --cursor --boot --facility",
    when: {
      medium: "--rotate --flush --sync --update-catalog --relinquish-var --smart-relinquish-var",
      high: "--vacuum-size* --vacuum-time* --vacuum-files* --setup-keys",
      block:
        "--vacuum-time=1s --vacuum-time=0 --vacuum-time=1 --vacuum-time=0s --vacuum-time=1m --vacuum-size=0 --vacuum-size=1 --vacuum-size=1K --vacuum-size=1k --vacuum-files=0 --vacuum-files=1",
    },
    examples: {
      low: ["journalctl -u nginx --since '10 min ago' --no-pager"],
      block: ["journalctl --vacuum-time=1s"],
      medium: ["journalctl --rotate"],
      high: ["journalctl --vacuum-time=14d"],
    },
  },
  {
    id: "log.logger",
    names: "logger wall write mesg systemd-cat notify-send",
    level: "medium",
    examples: { medium: ["logger deploy done", "wall hello"] },
  },
  {
    id: "time.set",
    names: "hwclock ntpdate adjtimex rdate tzselect",
    level: "medium",
    when: { low: "-r --show -q -p --get --print -r --show -q" },
    examples: { medium: ["ntpdate pool.ntp.org"] },
  },
  {
    id: "time.chrony",
    names: "chronyc ntpq ntpstat",
    sub: {
      low: "tracking sources sourcestats activity ntpdata serverstats clients rtcdata manual_list",
      medium: "makestep burst online offline waitsync reload",
    },
    noSub: "low",
    examples: { low: ["chronyc tracking", "ntpq -p"], medium: ["chronyc makestep"] },
  },
  {
    id: "cron.crontab",
    names: "crontab",
    takes: "-u",
    check: "crontab",
    examples: {
      low: ["crontab -l"],
      high: ["crontab -r", "crontab /tmp/x"],
      block: ["echo '* * * * * rm -rf /' | crontab -"],
    },
  },
  {
    id: "cron.at",
    names: "at batch",
    takes: "-f -q -t",
    check: "schedule",
    examples: { low: ["at -l"], medium: ["echo uptime | at now"], block: ["echo 'rm -rf /' | at now"] },
  },
  { id: "cron.atq", names: "atq", level: "low", examples: { low: ["atq"] } },
  { id: "cron.atrm", names: "atrm", level: "medium", examples: { medium: ["atrm 3"] } },
  {
    id: "cron.run-parts",
    names: "run-parts anacron",
    level: "medium",
    when: { low: "--test --list" },
    examples: { medium: ["run-parts /etc/cron.daily"] },
  },
];
