/** Service managers, web servers and daemons' own control programs. */
import type { Detail, Program, Row } from "../program.ts";
import { elsewhere, otherMachine } from "./facts.ts";

// biome-ignore-start format: filled to the width
const endsHard: readonly Row[] = [
  {
    if: " (start|isolate) (\\S+ )*(reboot|poweroff|halt|kexec|rescue|emergency|shutdown|runlevel[016])\\.target ",
    level: "high",
    why: "downtime",
  },
  { if: "^(?=.* kill ).* ((-s|--signal=?)?(SIG)?(KILL|9)|-9) ", level: "high", why: "kills the unit hard" },
];
/** The verbs of any manager of services, wherever they stand. */
const controlsUnits: readonly Row[] = [
  { words: "~stop", does: "stops" },
  { words: "~mask", does: { is: "stops", why: "masks" } },
  { words: "~isolate", does: { is: "stops", why: "isolates" } },
  { words: "~disable ~off ~down ~remove ~del ~delete ~exit --del", does: { is: "stops", why: "disables" } },
  { words: "~kill", unless: " (-s|--signal=)?(SIG)?(HUP|USR1|USR2) ", does: { is: "stops", why: "kills" } },
  { words: "~restart", does: "restarts" },
];
/** Alone they show what is set. */
const managerSettings: Detail["deep"] = {
  "log-level log-target service-watchdogs": {
    level: "low",
    rows: [{ if: "\\S", operands: true, level: "medium", why: "changes the manager" }],
  },
};
// biome-ignore-end format: filled to the width

