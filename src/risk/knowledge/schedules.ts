/** Logs, clocks and what runs by the clock. */
import type { Program } from "../program.ts";
import { networkProbe, serverClient } from "./facts.ts";

// biome-ignore format: filled to the width
export const scheduleRules: readonly Program[] = [
  { id: "log.history", names: "history", level: "low",
    rows: [{ if: " -\\w*[cdw]", level: "block", why: "wipes the shell's history" }, { is: "names" }],
    match: { low: ["history"], block: ["history -c"] } },
  { id: "log.fc", names: "fc", level: "medium",
    rows: [{ words: "-l", level: "low" }],
    match: { low: ["fc -l"], medium: ["fc -s"] } },
  { id: "log.journal", names: "journalctl", level: "low",
    options: { "path-read": "-D --directory --file",
      value: "-u -n -p -S -U -t -o -g -M -c --unit --lines --priority --since --until --identifier --output " +
        "--grep --field -F --user-unit --cursor --boot --facility" },
    rows: [
      { words: "--rotate --flush --sync --update-catalog --relinquish-var --smart-relinquish-var", level: "medium" },
      { words: "--vacuum-size* --vacuum-time* --vacuum-files* --setup-keys", level: "high" },
      { words: "--vacuum-time=1s --vacuum-time=0 --vacuum-time=1 --vacuum-time=0s --vacuum-time=1m " +
        "--vacuum-size=0 --vacuum-size=1 --vacuum-size=1K --vacuum-size=1k --vacuum-files=0 --vacuum-files=1",
        level: "block" },
      { ends: { endless: "-f --follow", does: "journalctl -f never ends", instead: "journalctl -n 100" } },
      { words: "-g --grep", exit: { 1: "no match" } }, { is: "names" }, { is: "text" },
      { if: " --vacuum-| --rotate ",
        probe: { without: "^--(vacuum|rotate)", run: "$0 $- --disk-usage", shows: "how much room the journal takes",
          example: ["journalctl --vacuum-size=500M", "journalctl --disk-usage"] } },
    ],
    match: { low: ["journalctl -u nginx --since '10 min ago' --no-pager"], medium: ["journalctl --rotate"],
      high: ["journalctl --vacuum-time=14d"], block: ["journalctl --vacuum-time=1s"] } },
  { id: "log.logger", names: "logger wall write mesg systemd-cat notify-send", level: "medium",
    rows: [
      { names: "logger", ...serverClient },
      { names: "logger", is: "names" }, { names: "logger wall write systemd-cat notify-send", is: "text" },
    ],
    match: { medium: ["logger deploy done", "wall hello"] } },
  { id: "time.set", names: "ntpdate adjtimex rdate tzselect", level: "medium",
    rows: [{ words: "-q -p --print", level: "low" }, { names: "ntpdate", ...networkProbe }],
    match: { low: ["ntpdate -q pool.ntp.org"], medium: ["ntpdate pool.ntp.org"] } },
  { id: "time.hwclock", names: "hwclock", level: "low",
    match: { low: ["hwclock", "hwclock --show"], medium: ["hwclock --systohc"] } },
  { id: "time.chrony", names: "chronyc ntpq ntpstat",
    rows: [
      { words: "rv readvar peers lpeers pe opeers as associations sysinfo sysstats kerninfo monstats mrulist " +
        "tracking sources sourcestats activity ntpdata serverstats clients rtcdata manual_list",
        level: "low" },
      { words: "makestep burst online offline waitsync reload", level: "medium" },
      { words: "()", level: "low" },
      { names: "ntpq",
        if: " (-c|--command)[ =]?(?![ =])" +
          "(?!(rv|readvar|rl|readlist|cv|clockvar|cl|clocklist|pe(ers)?|lpe?(ers)?|opeers|lo" +
          "peers|as(sociations)?|lassociations|apeers|sysinfo|sysstats|kerninfo|iostats|monstat" +
          "s|mrulist|authinfo|version|ifstats|reslist|timerstats|pstats)(␠| ))",
        level: "medium", why: "may change the clock's daemon" },
      { reach: { kind: "lookup", options: { host: "-h" } } },
    ],
    match: { low: ["chronyc tracking", "ntpq -p"], medium: ["chronyc makestep", "echo makestep | chronyc"] } },
  { id: "cron.crontab", names: "crontab", level: "medium", options: { value: "-u" },
    rows: [
      { if: " -\\w*r ", level: "high", why: "deletes the crontab" },
      { if: " -\\w*l ", level: "low" },
      { if: " -\\w*e ", level: "high", why: "changes the crontab" },
      { if: "\\S", operands: true, level: "high", why: "replaces the crontab" },
      { unless: " -\\w*[lr] ",
        does: { is: "runs-text", stdin: true, level: "high",
          if: "(?:^|\\n)[^\\S\\n]*(?:@\\w+|(?:[^\\s]+[^\\S\\n]+){5})([^\\n]*)" } },
      { unless: " -\\w*[lr] ",
        does: { is: "runs-text", operand: 0, file: true, level: "high",
          if: "(?:^|\\n)[^\\S\\n]*(?:@\\w+|(?:[^\\s]+[^\\S\\n]+){5})([^\\n]*)" } },
      { words: "-l", exit: { 1: "no crontab" } },
      { unless: " - ",
        probe: { without: "^-(r|i|e)$", run: "$0 -l $-", shows: "the table that would be replaced or removed",
          example: ["crontab -u app -r", "crontab -l -u app"] } },
    ],
    match: { low: ["crontab -l"], medium: ["crontab"], high: ["crontab -r", "crontab /tmp/x"],
      block: ["echo '* * * * * rm -rf /' | crontab -"] } },
  { id: "cron.at", names: "at batch", level: "medium", why: "runs a command later", options: { value: "-f -q -t" },
    rows: [
      { words: "-f", level: "high" },
      { words: "-l -c", level: "low" },
      { words: "-d -r", level: "medium" },
      { unless: " -[lcdr] ", does: { is: "runs-text", stdin: true } },
      { does: { is: "runs-text", after: "-f", file: true } },
    ],
    match: { low: ["at -l"], medium: ["echo uptime | at now"], high: ["at -f /opt/x.sh now"],
      block: ["echo 'rm -rf /' | at now"] } },
  { id: "cron.atq", names: "atq", level: "low",
    match: { low: ["atq"] } },
  { id: "cron.atrm", names: "atrm", level: "medium",
    match: { medium: ["atrm 3"] } },
  { id: "cron.run-parts", names: "run-parts anacron", level: "medium",
    rows: [
      { words: "--test --list", level: "low" },
      { names: "anacron", if: "^( -T| -t \\S+)+ $", level: "low", why: "only tests its table" },
    ],
    match: { low: ["run-parts --test"], medium: ["run-parts /etc/cron.daily"] } },
];
