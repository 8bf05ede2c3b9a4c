/** Logs, clocks and what runs by the clock. */
import type { Program } from "../program.ts";
import { probe, serverClient } from "./facts.ts";

/** A crontab's lines without their times. */
const replaced = {
  level: "high",
  unless: " -\\w*[lr] ",
  if: "(?:^|\\n)[^\\S\\n]*(?:@\\w+|(?:[^\\s]+[^\\S\\n]+){5})([^\\n]*)",
} as const;

// biome-ignore format: filled to the width
export const scheduleRules: readonly Program[] = [
  { id: "log.history", names: "history", ladder: [{ level: "block", if: " -\\w*[cdw]",
    why: "wipes the shell's history" }, { level: "low" }], traits: [{ is: "names" }],
    match: { low: ["history"], block: ["history -c"] } },
  { id: "log.fc", names: "fc", level: "medium", when: { low: "-l" }, match: { low: ["fc -l"], medium: ["fc -s"] } },
  { id: "log.journal", names: "journalctl", level: "low",
    when: { medium: "--rotate --flush --sync --update-catalog --relinquish-var --smart-relinquish-var",
    high: "--vacuum-size* --vacuum-time* --vacuum-files* --setup-keys",
    block: "--vacuum-time=1s --vacuum-time=0 --vacuum-time=1 --vacuum-time=0s --vacuum-time=1m " +
    "--vacuum-size=0 --vacuum-size=1 --vacuum-size=1K --vacuum-size=1k --vacuum-files=0 " + "--vacuum-files=1" },
    options: { "path-read": "-D --directory --file", value: "-u -n -p -S -U -t -o -g -M -c --unit --lines --priority --since --until " +
    "--identifier --output --grep --field -F --user-unit --cursor --boot " + "--facility" },
    traits: [{ is: "names" }, { is: "text" }], unbounded: [{ endless: "-f --follow", does: "journalctl -f never ends",
    instead: "journalctl -n 100" }], exits: [{ where: "-g --grep", says: { 1: "no match" } }],
    probes: [{ if: " --vacuum-| --rotate ", without: "^--(vacuum|rotate)", run: "$0 $- --disk-usage", shows: "how much room the journal takes",
      example: ["journalctl --vacuum-size=500M",
      "journalctl --disk-usage"] }],
    match: { low: ["journalctl -u nginx --since '10 min ago' --no-pager"], medium: ["journalctl --rotate"],
      high: ["journalctl --vacuum-time=14d"], block: ["journalctl --vacuum-time=1s"] } },
  { id: "log.logger", names: "logger wall write mesg systemd-cat notify-send", level: "medium",
    traits: [{ names: "logger", is: "names" }, { names: "logger wall write systemd-cat notify-send", is: "text" }],
    reach: [{ names: "logger", ...serverClient }],
    match: { medium: ["logger deploy done", "wall hello"] } },
  { id: "time.set", names: "ntpdate adjtimex rdate tzselect", level: "medium",
    when: { low: "-q -p --print" }, reach: [{ names: "ntpdate", ...probe }],
    match: { low: ["ntpdate -q pool.ntp.org"], medium: ["ntpdate pool.ntp.org"] } },
  { id: "time.hwclock", names: "hwclock", level: "low", safe: "-r --show --get -u --utc --verbose -V --version -h --help",
    match: { low: ["hwclock", "hwclock --show"], medium: ["hwclock --systohc"] } },
  { id: "time.chrony", names: "chronyc ntpq ntpstat",
    sub: { low: "rv readvar peers lpeers pe opeers as associations sysinfo sysstats kerninfo monstats mrulist tracking sources sourcestats activity ntpdata serverstats clients rtcdata manual_list",
    medium: "makestep burst online offline waitsync reload" }, noSub: "low", ladder: [{ names: "ntpq", level: "medium", if: " (-c|--command)[ =]?(?!(rv|readvar|rl|readlist|cv|clockvar|cl|clocklist|pe(ers)?|lpe?(ers)?|opeers|lopeers|as(sociations)?|lassociations|apeers|sysinfo|sysstats|kerninfo|iostats|monstats|mrulist|authinfo|version|ifstats|reslist|timerstats|pstats)(␠| ))", why: "may change the clock's daemon" }],
    reach: [{ kind: "lookup", options: { host: "-h" } }],
    match: { low: ["chronyc tracking", "ntpq -p"], medium: ["chronyc makestep", "echo makestep | chronyc"] } },
  { id: "cron.crontab", names: "crontab", options: { value: "-u" }, ladder: [{ level: "high", if: " -\\w*r ",
    why: "deletes the crontab" }, { level: "low", if: " -\\w*l " }, { level: "high", if: " -\\w*e ", why: "changes the crontab" },
    { level: "high", operands: true, if: "\\S", why: "replaces the crontab" }, { level: "medium" }],
    effects: [{ does: "runs-text", stdin: true, ...replaced }, { does: "runs-text", operand: 0, file: true, ...replaced }],
    exits: [{ where: "-l", says: { 1: "no crontab" } }],
    probes: [{ unless: " - ", without: "^-(r|i|e)$", run: "$0 -l $-", shows: "the table that would be replaced or removed",
      example: ["crontab -u app -r",
      "crontab -l -u app"] }],
    match: { low: ["crontab -l"], medium: ["crontab"], high: ["crontab -r", "crontab /tmp/x"],
      block: ["echo '* * * * * rm -rf /' | crontab -"] } },
  { id: "cron.at", names: "at batch", level: "medium", flags: { high: "-f" }, when: { low: "-l -c", medium: "-d -r" },
    options: { value: "-f -q -t" }, effects: [{ does: "runs-text", stdin: true, unless: " -[lcdr] " }, { does: "runs-text",
    after: "-f", file: true }], why: "runs a command later",
    match: { low: ["at -l"], medium: ["echo uptime | at now"], high: ["at -f /opt/x.sh now"], block: ["echo 'rm -rf /' | at now"] } },
  { id: "cron.atq", names: "atq", level: "low", match: { low: ["atq"] } },
  { id: "cron.atrm", names: "atrm", level: "medium", match: { medium: ["atrm 3"] } },
  { id: "cron.run-parts", names: "run-parts anacron", level: "medium", when: { low: "--test --list" },
    match: { low: ["run-parts --test"], medium: ["run-parts /etc/cron.daily"] } },
];
