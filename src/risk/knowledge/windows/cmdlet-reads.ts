/** Parameters of cmdlets that only look or shape: what is not here makes a call medium. Lower case, separated by spaces. */

/** Of every cmdlet; with the short names that PowerShell gives them. Not those that set a variable. */
export const commonReads =
  "debug ea erroraction informationaction infa progressaction proga verbose vb db wa warningaction whatif wi outbuffer ob";

/**
 * What narrows, orders or bounds a look, by whole names, whichever module the cmdlet is from. A name that writes, runs or changes in any
 * cmdlet of `looks` is not here.
 */
export const lookReads =
  "active addressfamily adapter all alias allocated any apppool arbitrary archive asjson authtype availableoptions bootdevice bucketname category cim cimsession class classname client clustername cluster " +
  "computername computer confirm connection consumeronly count culture database databasename databases date days default deliverymethod depth destinationcomputername detailed deviceid direction disablenamechecking disk diskindex disknumber displaygroup displayname distinguishedname domain driveletter driver drivername enabled end enddate entry entrytype event eventid expanded feature featurename filesystem filesystemlabel filter filterhashtable filterxml filterxpath folder foldername forest friendlyname fullname gateway group groupname guid " +
  "hidden host hostname id identity includeallsubfeature includechildren includedeleted includedeletedobjects includehidden includesystem index infected instance instanceid initiatornodeaddress instancename interfacealias interfacedescription interfaceindex interface ipaddress ip isprimordial issystem job jobid jobname keyprefix kind kindtype latest ldapfilter level list limit literalpath local localaddress localport location lockedout log logname mac macaddress mailbox max maxevents maximum maxkey member members messageid messagesubject metric minimum model module " +
  "name namespace networkcategory newest nextmessage number numberofsamples object objectid oldest online order organizationalunit orgunit os owningprocess package parameter parent partition partitionnumber passwordexpired passwordneverexpires path physical physicaldisk policystore pool port prefix preset primary printername productname profile properties property protocol provider providername pspath psprovider qualifier quiet query queue recipient recipients recursive region remoteaddress remoteport replica report resource resourcegroup resourcegroupname resourcename resourcetype result resultsize role rrtype root running " +
  "schedule scope scopeid searchbase searchscope selector sender sent sequence server serverinstance serviceaccount servername service setting severity sid site size skip slot snapshot source sourcecomputername sources sqlinstance sort start startdate startmode state statistics status stop storagepool subject subscription subscriptionid superscopename switchname system tag target tail targetname tenant tenantid threshold throttlelimit timespan timeout to top transport trusted type types uniqueid unallocated unhealthy uninstalled usage user username usersonly uuid value version " +
  "virtualdisk virtualmachine vm vmid vmname volume volumenumber website width zone zonename accountexpired accountinactive accountdisabled accountexpiring nodelist node nodes nodename allowclobber listavailable listimported refresh taskname taskpath usebasicparsing wide zonescope recordtype rr healthstatus operationalstatus mediatype serialnumber collectionname connectionbroker policyname quotaname rulename sitename store storename storelocation thumbprint";

