/** Windows: cmdlets by verb, exceptions by name, aliases, and the programs of cmd.exe. Everything in lower case. */
import type { Risk } from "../../../base/risk.ts";
import { codeSigns } from "./classes.ts";

type Lists = Partial<Readonly<Record<Risk, string>>>;

/** Verbs that say of any cmdlet that it changes; what has no other entry is medium. */
export const cmdletVerbs: Lists = {
  medium:
    "restart start set new add copy import export update enable install register rename move push pop enter exit connect disconnect send receive save publish sync resume suspend mount dismount use lock unlock open close expand compress backup checkpoint grant repair redo edit optimize initialize submit undo unblock approve convert merge request switch complete limit watch protect unprotect stop debug invoke",
  high: "remove clear disable uninstall reset revoke unregister restore deny block",
};

/** Cmdlets that only shape, print or keep values of their own script; with `looks` the only ones that are low. */
export const shapes =
  "select-object select-string select-xml where-object foreach-object sort-object group-object measure-object tee-object convertto-csv convertto-json convertto-html convertto-xml convertto-clixml convertfrom-csv convertfrom-json convertfrom-stringdata convertfrom-sddlstring convertfrom-string format-custom format-hex format-list format-table format-wide out-default out-gridview out-host out-null out-string join-path join-string split-path convert-path read-host write-debug write-error write-host write-information write-output write-progress write-verbose write-warning wait-job wait-process wait-event set-location push-location pop-location set-strictmode new-timespan new-guid start-sleep add-member clear-host set-variable new-variable remove-variable clear-variable new-pssessionoption new-cimsessionoption import-csv import-clixml import-powershelldatafile import-localizeddata receive-job import-module";

/** Cmdlets whose verb does not tell how much they change. */
export const cmdlets: Lists = {
  medium:
    "clear-dnsclientcache remove-job remove-pssession remove-psdrive remove-module remove-cimsession unregister-event",
  high: "stop-computer restart-computer set-executionpolicy clear-recyclebin set-acl set-netfirewallprofile set-mppreference add-mppreference set-adaccountpassword set-localuser stop-vm restart-vm rename-computer stop-cluster stop-clustergroup restart-netadapter reset-computermachinepassword enter-pssession new-pssession add-localgroupmember new-localuser resize-partition set-partition set-disk remove-item",
  block:
    "invoke-expression format-volume clear-disk initialize-disk clear-eventlog remove-eventlog limit-eventlog clear-winevent remove-partition reset-physicaldisk remove-physicaldisk remove-virtualdisk remove-storagepool invoke-webshell clear-history disable-computerrestore",
};

const pairs =
  "gip=get-netipconfiguration gci=get-childitem ls=get-childitem dir=get-childitem gc=get-content cat=get-content type=get-content gps=get-process ps=get-process gsv=get-service gm=get-member gcm=get-command gal=get-alias gp=get-itemproperty gi=get-item gl=get-location pwd=get-location gv=get-variable gu=get-unique gwmi=get-wmiobject gcim=get-ciminstance ghy=get-history h=get-history history=get-history gjb=get-job gmo=get-module gdr=get-psdrive gin=get-computerinfo gtz=get-timezone help=get-help man=get-help " +
  "select=select-object where=where-object ?=where-object %=foreach-object foreach=foreach-object sort=sort-object group=group-object measure=measure-object compare=compare-object diff=compare-object sls=select-string ft=format-table fl=format-list fw=format-wide fc=format-custom fhx=format-hex oh=out-host ogv=out-gridview tee=tee-object echo=write-output write=write-output sleep=start-sleep cls=clear-host clear=clear-host cd=set-location sl=set-location chdir=set-location pushd=push-location popd=pop-location cvpa=convert-path rvpa=resolve-path tnc=test-netconnection " +
  "rm=remove-item del=remove-item erase=remove-item rd=remove-item rmdir=remove-item ri=remove-item rp=remove-itemproperty rv=remove-variable rjb=remove-job rmo=remove-module rdr=remove-psdrive cp=copy-item copy=copy-item cpi=copy-item cpp=copy-itemproperty mv=move-item move=move-item mi=move-item ren=rename-item rni=rename-item rnp=rename-itemproperty ni=new-item mkdir=new-item md=new-item nv=new-variable ndr=new-psdrive nal=new-alias sal=set-alias nmo=new-module si=set-item sp=set-itemproperty sv=set-variable set=set-variable sc=set-content ac=add-content clc=clear-content cli=clear-item clp=clear-itemproperty clhy=clear-history clv=clear-variable ii=invoke-item ipmo=import-module ipcsv=import-csv epcsv=export-csv epal=export-alias " +
  "sasv=start-service spsv=stop-service kill=stop-process spps=stop-process saps=start-process start=start-process sajb=start-job spjb=stop-job rcjb=receive-job wjb=wait-job iex=invoke-expression icm=invoke-command iwr=invoke-webrequest curl=invoke-webrequest wget=invoke-webrequest irm=invoke-restmethod ihy=invoke-history r=invoke-history iwmi=invoke-wmimethod icim=invoke-cimmethod rwmi=remove-wmiobject rcim=remove-ciminstance swmi=set-wmiinstance scim=set-ciminstance etsn=enter-pssession nsn=new-pssession rsn=remove-pssession exsn=exit-pssession gsn=get-pssession asnp=add-pssnapin shcm=show-command lp=out-printer trcm=trace-command";
