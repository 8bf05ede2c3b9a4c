/** .NET and COM as PowerShell calls them: types, static methods and methods by level. Everything in lower case. */
import type { Risk } from "../../types.ts";

/** Types whose static members only compute or look. */
export const harmlessTypes =
  /^(math|datetime|datetimeoffset|timespan|net\.dns|convert|bitconverter|io\.path|text\.encoding|text\.\w*encoding|string|u?int(16|32|64)?|long|double|decimal|bool|char|byte|single|float|guid|version|regex|text\.regularexpressions\.regex|array|environment|uri|net\.(ipaddress|webutility|servicepointmanager|securityprotocoltype)|web\.httputility|timezoneinfo|timezone|globalization\.\w+|enum|pscustomobject|ordered|hashtable|xml|switch|object|psobject|void|io\.driveinfo|diagnostics\.(process|stopwatch|fileversioninfo|performancecounter\w*)|net\.networkinformation\.\w+|nullable|consolecolor|stringsplitoptions|console|gc|linq\.enumerable|security\.principal\.\w+|principal\.windows\w+|threading\.thread|runtime\.(gcsettings|interopservices\.runtimeinformation)|collections\.[\w.[\]]+|directoryservices\.activedirectory\.\w+|type|system\.\w+|management\.managementdatetimeconverter|numerics\.\w+|security\.cryptography\.(md5|sha\d+|hashalgorithm|x509certificates\.[\w.]+)|data\.sql\.\w+|text\.stringbuilder|ipaddress|mailaddress|random|tuple|lazy|serviceprocess\.servicecontroller|io\.compression\.zipfile|xml\.\w+|json\.\w+|text\.json\.\w+|windows\.forms\.\w+|drawing\.\w+|activator|appdomain|microsoft\.win32\.registry|win32\.registry|microsoft\.win32\.registrykey|diagnostics\.eventlog|diagnostics\.eventing\.[\w.]+|reflection\.assembly|runtime\.interopservices\.marshal|wmi|wmiclass|adsi|adsisearcher)$/;

/** Static methods by `type.method`; the first that fits decides, others follow their type. */
export const staticLevels: readonly (readonly [Risk, RegExp])[] = [
  ["block", /^(diagnostics\.eventlog\.delete|diagnostics\.eventing.*clearlog)/],
  ["block", /^reflection\.assembly\.(load|unsafeloadfrom|reflectiononlyload)$/],
  ["high", /^reflection\.assembly\.load(file|from)$/],
  ["medium", /^reflection\.assembly\.loadwithpartialname$/],
  ["low", /^runtime\.interopservices\.marshal\.(sizeof|getlastwin32error|getactiveobject)$/],
  ["high", /^runtime\.interopservices\.marshal\./],
  ["high", /^environment\.(exit|failfast)$/],
  ["medium", /^environment\.setenvironmentvariable$/],
  ["high", /^(activator\.createinstance|type\.gettypefrom|appdomain\.(?!currentdomain))/],
  ["medium", /^(microsoft\.)?win32\.registry\w*\.(set|create)/],
  ["high", /^(microsoft\.)?win32\.registry\w*\.delete/],
  ["medium", /^(diagnostics\.eventlog\.(write|create)|io\.compression\.zipfile\.(create|extract)|console\.(set|beep))/],
];

/** Methods by their chain of members; the first that fits decides, others are medium. */
export const methodLevels: readonly (readonly [Risk, RegExp])[] = [
  ["block", /(eventlog|ntlogevent|nteventlogfile).*\.(clear\w*|clearlog|delete)$/],
  ["block", /shadowcopy.*\.delete|globalsession\.clear/],
  ["low", /(stopwatch|timer|watch|sw)\.(stop|start|reset|restart)$/],
  ["low", /(ping|pinger)\.send(async|pingasync)?$/],
  [
    "low",
    /(^|\$|\.)(list|result\w*|out\w*|rows?|report\w*|items?|data|table|queue|set|found|errors?|output|arr\w*|sb|hash\w*|dict\w*|seen|map|counts?|builder|collections\.\S*|text\.stringbuilder|generic\S*|hashset\S*|keys|values|headers)\.(add\w*|append\w*|remove\w*|clear|push|pop|enqueue|dequeue|insert|sort|reverse|set\w*)$/,
  ],
  [
    "high",
    /\.(delete\w*|clear\w*|kill|terminate|shutdown|reboot|win32shutdown\w*|format|uninstall|remove\w*|recycle(?=all)|reset|changestartmode|change|stopservice|invokemethod|dismount|drop\w*|purge|erase|truncate|wipe|destroy|disable|poweroff|turnoff|flush\w*cache|stop)$/,
  ],
  [
    "low",
    /\.(get\w*|to\w+|is\w+|has\w*|contains\w*|starts\w*|ends\w*|index\w*|lastindexof\w*|split|trim\w*|replace|substring|pad\w*|add(days|hours|minutes|seconds|milliseconds|months|years|ticks)?|subtract|compare\w*|equals|match\w*|read\w*|peek|where|foreach|tostring|convert\w*|format|clone|copy|find\w*|search\w*|select\w*|list\w*|query\w*|open(subkey|read|text|remotebasekey)?|close|dispose|fill|connect|beginconnect|connectasync|endconnect|wait\w*|refresh|movenext|count\w*|sum|average|normalize|append\w*|insert|push|enqueue|createupdatesearcher|createupdatesession|begininvoke|downloadstring\w*|downloaddata\w*|responsetext|enumerate\w*|exists|test\w*|resolve\w*|validate\w*|item|first|last|skip|take|single|any|all|distinct|union|round|floor|ceiling|next\w*|evaluate|xpath\w*|load(xml)?|build|describe\w*|view\w*|gettype|hastype|try\w+|new|invoke|invokereturnasis)$/,
  ],
];

/** Properties that one sets on an object before asking something with it. */
export const harmlessProperties =
  /[.:](headers|timeout|encoding|credentials|usedefaultcredentials|proxy|filter|searchroot|searchscope|pagesize|sizelimit|commandtext|commandtimeout|connectionstring|sqlcommand|selectcommand|securityprotocol|servercertificatevalidationcallback|outputencoding|inputencoding|foregroundcolor|windowtitle|currentculture|propertiestoload|useragent|method|accept|count|total|expect100continue|defaultconnectionlimit|currentdirectory|buffersize|\w*preference)(\.\w+)?$/;

export const fetchMethods =
  /^(download\w+|openread\w*|getstringasync|getbytearrayasync|getstreamasync|getasync|getresponse|responsetext|responsebody|openstream|send)$/;

/** Names that stand for loading code into memory or switching off the look at it. */
export const codeSigns =
  /amsi(utils|initfailed|context|scanbuffer|session)|virtual(alloc|protect)|createremotethread|createthread\b|writeprocessmemory|getdelegateforfunctionpointer|dllimport|minidumpwritedump|rtlmovememory|getprocaddress|loadlibrary|defineDynamicAssembly|reflection\.emit|queueuserapc|etwenabled|m_enabled|cachedgrouppolicysettings|scriptblocklogging/i;
