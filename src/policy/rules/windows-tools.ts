/** More programs of Windows: setup, networking, directory, and those that are used to slip code past a guard. */
import type { NativeRule } from "./windows-programs.ts";

export const windowsTools: readonly NativeRule[] = [
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
        /\/(query|get\w+|dsgetdc|availablesleepstates|sc_query|showrepl|replsummary|list|enumzones|info|statistics|l\b|q\b)|^(get|enum|e|gc|es|gs)\b|\/stripchart|-l\b|-q\b|\/monitor/,
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
      "mshta regsvr32 rundll32 installutil regasm regsvcs odbcconf cmstp mavinject ieexec msxsl wscript cscript presentationhost hh pcalua conhost scriptrunner msbuild control ftp forfiles.exe syncappvpublishingserver workflowcompiler microsoft.workflow.compiler dnx rcsi csi cdb tttracer appvlp bginfo te.exe dfsvc extexport infdefaultinstall verclsid xwizard wab.exe",
    level: "high",
    runs: /^(-a|-appvscript|--headless)$/i,
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
  {
    names: "cluster",
    level: "medium",
    when: [
      [
        "low",
        /^(\/cluster:\S+\s+)?(group|node|resource|network|netinterface|resourcetype)?(\s+("[^"]*"|[^\s/]+))*(\s+\/(status|prop\w*|listdep\w*))?$/,
      ],
    ],
  },
  { names: "dsrm dsmod dsadd net2 netdom dcpromo", level: "high" },
  { names: "secedit", level: "high", when: [["low", /\/(export|analyze|validate)/]] },
  { names: "notepad explorer mmc eventvwr perfmon taskmgr services.msc", level: "medium" },
  {
    names: "winget choco scoop nuget",
    level: "medium",
    when: [
      ["high", /\b(uninstall|remove|--unregister)\b/],
      [
        "low",
        /^(list|search|show|info|outdated|find|sources?\b(?!.*\b(add|remove|update))|pin list|--version|-v|locals\b.*-list)\b/,
      ],
    ],
  },
  {
    names: "fltmc",
    level: "medium",
    when: [
      ["block", /\bunload\s+(sysmon\w*|wdfilter|csagent)/],
      ["high", /\b(unload|detach)\b/],
      ["low", /^(filters|instances|volumes)?(\s|$)/],
    ],
  },
  {
    names:
      "logman nssm dsregcmd tzutil netdom dfsrdiag dfsdiag azcmagent pktmon hcsdiag manage-bde slmgr tracerpt rasdial bootcfg sqlps vmrun ocsetup auditusr printui dfsradmin pnpunattend hvc ktutil",
    level: "medium",
    when: [
      ["high", /(^|\s)[-/]?(delete|remove|leave|off|disable|reset|forcerecovery|disconnect|unregister)\b/],
      [
        "low",
        /^[-/]?(query|status|get|list|show|dump|backlog|replicationstate|check|g|l|dli|dlv|xpr|testdcs|testservices|statuscode|counters|enum)\b/,
      ],
    ],
  },
  { names: "nvidia-smi vmic mpstat", level: "low" },
];