export const aliases: ReadonlyMap<string, string> = new Map(
  pairs.split(" ").map((pair): [string, string] => {
    const at = pair.indexOf("=");
    return [pair.slice(0, at), pair.slice(at + 1)];
  }),
);

/** Windows paths that are the system itself; after `/` became `\`, lower case, without quotes and a trailing star. */
export const windowsRoots =
  /^([a-z]:)?\\?$|^[a-z]:\\(windows|program files( \(x86\))?|programdata|users|boot|efi|recovery|system volume information|inetpub|perflogs|\$recycle\.bin)$|^[a-z]:\\windows\\(system32|syswow64|winsxs|system|boot|inf|servicing|fonts|security)(\\(config|drivers|winevt|winevt\\logs))?$|^[a-z]:\\users\\(?!\*\.)[^\\]+$|^[a-z]:\\program files( \(x86\))?\\common files$|^(hklm|hkcu|hkcr|hku|registry):?\\?(\\(software|system|sam|security|hardware)?)?$|^\\\\[.?]\\|^(cert|wsman|env|function|iis):\\?$|winevt\\logs|^\\\\\w+\\(c|admin)\$$/;
export const windowsSecrets =
  /\\(config|repair|regback)\\(sam|security|system)$|ntds\.dit$|\\ssh_host_\w+_key$|\\\.ssh\\(id_[a-z0-9]+|.*\.pem)$|\\id_(rsa|ed25519|ecdsa|dsa)$|\.(pfx|p12|ppk|kdbx|key)$|\\protect\\|\\credentials\\[0-9a-f]|\\login data$|lsass.*\.dmp$|unattend\.xml$|consolehost_history\.txt$|\\\.(aws\\credentials|azure\\(accesstokens\.json|msal_token_cache.*)|kube\\config|docker\\config\.json|git-credentials|netrc|pgpass)$|\\gcloud\\.*\.(db|json)$|\\wlansvc\\profiles\\/;
/** Secrets as they lie on a server, for words with wildcards and for listings that may hold them. */
export const secretPlaces = String.raw`
c:\windows\system32\config\sam
c:\windows\system32\config\security
c:\windows\system32\config\system
c:\windows\repair\sam
c:\windows\ntds\ntds.dit
c:\windows\panther\unattend.xml
c:\users\u\.ssh\id_rsa
c:\users\u\.ssh\id_ed25519
c:\programdata\ssh\ssh_host_rsa_key
c:\users\u\.aws\credentials
c:\users\u\.azure\accesstokens.json
c:\users\u\.kube\config
c:\users\u\.docker\config.json
c:\users\u\.git-credentials
c:\users\u\appdata\roaming\microsoft\credentials\0
c:\users\u\appdata\local\microsoft\credentials\0
c:\users\u\appdata\roaming\microsoft\protect\0\0
c:\users\u\appdata\roaming\microsoft\windows\powershell\psreadline\consolehost_history.txt
c:\users\u\appdata\local\google\chrome\user data\default\login data
`
  .trim()
  .split("\n");
/** Where Windows keeps what opens accounts, in a path, a key of the registry or an attribute of a directory: a look at it may show it. */
export const revealing =
  /admpwd|applicationhost\/applicationpools|laps-\w*password|managedpassword|unicodepwd|recoverypassword|env:[\\/]?\w*(passw|secret|token|api_?key)|[\\/]\.env(\.\w+)?$|historysavepath|ntpwdhistory|dbcspwd|supplementalcredentials|keyprotector|\bprivatekey$|networkcredential|microsoft[\\/](credentials|vault|protect)\b|simontatham|(hklm|hkey_local_machine|machine):?\\+(sam|security)\b|\\winlogon\b.*password|currentversion\\winlogon$|validcommunities|realvnc|tightvnc|winvnc|orl\\|policy\\secrets|processmodel\S*password|\.password$|\bdefaultpassword\b|openssh\\agent|cpassword|\\sysvol\\.*(groups|services|scheduledtasks|printers|drives)\.xml/;
