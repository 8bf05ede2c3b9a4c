/** Variables that every PowerShell has: what they hold is a well-known store of letters to spell a name with. */
const home = "C:\\Windows\\System32\\WindowsPowerShell\\v1.0";

/** By name in lower case; `env:` before those of the environment. */
export const automaticVariables: Readonly<Record<string, string>> = {
  pshome: home,
  shellid: "Microsoft.PowerShell",
  verbosepreference: "SilentlyContinue",
  debugpreference: "SilentlyContinue",
  erroractionpreference: "Continue",
  warningpreference: "Continue",
  progresspreference: "Continue",
  informationpreference: "SilentlyContinue",
  confirmpreference: "High",
  ofs: " ",
  home: "C:\\Users\\u",
  psedition: "Desktop",
  "env:comspec": "C:\\WINDOWS\\system32\\cmd.exe",
  "env:windir": "C:\\WINDOWS",
  "env:systemroot": "C:\\WINDOWS",
  "env:systemdrive": "C:",
  "env:homedrive": "C:",
  "env:public": "C:\\Users\\Public",
  "env:programdata": "C:\\ProgramData",
  "env:allusersprofile": "C:\\ProgramData",
  "env:programfiles": "C:\\Program Files",
  "env:programfiles(x86)": "C:\\Program Files (x86)",
  "env:programw6432": "C:\\Program Files",
  "env:commonprogramfiles": "C:\\Program Files\\Common Files",
  "env:userprofile": "C:\\Users\\u",
  "env:homepath": "\\Users\\u",
  "env:appdata": "C:\\Users\\u\\AppData\\Roaming",
  "env:localappdata": "C:\\Users\\u\\AppData\\Local",
  "env:temp": "C:\\Users\\u\\AppData\\Local\\Temp",
  "env:tmp": "C:\\Users\\u\\AppData\\Local\\Temp",
  "env:os": "Windows_NT",
  "env:pathext": ".COM;.EXE;.BAT;.CMD;.VBS;.VBE;.JS;.JSE;.WSF;.WSH;.MSC;.CPL",
  "env:processor_architecture": "AMD64",
};

/** As `Get-Variable` names them, so that letters can be taken from the names. */
export const namedVariables: readonly string[] =
  "MaximumDriveCount MaximumAliasCount MaximumErrorCount MaximumFunctionCount MaximumHistoryCount MaximumVariableCount VerbosePreference DebugPreference ErrorActionPreference WarningPreference ProgressPreference ConfirmPreference PSHOME ShellId OutputEncoding ExecutionContext PSVersionTable".split(
    " ",
  );