// biome-ignore format: filled to the width
export const serviceRules: readonly Program[] = [
  { id: "service.systemctl", names: "systemctl",
    options: {
      value: "-n -p -t -o -s -H -M --lines --property --type --state --output --signal --host --machine " +
        "--kill-who --kill-whom --job-mode --root --message --what" },
    rows: [
      { words: "status show cat list-* is-* help get-default show-environment dot whoami", level: "low" },
      { words: "start", level: "medium", why: "starts the unit" },
      { words: "restart", level: "medium", why: "restarts the unit" },
      { words: "reload", level: "medium", why: "has the unit read its configuration again" },
      { words: "enable", level: "medium", why: "starts the unit at every boot, with --now also at once" },
      { words: "stop", level: "medium", why: "stops the unit" },
      { words: "disable", level: "medium", why: "no longer starts the unit at boot, with --now also stops it" },
      { words: "kill", level: "medium", why: "sends the unit's processes a signal" },
      { words: "try-restart reload-or-restart try-reload-or-restart reenable preset daemon-reload " +
        "daemon-reexec reset-failed mask unmask set-property edit link revert add-wants add-requires " +
        "set-environment unset-environment import-environment clean cancel freeze thaw",
        level: "medium" },
      { words: "reboot poweroff halt kexec suspend hibernate hybrid-sleep isolate rescue emergency default " +
        "switch-root soft-reboot exit set-default",
        level: "high" },
      { words: "()", level: "low" },
      ...endsHard,
      { is: "undry" },
      { words: "stop", does: "stops" },
      { words: "mask", does: { is: "stops", why: "masks" } },
      { words: "isolate", does: { is: "stops", why: "isolates" } },
      { words: "disable ~off ~down ~remove ~del ~delete exit --del", does: { is: "stops", why: "disables" } },
      { words: "kill", unless: " (-s|--signal=)?(SIG)?(HUP|USR1|USR2) ", does: { is: "stops", why: "kills" } },
      { words: "restart", does: "restarts" },
      otherMachine,
      { words: "~status ~is-active", exit: { 3: "not active", 4: "no such unit" } },
      { words: "~is-enabled", exit: { 1: "not enabled", 4: "no such unit" } },
      { words: "~is-failed", exit: { 1: "not failed" } }, { prints: "systemctl" }, { is: "names" },
      { if: "^ (-\\S+ )*(stop|restart|try-restart|reload-or-restart|disable|mask|kill|isolate) ",
        probe: { run: "$0 list-dependencies --reverse --no-pager $2+", shows: "what depends on the unit",
          example: ["sudo systemctl restart nginx", "sudo systemctl list-dependencies --reverse --no-pager nginx"] } },
    ],
    deep: managerSettings,
    match: { low: ["systemctl status nginx", "systemctl --failed --no-pager", "systemctl list-timers"],
      medium: ["systemctl restart nginx", "systemctl stop app"],
      high: ["systemctl stop sshd", "systemctl stop postgresql", "systemctl poweroff", "systemctl start reboot.target"],
      block: ["systemctl stop auditd", "systemctl disable --now auditd"] } },
  { id: "service.sysv", names: "service invoke-rc.d rc-service", level: "medium",
    rows: [
      { words: "--status-all", level: "low" },
      // Each word more may be one more thing to do; Debian's scripts take a version and a cluster.
      { if: "^ *$|^ \\S+ (status|configtest)( (status|configtest|\\d[\\w.]*|main))* $", operands: true, level: "low" },
      ...controlsUnits,
      { names: "service", words: "~status", exit: { 3: "not active", 4: "no such service" } },
      { names: "service", is: "names" },
    ],
    match: { low: ["service nginx status"], medium: ["service apache2 restart"], block: ["service auditd stop"] } },
  { id: "service.rc", names: "update-rc.d chkconfig rc-update sv svc initctl launchctl rcctl s6-svc", level: "medium",
    rows: [
      { words: "~status --list ~list -s ~check ~stat ~print", level: "low" },
      { names: "rc-update", if: "^ (-v )?show( -v| \\w+)* $", level: "low" },
      { words: "~restart ~start ~reload", level: "medium" },
      { names: "sv", unless: "^( -v| -w \\d+)* (s|status|check) ", level: "medium", why: "tells a service what to do" },
      { words: "~stop ~down ~remove ~delete ~bootout ~unload -f --del", level: "high" },
      ...endsHard,
      ...controlsUnits,
    ],
    match: { low: ["sv status app", "chkconfig --list"], medium: ["sv restart app"], high: ["update-rc.d stop"],
      block: ["chkconfig auditd off"] } },
  { id: "service.analyze", names: "systemd-analyze",
    rows: [
      { words: "blame critical-chain time plot dot dump verify security calendar timespan cat-config " +
        "unit-paths unit-files syscall-filter filesystems exit-status capability condition timestamp fdstore " +
        "architectures pcrs has-tpm2 compare-versions inspect-elf smbios11",
        level: "low" },
      { words: "set-log-level", level: "medium" },
      { words: "()", level: "low" },
    ],
    deep: managerSettings,
    match: { low: ["systemd-analyze blame", "systemd-analyze log-level"], medium: ["systemd-analyze set-log-level"] } },
  { id: "service.look", names: "rc-status svstat systemd-cgtop systemd-cgls systemd-delta systemd-path", level: "low",
    match: { low: ["systemd-cgtop -n 1"] } },
  { id: "service.supervisor", names: "supervisorctl", options: { settings: "-c --configuration" },
    rows: [
      { words: "()", level: "medium", why: "opens its console" },
      { words: "status tail avail pid version maintail help", level: "low" },
      { words: "start restart stop reread update signal reload add clear", level: "medium" },
      { words: "shutdown remove", level: "high" },
      ...endsHard,
      ...controlsUnits,
    ],
    match: { low: ["supervisorctl status"], medium: ["supervisorctl restart web"], high: ["supervisorctl shutdown"] } },
  { id: "service.pm2", names: "pm2",
    rows: [
      { words: "list ls status show describe logs monit prettylist jlist env id info", level: "low" },
      { words: "start restart reload stop save scale resurrect flush startup reset sendSignal", level: "medium" },
      { words: "delete kill", level: "high" },
      ...endsHard,
      ...controlsUnits,
      { words: "logs monit",
        ends: { ends: "--nostream", does: "it follows a log for ever", instead: "pm2 logs --nostream" } },
    ],
    match: { low: ["pm2 list"], medium: ["pm2 restart web"], high: ["pm2 delete all"] } },
  { id: "service.monit", names: "monit",
    rows: [
      { words: "status summary report", level: "low" },
      { words: "()", unless: "^( -v+)* -[tVh]( -v+)* $", level: "medium" },
      { if: "^( -v+)* -[tVh]( -v+)* $", level: "low" },
      { words: "start stop restart monitor unmonitor reload", level: "medium" },
      { words: "quit", level: "high" },
      ...endsHard,
      ...controlsUnits,
    ],
    match: { low: ["monit summary"], medium: ["monit restart web"], high: ["monit quit"] } },
  { id: "service.ctl",
    names: "timedatectl hostnamectl localectl loginctl resolvectl networkctl machinectl coredumpctl " +
      "portablectl udevadm",
    rows: [
      { words: "status show list* query timesync-status show-timesync statistics info lldp user-status " +
        "session-status seat-status dns domain monitor tree introspect settle show-session show-user hostname " +
        "show-cache show-server-state cat verify image-status show-image",
        level: "low" },
      // The server or the domain behind the link is set.
      { names: "resolvectl", if: "^( -\\S+)* (dns|domain) \\S+ \\S", level: "medium", why: "sets how names are found" },
      { words: "dump set-* reload reconfigure renew up down flush-caches reset-statistics " +
        "reset-server-features start login enable disable trigger control enable-linger disable-linger " +
        "lock-session*",
        level: "medium" },
      { words: "terminate-* kill-* poweroff reboot remove gdb debug terminate kill", level: "high" },
      { words: "()", level: "low" },
      { names: "hostnamectl", if: " (hostname|chassis|deployment|location|icon-name) [^- ]", level: "medium",
        why: "sets what the machine is called" },
      { names: "resolvectl", words: "query service openpgp tlsa", reach: { kind: "lookup", operands: "hosts" } },
      { names: "timedatectl hostnamectl localectl loginctl machinectl", ...otherMachine },
      { names: "udevadm", words: "monitor", ends: { does: "it never ends" } },
    ],
    deep: {
      shell: { rows: [elsewhere("machinectl", "", 1)] },
      dump: { level: "medium", options: { "path-write": "-o --output" } },
    },
    match: { low: ["timedatectl", "resolvectl status", "loginctl list-sessions", "coredumpctl list"],
      medium: ["timedatectl set-timezone UTC", "coredumpctl dump 42 -o /tmp/core"],
      high: ["loginctl terminate-user bob"] } },
  { id: "service.bus", names: "busctl dbus-send gdbus qdbus", level: "medium",
    rows: [
      { words: "~status ~list ~tree ~introspect ~monitor ~capture ~get-property ~help --version", level: "low" },
      { words: "~call ~set-property ~emit", level: "high" },
      { if: "\\b(PowerOff|Reboot|Halt|Suspend|Hibernate|KExec|Exit|SoftReboot|SwitchRoot)\\b", level: "high",
        why: "asks the system manager for downtime" },
      { if: "\\b(Stop|Kill|Disable|Mask|Restart|TryRestart|Start)Unit(Files)?\\b", level: "high",
        why: "asks the system manager about a unit" },
      { if: "\\b(Stop|Kill|Disable|Mask)Unit(Files)?\\b",
        does: { is: "stops", if: "^(?:(?:array:)?string:)?[\\['\"]*(.*?)['\",\\]]*$" } },
      { names: "busctl", ...otherMachine },
    ],
    match: { low: ["busctl list", "busctl tree org.freedesktop.systemd1"],
      medium: ["dbus-send --system --print-reply --dest=org.x /org/x org.x.Do"],
      high: ["busctl call org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager Reboot b true"],
      block: [
        "busctl call org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.systemd1.Manager " +
          "StopUnit ss auditd.service replace",
      ] } },
];