/** Words that one searches files, keys and names for only to find secrets. */
export const secretSearch =
  /(^|[\s"'*=:,|^(])(c?passw(or)?ds?|pass(wd|phrase)?|pwd|secrets?|credentials?|creds?|api[_-]?keys?|private[_ -]?key|connectionstring|kdbx|ppk|pfx|id_rsa)(?=$|[\s"'*=.,|$)])|\.(kdbx|ppk|pfx|p12|key|pem)\b/i;
/** Files of settings, in which the words above stand beside what they name. */
export const settingsFiles =
  /\.(config|json|ya?ml|ini|xml|env|properties|conf|cnf|settings|psd1|rdp|udl|publishsettings)\b/i;
/** Variables of the environment that load code into programs, or lead them elsewhere. */
export const loadingVariables =
  /^(path|pathext|psmodulepath|comspec|windir|systemroot|systemdrive|temp|tmp|appdata|localappdata|userprofile|programdata|programfiles.*|commonprogramfiles.*|psexecutionpolicypreference|python(path|home|startup)|go(path|flags|root)|(__compat|cor|coreclr|complus|dotnet|msbuild|nuget|java|jdk|_java|node|npm|git|ssh|ssl|ld|electron|azure|aws|google|kube|docker|openssl|enable)_\w+|\w*(_options|_opts|opt|proxy|profiler\w*|_hooks?|lib|libpath|classpath|preload))$/i;
/** Variables that tell a server or a moment apart. */
export const harmlessVariables =
  /%(computername|username|userdomain|userdnsdomain|date|time|random|cd|errorlevel|logonserver|sessionname|number_of_processors|processor_\w+)(:[^%]*)?%|\$env:(computername|username|userdomain|userdnsdomain|logonserver|sessionname|number_of_processors|processor_\w+)\b/gi;
/** Variables that change what PowerShell's commands do. */
export const steeringVariables =
  /^(psdefaultparametervalues|psmoduleautoloadingpreference|confirmpreference|whatifpreference|psnativecommand\w+|pssession\w+|psemailserver|executioncontext|host|shellid|ofs|transcript|psstyle|outputencoding|profile|home|pshome)$/;
/** Drives of PowerShell's own providers. */
export const providers =
  /^(hklm|hkcu|hkcr|hku|hkcc|registry|filesystem|cert|certificate|env|environment|function|alias|variable|wsman|iis|webadministration|sqlserver|ad|temp|microsoft\.powershell\.(core|security)\\\w+|microsoft\.wsman\.management\\\w+|[a-z])$/i;
/** The raw disk below a file system. */
export const rawDevice = /^\\\\[.?]\\([a-z]:\\?$|physicaldrive|harddiskvolume\d+\\?$|cdrom)/i;

/** Those that log or guard: never stopped. */
export const auditServices =
  /^(\*?eventlog|windefend|win?defend\*?|sysmon\w*|wscsvc|mpssvc|sense|wdnissvc|securityhealthservice|splunkforwarder|winlogbeat|filebeat|eventsystem|wecsvc|wazuh\w*|ossec\w*|csfalconservice|carbonblack|cbdefense|sentinelagent|mssense|healthservice|nxlog|diagtrack|windows event log|windows defender.*)$/i;
/** Without those a server is cut off or its data stand still. */
export const vitalServices =
  /^(\*|dhcp|dnscache|lanmanserver|lanmanworkstation|netlogon|rpcss|winrm|sshd|termservice|w32time|dns|ntds|adws|kdc|samss|nsi|netman|ssh-agent|mssqlserver.*|mssql\$.*|clussvc|vmms|w3svc\*)$/i;
const startupKeys =
  /\\(run|runonce|winlogon|services|lsa|policies|image file execution options|appinit_dlls|session manager)\b/i;

/** Variables that every PowerShell and cmd has, by name in lower case; `env:` before those of the environment. */
export const automaticVariables: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "true=$true|false=$false|null=$null|pshome=C:\\Windows\\System32\\WindowsPowerShell\\v1.0|shellid=Microsoft.PowerShell|verbosepreference=SilentlyContinue|debugpreference=SilentlyContinue|home=C:\\Users\\u|psedition=Desktop|" +
    "env:comspec=C:\\WINDOWS\\system32\\cmd.exe|env:windir=C:\\WINDOWS|env:systemroot=C:\\WINDOWS|env:systemdrive=C:|env:homedrive=C:|env:public=C:\\Users\\Public|env:programdata=C:\\ProgramData|env:allusersprofile=C:\\ProgramData|env:programfiles=C:\\Program Files|env:programfiles(x86)=C:\\Program Files (x86)|env:programw6432=C:\\Program Files|env:commonprogramfiles=C:\\Program Files\\Common Files|env:userprofile=C:\\Users\\u|env:homepath=\\Users\\u|env:appdata=C:\\Users\\u\\AppData\\Roaming|env:localappdata=C:\\Users\\u\\AppData\\Local|env:temp=C:\\Users\\u\\AppData\\Local\\Temp|env:tmp=C:\\Users\\u\\AppData\\Local\\Temp|env:os=Windows_NT|env:pathext=.COM;.EXE;.BAT;.CMD"
  )
    .split("|")
    .map((pair) => pair.split(/=(.*)/s, 2)),
);

