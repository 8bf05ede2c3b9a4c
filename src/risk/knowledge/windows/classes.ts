/** .NET and COM as PowerShell calls them: types, static methods and methods by level. Everything in lower case. */
import type { Risk } from "../../../base/risk.ts";

/** Types that only hold, compute or look; any other is never low. Without `System.`, brackets and type arguments. */
export const harmlessTypes: ReadonlySet<string> = new Set(
  (
    "math datetime datetimeoffset timespan convert bitconverter io.path io.driveinfo io.fileinfo io.directoryinfo io.file io.directory io.fileattributes io.searchoption io.streamreader io.stringreader io.compression.zipfile io.fileshare io.filemode io.fileaccess text.encoding text.asciiencoding text.utf8encoding text.unicodeencoding text.stringbuilder text.regularexpressions.regex text.regularexpressions.regexoptions text.regularexpressions.match string int int16 int32 int64 uint16 uint32 uint64 long ulong short ushort double decimal bool boolean char byte sbyte single float guid version semver regex array object psobject psnoteproperty void switch nullable enum type pscustomobject ordered hashtable pscredential scriptblock xml xml.xmldocument xml.xmlnode uri uribuilder environment consolecolor console stringsplitoptions stringcomparison stringcomparer gc tuple random lazy dbnull " +
    "net.dns net.ipaddress net.webutility net.webclient net.webrequest net.httpwebrequest net.httpstatuscode net.servicepointmanager net.servicepoint net.securityprotocoltype net.sockets.tcpclient net.sockets.udpclient net.sockets.socket net.sockets.addressfamily net.security.sslstream net.http.httpclient net.networkinformation.ping net.networkinformation.pingoptions net.networkinformation.networkinterface net.networkinformation.ipglobalproperties web.httputility ipaddress mailaddress timezoneinfo timezone globalization.cultureinfo globalization.datetimestyles globalization.numberstyles cultureinfo diagnostics.process diagnostics.stopwatch diagnostics.fileversioninfo diagnostics.performancecounter diagnostics.performancecountercategory diagnostics.eventlog diagnostics.eventlogentrytype diagnostics.eventing.reader.eventlogsession diagnostics.eventing.reader.eventlogquery diagnostics.eventing.reader.eventlogreader diagnostics.eventing.reader.eventlogconfiguration diagnostics.eventing.reader.pathtype serviceprocess.servicecontroller serviceprocess.servicecontrollerstatus linq.enumerable numerics.biginteger bigint " +
    "security.principal.windowsidentity security.principal.windowsprincipal security.principal.windowsbuiltinrole security.principal.securityidentifier security.principal.ntaccount security.cryptography.md5 security.cryptography.sha1 security.cryptography.sha256 security.cryptography.sha384 security.cryptography.sha512 security.cryptography.hashalgorithm security.cryptography.x509certificates.x509certificate2 security.cryptography.x509certificates.x509store security.cryptography.x509certificates.storename security.cryptography.x509certificates.storelocation threading.thread runtime.gcsettings runtime.interopservices.runtimeinformation runtime.interopservices.marshal collections.arraylist collections.hashtable collections.queue collections.stack collections.generic.list collections.generic.dictionary collections.generic.hashset collections.generic.queue collections.specialized.ordereddictionary arraylist directoryservices.activedirectory.domain directoryservices.activedirectory.forest directoryservices.activedirectory.domaincontroller directoryservices.activedirectory.activedirectorysite directoryservices.activedirectory.directorycontext directoryservices.directorysearcher management.managementdatetimeconverter management.managementobjectsearcher management.automation.pscustomobject management.automation.semanticversion management.automation.psobject data.sql.sqldatasourceenumerator data.sqlclient.sqlconnection data.sqlclient.sqlcommand data.sqlclient.sqldataadapter data.dataset data.datatable text.json.jsondocument activator appdomain reflection.assembly reflection.bindingflags microsoft.win32.registry microsoft.win32.registrykey microsoft.win32.registryhive microsoft.win32.registryview win32.registry wmi wmiclass wmisearcher adsi adsisearcher parameter cmdletbinding validateset validatenotnull validatenotnullorempty validaterange validatescript alias outputtype mandatory allownull allowemptystring"
  ).split(" "),
);
/** Types all of whose static members only compute; of the others only those do that are named below. */
export const pureTypes =
  /^(math|datetime|datetimeoffset|timespan|convert|bitconverter|io\.path|text\.\w*encoding|string|u?int(16|32|64)?|u?long|double|decimal|char|byte|single|guid|version|(text\.regularexpressions\.)?regex|array|uri|enum|tuple|timezoneinfo|net\.(webutility|ipaddress|dns)|web\.httputility|linq\.enumerable|diagnostics\.stopwatch|globalization\.cultureinfo|cultureinfo|(numerics\.)?big(int|integer)|stringcomparer|object|security\.cryptography\.(md5|sha\d+|hashalgorithm))$/;
