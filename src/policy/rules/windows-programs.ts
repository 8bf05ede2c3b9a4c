/** Programs of Windows, for cmd and PowerShell alike: the first pattern that the arguments match decides. */
import type { Risk } from "../../types.ts";

export interface NativeRule {
  readonly names: string;
  readonly level: Risk;
  /** First match on the arguments in lower case decides. */
  readonly when?: readonly (readonly [risk: Risk, args: RegExp])[];
}

/** Programs of Windows itself. */
export const natives: readonly NativeRule[] = [
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
    when: [
      ["block", /\b(stop|delete|config)\s+"?(eventlog|windefend|sysmon\w*|wscsvc|mpssvc|sense)\b/],
      [
        "low",
        /^(\\\\\S+\s+)?(query|queryex|qc|qdescription|qfailure|enumdepend|sdshow|getdisplayname|getkeyname|qtriggerinfo)\b/,
      ],
      ["high", /\b(delete|sdset|config|create|failure)\b/],
    ],
  },
  {
    names: "net net1",
    level: "medium",
    when: [
      ["block", /\bstop\s+"?(eventlog|windefend|sysmon|mpssvc)/],
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
    names: "reg",
    level: "medium",
    when: [
      [
        "block",
        /\b(save|export)\s+"?(hklm|hkey_local_machine)\\(sam|security|system)\b|delete\s+"?(hklm|hkey_local_machine)(\\(system|software|sam|security))?"?(\s|$)/,
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
    when: [
      ["low", /\/query|^$/],
      ["high", /\/(delete|create|change)\b/],
    ],
  },
  {
    names: "wmic",
    level: "medium",
    when: [
      ["block", /shadowcopy\s+delete|(cleareventlog|nteventlog.*clear)/],
      [
        "high",
        /\b(delete|terminate|call\s+(create|stopservice|reboot|shutdown|win32shutdown|delete|uninstall|changestartmode))\b/,
      ],
      ["low", /\b(get|list)\b/],
    ],
  },
  {
    names: "icacls cacls takeown xcacls subinacl",
    level: "medium",
    when: [
      [
        "block",
        /^"?[a-z]:(\\(\*|windows|program files.*|users)?)?"?\s.*\/(t|r)\b|\/f\s+"?[a-z]:(\\(windows|users|program files.*)?)?"?\s.*\/r/,
      ],
      ["high", /\/(grant|reset|setowner|remove|deny|t|r|f)\b/],
      ["low", /^\S+$|^"[^"]*"$/],
    ],
  },
  {
    names: "attrib compact label mklink subst chkdsk defrag mountvol convert recover",
    level: "medium",
    when: [
      ["high", /\/[fxrd]\b/],
      ["low", /^$|^[a-z]:$/],
    ],
  },
  {
    names: "copy xcopy move ren rename md mkdir expand makecab extract replace",
    level: "medium",
    when: [["high", /\\windows\\|system32/]],
  },
  {
    names: "robocopy",
    level: "medium",
    when: [
      ["high", /\/(mir|purge|move|mov)\b/],
      ["low", /\/l\b/],
    ],
  },
  {
    names: "netsh",
    level: "medium",
    when: [
      ["low", /^[\w\s]*\b(show|dump)\b/],
      ["high", /\b(delete|reset|disable|off|set\s+state|allprofiles|portproxy)\b|state\s+off/],
    ],
  },
  {
    names: "dism sfc pnputil",
    level: "medium",
    when: [
      ["low", /\/(get-|checkhealth|scanhealth|verifyonly|enum-)/],
      ["high", /\/(disable-feature|remove-|delete-driver|resetbase|cleanup-image.*reset)/],
    ],
  },
  {
    names: "iisreset",
    level: "medium",
    when: [
      ["low", /\/status/],
      ["high", /\/(stop|disable|reboot)/],
    ],
  },
  {
    names: "appcmd",
    level: "medium",
    when: [
      ["low", /^(list|search)\b/],
      ["high", /^(delete|clear|reset)\b/],
    ],
  },
  {
    names:
      "w32tm nltest repadmin setspn dnscmd dfsutil winrm wecutil winmgmt gpupdate powercfg rdpclip tsdiscon nvspbind wusa usoclient",
    level: "medium",
    when: [
      [
        "low",
        /\/(query|dsgetdc|sc_query|showrepl|replsummary|list|enumzones|info|statistics|l\b|q\b)|^(get|enum|e|gc|es|gs)\b|\/stripchart|-l\b|-q\b|\/monitor/,
      ],
      ["high", /\b(delete|stop|reset|disable|\/resetrepository|salvage|uninstall|\/d\b|zonedelete)/],
    ],
  },
  {
    names: "certutil",
    level: "medium",
    when: [
      ["block", /-?(urlcache|verifyctl).*https?:|https?:.*-f\b/],
      ["high", /[-/](decode|decodehex|encode|delstore|delkey|exportpfx|addstore)\b/],
      ["low", /[-/](hashfile|store|verify|viewstore|dump|ping|url)\b/],
    ],
  },
  {
    names:
      "mshta regsvr32 rundll32 installutil regasm regsvcs odbcconf cmstp mavinject ieexec msxsl wscript cscript presentationhost hh pcalua",
    level: "high",
    when: [["block", /https?:|javascript:|vbscript:|comsvcs|scrobj|\\\\\d|minidump/]],
  },
  {
    names: "bitsadmin",
    level: "high",
    when: [
      ["low", /\/(list|info|getstate)\b/],
      ["block", /setnotifycmdline/],
    ],
  },
  {
    names: "msiexec wusa",
    level: "medium",
    when: [
      ["block", /\/(i|package)?\s*"?https?:/],
      ["high", /\/(x|uninstall)\b/],
    ],
  },
  {
    names: "ntdsutil procdump procdump64 mimikatz gsecdump pwdump esentutl vaultcmd cmdkey",
    level: "high",
    when: [
      ["block", /ntds|lsass|ifm|sekurlsa|lsadump|sam\b/],
      ["low", /\/list/],
    ],
  },
  { names: "cmdkey dsrm dsmod dsadd net2 netdom dcpromo", level: "high" },
  { names: "secedit", level: "high", when: [["low", /\/(export|analyze|validate)/]] },
  { names: "notepad explorer mmc eventvwr perfmon taskmgr services.msc", level: "medium" },
  {
    names: "wsl winget choco scoop nuget",
    level: "medium",
    when: [
      ["high", /\b(uninstall|remove|--unregister)\b/],
      ["low", /\b(list|search|show|info|--list|outdated|-l)\b/],
    ],
  },
  { names: "del erase rd rmdir", level: "high" },
];
