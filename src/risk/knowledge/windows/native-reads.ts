/**
 * What of the programs of Windows only reads: once a call fits `low` of its program (`programs.ts`), each of its words must be listed here.
 * Options are written with `/`, even if a call writes `-`; one that ends in `=` takes a value behind a colon or in the next word, one that
 * ends in `?` may have one behind a colon.
 */
export interface NativeReads {
  readonly options?: string;
  /** True if its operands are names, patterns, numbers or files that it only looks at; a pattern if each must fit. */
  readonly operands?: true | RegExp;
  /** Letters that may stand in one option: `/si`, `-ano`. */
  readonly letters?: string;
  /** True if it only prints its operands. */
  readonly prints?: true;
  /** True if the pattern of the program holds the whole line. */
  readonly whole?: true;
}

const table = "/fo= /nh /s= /u=";
const session = "/address /connect /counter /flow /id= /mode /server= /vm";
const names = true;

/** By the names of programs, separated by spaces. */
export const nativeReads: Readonly<Record<string, NativeReads>> = {
  "hostname ver cls endlocal help pause": {},
  "echo echo. rem break title color find prompt": {
    options: "/c /i /n /off /offline /v",
    operands: names,
    prints: true,
  },
  "vol goto exit shift setlocal cd chdir pushd popd fltmc wecutil winmgmt dfsutil": {
    options: "/b /d /f= /t= /v=",
    operands: names,
  },
  path: { operands: /^;?$/ },
  "date time": { options: "/t" },
  systeminfo: { options: table },
  tasklist: { options: `/apps /fi= /m? /svc /v ${table}`, operands: /^[\w.*]+\.(dll|exe)$/i },
  "driverquery getmac": { options: `/si /v ${table}` },
  netstat: { letters: "abefinoqrstxy", options: "/p=", operands: /^\d+$/ },
  ping: {
    options: "/4 /6 /a /c= /f /i= /j= /k= /l= /n= /p /r /r= /s= /t /v= /w=",
    operands: names,
  },
  "tracert pathping": { options: "/4 /6 /d /g= /h= /i= /j= /n /p= /q= /r /s= /w=", operands: names },
  nslookup: {
    options:
      "/class= /d2 /debug /nodebug /norecurse /port= /q= /query= /querytype= /recurse /retry= /timeout= /type= /vc",
    operands: names,
  },
  whoami: { options: "/all /claims /fo= /fqdn /groups /logonid /nh /priv /upn /user" },
  findstr: { letters: "belmnoprsivx", options: "/a= /c= /d= /f= /g= /off /offline", operands: names },
  more: { letters: "ceps", options: "/t1 /t2 /t4 /t8", operands: names },
  "fc comp": {
    options: "/20 /50 /a /b /c /d /l /lb100 /lb200 /lb50 /m /n /n= /off /offline /t /u /w",
    operands: names,
  },
  attrib: { options: "/d /l /s", operands: names },
  tree: { options: "/a /f", operands: names },
  where: { options: "/f /q /r= /t", operands: names },
  "verifier lodctr tpmtool esentutl": { whole: true },
  psping: { options: "/4 /6 /accepteula /h= /i= /n= /nobanner /q /w=", operands: names },
  "query quser qwinsta qappsrv qprocess": { options: session, operands: names },
  dcdiag: {
    options:
      "/a /c /dnsall /dnsbasic /dnsdelegation /dnsforwarders /dnsinternetname= /dnsrecordregistration /dnsresolveextname /e /h /i /n= /q /s= /skip= /test= /u= /v",
  },
  portqry: { options: "/e= /i /local /n= /nr /o= /p= /q /r= /sl /sp= /v /wpid= /wport= /wt=" },
  timeout: { options: "/nobreak /t=", operands: /^-?\d+$/ },
  choice: { options: "/c= /cs /d= /m= /n /t=" },
  pslist: { options: "/accepteula /d /e /m /nobanner /r= /s= /t /x", operands: names },
  "psloggedon psinfo": { options: "/accepteula /c /d /h /l /nobanner /s /t= /x", operands: names },
  autorunsc: { letters: "chmstux", options: "/a= /accepteula /nobanner", operands: names },
  "tcpvcon listdlls handle": { letters: "acdglnrsuv", options: "/accepteula /nobanner /p= /vt?", operands: names },
  sigcheck: {
    letters: "acehimnqrstul",
    options: "/accepteula /f= /l= /n= /nobanner",
    operands: names,
  },
  "du64 strings64": {
    letters: "acehimnoqrstul",
    options: "/accepteula /b= /ct /f= /l= /n= /nobanner",
    operands: names,
  },
  dir: {
    options: "/-c /-n /-p /4 /a? /b /c /d /l /n /o? /p /q /r /s /t= /w /x",
    letters: "-abcdelnopqrsw",
    operands: names,
  },
  type: { operands: names },
  "dsquery dsget": {
    options:
      "/attr= /c /d= /desc= /desc /disabled /display /dn /email /expand /filter= /fn /forest /fsmo /gc /hasfsmo= /inactive= /isgc /l /limit= /ln /members /memberof /name= /o= /office /part= /q /r /s= /samid= /samid /scope= /sid /site= /site /stalepwd= /startnode= /u= /uc /uci /uco /upn /upn=",
    operands: names,
  },
  sort: { options: "/l= /locale= /m= /r /rec= /record= /reverse /t= /u /uniq /unique", operands: names },
  gpresult: { options: "/r /s= /scope= /u= /user= /v /z" },
  typeperf: { options: "/cf= /f= /q= /q /qx= /qx /s= /sc= /si= /y", operands: names },
  "nvidia-smi assoc ftype label mklink defrag convert recover msinfo32 ipconfig bcdedit wmic icacls cacls takeown xcacls subinacl compact subst chkdsk mountvol cluster":
    { whole: true },
  klist: { options: "/li=", operands: /^(tickets|tgt|sessions)$/i },
  openfiles: { options: `/query /v ${table}` },
  nbtstat: { options: "/a= /c /n /r /s", operands: /^\d+$/ },
  arp: { options: "/a /g /n= /v", operands: names },
  route: { options: "/4 /6", operands: names },
  "sc sc.exe": { operands: names },
  "net net1": { options: "/domain", operands: /^[^=]+$/ },
  "vssadmin wbadmin diskshadow": {
    options: "/backuptarget= /for= /machine= /set= /shadow= /version=",
    operands: names,
  },
  wevtutil: {
    options:
      "/bm= /bookmark= /c= /count= /e= /element= /f= /format= /ge= /getevents= /getmessage= /gm= /l= /lf= /locale= /logfile= /q= /query= /r= /rd= /remote= /reversedirection= /sq= /structuredquery= /u= /uni= /unicode= /username=",
    operands: names,
  },
  fsutil: { options: "/p /v", operands: names },
  auditpol: { options: "/category= /get /list /option= /r /sd /subcategory= /user= /v" },
  forfiles: { options: "/c= /d= /m= /p= /s" },
  reg: {
    options: "/c /d /e /f= /k /oa /od /on /os /reg= /s /se= /t= /v= /ve /z",
    operands: names,
  },
  "schtasks at": { options: `/hresult /query /tn= /v /xml? ${table}` },
  robocopy: {
    options:
      "/a /b /bytes /copy= /copyall /create /dcopy= /dst /e /eta /fft /fp /is /it /l /lev= /m /max= /maxage= /maxlad= /min= /minage= /minlad= /mir /mt? /nc /ndl /nfl /njh /njs /np /ns /nocopy /purge /r= /s /sec /sl /tee /ts /v /w= /x /xc /xd= /xf= /xj /xjd /xjf /xl /xn /xo /xx /z /zb",
    operands: names,
  },
  netsh: { operands: names },
  "dism sfc pnputil": {
    options:
      "/bus= /checkhealth /class= /cleanup-image /connected /deviceid= /deviceids /disconnected /drivers /english /enum-* /featurename= /files /format= /get-* /ids /image= /instanceid= /interfaces /limitaccess /online /packagename= /problem? /properties /relations /scanhealth /services /stack /verifyfile= /verifyonly",
    operands: /^[\w.-]+$/,
  },
  iisreset: { options: "/status", operands: names },
  appcmd: {
    options:
      "/app.name= /apppool.name= /apppool= /elapsed= /path= /pipelinemode= /runtimeversion= /site.name= /site= /state= /text= /vdir.name= /wp.name= /wp= /xml",
    operands: names,
  },
  w32tm: {
    options:
      "/computer= /computers= /configuration /dataonly /domain= /dumpreg /ipprotocol= /monitor /nowarn /packetinfo /peers /period= /query /rdtsc /samples= /source /status /stripchart /subkey= /threads= /tz /verbose",
  },
  nltest: {
    options:
      "/all_trusts /avoidself /direct_in /direct_out /dclist= /domain_trusts /dsgetdc= /dsgetfti= /dsgetsite /force /gc /kdc /ldaponly /parentdomain /pdc /primary /query /sc_query= /server= /site= /timeserv /trusted_domains /v /writable",
  },
  repadmin: {
    options:
      "/all /async /bridgeheads /bydest /bysrc /conn /csv /errorsonly /failcache /homeserver= /intersite /istg /kcc? /long /nocache /queue /replsummary /repsto /showbackup /showconn /showmeta /showrepl /showutdvec /sort= /statistics /u= /verbose",
    operands: names,
  },
  setspn: { options: "/c /f /l /p /q= /t= /u /x", operands: names },
  dnscmd: {
    options:
      "/auto-created /cache /child /detail /directorypartition= /enumrecords /enumzones /forest /info /node /primary /secondary /statistics /type= /zoneinfo /zoneprint",
    operands: /^[^-/]/,
  },
  powercfg: {
    options:
      "/a /availablesleepstates /devicequery /getactivescheme /l /lastwake /list /q /query /requests /waketimers",
    operands: names,
  },
  winrm: {
    options: "/dialect= /filter= /format= /f= /r= /remote= /returntype= /shallow /basepropertiesonly",
    operands: names,
  },
  certutil: {
    options:
      "/asn /ca /ca= /cainfo /catemplates /config= /dump /enterprise /gmt /grouppolicy /hashfile /ping /seconds /silent /store /template /urlfetch /user /v /verify /verifystore",
    operands: names,
  },
  bitsadmin: { options: "/allusers /getstate /info /list /rawreturn /verbose", operands: names },
  secedit: { options: "/validate", operands: names },
  "winget choco scoop nuget": {
    options:
      "/-all-versions /-allversions /-available /-by-id-only /-count= /-disable-interactivity /-exact /-id-only /-id= /-idonly /-limit-output /-local-only /-localonly /-moniker= /-name= /-pre /-query= /-source= /-tag= /-upgrade-available /-version /-versions /-v /a /all /e /i /l /lo /n= /name= /q= /r /s= /source= /v",
    operands: names,
  },
  "logman nssm dsregcmd tzutil netdom dfsrdiag dfsdiag azcmagent pktmon hcsdiag manage-bde slmgr bootcfg dfsradmin": {
    options:
      "/-json /all /cn= /computername= /d= /debug /dli /dlv /domain= /ets /g /j /l /member= /n= /query /rfname= /rgname= /rmem= /s= /server= /smem= /status /testdcs /testservices /v /verbose /xpr",
    operands: names,
  },
};