/** By cmdlet: all parameters that only read, by their names or any prefix that fits only one of them. */
export const cmdletReads: Readonly<Record<string, string>> = {
  "select-object":
    "property excludeproperty expandproperty unique caseinsensitive first last skip skiplast skipindex wait index inputobject",
  "sort-object": "property descending unique culture casesensitive top bottom stable inputobject",
  "where-object":
    "filterscript property value eq ceq ne cne gt cgt lt clt ge cge le cle like clike notlike cnotlike match cmatch notmatch cnotmatch contains ccontains notcontains cnotcontains in cin notin cnotin is isnot not inputobject",
  "foreach-object": "process begin end remainingscripts membername parallel throttlelimit timeoutseconds inputobject",
  "group-object": "property noelement ashashtable asstring culture casesensitive inputobject",
  "measure-object":
    "property sum average maximum minimum standarddeviation allstats line word character ignorewhitespace inputobject",
  "measure-command": "expression inputobject",
  "compare-object":
    "referenceobject differenceobject property syncwindow excludedifferent includeequal passthru culture casesensitive",
  "format-table":
    "property autosize hidetableheaders wrap groupby view showerror displayerror force expand repeatheader inputobject",
  "format-list format-custom": "property groupby view showerror displayerror force expand depth inputobject",
  "format-wide": "property autosize column groupby view showerror displayerror force expand inputobject",
  "format-hex": "path literalpath encoding count offset inputobject",
  "out-string": "width stream nonewline inputobject",
  "out-host": "paging inputobject",
  "out-null out-default": "inputobject transcript",
  "out-gridview": "title passthru wait outputmode inputobject",
  "tee-object": "variable inputobject",
  "convertto-json": "depth compress asarray enumsasstrings escapehandling inputobject",
  "convertto-csv":
    "delimiter useculture notypeinformation includetypeinformation quotefields usequotes noheader inputobject",
  "convertto-html":
    "property head title body fragment precontent postcontent as cssuri meta charset transitional inputobject",
  "convertto-xml": "as depth notypeinformation inputobject",
  "convertfrom-json": "ashashtable depth noenumerate datekind inputobject",
  "convertfrom-csv": "delimiter useculture header inputobject",
  "convertfrom-stringdata": "stringdata delimiter",
  "convertfrom-string": "delimiter propertynames inputobject",
  "select-string":
    "pattern path literalpath simplematch casesensitive quiet list include exclude notmatch allmatches encoding context raw noemphasis culture inputobject",
  "select-xml": "xpath path literalpath xml content namespace",
  "join-path": "path childpath additionalchildpath resolve",
  "split-path": "path literalpath parent leaf leafbase extension qualifier noqualifier resolve isabsolute",
  "join-string":
    "property separator outputprefix outputsuffix singlequote doublequote formatstring useculture inputobject",
  "convert-path resolve-path": "path literalpath relative",
  "test-path": "path literalpath filter include exclude pathtype isvalid newerthan olderthan",
  "get-content":
    "path literalpath readcount totalcount head first tail last filter include exclude force wait delimiter raw encoding asbytestream stream",
  "get-childitem":
    "path literalpath filter include exclude recurse r depth force name attributes directory ad file af hidden ah readonly ar system as followsymlink codesigningcert documentencryptioncert sslserverauthentication dnsname eku expiringindays",
  "get-item": "path literalpath filter include exclude force stream",
  "get-itemproperty get-itempropertyvalue": "path literalpath name filter include exclude",
  "get-acl": "path literalpath inputobject audit allcentralaccesspolicies filter include exclude",
  "get-filehash": "path literalpath algorithm inputstream",
  "get-process": "name id inputobject includeusername module fileversioninfo computername",
  "get-service": "name displayname computername dependentservices requiredservices include exclude inputobject",
  "get-eventlog":
    "logname computername newest after before username instanceid index entrytype source message asbaseobject list asstring",
  "get-winevent":
    "logname listlog providername listprovider path filterxpath filterxml filterhashtable maxevents computername force oldest",
  "get-counter": "counter computername listset sampleinterval maxsamples continuous",
  "get-hotfix": "id description computername",
  "get-date": "date year month day hour minute second millisecond displayhint format uformat unixtimeseconds asutc",
  "get-random get-securerandom": "maximum minimum inputobject count shuffle setseed",
  "get-member": "name membertype view static force inputobject",
  "get-command":
    "name verb noun module fullyqualifiedmodule commandtype totalcount syntax showcommandinfo argumentlist all listimported parametername parametertype usefuzzymatching usabbreviationexpansion",
  "get-module":
    "name fullyqualifiedname listavailable all refresh pseditioncompatibility skipeditioncheck cimresourceuri cimnamespace pssession cimsession",
  "get-help": "name path category component functionality role detailed full examples parameter",
  "get-history": "id count",
  "get-psdrive": "name literalname scope psprovider",
  "get-variable": "name scope include exclude valueonly",
  "get-alias": "name definition scope exclude",
  "get-unique": "asstring ontype caseinsensitive inputobject",
  "get-location": "psprovider psdrive stack stackname",
  "get-computerinfo": "property",
  "get-wmiobject":
    "class property filter namespace computername query list recurse amended directread authentication impersonation locale enableallprivileges",
  "get-ciminstance":
    "classname class property filter namespace computername query querydialect keyonly cimsession operationtimeoutsec shallow resourceuri inputobject",
  "get-cimclass": "classname namespace methodname propertyname qualifiername computername operationtimeoutsec",
  "get-cimassociatedinstance": "inputobject association resultclassname namespace computername operationtimeoutsec",
  "get-job receive-job":
    "id name instanceid state before after newest includechildjob childjobstate hasmoredata command filter job keep wait",
  "get-netadapter": "name interfacedescription interfaceindex includehidden physical cimsession throttlelimit",
  "get-nettcpconnection get-netudpendpoint":
    "localaddress localport remoteaddress remoteport state appliedsetting owningprocess creationtime offloadstate cimsession throttlelimit",
  "get-netipaddress get-netroute get-netneighbor get-netipinterface":
    "ipaddress interfaceindex interfacealias addressfamily type prefixlength prefixorigin suffixorigin addressstate policystore destinationprefix nexthop routemetric state linklayeraddress includeallcompartments cimsession",
  "get-netipconfiguration":
    "interfacealias interfaceindex all allcompartments compartmentid detailed computername cimsession",
  "get-netfirewallrule":
    "name displayname description displaygroup group enabled direction action edgetraversalpolicy primarystatus status policystore all tracepolicystore policystoresource policystoresourcetype associatednetfirewalladdressfilter associatednetfirewallapplicationfilter associatednetfirewallportfilter cimsession",
  "get-scheduledtask get-scheduledtaskinfo": "taskname taskpath inputobject cimsession",
  "get-aduser get-adcomputer get-adgroup get-adobject":
    "identity filter ldapfilter properties searchbase searchscope server resultpagesize resultsetsize includedeletedobjects partition authtype",
  "get-adgroupmember get-adprincipalgroupmembership": "identity recursive server partition resourcecontextserver",
  "search-adaccount":
    "lockedout accountdisabled accountexpired accountexpiring accountinactive passwordexpired passwordneverexpires computersonly usersonly datetime timespan searchbase searchscope server resultpagesize resultsetsize",
  "get-messagetrackinglog":
    "server start end eventid sender recipients messageid messagesubject source resultsize domaincontroller internalmessageid reference",
  "get-mailboxdatabase":
    "identity status server includepreexchange2013 includecorrupted dumpsterstatistics domaincontroller",
  "get-windowsfeature": "name computername vhd",
  "get-windowsoptionalfeature get-windowsimage get-windowspackage get-windowsdriver get-windowscapability get-windowsedition":
    "online path featurename packagename imagepath index name driver all limitaccess target",
  "get-dnsserverresourcerecord": "zonename name rrtype type node zonescope computername cimsession",
  "resolve-dnsname":
    "name type server dnsonly cacheonly dnssecok dnsseccd nohostsfile llmnrnetbiosonly llmnrfallback llmnronly netbiosfallback norecursion quicktimeout tcponly",
  "test-connection":
    "computername targetname count delay buffersize quiet ping ipv4 ipv6 maxhops mtusize traceroute tcpport resolvedestination dontfragment timeoutseconds timetolive source repeat continues detailed",
  "test-netconnection":
    "computername port commontcpport traceroute hops informationlevel diagnoserouting constraininterface constrainsourceaddress",
  "test-wsman": "computername authentication port usessl applicationname",
  "test-computersecurechannel": "server",
  "test-json": "json schema options inputobject path literalpath",
  "test-certificate": "policy user eku dnsname allowuntrustedroot cert",
  "test-modulemanifest": "path",
  "invoke-webrequest invoke-restmethod":
    "uri method custommethod usebasicparsing timeoutsec connectiontimeoutseconds operationtimeoutseconds headers useragent maximumredirection maximumretrycount retryintervalsec disablekeepalive statuscodevariable responseheadersvariable skiphttperrorcheck contenttype httpversion sslprotocol followrellink maximumfollowrellink preserveauthorizationonredirect resume resolve",
  "get-gpo get-gppermission get-gpinheritance": "name guid all domain server target targetname targettype",
  "invoke-sqlcmd":
    "serverinstance database query querytimeout connectiontimeout maxcharlength maxbinarylength hostname applicationintent encrypt trustservercertificate as outputsqlerrors includesqlusererrors multisubnetfailover",
  "invoke-command": "computername scriptblock throttlelimit hidecomputername port usessl cn session vmname",
  "new-object": "typename argumentlist comobject strict property",
  "new-timespan": "start end days hours minutes seconds milliseconds",
  "start-sleep": "seconds milliseconds duration",
  "wait-process wait-job wait-event": "name id inputobject job timeout any state sourceidentifier",
  "write-output": "inputobject noenumerate",
  "write-host": "object nonewline separator foregroundcolor backgroundcolor",
  "write-error write-warning write-verbose write-debug write-information":
    "message exception errorrecord errorid category recommendedaction targetobject categoryreason categoryactivity categorytargetname categorytargettype messagedata tags",
  "write-progress": "activity status id percentcomplete secondsremaining currentoperation parentid completed sourceid",
  "set-location push-location pop-location": "path literalpath passthru stackname",
  "set-variable new-variable remove-variable clear-variable":
    "name value description scope force passthru include exclude",
  "add-member":
    "membertype name value secondvalue passthru notepropertyname notepropertyvalue notepropertymembers typename force inputobject",
  "set-strictmode": "version off",
  "import-csv": "path literalpath delimiter useculture header encoding",
  "import-clixml": "path literalpath includetotalcount skip first",
  "import-powershelldatafile": "path literalpath skiplimitcheck",
  "import-module":
    "name force passthru disablenamechecking scope usewindowspowershell skipeditioncheck minimumversion requiredversion maximumversion",
  "read-host": "prompt assecurestring maskinput",
  "add-type": "assemblyname",
  "repair-volume": "driveletter scan filesystemlabel path objectid",
  "get-clusterlog": "uselocaltime timespan node cluster skipclusterstate includebinary",
  "get-bitlockervolume": "mountpoint",
};
