/** Service managers, web servers and daemons' own control programs. */
import type { CallEffect } from "../call-effect.ts";
import type { Program, Rung } from "../program.ts";
import { otherMachine } from "./facts.ts";

/** What happens to the units named beside these verbs. */
const unitEffects: readonly CallEffect[] = [
  { does: "stops", where: " stop " },
  { does: "stops", where: " mask ", why: "masks" },
  { does: "stops", where: " isolate ", why: "isolates" },
  { does: "stops", where: " (disable|off|down|remove|del|delete|exit|--del) ", why: "disables" },
  { does: "stops", where: " kill ", unless: " (-s|--signal=)?(SIG)?(HUP|USR1|USR2) ", why: "kills" },
  { does: "restarts", where: " restart " },
];
const unitLadder: readonly Rung[] = [
  {
    level: "high",
    if: " (start|isolate) (\\S+ )*(reboot|poweroff|halt|kexec|rescue|emergency|shutdown|runlevel[016])\\.target ",
    why: "downtime",
  },
  { level: "high", if: "^(?=.* kill ).* ((-s|--signal=?)?(SIG)?(KILL|9)|-9) ", why: "kills the unit hard" },
];

// biome-ignore format: filled to the width
export const serviceRules: readonly Program[] = [
  { id: "service.systemctl", names: "systemctl",
    sub: { low: "status show cat list-* is-* help get-default show-environment dot",
    medium: "start restart reload try-restart reload-or-restart try-reload-or-restart enable " +
    "reenable preset daemon-reload daemon-reexec reset-failed stop disable mask unmask " +
    "kill set-property edit link revert add-wants add-requires set-environment " +
    "unset-environment import-environment clean cancel freeze thaw log-level",
    high: "reboot poweroff halt kexec suspend hibernate hybrid-sleep isolate rescue emergency " +
    "default switch-root soft-reboot exit set-default" }, noSub: "low", dry: "",
    options: { value: "-n -p -t -o -s -H -M --lines --property --type --state --output --signal --host " +
    "--machine --kill-who --kill-whom --job-mode --root --message --what" }, effects: unitEffects, ladder: unitLadder,
    subWhy: { start: "starts the unit", restart: "restarts the unit",
    reload: "has the unit read its configuration again", stop: "stops the unit",
    enable: "starts the unit at every boot, with --now also at once",
    disable: "no longer starts the unit at boot, with --now also stops it",
    kill: "sends the unit's processes a signal" }, reach: [otherMachine], traits: [{ is: "names" }], prints: [{ as: "systemctl" }],
    exits: [{ where: "status is-active", says: { 3: "not active", 4: "no such unit" } },
    { where: "is-enabled", says: { 1: "not enabled", 4: "no such unit" } },
    { where: "is-failed", says: { 1: "not failed" } }],
    probes: [{ if: "^ (-\\S+ )*(stop|restart|try-restart|reload-or-restart|disable|mask|kill|isolate) ", run: "$0 list-dependencies --reverse --no-pager $2+", shows: "what depends on the unit",
      example: ["sudo systemctl restart nginx",
      "sudo systemctl list-dependencies --reverse --no-pager nginx"] }],
    match: { low: ["systemctl status nginx", "systemctl --failed --no-pager", "systemctl list-timers"],
      medium: ["systemctl restart nginx", "systemctl stop app"], high: ["systemctl stop sshd",
      "systemctl stop postgresql", "systemctl poweroff", "systemctl start reboot.target"],
      block: ["systemctl stop auditd", "systemctl disable --now auditd"] } },
  { id: "service.sysv", names: "service invoke-rc.d rc-service", effects: unitEffects,
    ladder: [{ level: "low", if: " --status-all " }, { level: "low", operands: true,
    if: "^ *$|^ \\S+ (status|show|configtest|check|test|info|list) " }, { level: "medium" }],
    traits: [{ names: "service", is: "names" }], exits: [{ names: "service", where: "status",
    says: { 3: "not active", 4: "no such service" } }],
    match: { low: ["service nginx status"], medium: ["service apache2 restart"], block: ["service auditd stop"] } },
  { id: "service.rc", names: "update-rc.d chkconfig rc-update sv svc initctl launchctl rcctl s6-svc", level: "medium",
    when: { low: "status --list list -s check stat print", medium: "restart start reload",
    high: "stop down remove delete bootout unload -f --del" }, effects: unitEffects, ladder: unitLadder,
    match: { low: ["sv status app", "chkconfig --list"], medium: ["sv restart app"], high: ["update-rc.d stop"],
      block: ["chkconfig auditd off"] } },
  { id: "service.analyze", names: "systemd-analyze",
    sub: { low: "blame critical-chain time plot dot dump verify security calendar timespan cat-config " +
    "unit-paths syscall-filter exit-status capability condition", medium: "set-log-level" }, noSub: "low",
    match: { low: ["systemd-analyze blame"], medium: ["systemd-analyze set-log-level"] } },
  { id: "service.look", names: "rc-status svstat systemd-cgtop systemd-cgls systemd-delta systemd-path", level: "low",
    unbounded: [{ names: "systemd-cgtop", ends: "-n --iterations -1", does: "it never ends", instead: "systemd-cgtop -n 1" }],
    match: { low: ["systemd-cgtop -n 1"] } },
  { id: "service.supervisor", names: "supervisorctl", sub: { low: "status tail avail pid version maintail help",
    medium: "start restart stop reread update signal reload add clear", high: "shutdown remove" }, effects: unitEffects, ladder: unitLadder,
    match: { low: ["supervisorctl status"], medium: ["supervisorctl restart web"], high: ["supervisorctl shutdown"] } },
  { id: "service.pm2", names: "pm2", sub: { low: "list ls status show describe logs monit prettylist jlist env id info",
    medium: "start restart reload stop save scale resurrect flush startup reset sendSignal", high: "delete kill" },
    effects: unitEffects, ladder: unitLadder,
    unbounded: [{ sub: "logs monit", ends: "--nostream", does: "it follows a log for ever", instead: "pm2 logs --nostream" }],
    match: { low: ["pm2 list"], medium: ["pm2 restart web"], high: ["pm2 delete all"] } },
  { id: "service.monit", names: "monit", sub: { low: "status summary report validate",
    medium: "start stop restart monitor unmonitor reload", high: "quit" }, effects: unitEffects, ladder: unitLadder,
    match: { low: ["monit summary"], medium: ["monit restart web"], high: ["monit quit"] } },
  { id: "service.ctl", names: "timedatectl hostnamectl localectl loginctl resolvectl networkctl machinectl " +
    "coredumpctl bootctl-status portablectl udevadm",
    sub: { low: "status show list* query timesync-status show-timesync statistics info lldp " +
    "user-status session-status seat-status dns domain monitor tree introspect settle " +
    "show-session show-user hostname",
    medium: "dump set-* reload reconfigure renew up down flush-caches reset-statistics " +
    "reset-server-features start login shell enable disable trigger control enable-linger " +
    "disable-linger lock-session*", high: "terminate-* kill-* poweroff reboot remove gdb debug terminate kill" },
    noSub: "low", ladder: [{ names: "hostnamectl", level: "medium", if: " (hostname|chassis|deployment|location|icon-name) [^- ]", why: "sets what the machine is called" }], reach: [{ names: "resolvectl", kind: "lookup", sub: "query service openpgp tlsa", operands: "hosts" }, { names: "timedatectl hostnamectl localectl loginctl machinectl", ...otherMachine }], deep: { dump: { level: "medium", options: { "path-write": "-o --output" } } },
    unbounded: [{ names: "udevadm", sub: "monitor", does: "it never ends" }],
    match: { low: ["timedatectl", "resolvectl status", "loginctl list-sessions", "coredumpctl list"],
      medium: ["timedatectl set-timezone UTC", "coredumpctl dump 42 -o /tmp/core"],
      high: ["loginctl terminate-user bob"] } },
  { id: "service.bus", names: "busctl dbus-send gdbus qdbus", level: "medium", reach: [{ names: "busctl", ...otherMachine }],
    when: { low: "status list tree introspect monitor capture get-property help --version",
    high: "call set-property emit" }, ladder: [{ level: "high",
    if: "\\b(PowerOff|Reboot|Halt|Suspend|Hibernate|KExec|Exit|SoftReboot|SwitchRoot)\\b",
    why: "asks the system manager for downtime" }, { level: "high", why: "asks the system manager about a unit",
    if: "\\b(Stop|Kill|Disable|Mask|Restart|TryRestart|Start)Unit(Files)?\\b" }], effects: [{ does: "stops",
    where: "\\b(Stop|Kill|Disable|Mask)Unit(Files)?\\b",
    if: "^(?:(?:array:)?string:)?[\\['\"]*(.*?)['\",\\]]*$" }],
    match: { low: ["busctl list", "busctl tree org.freedesktop.systemd1"],
      medium: ["dbus-send --system --print-reply --dest=org.x /org/x org.x.Do"],
      high: ["busctl call org.freedesktop.login1 /org/freedesktop/login1 " +
      "org.freedesktop.login1.Manager Reboot b true"],
      block: ["busctl call org.freedesktop.systemd1 /org/freedesktop/systemd1 " +
      "org.freedesktop.systemd1.Manager StopUnit ss auditd.service replace"] } },
];
