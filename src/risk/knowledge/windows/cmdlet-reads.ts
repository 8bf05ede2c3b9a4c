/** Parameters of cmdlets that only look or shape: what is not here makes a call medium. Lower case, separated by spaces. */

/** Of every cmdlet; with the short names that PowerShell gives them. Not those that set a variable. */
export const commonReads =
  "debug ea erroraction informationaction infa progressaction proga verbose vb db wa warningaction whatif wi outbuffer ob";

/**
 * What narrows, orders or bounds a look, by whole names, whichever module the cmdlet is from. A name that writes, runs or changes in any
 * cmdlet of `looks` is not here.
 */
export const lookReads =
  "accept accesscount accessdate accountdisabled accountexpired accountexpiring accountinactive " +
  "accountname accounttype action active activedirectorytimeout activesync " +
  "activesyncsuppressreadreceipt activitycount activityid adapter adapterid addresscategory " +
  "addressfamily addressmaskreply addresspath addressscope addressspace adpropertiesonly advanced alias " +
  "all allautoresolve allbindings allconnectionstimeout allleases allnonautoresolve allocated " +
  "allowclobber allowed allowedprimaryserver allowedtoauthenticatefrom allowedtoauthenticateto " +
  "allowredirection allowsetkey allowwatchkey allpartitions allproperties allroutingdomains " +
  "alluserconnection allusers allvolumes analysis anr any appalias appdisplayname application " +
  "applicationgroup applicationgroupidentifier applicationpool apppool approval arbitrary arbitration " +
  "architecture archive asjson asobject assignmentmethod associatedcapturetarget " +
  "associatedeventprovider associatedeventsession associatednetfirewalladdressfilter " +
  "associatednetfirewallinterfacefilter associatednetfirewallinterfacetypefilter " +
  "associatednetfirewallportfilter associatednetfirewallprofile associatednetfirewallrule " +
  "associatednetipsecmainmodecryptoset associatednetipsecmainmoderule associatednetipsecmainmodesa " +
  "associatednetipsecphase1authset associatednetipsecphase2authset associatednetipsecquickmodecryptoset " +
  "associatednetipsecquickmodesa associatednetipsecrule associatedpacketcaptureprovider " +
  "associatedtcpsetting associatedtransportfilter associations asvt100encodedstring attributename " +
  "auditlog authenticatedaccounts authenticationtype authtype autodiscoverserver autologgername " +
  "automaticusecustom autoreuseportrangenumberofports autoreuseportrangestartport " +
  "autotuningleveleffective autotuninglevelgrouppolicy autotuninglevellocal auxauditlog " +
  "availabilitytype availableoptions avoidself backupset backuptarget badleases basepropertiesonly " +
  "batchid batchname batchsize bindinginformation bookmarkdisplayname bookmarkindex bookmarkobject " +
  "bootdevice bootimagename bootimageobject bound bpaxpath brief bucketname bustype " +
  "bypassdelegatechecking bypassproxyserver bypassscopecheck cachescope cachingmode canonicalname " +
  "canpool capabilities capability category catimeout certificate certificatetype chassisserialnumber " +
  "checkpointname checkreachability childelementname childof childpolicy childzonename chimney chord " +
  "cim cimsession claimtype class classification classname client clientaccessserver clientcomputername " +
  "clientgroupname clientid clientip clientname clientport clientroleidentifiers clienttype " +
  "clientusername clr cluster clustergroupname clustername clusternodename clusterobject cmdlet " +
  "cmdletparameters collectionname collectorname compartmentid component componentid compressdata " +
  "computer computername computertargetgroups computerupdatestatus concurrentuserlimit " +
  "conditionalforwardername configattribute configcollection configelement configwritescope confirm " +
  "congestionprovider connection connectionbroker connectionidentifier connectionname " +
  "connectionsettings connectionspecificsuffix connectionstatus connectiontype consumeronly " +
  "containedgroup container containerid context continuouslyavailable controllerlocation " +
  "controllernumber controllertype convergencehistory copyonserver coresperphysicalprocessor " +
  "correlatelogonevents count counterpath creationtime criticalvolumes cryptocheckpoint culture current " +
  "custom customconfigwritescope customfieldone customfieldtwo customrecipientwritescope cwndrestart " +
  "dag data database databaseavailabilitygroup databasename databases datalength date days " +
  "deadgatewaydetection default defaulthoplimit defaultonly delayedackfrequency delayedacktimeoutms " +
  "delegating deliverymethod denied dependentgroup depth description descriptiontimeformat " +
  "descriptiontimezone destinationcomputername destinationprefix destinationrgname detailed detaillevel " +
  "detailslevel deviceid devicename devicenumber devicepath devicestate devicetype dhcpmediasense " +
  "diagnostic diagnosticinfo diagnosticonly diagnostics dialect direction directory disablenamechecking " +
  "discover disk diskid diskimage diskindex disknumber displaygroup displayname distinguishedname " +
  "dlppolicy dnsservers domain domaincontroller domainname domains donotresolve driveletter driver " +
  "drivername dsntype dtcname dynamiccategorytype dynamiccategorytypefilter " +
  "dynamicportrangenumberofports dynamicportrangestartport dynamictarget ecncapability editable " +
  "effective emailaddress enabled encryptdata encryptedtunnelbypass encryption end endaddress enddate " +
  "enddatetime endipaddress endpoint endpointtype endtime enforcementstatus entry entrypointname " +
  "entrytype enumerate enumeratingserver enumerationserver event eventid eventidentifier eventlog " +
  "eventtype exclude excludeconditionactiondetails excludedinstallationstates excludename excludepath " +
  "excluderecipienttest exclusiontype exclusive exclusiveconfigwritescope exclusiverecipientwritescope " +
  "expanded explicit extendedaffinityexceptionlist extendedaffinitylist extendederrorinfo extension " +
  "extensionname externalport failover faultdomainawareness feature featureid featurelist featurename " +
  "federationpartnerhostname fileextension fileid filename filepath fileserver fileshare filesystem " +
  "filesystemlabel filetype filter filterflag filterhashtable filterxml filterxpath first firstseen " +
  "flags flow flowid folder folderenumerationmode foldername folderscope forcediffiehellman " +
  "forcediscover forcews forest forwardpathlifetime fragment friendlyname fromip " +
  "fromlastreportedstatustime fromlastsynctime full fullcomparemode fullname fullpolicy fullurl " +
  "functionid gateway getallpaths getchildren geteffectiveusers getparentpaths globalcatalog " +
  "globaloverrides gponame gposession group groupby groupforwardedfragments groupidentifier " +
  "groupmailbox groupname groupsize guid haimpactingonly hasallocations hashalgorithm healthset " +
  "healthstatus hidden highpriority history host hostheader hostipaddress hostname hostserver hosttype " +
  "hveaccount icmpredirects id identifier identifiers identity igmplevel igmpversion ignoredefaultscope " +
  "image imagegroup imagename imagepath inactivemailboxonly inboundsecurity include " +
  "includeacceptmessagesonlyfromdlmemberswithdisplaynames " +
  "includeacceptmessagesonlyfromsendersormemberswithdisplaynames " +
  "includeacceptmessagesonlyfromwithdisplaynames includeallapplications includeallproperties " +
  "includeallsubfeature includealternateserviceaccountcredentialstatus includeanalysis " +
  "includeassociatedusers includebookmark includebookmarkobject " +
  "includebypassmoderationfromsendersormemberswithdisplaynames includechildren " +
  "includecomponentlatencyinfo includecomputers includecontainers includedeleted includedeletedobjects " +
  "includedinstallationstates includedirectreportswithdisplaynames includedownstreamcomputertargets " +
  "includeemailaddressdisplaynames includeforwardingaddresswithdisplaynames " +
  "includegrantsendonbehalftowithdisplaynames includehidden includeinactivemailbox includekskmetadata " +
  "includemailboxsettingonlypolicy includemanagedbywithdisplaynames includemanagerwithdisplayname " +
  "includemoderatedbywithdisplaynames includemovehistory includemovereport includenotselected " +
  "includeoldestandnewestitems includepassive includequarantinedetails includerecipientinfo " +
  "includerejectmessagesfromsendersormemberswithdisplaynames includereport " +
  "includesimplifiedgmailmigrationdata includeskippeditems includesoftdeletedgroups " +
  "includesoftdeletedobjects includesoftdeletedrecipients includesoftdeleteduserpermissions " +
  "includesubgroups includesystem includesystemobjects includesysvol includetestmodeconnectors " +
  "includeunresolvedpermissions includeuserwithdisplayname index indexingtimeoutinseconds infected " +
  "initialcongestionwindowmss initialrtoms initiatoraddress initiatorid initiatorinstancename " +
  "initiatorname initiatornodeaddress initiatornodename initiatorport initiatorportaladdress " +
  "initiatorportalportnumber initiatorsideidentifier inititoripadresslistnumber inputobject " +
  "inputobjects installimagename installimageobject instance instanceid instancename instancepath " +
  "intentname interface interfacealias interfacedescription interfaceindex interfacename interfacetype " +
  "ip ipaddress ipinterface ipsecrulename ipv4address ipv4connectivity ipv4failurereason " +
  "ipv4operationalstate ipv6address ipv6connectivity ipv6failurereason ipv6operationalstate isclustered " +
  "iscsiconnection iscsisession iscsitarget iscsitargetportal isdatadigest isglobal isheaderdigest " +
  "islegacy ismultipathed isolatedtransport isprimordial issnapshot isspc3supported issuername issystem " +
  "istransportrulescoped isvip job jobid jobname jobstate journal key keymodule keyname keyprefix kind " +
  "kindtype label language last lastseen laststatus latest ldap ldapfilter ldapnamingcontext ldapserver " +
  "leasingmode level levelfilter limit list listavailable listconnections listimported literalname " +
  "literalpath loadbalancing local localaddress localcomputername locale localipaddress localpath " +
  "localport localportend localportstart localuser location locationpath lockedout locktype log " +
  "logicaldisk logicalprocessorsperphysicalprocessor loglevel logname lostandfound mac macaddress " +
  "machine machinename mailbox mailboxdatabase mailboxguid mailboxlocation mailboxplan mailboxserver " +
  "mainmodecryptoset managedby managedbyservice managementos manufacturer mappingstore mappingtoblock " +
  "mappingtoparentblock mappingtoprovideraddressspace mappingtorange mappingtosubnet maskingset max " +
  "maxevents maximum maximummemory maxkey maxminutes maxreportsize maxsessions maxsynretransmissions " +
  "maxtemporarydadattempts maxtemporarydesynctime maxtemporarypreferredlifetime " +
  "maxtemporaryvalidlifetime mediasenseeventlog mediatype member memberoftheteam members " +
  "memorypressureprotection messageid messagesubject messagetraceid metadata metric migration minimum " +
  "minimumdirectoryserviceversion minimummtu minimumonlinepercent minrtoms mldlevel mldversion mode " +
  "model modelid module monitoring mountpoint moverequestqueue movestatus mrsinstance " +
  "multicastforwarding name nameincludes namespace natname neighborcachelimitentries netadaptername " +
  "netgroupname network networkcategory networkdirect networkdirectacrossipsubnets networkid " +
  "networkname networktype newest nextclosestsite nextmessage nisdomain nisserver noadlookup node " +
  "nodeaddress nodelist nodename nodes nonsackrttresiliency noredundancy nouseroverrides numaddress " +
  "number numberofaddresses numberofconnections numberofranges numberofsamples numberofsubnets object " +
  "objectid offline offloaddatatransfersetting offset oldest online onpremisesorganizationalunit " +
  "openconnections operationalstatus optionid order organization organizationalunit orgunit " +
  "originalpath os osbuildnumber oscountrycode oscurrenttimezone osdaylightineffect oslastbootuptime " +
  "osmajor osminor osplatformid osproducttype osserialnumber ossuitemask otherusagedescription " +
  "outboundsecurity overallperformancesetting overrideblockrules owafordevices owner owningprocess " +
  "package packagefullname packages packagetypefilter packetcoalescingfilter page pagenumber pagesize " +
  "parameter params parent parentof parentpolicy partition partitionnumber partnertype passthru " +
  "passwordexpired passwordneverexpires path peerinfo peername pendingclientstatus perconnectiontimeout " +
  "perfectforwardsecrecygroup permission phase1authset phase2authset physical physicaldevice " +
  "physicaldeviceid physicaldisk physicalfunction physicallocation physicallyconnected " +
  "physicalprocessorcount physicalrangemax physicalrangemin platform policy policyid policyname " +
  "policyobject policystore policystoresource policystoresourcetype policytype pool port portaddress " +
  "portnumber powershellversion precedence precondition prefix prefixidentifier presentonly preset " +
  "previous primary primaryservername primarystatus printerenvironment printername printerobject " +
  "priority probetag processid productid productname profile profileactivated profilesource program " +
  "properties property propertyname propertyset protect protocol protocolsettings provider providername " +
  "proxytomailbox pslocation pspath psprovider publicfolder publickeyhash publisher qosflowscope " +
  "qospolicyid qualifier query queue queuetype quickmodecryptoset quiet quotaname randomizeidentifiers " +
  "readfromdomaincontroller readisoptimizedforaccessibility reassemblylimitbytes " +
  "receivesegmentcoalescing receivesidescaling recipient recipientaddress " +
  "recipientadministrativeunitscope recipientgroupscope recipientorganizationalunitscope " +
  "recipientpathfilter recipientpreviewfilter recipients recipienttype recipienttypedetails " +
  "recipientwritescope recordname recordtype recurse recursive refresh region regionid registered " +
  "registerthisconnectionsaddress registrycheckpoint registrykeyword relyingpartyname remoteaddress " +
  "remotearchive remotecomputername remotehostname remoteipaddress remotemachine remotepath remoteport " +
  "remoteportend remoteportstart remotetunnelhostname remoteuser replica replicaservername " +
  "replicaserverport replicastoragelocation replicationhealth replicationmode " +
  "replicationrelationshiptype replicationstate report reportonly reporttemplate reporttype " +
  "requestedtargetgroupnames requestguid requestid requestqueue requireauthorization " +
  "requireclientauthentication reservedip residentfolders resiliencysetting resiliencysettingname " +
  "resource resourcegroup resourcegroupname resourcemanagerport resourcename resourcepoolname " +
  "resourcepooltype resourcetype resourceuri responseheaders restapi restorepoint result resultpagesize " +
  "resultsetsize resultsize returnpageinfo returntype revealedaccounts revisionnumber role roleassignee " +
  "roleassigneetype roleguid rolename roletype rollupgroup root routecachelimitentries routingdomain " +
  "routingdomainid routingdomainname rr rrtype rulename running runningprocesses runspace " +
  "scalingheuristics schedule scope scoped scopeid scopename scriptparameters sddl searchbase " +
  "searchforest searchforward searchscope searchtext section sectionpath security selectedforuse " +
  "selector selectorset selectpeercount sender senderaddress sent sequence serialnumber server " +
  "serveraddress serverfqdn serverinstance serverip servername serverport serverroleidentifiers servers " +
  "servertype service serviceaccount serviceinstance servicepackmajor servicepackminor sessionid " +
  "sessionidentifier sessionname setting settingname severity shallow sharedwithmailuser sharestate " +
  "shortname showalllinkedvalues showclusternodestate showinstalled showmailboxvirtualdirectories " +
  "showpartnerlinked showupdateavailability sid signingmetadata since singlenodeonly site sitename size " +
  "skip skipclientcertificateaccesscheck skipcount slot smbinstance smbserver snapshot snapshotid " +
  "snapshottype softdeletedmailbox softdeletedmailuser sort sortby sortorder source sourcecomputername " +
  "sourcedatabase sourceidentifier sourcepathorextension sourcergname sourceroutingbehavior sources " +
  "sourcevirtualdisk special sqlinstance start startaddress startdate startdatetime startipaddress " +
  "startmode starttime state stateid statistics status statussummary stop storageenclosure " +
  "storagefaultdomain storagefileserver storagejob storagenode storagenodename storagepool " +
  "storagepoolfriendlyname storagepoolname storagepooluniqueid storageprovider storagesubsystem " +
  "storagetier storagetype store storelocation storemailbox storemailboxidentity storename subject " +
  "subkey submodelid subnet subnetprefix subqueue subscription subscriptionid subsystem subsystemtype " +
  "superscopename supervisoryreviewpolicy supportpersistentreservations suspend " +
  "suspendwhenreadytocomplete sweeprules switchid switchname switchtype syncshare system " +
  "systemdnshostname systemdomainname systemdrive systemmanufacturer systemproductname " +
  "systemserialnumber systemsmbiosuuid systemswitchextension tag tail target targetaddress " +
  "targetdatabase targetidentifier targetmailbox targetname targetnonclaimsawarerelyingpartytrust " +
  "targetpath targetport targetportaddresses targetportal targetportaladdress targetportalportnumber " +
  "targetserver targetsideidentifier targetvirtualdisk taskname taskoffload taskpath tasktype team " +
  "teamnicfortheteam teamofthemember teamoftheteamnic temporaryregeneratetime tenant tenantid " +
  "tenantidentifier testreachability testtype threatid threshold throttlelimit throttlingpolicyscope " +
  "thumbprint timeout timespan timestamp timestamps timetolive title titleincludes to toip " +
  "tolastreportedstatustime tolastsynctime top tracelevel tracepolicystore " +
  "transienteventsuppressionwindow transmissionname transport transportprotocol transportservice " +
  "transporttype triggerid trusted trustgroup tunneltype type typename types uid unallocated unbound " +
  "unhealthy uninstalled uniqueid universaloutlook unlimited unmapped updateid updateserver uri usage " +
  "usebasicparsing usecustomrouting user userclass userdomainname userforestname usergroup usergroups " +
  "useridentifier useridentity username userprofiledisk userprofiledisks usersonly useservercache " +
  "usessl usesuffixwhenregistering usetemporaryaddresses uuid value valuename variable vendorclass " +
  "vendorid verb verifyrecipient version virtualdesktopconfiguration virtualdesktopname " +
  "virtualdirectoryname virtualdisk virtualizationinstance virtualmachine virtualrangemax " +
  "virtualrangemin vm vmcreatorid vmdrivecontroller vmid vmname vmnetworkadapter vmnetworkadaptername " +
  "vmsnapshot vmswitch vmswitchname volume volumedriveletter volumeid volumeinbackup volumenumber " +
  "volumepath vportid website wide width windowsdirectory writable writabledatabase writablerecipient " +
  "writableserver xml xmlpolicy zone zonename zonescope zonetype";

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
  "format-hex": "path literalpath encoding count offset inputobject raw",
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
  "convert-path resolve-path": "path literalpath relative force relativebasepath",
  "test-path": "path literalpath filter include exclude pathtype isvalid newerthan olderthan",
  "get-content":
    "path literalpath readcount totalcount head first tail last filter include exclude force wait delimiter raw encoding asbytestream stream",
  "get-childitem":
    "path literalpath filter include exclude recurse r depth force name attributes directory ad file af hidden ah readonly ar system as followsymlink codesigningcert documentencryptioncert sslserverauthentication dnsname eku expiringindays",
  "get-item":
    "path literalpath filter include exclude force stream codesigningcert dnsname documentencryptioncert eku expiringindays sslserverauthentication",
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
    "name verb noun module fullyqualifiedmodule commandtype totalcount syntax showcommandinfo argumentlist all listimported parametername parametertype usefuzzymatching usabbreviationexpansion fuzzyminimumdistance useabbreviationexpansion",
  "get-module":
    "name fullyqualifiedname listavailable all refresh pseditioncompatibility skipeditioncheck cimresourceuri cimnamespace pssession cimsession psedition",
  "get-help": "name path category component functionality role detailed full examples parameter",
  "get-history": "id count",
  "get-psdrive": "name literalname scope psprovider",
  "get-variable": "name scope include exclude valueonly",
  "get-alias": "name definition scope exclude",
  "get-unique": "asstring ontype caseinsensitive inputobject",
  "get-location": "psprovider psdrive stack stackname",
  "get-computerinfo": "property",
  "get-wmiobject":
    "class property filter namespace computername query list recurse amended directread authentication impersonation locale enableallprivileges throttlelimit",
  "get-ciminstance":
    "classname class property filter namespace computername query querydialect keyonly cimsession operationtimeoutsec shallow resourceuri inputobject",
  "get-cimclass":
    "classname namespace methodname propertyname qualifiername computername operationtimeoutsec amended cimsession",
  "get-cimassociatedinstance":
    "inputobject association resultclassname namespace computername operationtimeoutsec cimsession keyonly resourceuri",
  "get-job receive-job":
    "id name instanceid state before after newest includechildjob childjobstate hasmoredata command filter job keep wait",
  "get-netadapter": "name interfacedescription interfaceindex includehidden physical cimsession throttlelimit",
  "get-nettcpconnection get-netudpendpoint":
    "localaddress localport remoteaddress remoteport state appliedsetting owningprocess creationtime offloadstate cimsession throttlelimit",
  "get-netipaddress get-netroute get-netneighbor get-netipinterface":
    "ipaddress interfaceindex interfacealias addressfamily type prefixlength prefixorigin suffixorigin addressstate policystore destinationprefix nexthop routemetric state linklayeraddress includeallcompartments cimsession associatedipinterface preferredlifetime skipassource throttlelimit validlifetime compartmentid interfacemetric protocol publish advertisedefaultroute advertisedrouterlifetime advertising associatedadapter associatedipaddress associatedneighbor associatedroute automaticmetric basereachabletimems clampmss connectionstate currenthoplimit dadretransmittimems dadtransmits dhcp directedmacwolpattern ecnmarking forcearpndwolpattern forwarding ignoredefaultroutes managedaddressconfiguration neighbordiscoverysupported neighborunreachabilitydetection nlmtubytes otherstatefulconfiguration reachabletimems retransmittimems routerdiscovery weakhostreceive weakhostsend",
  "get-netipconfiguration":
    "interfacealias interfaceindex all allcompartments compartmentid detailed computername cimsession",
  "get-netfirewallrule":
    "name displayname description displaygroup group enabled direction action edgetraversalpolicy primarystatus status policystore all tracepolicystore policystoresource policystoresourcetype associatednetfirewalladdressfilter associatednetfirewallapplicationfilter associatednetfirewallportfilter cimsession associatednetfirewallinterfacefilter associatednetfirewallinterfacetypefilter associatednetfirewallprofile associatednetfirewallsecurityfilter associatednetfirewallservicefilter localonlymapping loosesourcemapping owner throttlelimit",
  "get-scheduledtask get-scheduledtaskinfo": "taskname taskpath inputobject cimsession throttlelimit",
  "get-aduser get-adcomputer get-adgroup get-adobject":
    "identity filter ldapfilter properties searchbase searchscope server resultpagesize resultsetsize includedeletedobjects partition authtype showmembertimetolive",
  "get-adgroupmember get-adprincipalgroupmembership":
    "identity recursive server partition resourcecontextserver authtype resourcecontextpartition",
  "search-adaccount":
    "lockedout accountdisabled accountexpired accountexpiring accountinactive passwordexpired passwordneverexpires computersonly usersonly datetime timespan searchbase searchscope server resultpagesize resultsetsize authtype",
  "get-messagetrackinglog":
    "server start end eventid sender recipients messageid messagesubject source resultsize domaincontroller internalmessageid reference networkmessageid transporttraffictype",
  "get-mailboxdatabase":
    "identity status server includepreexchange2013 includecorrupted dumpsterstatistics domaincontroller includepreexchange2010",
  "get-windowsfeature": "name computername vhd",
  "get-windowsoptionalfeature get-windowsimage get-windowspackage get-windowsdriver get-windowscapability get-windowsedition":
    "online path featurename packagename imagepath index name driver all limitaccess target loglevel packagepath systemdrive windowsdirectory mounted",
  "get-dnsserverresourcerecord":
    "zonename name rrtype type node zonescope computername cimsession throttlelimit virtualizationinstance",
  "resolve-dnsname":
    "name type server dnsonly cacheonly dnssecok dnsseccd nohostsfile llmnrnetbiosonly llmnrfallback llmnronly netbiosfallback norecursion quicktimeout tcponly noidn",
  "test-connection":
    "computername targetname count delay buffersize quiet ping ipv4 ipv6 maxhops mtusize traceroute tcpport resolvedestination dontfragment timeoutseconds timetolive source repeat continues detailed protocol throttlelimit",
  "test-netconnection":
    "computername port commontcpport traceroute hops informationlevel diagnoserouting constraininterface constrainsourceaddress",
  "test-wsman": "computername authentication port usessl applicationname",
  "test-computersecurechannel": "server",
  "test-json": "json schema options inputobject path literalpath",
  "test-certificate": "policy user eku dnsname allowuntrustedroot cert",
  "test-modulemanifest": "path",
  "invoke-webrequest invoke-restmethod":
    "uri method custommethod usebasicparsing timeoutsec connectiontimeoutseconds operationtimeoutseconds headers useragent maximumredirection maximumretrycount retryintervalsec disablekeepalive statuscodevariable responseheadersvariable skiphttperrorcheck contenttype httpversion sslprotocol followrellink maximumfollowrellink preserveauthorizationonredirect resume resolve",
  "get-gporeport": "name guid all reporttype domain server",
  "get-gpo get-gppermission get-gpinheritance": "name guid all domain server target targetname targettype domainname",
  "invoke-sqlcmd":
    "serverinstance database query querytimeout connectiontimeout maxcharlength maxbinarylength hostname applicationintent encrypt trustservercertificate as outputsqlerrors includesqlusererrors multisubnetfailover",
  "invoke-cimmethod": "methodname inputobject classname namespace computername cimsession",
  "invoke-wmimethod": "name class path namespace computername inputobject",
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
