/** Programs of Windows, for cmd and PowerShell alike: the first pattern that the arguments match decides. */
import type { Risk } from "../../types.ts";

export interface NativeRule {
  readonly names: string;
  readonly level: Risk;
  /** First match on the arguments in lower case decides. */
  readonly when?: readonly (readonly [risk: Risk, args: RegExp])[];
  /** The argument that a command line to run stands behind; "operands" where it is all that is no option. */
  readonly runs?: RegExp | "operands";
}

/** Programs of Windows itself. */
export const windowsPrograms: readonly NativeRule[] = [
  {
    names:
      "systeminfo tasklist netstat ping tracert pathping nslookup whoami hostname ver find findstr more sort fc comp tree where driverquery getmac nbtstat query qwinsta quser gpresult vol typeperf openfiles msinfo32 klist dsquery dsget dcdiag portqry pathcheck timeout choice title color prompt cls rem echo echo. pause exit help path handle psinfo pslist psloggedon autorunsc tcpvcon listdlls sigcheck du64 strings64 wmimgmt qappsrv verify assoc ftype popd pushd cd chdir setlocal endlocal shift goto break print",
    level: "low",
    when: [["low", /.*/]],
  },
  {
    names: "ipconfig",
    level: "low",
    when: [
      ["high", /\/release/],
      ["medium", /\/(renew|flushdns|registerdns|setclassid)/],
    ],
  },
  {
    names: "arp route",
    level: "medium",
    when: [
      ["high", /(^|\s)(delete|-f|-d)\b/],
      ["low", /(^|\s)(print|-a|-g)\b|^$/],
    ],
  },
  {
    names: "sc",
    level: "medium",
    runs: /^binpath=?$/i,
    when: [
      ["block", /\b(stop|delete|config)\s+"?(eventlog|windefend|sysmon\w*|wscsvc|mpssvc|sense)\b/],
      [
        "low",
        /^(\\\\\S+\s+)?(query|queryex|qc|qdescription|qfailure|enumdepend|sdshow|getdisplayname|getkeyname|qtriggerinfo)\b/,
      ],
      ["medium", /^(\\\\\S+\s+)?config\s+("[^"]*"|\S+)\s+start(=\s*|\s+)(auto|demand|delayed-auto)$/],
      ["high", /\b(delete|sdset|config|create|failure)\b/],
    ],
  },
  {
    names: "net net1",
    level: "medium",
    when: [
      [
        "block",
        /\bstop\s+"?(eventlog|windows event log|windefend|(microsoft |windows )?defender|sysmon\w*|wscsvc|mpssvc|windows firewall|sense\b|splunkforwarder|winlogbeat)/,
      ],
      [
        "high",
        /\/delete|\buser\s+\S+\s+(?!\/domain$)\S+|\/add\b|\blocalgroup\s+\S+\s+\S+|\bstop\b.*\/y|\baccounts\s+\//,
      ],
      ["medium", /^(start|stop|pause|continue)\s+\S/],
      ["low", /^(user|group|localgroup|accounts)(\s+[\w.-]+)?\s+\/domain$/],
      [
        "low",
        /^(start|use|view|user|localgroup|group|share|session|statistics|accounts|file|time|config|helpmsg|name)(\s+\S+)?$/,
      ],
    ],
  },
  {
    names: "taskkill tskill pskill",
    level: "medium",
    when: [["high", /\/f\b|lsass|csrss|wininit|winlogon|services\.exe|svchost/]],
  },
  { names: "shutdown psshutdown logoff", level: "high", when: [["medium", /\/a\b|-a\b/]] },
  { names: "format diskpart sdelete sdelete64", level: "block" },
  { names: "cipher", level: "medium", when: [["block", /\/w/]] },
  {
    names: "vssadmin wbadmin diskshadow",
    level: "medium",
    when: [
      ["block", /\bdelete\b|resize shadowstorage/],
      ["low", /\blist\b|\bget\b/],
    ],
  },
  {
    names: "wevtutil",
    level: "medium",
    when: [
      ["block", /^(cl|clear-log)\b/],
      ["high", /^(sl|set-log|um)\b/],
      ["low", /^(qe|query-events|el|enum-logs|gl|get-log|gli|get-loginfo|ep|gp|epl)\b/],
    ],
  },
  {
    names: "bcdedit bootrec bcdboot",
    level: "high",
    when: [
      ["low", /^(\/enum.*)?$/],
      ["block", /recoveryenabled\s+no|bootstatuspolicy|\/delete/],
    ],
  },
  {
    names: "fsutil",
    level: "high",
    when: [
      ["low", /\b(query\w*|info|fsinfo|drives|volumeinfo|diskfree|list)\b/],
      ["block", /usn\s+deletejournal|setzerodata/],
    ],
  },
  {
    names: "auditpol",
    level: "high",
    when: [
      ["low", /\/get|\/list/],
      ["block", /\/clear|\/remove|disable/],
    ],
  },
  {
    names: "runas psexec psexec64 winrs paexec",
    level: "high",
    runs: "operands",
  },
  { names: "forfiles", level: "low", runs: /^\/c$/i },
  {
    names: "reg",
    level: "medium",
    runs: /^\/d$/i,
    when: [
      [
        "block",
        /\b(save|export)\s+"?(hklm|hkey_local_machine)\\(sam|security|system)\b|delete\s+"?(hklm|hkey_local_machine)(\\(system|software|sam|security))?"?(\s|$)/,
      ],
      [
        "block",
        /^add\b.*(disableanti\w+|disablerealtime\w*|disablebehavior\w*|disableioav\w*|disablescript\w*|uselogoncredential|disablerestrictedadmin)\b.*\/d\s+"?(1|0x1)\b|^add\b.*(scriptblocklogging|modulelogging|\\transcription|runasppl|tamperprotection|\\windows defender\\exclusions).*|^delete\b.*(\\windows defender|scriptblocklogging|\\eventlog)\b/,
      ],
      ["low", /^(query|compare)\b/],
      ["high", /^(delete|import|restore|load|unload|copy)\b|\\(run|runonce|winlogon|services)\b|lsa\b/],
      ["medium", /^(add|export|save)\b/],
    ],
  },
  { names: "regedit regini", level: "high" },
  {
    names: "schtasks at",
    level: "medium",
    runs: /^\/tr$/i,
    when: [
      ["low", /\/query|^$/],
      ["high", /\/(delete|create|change)\b/],
    ],
  },
  {
    names: "wmic",
    level: "medium",
    runs: /^create$/i,
    when: [
      ["block", /shadowcopy\s+delete|(cleareventlog|nteventlog.*clear)/],
      [
        "high",
        /\b(delete|terminate|call\s+(create|stopservice|reboot|shutdown|win32shutdown|delete|uninstall|changestartmode))\b/,
      ],
      ["low", /\b(get|list)\b/],
    ],
  },
];
