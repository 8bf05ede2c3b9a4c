/**
 * Cmdlets that only look, by verb: those of PowerShell itself and of the modules of Windows Server, Exchange, SQL Server, Azure and VMware.
 * A verb alone proves nothing (`Get-ADReplAccount` copies every password), so what is not here is never low. Left out on purpose: what hands
 * out secrets (credentials, clipboards, keys), and what writes a report.
 */
export const looks: Readonly<Record<string, string>> = {
  get:
    "accelnetmanagement accelnetmanagementprereq accelnetvm accepteddomain acl activesyncdevice " +
    "activesyncdevicestatistics activesyncmailboxpolicy activesyncvirtualdirectory " +
    "adaccountauthorizationgroup adaccountresultantpasswordreplicationpolicy adauthenticationpolicy " +
    "adauthenticationpolicysilo adcentralaccesspolicy adcentralaccessrule adclaimtransformpolicy " +
    "adclaimtype adcomputer adcomputerserviceaccount addccloningexcludedapplicationlist " +
    "addefaultdomainpasswordpolicy addomain addomaincontroller " +
    "addomaincontrollerpasswordreplicationpolicy addomaincontrollerpasswordreplicationpolicyusage " +
    "addressbookpolicy addresslist adfinegrainedpasswordpolicy adfinegrainedpasswordpolicysubject " +
    "adforest adfsaccesscontrolpolicy adfsadditionalauthenticationrule adfsapplicationgroup " +
    "adfsapplicationpermission adfsattributestore adfsauthenticationprovider " +
    "adfsauthenticationproviderwebcontent adfsazuremfaconfigured adfscertificate adfscertificateauthority " +
    "adfsclaimdescription adfsclaimsprovidertrust adfsclaimsprovidertrustsgroup adfsclient " +
    "adfsdeviceregistration adfsdeviceregistrationupnsuffix adfsendpoint adfsfarminformation " +
    "adfsglobalauthenticationpolicy adfsglobalwebcontent adfslocalclaimsprovidertrust " +
    "adfsnativeclientapplication adfsnonclaimsawarerelyingpartytrust adfsproperties adfsregistrationhosts " +
    "adfsrelyingpartytrust adfsrelyingpartytrustsgroup adfsrelyingpartywebcontent " +
    "adfsrelyingpartywebtheme adfsscopedescription adfsserverapplication adfssslcertificate " +
    "adfssyncproperties adfstrustedfederationpartner adfswebapiapplication " +
    "adfswebapplicationproxyrelyingpartytrust adfswebconfig adfswebtheme adgroup adgroupmember adobject " +
    "adoptionalfeature adorganizationalunit adprincipalgroupmembership adreplicationattributemetadata " +
    "adreplicationconnection adreplicationfailure adreplicationpartnermetadata " +
    "adreplicationqueueoperation adreplicationsite adreplicationsitelink adreplicationsitelinkbridge " +
    "adreplicationsubnet adreplicationuptodatenessvectortable adresourceproperty adresourcepropertylist " +
    "adresourcepropertyvaluetype adrootdse adserviceaccount adsyncconnectorrunstatus adsyncscheduler " +
    "adtrust aduser aduserresultantpasswordpolicy agentlog alarmdefinition alias allnetintents " +
    "applockerfileinformation applockerpolicy appsharedpackagecontainer appxdefaultvolume appxlasterror " +
    "appxlog appxpackage appxpackageautoupdatesettings appxpackagemanifest appxprovisionedpackage " +
    "appxvolume asautoscalinggroup authconfig authenticodesignature authserver " +
    "autodiscovervirtualdirectory autologgerconfig azactivitylog azadvisorrecommendation azaks " +
    "azakscluster azalertrule azapplicationgateway azappserviceplan azavailabilityset azcontext azdisk " +
    "azeventhub azexpressroutecircuit azfunctionapp azloadbalancer azlocation azlog azmetric " +
    "azmetricdefinition aznetworkinterface aznetworksecuritygroup azpublicipaddress " +
    "azrecoveryservicesbackupjob azrecoveryservicesvault azresource azresourcegroup azroutetable " +
    "azservicebusqueue azsnapshot azsqldatabase azsqlserver azstorageaccount azsubscription aztag " +
    "azvirtualnetwork azvm azvmsize azvmusage azwebapp bcclientconfiguration bccontentserverconfiguration " +
    "bcdatacache bcdatacacheextension bcdentry bcdentrydebugsettings bcdentryhypervisorsettings bcdstore " +
    "bchashcache bchostedcacheserverconfiguration bcnetworkconfiguration bcstatus bgpcustomroute bgppeer " +
    "bgprouteaggregate bgprouteflapdampening bgprouteinformation bgprouter bgproutingpolicy bgpstatistics " +
    "bitlockervolume bitstransfer bpamodel bparesult caauthorityinformationaccess cacrldistributionpoint " +
    "casmailbox catemplate cauclusterrole caudeviceinfoforfeatureupdates cauplugin caureport caurun " +
    "certificateautoenrollmentpolicy certificateenrollmentpolicyserver certificatenotificationtask " +
    "childitem cimassociatedinstance cimclass ciminstance cimsession clientaccessserver " +
    "clientaccessservice cluster clusteraccess clusteraffinityrule clusteravailabledisk clustercheckpoint " +
    "clusteredscheduledtask clusterexcludedadapter clusterfaultdomain clusterfaultdomainxml clustergroup " +
    "clustergroupset clustergroupsetdependency clusterlesscaurun clusterlog clusternetwork " +
    "clusternetworkinterface clusternode clusterownernode clusterparameter clusterquorum clusterresource " +
    "clusterresourcedependency clusterresourcetype clustersharedvolume clustersharedvolumestate " +
    "clusterstoragespacesdirect clustervmmonitoreditem command complianceserver computerinfo " +
    "computerrestorepoint contact content contentfilterconfig controlpanelitem counter culture " +
    "customerroute cwalarm daappserver daclient daclientdnsconfiguration daclientexperienceconfiguration " +
    "daconnectionstatus daentrypoint daentrypointdc daentrypointtableitem damgmtserver damultisite " +
    "danetworklocationserver daotpauthentication dapolicychange daserver databaseavailabilitygroup " +
    "databaseavailabilitygroupnetwork datacenter datastore date dbaagentjob dbaagentjobhistory " +
    "dbaavailabilitygroup dbadatabase dbadbbackuphistory dbadbfile dbadbspace dbadiskspace dbaerrorlog " +
    "dbalastbackup dbamaxmemory dbaprocess dbaservice dbaspconfigure dbauptime dbawaitstatistic dedupjob " +
    "dedupmetadata dedupproperties dedupschedule dedupstatus dedupvolume deliveryoptimizationlog " +
    "deliveryoptimizationloganalysis deliveryoptimizationperfsnap deliveryoptimizationperfsnapthismonth " +
    "deliveryoptimizationstatus dfsnaccess dfsnfolder dfsnfoldertarget dfsnroot dfsnroottarget " +
    "dfsnserverconfiguration dfsrbacklog dfsrclonestate dfsrconnection dfsrconnectionschedule " +
    "dfsrdelegation dfsreplicatedfolder dfsreplicationgroup dfsrfilehash dfsrgroupschedule dfsridrecord " +
    "dfsrmember dfsrmembership dfsrpreservedfiles dfsrserviceconfiguration dfsrstate dhcpserverauditlog " +
    "dhcpserverdatabase dhcpserverindc dhcpserversetting dhcpserverv4binding dhcpserverv4class " +
    "dhcpserverv4dnssetting dhcpserverv4exclusionrange dhcpserverv4failover dhcpserverv4filter " +
    "dhcpserverv4filterlist dhcpserverv4freeipaddress dhcpserverv4lease " +
    "dhcpserverv4multicastexclusionrange dhcpserverv4multicastlease dhcpserverv4multicastscope " +
    "dhcpserverv4multicastscopestatistics dhcpserverv4optiondefinition dhcpserverv4optionvalue " +
    "dhcpserverv4policy dhcpserverv4policyiprange dhcpserverv4reservation dhcpserverv4scope " +
    "dhcpserverv4scopestatistics dhcpserverv4statistics dhcpserverv4superscope " +
    "dhcpserverv4superscopestatistics dhcpserverv6binding dhcpserverv6class dhcpserverv6dnssetting " +
    "dhcpserverv6exclusionrange dhcpserverv6freeipaddress dhcpserverv6lease dhcpserverv6optiondefinition " +
    "dhcpserverv6optionvalue dhcpserverv6reservation dhcpserverv6scope dhcpserverv6scopestatistics " +
    "dhcpserverv6statelessstatistics dhcpserverv6statelessstore dhcpserverv6statistics dhcpserverversion " +
    "disk diskimage diskstoragenodeview displayresolution distributiongroup distributiongroupmember " +
    "dnsclient dnsclientcache dnsclientdohserveraddress dnsclientglobalsetting dnsclientnrptglobal " +
    "dnsclientnrptpolicy dnsclientnrptrule dnsclientserveraddress dnsserver dnsservercache " +
    "dnsserverclientsubnet dnsserverdiagnostics dnsserverdirectorypartition dnsserverdnsseczonesetting " +
    "dnsserverdssetting dnsserveredns dnsserverencryptionprotocol dnsserverforwarder " +
    "dnsserverglobalnamezone dnsserverglobalqueryblocklist dnsserverqueryresolutionpolicy " +
    "dnsserverrecursion dnsserverrecursionscope dnsserverresourcerecord dnsserverresponseratelimiting " +
    "dnsserverresponseratelimitingexceptionlist dnsserverroothint dnsserverscavenging dnsserversetting " +
    "dnsserverstatistics dnsservertrustanchor dnsservertrustpoint dnsservervirtualizationinstance " +
    "dnsserverzone dnsserverzoneaging dnsserverzonedelegation dnsserverzonescope " +
    "dnsserverzonetransferpolicy doconfig dodownloadmode domaincontroller " +
    "dopercentagemaxbackgroundbandwidth dopercentagemaxforegroundbandwidth drsrule dscconfigurationstatus " +
    "dsclocalconfigurationmanager dscresource dtc dtcadvancedhostsetting dtcadvancedsetting " +
    "dtcclusterdefault dtcclustertmmapping dtcdefault dtclog dtcnetworksetting dtctransaction " +
    "dtctransactionsstatistics dtctransactionstracesession dtctransactionstracesetting " +
    "dynamicdistributiongroup ec2address ec2image ec2instance ec2instancestatus ec2securitygroup " +
    "ec2snapshot ec2subnet ec2volume ec2vpc ecpvirtualdirectory edgesubscription edgesyncserviceconfig " +
    "elb2loadbalancer elb2targethealth emailaddresspolicy error etwtraceprovider etwtracesession event " +
    "eventlog eventloglevel eventsubscriber exchangecertificate exchangediagnosticinfo exchangeserver " +
    "executionpolicy experimentalfeature filehash fileintegrity fileshare fileshareaccesscontrolentry " +
    "filestoragetier folder formatdata frontendtransportservice fsrmadrsetting fsrmautoquota " +
    "fsrmclassification fsrmclassificationpropertydefinition fsrmclassificationrule " +
    "fsrmeffectivenamespace fsrmfilegroup fsrmfilemanagementjob fsrmfilescreen fsrmfilescreenexception " +
    "fsrmfilescreentemplate fsrmmacro fsrmmgmtproperty fsrmquota fsrmquotatemplate fsrmrmstemplate " +
    "fsrmsetting fsrmstoragereport globaladdresslist globalmonitoringoverride gpinheritance gpo gporeport " +
    "gppermission gpprefregistryvalue gpregistryvalue gpstartergpo group harddisk healthreport help " +
    "history hnsendpoint hnsendpointaddresses hnsendpointstats hnsnamespace hnsnetwork hnspolicylist host " +
    "hotfix hudswitchlessmapping hybridconfiguration iisapppool iiscentralcertprovider " +
    "iisconfigattributevalue iisconfigcollection iisconfigcollectionelement iisconfigelement " +
    "iisconfigsection iisservermanager iissharedconfig iissite iissitebinding imapsettings " +
    "inboundconnector inboxrule initiatorid initiatorport insightscapability insightscapabilityaction " +
    "insightscapabilityresult insightscapabilityschedule installedlanguage installedmodule " +
    "installedscript inventory ipallowlistconfig ipamaddress ipamaddressspace " +
    "ipamaddressutilizationthreshold ipamblock ipamcapability ipamconfiguration ipamconfigurationevent " +
    "ipamcustomfield ipamcustomfieldassociation ipamdatabase ipamdhcpconfigurationevent ipamdhcpscope " +
    "ipamdhcpserver ipamdhcpsuperscope ipamdiscoverydomain ipamdnsconditionalforwarder " +
    "ipamdnsresourcerecord ipamdnsserver ipamdnszone ipamipaddressauditevent ipamrange " +
    "ipamserverinventory ipamsubnet ipblocklistconfig iscsiconnection iscsiservertarget iscsisession " +
    "iscsitarget iscsitargetportal iscsitargetserversetting iscsivirtualdisk iscsivirtualdisksnapshot " +
    "item itemproperty itempropertyvalue job jobtrigger journalrule localgroup localgroupmember localuser " +
    "location logonstatistics logproperties mailbox mailboxautoreplyconfiguration " +
    "mailboxcalendarconfiguration mailboxdatabase mailboxdatabasecopystatus mailboxexportrequest " +
    "mailboxexportrequeststatistics mailboxfolderpermission mailboxfolderstatistics mailboximportrequest " +
    "mailboximportrequeststatistics mailboxpermission mailboxrepairrequest mailboxrestorerequest " +
    "mailboxserver mailboxstatistics mailboxtransportservice mailcontact mailpublicfolder mailuser " +
    "malwarefilteringserver managementrole managementroleassignment mapivirtualdirectory markdownoption " +
    "maskingset member message messagetrace messagetracedetail messagetrackinglog messagetrackingreport " +
    "migrationbatch migrationconfig migrationendpoint migrationstatistics migrationuser mmagent " +
    "mobiledevice mobiledevicestatistics module monitoringitemidentity moverequest moverequeststatistics " +
    "mpcomputerstatus mpioavailablehw mpiosetting mppreference mpthreat mpthreatcatalog mpthreatdetection " +
    "msdsmautomaticclaimsettings msdsmglobaldefaultloadbalancepolicy msdsmsupportedhw msmqcertificate " +
    "msmqoutgoingqueue msmqqueue msmqqueueacl msmqqueuemanager msmqqueuemanageracl " +
    "ncsipolicyconfiguration net6to4configuration netadapter netadapteradvancedproperty netadapterbinding " +
    "netadapterchecksumoffload netadapterdatapathconfiguration netadapterencapsulatedpackettaskoffload " +
    "netadapterhardwareinfo netadapteripsecoffload netadapterlso netadapterpowermanagement netadapterqos " +
    "netadapterrdma netadapterrsc netadapterrss netadaptersriov netadaptersriovvf netadapterstatistics " +
    "netadapteruso netadaptervmq netadaptervmqqueue netadaptervport netcompartment netconnectionprofile " +
    "netdnstransitionconfiguration netdnstransitionmonitoring neteventnetworkadapter " +
    "neteventpacketcaptureprovider neteventprovider neteventsession neteventvfpprovider " +
    "neteventvmnetworkadapter neteventvmswitch neteventvmswitchprovider neteventwfpcaptureprovider " +
    "netfirewalladdressfilter netfirewallapplicationfilter netfirewalldynamickeywordaddress " +
    "netfirewallhypervport netfirewallhypervprofile netfirewallhypervrule netfirewallhypervvmcreator " +
    "netfirewallhypervvmsetting netfirewallinterfacefilter netfirewallinterfacetypefilter " +
    "netfirewallportfilter netfirewallprofile netfirewallrule netfirewallsecurityfilter " +
    "netfirewallservicefilter netfirewallsetting netintent netintentallgoalstates netintentstatus " +
    "netipaddress netipconfiguration netiphttpsconfiguration netiphttpsstate netipinterface " +
    "netipsecdospsetting netipsecmainmodecryptoset netipsecmainmoderule netipsecmainmodesa " +
    "netipsecphase1authset netipsecphase2authset netipsecquickmodecryptoset netipsecquickmodesa " +
    "netipsecrule netipv4protocol netipv6protocol netisatapconfiguration netlbfoteam netlbfoteammember " +
    "netlbfoteamnic netlldpagent netnat netnatexternaladdress netnatglobal netnatsession " +
    "netnatstaticmapping netnattransitionconfiguration netnattransitionmonitoring netneighbor " +
    "netoffloadglobalsetting netprefixpolicy netqosdcbxsetting netqosflowcontrol netqospolicy " +
    "netqostrafficclass netroute netswitchteam netswitchteammember nettcpconnection nettcpsetting " +
    "netteredoconfiguration netteredostate nettransportfilter netudpendpoint netudpsetting networkadapter " +
    "nfsclientconfiguration nfsclientgroup nfsclientlock nfsmappedidentity nfsmappingstore " +
    "nfsmountedclient nfsnetgroup nfsnetgroupstore nfsopenfile nfsserverconfiguration nfssession nfsshare " +
    "nfssharepermission nfsstatistics nlbcluster nlbclusterdriverinfo nlbclusternode nlbclusternodedip " +
    "nlbclusternodenetworkinterface nlbclusterportrule nlbclustervip nonremovableappspolicy " +
    "oabvirtualdirectory odbcdriver odbcdsn odbcperfcounter offlineaddressbook offloaddatatransfersetting " +
    "organizationalunit organizationconfig organizationrelationship outboundconnector outlookanywhere " +
    "outlookprovider owamailboxpolicy owavirtualdirectory pacamapping package packageprovider " +
    "packagesource partition partitionsupportedsize physicaldisk physicaldiskstoragenodeview " +
    "physicalextent physicalextentassociation pmemdedicatedmemory pmemdisk pmemphysicaldevice " +
    "pmemunusedregion pnpdevice pnpdeviceproperty popsettings powershellvirtualdirectory " +
    "printconfiguration printer printerdriver printerport printerproperty printjob process " +
    "processmitigation provideraddress psbreakpoint pscallstack psdrive pshostprocessinfo psprovider " +
    "psreadlinekeyhandler psreadlineoption psrepository pssession pssessioncapability " +
    "pssessionconfiguration pssnapin pssubsystem publicfolder publicfolderclientpermission " +
    "publicfolderitemstatistics publicfolderstatistics queue queuedigest random rdavailableapp " +
    "rdcertificate rdconnectionbrokerhighavailability rddeploymentgatewayconfiguration " +
    "rdfiletypeassociation rdlicenseconfiguration rdpersonalsessiondesktopassignment " +
    "rdpersonalvirtualdesktopassignment rdpersonalvirtualdesktoppatchschedule rdremoteapp rdremotedesktop " +
    "rdsdbinstance rdserver rdsessioncollection rdsessioncollectionconfiguration rdsessionhost " +
    "rdusersession rdvirtualdesktop rdvirtualdesktopcollection rdvirtualdesktopcollectionconfiguration " +
    "rdvirtualdesktopcollectionjobstatus rdvirtualdesktopconcurrency rdvirtualdesktopidlecount " +
    "rdworkspace receiveconnector recipient refsdedupschedule refsdedupscrubschedule refsdedupstatus " +
    "remoteaccess remoteaccessaccounting remoteaccessconfiguration remoteaccessconnectionstatistics " +
    "remoteaccessconnectionstatisticssummary remoteaccesshealth remoteaccessipfilter " +
    "remoteaccessloadbalancer remoteaccessroutingdomain remoteaccessuseractivity remotedomain " +
    "remotemailbox resiliencysetting resourcepool rolegroup rolegroupmember routingprotocolpreference " +
    "rpcclientaccess runspace s3bucket s3bucketlocation s3object scheduledjob scheduledjoboption " +
    "scheduledtask scheduledtaskinfo scsilun securebootpolicy securebootuefi securerandom sendconnector " +
    "senderfilterconfig servercomponentstate serverhealth servermonitoringoverride service " +
    "settingoverride silcomputer silcomputeridentity sildata sillogging silsoftware silualaccess " +
    "silwindowsupdate smbbandwidthlimit smbclientaccesstoserver smbclientcertificatemapping " +
    "smbclientconfiguration smbclientnetworkinterface smbconnection smbdelegation smbglobalmapping " +
    "smbmapping smbmultichannelconnection smbmultichannelconstraint smbopenfile smbserveralternativeport " +
    "smbservercertificatemapping smbservercertprops smbserverconfiguration smbservernetworkinterface " +
    "smbsession smbshare smbshareaccess smbwitnessclient smcountersample smperformancecollector " +
    "smserverbparesult smserverclustername smserverevent smserverfeature smserverinventory " +
    "smserverservice sqlagent sqlagentjob sqlagentjobhistory sqlagentjobschedule sqlagentjobstep " +
    "sqlagentschedule sqlassessmentitem sqlbackuphistory sqldatabase sqlerrorlog sqlinstance sqllogin " +
    "sqlsmartadmin sraccess srdelegation srgroup srnetworkconstraint srpartnership stat " +
    "storageadvancedproperty storagebusbinding storagebuscache storagebusclientdevice storagebusdisk " +
    "storagebustargetcachestore storagebustargetcachestoresinstance storagebustargetdevice " +
    "storagebustargetdeviceinstance storageenclosure storageenclosurestoragenodeview " +
    "storageenclosurevendordata storagefaultdomain storagefileserver storagefirmwareinformation " +
    "storagehealthaction storagehealthreport storagehealthsetting storagejob storagenode storagepool " +
    "storageprovider storageqosflow storageqospolicy storageqospolicystore storageqosvolume " +
    "storagereliabilitycounter storagesetting storagesubsystem storagetier storagetiersupportedsize " +
    "storeusagestatistics stscalleridentity supportedclustersizes supportedfilesystems syncserversetting " +
    "syncshare syncuserstatus systempreferreduilanguage targetport targetportal task template " +
    "throttlingpolicy timezone tlsciphersuite tlsecccurve tpm tpmendorsementkeyinfo tpmsupportedfeature " +
    "tracesource transaction transportagent transportconfig transportpipeline transportrule " +
    "transportserver transportservice typedata ual ualdailyaccess ualdailydeviceaccess ualdailyuseraccess " +
    "ualdeviceaccess ualdns ualhyperv ualoverview ualserverdevice ualserveruser ualsystemid ualuseraccess " +
    "uiculture unifiedgroup unique uptime user variable vdportgroup vdswitch verb vhd vhdset vhdsnapshot " +
    "vievent virtualdisk virtualdisksupportedsize virtualportgroup virtualswitch vm " +
    "vmadaptersconnectedtoenabledintentswitch vmassignabledevice vmbios vmcomport vmconnectaccess " +
    "vmdvddrive vmfibrechannelhba vmfirmware vmfloppydiskdrive vmgpupartitionadapter vmgroup vmguest " +
    "vmharddiskdrive vmhost vmhostassignabledevice vmhostcluster vmhostfirewallexception vmhosthba " +
    "vmhostnetwork vmhostnetworkadapter vmhostnumanode vmhostnumanodestatus vmhostpartitionablegpu " +
    "vmhostservice vmhoststorage vmhostsupportedversion vmidecontroller vmintegrationservice vmmemory " +
    "vmmigrationnetwork vmnetworkadapter vmnetworkadapteracl vmnetworkadapterextendedacl " +
    "vmnetworkadapterfailoverconfiguration vmnetworkadapterisolation vmnetworkadapterroutingdomainmapping " +
    "vmnetworkadapterteammapping vmnetworkadaptervlan vmprocessor vmremotefx3dvideoadapter " +
    "vmremotefxphysicalvideoadapter vmreplication vmreplicationauthorizationentry vmreplicationserver " +
    "vmresourcepool vmsan vmscsicontroller vmsecurity vmsnapshot vmstoragepath vmswitch vmswitchextension " +
    "vmswitchextensionportdata vmswitchextensionportfeature vmswitchextensionswitchdata " +
    "vmswitchextensionswitchfeature vmswitchteam vmsystemswitchextension " +
    "vmsystemswitchextensionportfeature vmsystemswitchextensionswitchfeature vmvideo volume " +
    "volumecorruptioncount volumescrubpolicy vpnauthprotocol vpnconnection vpnconnectiontrigger " +
    "vpnserverconfiguration vpnsstpproxyrule wbbackupset wbbackuptarget wbbackupvolumebrowsepath " +
    "wbbaremetalrecovery wbdisk wbfilespec wbjob wbperformanceconfiguration wbpolicy wbschedule wbsummary " +
    "wbsystemstate wbvirtualmachine wbvolume wbvssbackupoption wdacbidtrace wdsbootimage wdsclient " +
    "wdsdriverpackage wdsinstallimage wdsinstallimagegroup wdsmulticastclient webappdomain webapplication " +
    "webapplicationproxyapplication webapplicationproxyavailableadfsrelyingparty " +
    "webapplicationproxyconfiguration webapplicationproxyhealth webapplicationproxysslcertificate " +
    "webapppoolstate webbinding webcentralcertprovider webconfigfile webconfiguration " +
    "webconfigurationbackup webconfigurationlocation webconfigurationlock webconfigurationproperty " +
    "webfilepath webglobalmodule webhandler webitemstate webmanagedmodule webrequest " +
    "webservicesvirtualdirectory website websitestate weburl webvirtualdirectory wheamemorypolicy " +
    "wimbootentry winacceptlanguagefromlanguagelistoptout winculturefromlanguagelistoptout " +
    "windefaultinputmethodoverride windowscapability windowsdriver windowsedition windowserrorreporting " +
    "windowsfeature windowsimage windowsimagecontent windowsoptionalfeature windowspackage " +
    "windowsreservedstoragestate windowssearchsetting winevent winhomelocation winhttpproxy " +
    "winlanguagebaroption winsystemlocale winuilanguageoverride winuserlanguagelist wmiobject " +
    "wsmancredssp wsmaninstance wsusclassification wsuscomputer wsusdynamiccategory wsusproduct " +
    "wsusserver wsusupdate",
  test:
    "adserviceaccount applockerpolicy certificate computersecurechannel connection dnsserver " +
    "dscconfiguration dtc edgesynchronization json mapiconnectivity modulemanifest " +
    "netconnection organizationrelationship outlookwebservices owaconnectivity path " +
    "pssessionconfigurationfile replicationhealth servicehealth vhd vmreplicationconnection wsman",
  measure: "command dedupfilemetadata vm vmreplication vmresourcepool",
  resolve: "dnsname nfsmappedidentity path",
  find:
    "command dscresource ipamfreeaddress ipamfreerange ipamfreesubnet lapsadextendedrights module " +
    "netipsecrule netroute package script",
  show: "adauthenticationpolicyexpression dnsservercache dnsserverkeystorageprovider netfirewallrule " + "netipsecrule",
  search: "adaccount",
  compare: "object vm",
  confirm: "caattestationidentitykeyinfo caendorsementkeyinfo securebootuefi",
};