/** Objects of COM that only look. */
export const harmlessObjects =
  /^(microsoft\.update\.(session|searcher|systeminfo|autoupdate|servicemanager)|adsysteminfo|adodb\.(connection|recordset))$/;

/** Static methods by `type.method`; the first that fits decides, others follow their type. */
export const staticLevels: readonly (readonly [Risk, RegExp])[] = [
  ["block", /^(diagnostics\.eventlog\.delete|diagnostics\.eventing.*clearlog)/],
  ["block", /^reflection\.assembly\.(load|unsafeloadfrom|reflectiononlyload)$/],
  ["high", /^reflection\.assembly\.load(file|from)$/],
  ["medium", /^io\.path\.gettempfilename$/],
  ["low", /^net\.(http)?webrequest\.create(http)?$/],
  ["low", /^runtime\.interopservices\.marshal\.(sizeof|getlastwin32error|getactiveobject)$/],
  ["high", /^runtime\.interopservices\.marshal\./],
  ["high", /^environment\.(exit|failfast)$/],
  ["high", /^(activator\.createinstance|type\.gettypefrom|appdomain\.(?!currentdomain))/],
  ["high", /^(microsoft\.)?win32\.registry\w*\.delete/],
];

/** Methods by their chain of members; the first that fits decides, others are medium. */
export const methodLevels: readonly (readonly [Risk, RegExp])[] = [
  ["block", /(eventlog|ntlogevent|nteventlogfile).*\.(clear\w*|clearlog|delete)$/],
  ["block", /shadowcopy.*\.delete|globalsession\.clear/],
  ["medium", /^\$(psdefaultparametervalues|executioncontext|host)\b/],
  // Of a file, and not of its name, it writes.
  [
    "medium",
    /(\b(get-(child)?item|gci|gi|ls|dir)\b|fileinfo).*(?<!\.(name|basename|fullname|extension))\.(replace|open)$/,
  ],
  ["low", /(stopwatch|timer|watch|sw)\.(stop|start|reset|restart)$/],
  ["low", /(ping|pinger)\.send(async|pingasync)?$/],
  [
    "low",
    /(^|\.)(collections\.\S*|text\.stringbuilder|generic\S*|hashset\S*|keys|values)\.(add\w*|append\w*|remove\w*|clear|push|pop|enqueue|dequeue|insert|sort|reverse|set\w*)$/,
  ],
  ["low", /\.create(updatesearcher|updatesession)$/],
  // What was opened to look is closed again.
  ["low", /(tcp|udp|socket|stream|reader|response|registry|key|store|client|reg)\w*.*\.(close|dispose)$/],
  ["low", /servicecontroller.*\.refresh$|get-service.*\.refresh$/],
  [
    "high",
    /\.(delete\w*|clear\w*|kill|terminate|shutdown|reboot|win32shutdown\w*|format|uninstall|remove\w*|recycle(?=all)|reset|changestartmode|change|stopservice|invokemethod|dismount|drop\w*|purge|erase|truncate|wipe|destroy|disable|poweroff|turnoff|flush\w*cache|stop)$/,
  ],
  [
    "low",
    /\.(gettype|gethashcode|getenumerator|getvalue|getvaluenames|getvaluekind|getsubkeynames|getlength|getupperbound|getname|getnames|getvalues|getfiles|getdirectories|getfilesysteminfos|getaccessrules?|getowner|getpropertyvalue|getchilditem|getbytes|getstring|getchars|getinvocationlist|getcomputername|getcurrent(domain|forest|process|thread)?|getcomputer(site|domain)|getforest|getdomain(controller)?|finddomaincontroller|findalldomaincontrollers|getallreplicationneighbors|getallsites|getprocess(es)?(byname|byid)?|getdrives|getversioninfo|getipglobalproperties|getactiveudplisteners|getdevices|getcategories|getcounters|sleep|gethistory|gettotalhistorycount|getresponse|getresponsestream|getasync|getstringasync|getawaiter|getresult|getencoding|getstatus|getstate|getversionex|getowneruser|getownersid|getavailablevirtualprocessors|getchanges|getipproperties|getipv4statistics|getallnetworkinterfaces|getphysicaladdress|getactivetcplisteners|getactivetcpconnections|getattribute|getattributevalue|getcollection|getchildelement|getelementsbytagname|getrecord|getnext|getenvironmentvariable|getcustomattributes|getmethods?|getproperty|getproperties|getfields?|getmembers?|getdaylightchanges|gettimezone|getutcoffset|getservices|getprocesses|to(string|short\w*|long\w*|universaltime|localtime|lower\w*|upper\w*|array|chararray|int\d*|double|decimal|base64string|filetime\w*|oadate|byte\w*|binary|dictionary|datetime)|is(match|inrole|nullorempty|nullorwhitespace|subsetof|supersetof|leapyear|daylightsavingtime|set|instanceoftype|assignablefrom)|hasflag|haschanges|contains(key|value)?|starts(with)?|ends(with)?|indexof(any|key|value)?|lastindexof(any)?|split|trim(start|end)?|replace|substring|pad(left|right)|add(days|hours|minutes|seconds|milliseconds|months|years|ticks)|subtract|compare(to)?|equals|match(es)?|read(toend|line|lines|entry|event|block|async|alltext|alllines|toendasync)?|peek|where|foreach|converttodatetime|convert(fromdatetime|tostring)?|format|clone|find(all|one|first|last|index|bysubjectname)?|search|select(nodes|singlenode)?|query|open(subkey|read|text|remotebasekey|basekey)|connect(async)?|beginconnect|endconnect|wait(one|forexit|forstatus|all|any)?|movenext|count|sum|average|min|max|normalize|download(string|data)(async|taskasync)?|responsetext|enumerate(files|directories|filesysteminfos|lines)?|exists|test|resolve|first(ordefault)?|last(ordefault)?|skip(last)?|take(last)?|single|any|all|distinct|union|except|intersect|round|floor|ceiling|next(double|bytes|value|sample)?|xpath\w*|gettypecode|try(getvalue|parse|parseexact)|new|parse(exact)?|translate|fromfiletime|todatetime|authenticateasclient|canonicalize)$/,
  ],
];

