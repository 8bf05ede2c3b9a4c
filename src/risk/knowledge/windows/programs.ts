/**
 * Programs of Windows, for cmd and PowerShell alike, with what their arguments (in lower case, without quotes) make of them. What never
 * may run is tried first, then what only looks, which has to fit as a whole, then what does more than the rest; all else is medium, as is
 * a program that is not here.
 */
import type { Risk } from "../../../base/risk.ts";

export interface NativeRule {
  readonly names: string;
  readonly block?: RegExp;
  readonly low?: RegExp;
  readonly high?: RegExp;
  /** What none of these fits. */
  readonly other?: Risk;
  /** The argument that a command line to run stands behind; "operands" where it is all that is no option. */
  readonly runs?: RegExp | "operands";
}

const anything = /^/;
/** Nothing that writes a file: `/o x`, `/output:x`, `/h x`, `-o x`. */
const noFile = /^(?!.*(^|\s)[-/](o|out|output|outputfile|h|x)([:\s]|$))/;

export const windowsPrograms: readonly NativeRule[] = [
  {
    names:
      "systeminfo tasklist netstat ping tracert pathping nslookup whoami hostname ver find findstr more fc tree where driverquery getmac query qwinsta quser vol dcdiag portqry timeout choice qprocess psping title color prompt cls rem echo echo. pause exit help path pslist psloggedon psinfo autorunsc tcpvcon listdlls sigcheck du64 strings64 qappsrv popd pushd cd chdir setlocal endlocal shift goto break date time dir type vmic mpstat wmimgmt dsget",
    low: anything,
  },
  { names: "sort gpresult typeperf comp", low: noFile },
  // All attributes of a computer are its local administrator's password, too.
  { names: "dsquery", low: /^(?!.*-attr (\S+ )*\*)/ },
  {
    names: "nvidia-smi",
    low: /^((-q|-l|-i \S+|-d \S+|--query-[\w-]+[= ]\S+|--format[= ]\S+|topo -m)(\s|$))*$/,
    high: /(^|\s)(-r|--gpu-reset)\b/,
  },
  { names: "assoc ftype", low: /^[^\s=]*$/ },
  { names: "klist", low: /^(tickets|tgt|sessions|-l.*)?$/ },
  { names: "verifier", low: /^\/(query|querysettings|volatile \/query)$/ },
  { names: "lodctr", low: /^\/q(:\S+)?$/ },
  { names: "tpmtool", low: /^(getdeviceinformation|getdevicestatus)$/ },
  { names: "handle", low: /^(?!.*-c\b)/ },
  { names: "defrag", low: /^\w: \/a$/, high: /\/[fxrd]\b/ },
  { names: "label mklink convert recover", high: /\/[fxrd]\b/ },
  { names: "openfiles", low: /^\/query\b/ },
  { names: "nbtstat", low: /^(?!.*[-/]r)/ },
  { names: "msinfo32", low: /^(\/computer \S+|\/categor\w+ \S+| )*$/ },
  {
    names: "ipconfig",
    low: /^\/?(all\w*|displaydns|showclassid\d?.*)?$/,
    high: /\/release/,
  },
  { names: "arp", low: /^(-[agv].*)?$/, high: /(^|\s)-[ds]\b/ },
  { names: "route", low: /^(-[46] )?print\b|^$/, high: /(^|\s)(delete|-f)\b/ },
  {
    names: "sc",
    runs: /^binpath=?$/i,
    block: /\b(stop|delete|config)\s+"?(eventlog|windefend|sysmon\w*|wscsvc|mpssvc|sense)\b/,
    low: /^(\\\\\S+\s+)?(query|queryex|qc|qdescription|qfailure|enumdepend|sdshow|getdisplayname|getkeyname|qtriggerinfo|qprivs|qsidtype)\b|^$/,
    high: /\b(delete|sdset|create|failure)\b|\bconfig\b(?!\s+\S.*\s+start(=\s*|\s+)(auto|demand|delayed-auto)$)/,
  },
  {
    names: "net net1",
    block:
      /\bstop\s+"?(eventlog|windows event log|windefend|(microsoft |windows )?defender|sysmon\w*|wscsvc|mpssvc|windows firewall|sense\b|splunkforwarder|winlogbeat)/,
    low: /^(user|accounts)(\s+[\w.-]+)?\s+\/domain$|^(group|localgroup)(\s+[\w.-]+)*\s+\/domain$|^(view|user|localgroup|group|share|session|statistics|accounts|file|time|config|helpmsg)(\s+[^/\s][^\s=]*)?$|^use(\s+[a-z]:)?$|^start$/,
    high: /\/del(ete)?\b|\buser\s+\S+\s+\S+|\/add\b|\blocalgroup\s+\S+\s+\S+|\bstop\b.*\/y|\baccounts\s+\//,
  },
  { names: "taskkill tskill pskill", high: /\/f\b|lsass|csrss|wininit|winlogon|services\.exe|svchost/ },
  { names: "shutdown psshutdown logoff", other: "high" },
  { names: "format diskpart sdelete sdelete64", block: anything },
  { names: "cipher", block: /\/w/ },
  { names: "vssadmin wbadmin diskshadow", block: /\bdelete\b|resize shadowstorage/, low: /^(list|get)\b/ },
  {
    names: "wevtutil",
    block: /^(cl|clear-log)\b/,
    low: /^(qe|query-events|el|enum-logs|gl|get-log|gli|get-log-?info|ep|enum-publishers|gp|get-publisher)\b/,
    high: /^(sl|set-log|um)\b/,
  },
  {
    names: "bcdedit bootrec bcdboot",
    block: /recoveryenabled\s+no|bootstatuspolicy|\/delete/,
    low: /^(\/enum\b[^/]*(\/v)?|\/v)?$/,
    other: "high",
  },
  {
    names: "fsutil",
    block: /usn\s+deletejournal|setzerodata/,
    low: /^(fsinfo|volume (diskfree|list|query\w*)|dirty query|\w+ (query\w*|list|info|get\w+|enumdata|readjournal))\b/,
    other: "high",
  },
  { names: "auditpol", block: /\/clear|\/remove|disable/, low: /^\/(get|list)\b/, other: "high" },
  { names: "runas psexec psexec64 winrs paexec", runs: "operands", other: "high" },
  { names: "forfiles", low: anything, runs: /^\/c$/i },
  {
    names: "reg",
    runs: /^\/d$/i,
    block:
      /\b(save|export)\s+"?(hklm|hkey_local_machine)\\(sam|security|system)\b|delete\s+"?(hklm|hkey_local_machine)(\\(system|software|sam|security))?"?(\s|$)|^add\b.*(disableanti\w+|disablerealtime\w*|disablebehavior\w*|disableioav\w*|disablescript\w*|uselogoncredential|disablerestrictedadmin)\b.*\/d\s+"?(1|0x1)\b|^add\b.*(scriptblocklogging|modulelogging|\\transcription|runasppl|tamperprotection|\\windows defender\\exclusions)|^delete\b.*(\\windows defender|scriptblocklogging|\\eventlog)\b/,
    low: /^(query|compare)\b/,
    high: /^(delete|import|restore|load|unload|copy)\b|\\(run|runonce|winlogon|services)\b|lsa\b/,
  },
  { names: "schtasks at", runs: /^\/tr$/i, low: /^\/query\b|^$/, high: /\/(delete|create|change)\b/ },
  {
    names: "wmic",
    runs: /^create$/i,
    block: /shadowcopy\s+delete|(cleareventlog|nteventlog.*clear)/,
    // Behind `where` a condition may only compare: `where … call terminate`. What asks for packages checks and repairs each.
    low: /^(\/(node|namespace):?\S+ )*(path |class )?(?!(win32_|cim_)?(product|software\w+)\b)\w+( where (\([^()]*\)|(not )?[\w.]+( ?([=<>]|!=|<>|<=|>=|like|is) ?| )('[^']*'|[^\s']+)( (and|or) (not )?[\w.]+( ?([=<>]|!=|<>|<=|>=|like|is) ?| )('[^']*'|[^\s']+))*))? (list( \w+)?|get( [\w,*\s]*?)?)( \/(value|all))*( \/format:?\s?(list|csv|table|htable|value|hform|xml|rawxml|textvaluelist))?$/,
    high: /\b(delete|terminate|call\s+(create|stopservice|reboot|shutdown|win32shutdown|delete|uninstall|changestartmode))\b|\/format/,
  },
  {
    names: "icacls cacls takeown xcacls subinacl",
    block:
      /^"?[a-z]:(\\(\*|windows|program files.*|users)?)?"?\s.*\/(t|r)\b|\/f\s+"?[a-z]:(\\(windows|users|program files.*)?)?"?\s.*\/r/,
    low: /^(?!.*(^|\s)-)[^/]+$/,
    high: /\/(grant|reset|setowner|remove|deny|t|r|f)\b/,
  },
  {
    names: "attrib",
    low: /^(?!.*(^|\s)[+-]\w)/,
  },
  {
    names: "compact subst chkdsk mountvol",
    low: /^([a-z]:)?$|^([a-z]:\\?\S* )?\/l$/,
    high: /\/[fxrd]\b/,
  },
  { names: "copy xcopy move ren rename md mkdir expand makecab extract replace", high: /\\windows\\|system32/ },
  { names: "robocopy", low: /(^|\s)\/l(\s|$)/, high: /\/(mir|purge|move|mov)\b/ },
  {
    names: "netsh",
    // Contexts alone stand before: `export show` writes a file of that name. `wfp show` and a report of wlan write one, too.
    low: /^(?!.*(\bkey\b|psk|report))((interface|int|ip|ipv4|ipv6|tcp|udp|6to4|isatap|teredo|httpstunnel|portproxy|advfirewall|firewall|consec|mainmode|monitor|wlan|lan|http|winhttp|winsock|trace|ipsec|static|dynamic|nap|client|hra|dhcp|dhcpclient|server|scope|dnsclient|bridge|branchcache|mbn|namespace|netio|p2p|pnrp|cloud|rpc|filter|ras|diagnostics|routing) )*(show|dump)\b/,
    high: /\b(delete|reset|disabled?|off|set\s+state|allprofiles|portproxy)\b|state\s+off|key[ =]+clear|psk[ =]+yes|^(add\s+helper|exec|-f)\b/,
  },
  {
    names: "dism sfc pnputil",
    low: /^(\/(online|image)\S* )?(\/format\S* (\w+ )?)?(\/cleanup-image )?\/(get-\w+|checkhealth|scanhealth|verifyonly|verifyfile\S*|enum-\w+)(?!.*\/(add|remove|disable|enable|set))/,
    high: /\/(disable-feature|remove-|delete-driver|resetbase|cleanup-image.*reset)/,
  },
  { names: "iisreset", low: /^\/status/, high: /\/(stop|disable|reboot)/ },
  {
    names: "appcmd",
    low: /^list (site|app|apppool|apppools|apps|sites|vdir|vdirs|wp|wps|request|requests|module|modules|backup|trace|traces)(?!.*(\/@?t(ext)?\b.*(\*|password)|\/config))/,
    high: /^(delete|clear|reset)\b/,
  },
  { names: "w32tm", low: /^\/(query|stripchart|monitor|tz|dumpreg)\b/ },
  {
    names: "nltest",
    low: /^(\/server:?\s?\S+ )?\/(query|dsgetdc|dclist|dsgetsite|sc_query|trusted_domains|domain_trusts|parentdomain|dsgetfti)/,
    high: /\/(shutdown|dsderegdns|user)/,
  },
  {
    names: "repadmin",
    low: /^\/(showrepl|replsummary|queue|showbackup|showconn|istg|bridgeheads|showutdvec|showmeta|failcache|kcc\?)/,
    high: /\/(delete|remove)/,
  },
  { names: "setspn", low: /^(?!.*\*)(-t \S+ )?-[lxpq]\b(?!.*-[asdr]\b)/, high: /-(a|s|d|r)\b/ },
  {
    names: "dnscmd",
    low: /^(\S+ )?\/(info|enumzones|zoneinfo|zoneprint|enumrecords|statistics)\b/,
    high: /delete|reset|clear/,
  },
  {
    names: "powercfg",
    low: /^[-/](l|list|q|query|a|availablesleepstates|getactivescheme|requests|lastwake|waketimers|devicequery)\b/,
  },
  {
    names: "winrm wecutil winmgmt dfsutil",
    low: /^(?!.*_(product|software))(get|g|enum\w*|e|id|identify|gc|es|gs|gr|\/verifyrepository)\b/,
    high: /^(delete|d|invoke|i)\b|\/resetrepository|salvage|disable/,
  },
  {
    names: "certutil",
    block: /-?(urlcache|verifyctl).*https?:|https?:.*-f\b/,
    // Behind a store and a certificate stands the file to write it to.
    low: /^(?!.*[-/](view)?store((\s[-/]\w+)*\s(?![-/]\w)\S*){3})[-/](hashfile|store|verify|viewstore|dump|ping|url|verifystore|ca|cainfo|template|catemplates|asn)\b/,
    high: /[-/](decode|decodehex|encode|delstore|delkey|exportpfx|addstore)\b/,
  },
  {
    names:
      "mshta regsvr32 rundll32 installutil regasm regsvcs odbcconf cmstp mavinject ieexec msxsl wscript cscript presentationhost hh pcalua conhost scriptrunner msbuild control ftp forfiles.exe syncappvpublishingserver workflowcompiler microsoft.workflow.compiler dnx rcsi csi cdb tttracer appvlp bginfo te.exe dfsvc extexport infdefaultinstall verclsid xwizard wab.exe",
    runs: /^(-a|-appvscript|--headless)$/i,
    block: /https?:|javascript:|vbscript:|comsvcs|scrobj|\\\\\d|minidump/,
    other: "high",
  },
  { names: "bitsadmin", block: /setnotifycmdline/, low: /^(\/rawreturn )?\/(list|info|getstate)\b/, other: "high" },
  { names: "msiexec wusa", block: /\/(i|package)?\s*"?https?:/, high: /\/(x|uninstall)\b/ },
  {
    names: "esentutl",
    low: /^\/m[hk] \S+( \/\w)?$/,
    block: /ntds|sam\b|config\\/,
    other: "high",
  },
  {
    names: "ntdsutil procdump procdump64 mimikatz gsecdump pwdump",
    block: /ntds|lsass|ifm|sekurlsa|lsadump|sam\b/,
    other: "high",
  },
  {
    names: "cluster",
    low: /^(\/cluster:?\s?\S+\s+)?(group|node|res(ource)?|net(work)?|netint(erface)?|restype|resourcetype)?(\s+("[^"]*"|[^\s/]+))*(\s+\/(status|prop\w*|listdep\w*))?$/,
  },
  { names: "vaultcmd cmdkey", high: /\/(add|delete|pass|generic)/ },
  { names: "dsrm dsmod dsadd net2 dcpromo regedit regini", other: "high" },
  { names: "secedit", low: /^\/(analyze|validate)/, other: "high" },
  {
    names: "winget choco scoop nuget",
    low: /^(list|search|show|info|outdated|find|sources?\b(?!.*\b(add|remove|update|enable|disable|reset))|pin list|--version|-v|locals\b.*-list)\b/,
    high: /\b(uninstall|remove|--unregister)\b/,
  },
  {
    names: "fltmc",
    block: /\bunload\s+(sysmon\w*|wdfilter|csagent)/,
    low: /^(filters|instances|volumes)?(\s|$)/,
    high: /\b(unload|detach)\b/,
  },
  {
    names:
      "logman nssm dsregcmd tzutil netdom dfsrdiag dfsdiag azcmagent pktmon hcsdiag manage-bde slmgr rasdial bootcfg dfsradmin pnpunattend notepad explorer mmc eventvwr perfmon taskmgr",
    low: /^[-/]?(query|status|list|show|backlog|replicationstate|check|g|l|dli|dlv|xpr|testdcs|testservices|statuscode|counters|enum)\b/,
    high: /(^|\s)[-/]?(delete|remove|leave|off|disable|reset|resetpwd|join|trust|forcerecovery|disconnect|unregister)\b/,
  },
];