const keys = "set-itemproperty new-itemproperty remove-itemproperty set-item new-item";
const wmi = "invoke-cimmethod invoke-wmimethod";
const defender = "set-mppreference add-mppreference";
/** Cmdlets whose words as one text in lower case, with what comes in by the pipe, tell the level; the first that fits decides. */
export const cmdletPatterns: readonly (readonly [names: string, risk: Risk, pattern: RegExp])[] = [
  [
    keys,
    "block",
    /^(?!.*enable\w*\s.*-value\s+1\b).*(scriptblocklogging|modulelogging|transcription|amsi|antispyware|disableantivirus|disablerealtimemonitoring|runasppl|uselogoncredential|disablerestrictedadmin|tamperprotection|minint|eventlog)/s,
  ],
  [keys, "high", startupKeys],
  ["stop-process", "high", /(^|\s)-f|(^|[\s,])(lsass|csrss|wininit|services|winlogon|svchost|\*)(?=$|[\s,])/],
  ["remove-wmiobject remove-ciminstance", "block", /shadowcopy|nteventlog/],
  ["uninstall-windowsfeature remove-windowsfeature disable-windowsoptionalfeature", "block", /defender/],
  [wmi, "block", /(log|nteventlogfile).*clear|shadow.*delete/],
  [wmi, "low", /^(?!.*(set|create|delete)).*-(method)?n(ame)?\s+get\w+(?!.*-(method)?n(ame)?\s)/s],
  [wmi, "high", /shutdown|reboot|terminate|delete|uninstall|format|stop|change/],
  // An exclusion or a part switched off is never set.
  [
    defender,
    "block",
    /-(dis\w*)(\s+(\$?true|1))?\b(?!\s+(\$?false|0))|exclusion|-(sub\w*|puap\w*|mapsr\w*|enablecont\w*|enablenetw\w*|attacksurface\w*).*\b(0|never\w*|disabled|allow)\b|action\s+(6|9|allow|noaction)/,
  ],
  // A module's own code runs as it is loaded: one that is installed stands for itself, a file could be anything.
  ["import-module", "medium", /[\\/:$(]|\.(dll|ps[dm]?1)\b/],
  // It writes its report on every node.
  ["get-clusterlog", "medium", /^(?!.*-whatif(?!\s*\$?false))/],
  ["repair-volume", "low", /-sc/],
  ["set-psreadlineoption", "high", /history/],
  // The permissions of many things at once are asked for to find the weak one; a camera is part of no incident.
  ["get-acl", "medium", /\*/],
  [
    "get-webconfiguration get-webconfigurationproperty get-iisconfigsection get-iisconfigcollection get-iisconfigelement",
    "medium",
    /connectionstrings|password|processmodel|machinekey/,
  ],
  // All attributes of a computer are its local administrator's password, too.
  ["get-adcomputer get-adobject get-adserviceaccount", "medium", /-prop\w* ([^-]*,)?\*/],
  // Asked for, this class checks every package, and repairs it.
  ["get-ciminstance get-wmiobject", "medium", /\b(win32|cim)_(product|software)/],
  ["get-ciminstance get-wmiobject get-pnpdevice", "medium", /camera|webcam|microphone/],
  ["invoke-command", "medium", /-(asj|fil)/],
  ["new-object add-type", "block", codeSigns],
  ["add-type", "high", /-(t|m|pa|lit)/],
  [
    "add-type",
    "low",
    /-assemblyn\w*\s+(system|presentation|windowsbase)[\w.]*(,(system|presentation|windowsbase)[\w.]*)*(\s|$)/,
  ],
  ["add-type", "high", /^/],
];