/** Members that `ForEach-Object NAME` only reads; any other may be a method, which it calls. */
export const readProperties =
  /^(\w*(name|count|id|length|size|path|time|date|status|state|version|address|port|type|value|number|free|used|percent|memory|message|text|title|description|usage|level|source|host)|cpu|handles|pm|ws|nph|npm|vm|mode|root|keys|values|key|line|lines|extension|directory|parent|exists|threads|modules|owner|access|enabled|responding|sum|average|maximum|minimum|group|properties|members|role|sid|guid|index|capacity|health|drive|letter|model|manufacturer|caption)$/;

/** Properties that one sets on an object before asking something with it. */
export const harmlessProperties =
  /[.:](headers|timeout|encoding|filter|searchroot|searchscope|pagesize|sizelimit|commandtimeout|outputencoding|inputencoding|securityprotocol|foregroundcolor|windowtitle|currentculture|propertiestoload|useragent|accept|count|total|expect100continue|defaultconnectionlimit|buffersize|\w*preference)(\.\w+)?$/;

/** Methods whose first argument is an address that is asked, or given something, and those that connect to a host. */
export const uploadMethods = /^(upload\w+|postasync|putasync|patchasync|sendmail\w*)$/;
export const connectMethods =
  /^(connect|connectasync|beginconnect|send|sendasync|sendpingasync|gethostentry\w*|gethostaddresses\w*|gethostbyname|resolve)$/;
export const fetchMethods =
  /^(download\w+|openread\w*|getstringasync|getbytearrayasync|getstreamasync|getasync|getresponse|responsetext|responsebody|openstream|send)$/;

/** Names that stand for loading code into memory or switching off the look at it. */
export const codeSigns =
  /amsi(utils|initfailed|context|scanbuffer|session)|virtual(alloc|protect)|createremotethread|createthread\b|writeprocessmemory|getdelegateforfunctionpointer|dllimport|minidumpwritedump|rtlmovememory|getprocaddress|loadlibrary|defineDynamicAssembly|reflection\.emit|queueuserapc|etwenabled|m_enabled|cachedgrouppolicysettings|scriptblocklogging/i;
