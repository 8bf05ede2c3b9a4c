/**
 * What only reads of programs of operations (`knowledge/instruments.ts`), and options of tools whose sub-commands stand
 * in a tree.
 */
import type { Reads, ReadTable } from "../../reads.ts";

/** Sub-commands that look up what they are given, with options of the whole tool. */
const looks = (sub: string, options: string): Reads => ({ options, sub: { [sub]: { names: true } } });
const ipmi =
  "--version --help --usage -V --no-header-output --comma-separated-output --verbose -v --ignore-sdr-cache " +
  "--quiet-cache " +
  "--sdr-cache-recreate=false --interpret-oem-data --output-oem-event-strings " +
  "--driver-type= --driver-address= --driver-device= --register-spacing= --target-channel-number= " +
  "--target-slave-address= --disable-auto-probe -D= -W= --workaround-flags= -?";

// biome-ignore format: filled to the width
export const operationReads: ReadTable = {
  dapr: { options: "-k --kubernetes -n= --namespace= -A --all-namespaces --name= -o= --output= -a= --app-id= -p= --pod-name= -h --help" },
  lldpcli: { options: "-f= -v" },
  knotc: { options: "-t= --timeout= -e --extended --color -v --verbose -h --help -V --version" },
  fwupdmgr: { options: "--json --no-unreported-check --no-metadata-check --show-all --filter=" },
  exipick: { names: true, options: "--and --or --not -b -bp -l -bpa -bpc -bpr -bpra -bpru -bpu -c --caseful --charset= -f= " +
    "--flatq -i -o= --queue= -r= --random --reverse -R -s= --show-rules --show-tests --show-vars= --size --sort= --unsorted " +
    "-x -y= -z --help --version" },
  adcli: { options: "-D= --domain= -R= --domain-realm= --use-ldaps -v --verbose" },
  borgmatic: { options: "--archive= --repository= --short --json --format= --first= --last= --prefix= --sort-by=" },
  bootc: { options: "--json --format= --booted" },
  devlink: { options: "-V --Version -n --no-nice-names -j --json -p --pretty -v --verbose -s --statistics -i --iec " +
    "-x --hex -N= --Netns=" },
  dcb: { options: "-V --Version -n= --netns= -i --iec -j --json -N --Numeric -p --pretty -s --statistics" },
  // The host.
  arcstat: { options: "-a -p -v -x -z -h -f= -s=", names: /^\d+(\.\d+)?$/ },
  arc_summary: { options: "-a --alternate -d --description -g --graph -p= --page= -r --raw -s= --section= -h " +
    "--help", names: /^\d$/ },
  "ipmi-sel": { options: "-vv --sensor-types= --exclude-sensor-types= --list-sensor-types --utc-to-localtime " +
    "--localtime-to-utc --utc-offset= " +
    `${ipmi} --info -i --tail= --display= --exclude-display= --display-range= ` +
    `--date-range= --types= ` +
    "-t= --exclude-types= -T= --exclude-date-range= --list-types -L --output-event-severity --output-event-state " +
    "--non-abbreviated-units --legacy-output --entity-sensor-names --no-sensor-type-output --system-event-only " +
    "--assume-system-event-records --hex-dump -x --output-manufacturer-id --output-event-direction" },
  "ipmi-fru": { options: `${ipmi} --device-id= --bridge-fru` },
  "bmc-info": { options: `${ipmi} --get-device-id --get-device-guid --get-system-guid --get-system-info ` +
    "--get-channel-info" },
  "ipmi-chassis": { options: `${ipmi} --get-chassis-status --get-chassis-capabilities ` +
    "--get-system-restart-cause --get-power-on-hours-counter --get-system-boot-options" },
  "syslog-ng-ctl": { options: "--control= -c= --format= --version --help", names: true },
  tuptime: { options: "-A -b -c --csv -d= --date= -e= --decp= -h --help -i -k --kernel -l --list " +
    "-n --noup -o= --order= -p " +
    "--power -r --reverse -s --seconds -S= --since= -t --table -u= -U= --until= -v -V --version " +
      "--at= --bootid --dec= --tat= --tsince= --tuntil= --verbose" },
  uprecords: { options: "-a -b -B -c -d -f -k -K -m= -M -s -v -w" },
  kdumpctl: { options: "", names: true },
  agent_control: { options: "-l -lc -ln -i= -j -s -h", names: /^\d+$/ },
  "nagiostats naemonstats": { options: "-c= --config= -s= --statsfile= -m --mrtg -d= --data= -D= --delimiter= " +
    "-h --help -V " +
    "--version -L --license" },
  "wpa_cli hostapd_cli": { options: "-i= -p= -v -h", names: true },
  "ac": { options: "--all-days " +
    "-d --daily-totals -p --individual-totals -y --print-year -z --print-zeros -a -h --help -V " +
    "--version " +
    "-f= --file= --complain --reboots --supplants --timewarps --compatibility --tw-leniency= --tw-suspicious= " +
    "--debug",
    names: /^[\w.-]+$/ },
  sa: { options: "-a --list-all-names -b --sort-sys-user-div-calls -c --percentages -d --sort-avio -D " +
    "--sort-tio -f --not-interactive " +
    "-h --help -i --dont-read-summary-files -j --print-seconds -k --sort-cpu-avmem -K --sort-ksec -l " +
    "--separate-times -m " +
    "--user-summary -n --sort-num-calls -p -P --show-paging -r --reverse-sort -t --print-ratio -u " +
    "--print-users -V --version" },
  lastcomm: { options: "--forwards --show-paging --ahz= " +
    "--strict-match --print-controls --user= --command= --tty= --debug --pid -p -h --help " +
    "-V --version", names: true },
  "dump-acct dump-utmp": { options: "-n= --num= -R --reverse -r -s --stats -h --help -V --version -v " +
    "--byteswap --ahz= --format= --raw" },
  pg_checksums: { options: "-c --check -D= --pgdata= -f= --filenode= -v --verbose -V --version -? --help" },
  "lscss lsdasd lsqeth lszfcp lszcrypt lsreipl lschp lstape lsshut lsscm lszdev lscpumf": { names: true,
    options: "-h --help -v --version -V --verbose -a -b -l -s -d -c -i -u -p -t -D -H -P -C -S --offline " +
      "--online --long " +
      "--short --base --info --all --configured --active --persistent --columns= --no-headings --type= --uid " +
      "--avail" },
  "lparstat lsslot lsvpd lsmcode lsprop lscfg": { names: true, options: "-A -c= -i -l= -r -v -p -x -E --help " +
    "--version -b -s= -h" },
  "ibhosts ibswitches ibnodes ibrouters sminfo saquery": { names: /^[\w:.-]+$/,
    options: "-C= -P= -t= -h -V -d -v -e -G -L -D -x -c --Ca= --Port= --timeout= --help --version " +
      "--node-name-map= --Guid --Lid --Direct --verbose" },
  smpquery: { names: /^[\w:.-]+$/,
    options: "-C= -P= -t= -h -V -d -v -e -G -L -D -x -c --Ca= --Port= --timeout= --help --version " +
      "--node-name-map= --Guid --Lid --Direct --verbose " +
      "--combined --extended" },
  "my_print_defaults": { names: true, options: "-n --no-defaults --mysqld --mariadbd -v --verbose -V " +
    "--version -? --help " +
    "--defaults-group-suffix= --login-path=" },
  units: { names: true, options: "-1 --one-line -c --check=false --compact -C -d= --digits= -e --exponential " +
    "-h --help -m --minus -o= " +
    "--output-format= -p --product -q --quiet --silent -r --round -s --strict -S --show-factor -t --terse -v " +
    "--verbose " +
    "-V --version -U --unitsfile --info -I -l= --locale=" },
  rrdtool: { options: "-s= --start= -e= --end= -r= --resolution= -a --align-start -t= --recursive --version --help" },
  "whisper-info whisper-info.py": { options: "--json -h --help" },
  "whisper-fetch whisper-fetch.py": { options: "--from= --until= --json --pretty --drop= -h --help -t=" },
  "whisper-dump whisper-dump.py": { options: "--pretty --time-format= -r --raw -h --help" },
  onstat: { options: "- -b -B -c -C -d -D -f -F -g= -h -j -k -K -l -L -m -O -p -P -R -t -T -u -x -X", names: true },
  sapcontrol: { options: "-nr= -function= -format= -prot=" },
  dcgmi: { names: true, options: "-e= -i= -d= --get --list " +
    "-l -c -v -s -g= --gpuid= --version" },
  pflogsumm: { names: true, options: "-d= -h= -u= -e -i -m -q --ignore-case --iso-date-time --mailq " +
    "--no-bounce-detail --no-deferral-detail " +
    "--no-no-msg-size --no-reject-detail --no-smtpd-warnings --problems-first --problems_first --rej-add-from " +
    "--smtpd-stats " +
    "--smtpd_stats --syslog-name= --syslog_name= --uucp-mung --verbose-msg-detail --verp-mung --verp-mung= " +
    "--zero-fill " +
    "--bounce-detail= --deferral-detail= --detail= --reject-detail= --smtp-detail= --smtpd-warning-detail= " +
    "--version --help" },
  suricatasc: { options: "-c= --version -h --help -v", names: /^\/(var\/)?run\/[\w./-]+$/ },
  collectdctl: { options: "-s= -h", names: true },
  "wazuh-control ossec-control": { options: "-j", names: true },
  pmc: { options: "-u -2 -4 -6 -b= -d= -t= -v -i= -s=", names: /^(?:get )?[a-z_]+$/i },
  bcachefs: { options: "-h --human-readable -H --help --version -f= --fields= -a --all", names: true },
  flink: { options: "-r --running -s --scheduled -a --all" },
  rq: { options: "--raw -R --by-queue -Q --only-queues -W --only-workers", names: /^(info|[\w-]+)$/ },
  kong: { options: "-a --all", names: /^(health|version|check|\/etc\/[\w./-]+)$/ },
  cmctl: { options: "-n= --namespace=", names: /^[\w.-]+$/ },
  kafkactl: { options: "-o= --output= --no-headers -l --lag", names: /^[\w.-]+$/ },
  drone: { options: "--limit= --page= --format= --branch= --status=", names: true },
  dovecot: { options: "--build-options --hostdomain " +
    "-n -a -N --version" },
  collectd: { options: "-t -C= -h" },
  mongofiles: { options: "-d= --db= --prefix= --quiet -v", names: true },
  bsondump: { options: "--pretty --quiet --type= --objcheck -v --version --help" },
  cbstats: { options: "-b= -a -j", names: true },
  seff: { names: /^\d+(_\d+)?$/ },
  condor_history: { options: "-limit= -constraint= -completedsince= -long -wide -help -version", names: /^[\w.]+$/ },
  puppetserver: { options: "--all", names: true },
  tsh: { options: "-v --verbose -f= --format= --query= --search= --all", sub: {
    "status ls version clusters apps_ls db_ls kube_ls": { names: true } } },
  popeye: { options: "-n= --namespace= -A --all-namespaces -s= --sections= -l= --lint= -o= --out= --context= --min-score= -v " +
    "--version", names: /^version$/ },
  // Databases and queues.
  sqlplus: { options: "-s -S -silent -l -L -logon -v " +
    "-V", names: /^(\/|as|sysdba|sysoper|sysbackup|sysdg|\/nolog|\/@[\w.]+)$/i },
  duckdb: { options: "-readonly -header -noheader -column -csv -json -jsonlines -line -list -markdown -table " +
    "-box -html -ascii -quote -tabs " +
    "-separator= -nullvalue= -newline= -bail -batch -echo -version -no-stdin -safe -c= -s= -help", names: true },
  cockroach: { names: true, options: "--insecure --host= --certs-dir= --format= --all --ranges --stats " +
    "--decommission --timeout= -e= " +
    "--execute= -d= --database= -u= --user= -p= --port= --echo-sql --cert-principal-map=" },
  artemis: { options: "--url= --user= --queueName= --address= --field= --operation= --value= --maxRows= " +
    "--maxColumnSize= --sort= " +
    "--clustered --silent --name= --bindings --no-anycast --no-multicast --verbose" },
  "pcp_node_count pcp_node_info pcp_proc_count pcp_proc_info pcp_health_check_stats pcp_watchdog_info": {
    names: /^\d+$/, options: "-h= --host= -p= --port= -U= --username= -w --no-password -v --verbose -a --all -n= " +
      "--node-id= -V --version -?" },
  mosquitto_sub: { options: "-t= --topic= -C= -W= -E -q= --qos= -p= --port= -F= -N -T= -v --verbose -V= " +
    "--protocol-version= -x= -u= " +
    "--username= -d --debug --quiet -R --help --pretty -4 -6 --tls-use-os-certs" },
  dgmgrl: { options: "-silent -echo -version", names: true },
  "rman adrci": { options: "", names: true },
  bconsole: { options: "-s -n -l -t -u=", names: true },
  // Operations.
  "salt-run": { options: "--out= --output= --no-color --force-color=false -t= --timeout= -l= --log-level= " +
    "--quiet -q --version -V --versions-report " +
    "--state-output= --out-indent= --skip-grains --help -h", names: /^(?!.*(removekeys|outputter=))[^;]*$/ },
  sensuctl: looks("asset_list asset_info check_list check_info cluster_health cluster_id cluster_member-list " +
    "cluster-role_list " +
    "cluster-role_info cluster-role-binding_list cluster-role-binding_info entity_list entity_info event_list " +
    "event_info " +
    "filter_list filter_info handler_list handler_info hook_list hook_info mutator_list mutator_info " +
    "namespace_list " +
    "pipeline_list pipeline_info role_list role_info role-binding_list role-binding_info silenced_list " +
    "silenced_info " +
    "tessen_info user_list version describe-type license_info auth_list",
    "--format= --namespace= --all-namespaces --chunk-size= --field-selector= --label-selector= --timeout= -h --help"),
  cscli: looks("alerts_list alerts_inspect appsec-configs_list appsec-rules_list bouncers_list bouncers_inspect " +
    "capi_status collections_list collections_inspect contexts_list contexts_inspect decisions_list hub_list " +
    "lapi_status lapi_context_status machines_list machines_inspect metrics metrics_list metrics_show parsers_list " +
    "parsers_inspect postoverflows_list postoverflows_inspect scenarios_list scenarios_inspect " +
    "simulation_status version " +
    "allowlists_list allowlists_inspect allowlists_check console_status papi_status",
    "-o= --output= --color= -a --all -l= --limit= -i= --ip= -r= --range= -s= --scenario= -t= --type= --scope= " +
      "-v= --value= " +
    "--since= --until= --origin= --no-simu -m --machine -d --details --no-metrics --contained --warning " +
    "--error --info -h --help"),
  "pg_autoctl": { names: true, options: "--json --formation= --group= --count= --version --help" },
  stolonctl: { names: true, options: "--cluster-name= --store-backend= -f= --format=" },
  ejabberdctl: { names: true, options: "--node= --no-timeout" },
  prosodyctl: { names: true, options: "" },
  "kube-linter": { names: true, options: "--config= --format= --include= --exclude= --do-not-auto-add-defaults " +
    "--add-all-built-in --verbose --with-color --ignore-paths= --fail-if-no-objects-found -h --help" },
  "redis-check-aof valkey-check-aof": { options: "-v --version -h --help" },
  "getcert ipa-getcert selfsign-getcert local-getcert": { sub: { "list list-cas status": { names: true,
    options: "-c= -d= -n= -f= -i= -r -t -s -S -v -w -u -U" } } },
  pipdeptree: { options: "-p= --packages= -e= --exclude= -r --reverse -a --all -l --local-only -u --user-only " +
    "-f --freeze -j --json --json-tree --mermaid --graph-output= -d= --depth= -w= --warn= --exclude-dependencies " +
    "--license -v --version -h --help" },
  "nix-store": { names: true, options: "-q --query --references --referrers --requisites -R --references -q " +
    "--referrers-closure --deriver --valid-derivers --outputs --graph --tree --binding --hash --size --roots " +
    "--resolve -d -u --use-output --include-outputs" },
  "kea-dhcp4 kea-dhcp6 kea-dhcp-ddns kea-ctrl-agent": { options: "-t= -v -V -W" },
  svcs: { names: true, options: "-a -x -v -p -l -d -D -H -o= -s= -S= -R= -z= -Z -n -N -t -j -G= -?" },
  amstatus: { names: true, options: "--summary --failed --finished --stats --dumping --waitdumping --waittaper " +
    "--dumpingtape --writingtape --locale-independent-date-format --version" },
  "dotnet-stack": { options: "-p= --process-id= -n= --name=" },
  "mimirtool cortextool lokitool": { names: true, options: "--address= --id= --format= --output-file=- --disable-color --strict --version " +
    "--log.level=" },
  // Options of tools whose sub-commands stand in a tree.
  linkerd: { options: "--proxy --pre --wait= -o= --output= -n= --namespace= --linkerd-namespace= -L= " +
    "--context= --verbose --short -A " +
    "--all-namespaces -t= --time-window= --to= --from= --crds --cni-enabled --expected-version= --help -h" },
  etcdutl: { options: "-w= --write-out= --help -h" },
  kubescape: { options: "-q --quiet -h --help" },
  "grype kompose": { options: "-o= --output= --format= -q --quiet -h --help" },
  "activemq": { options: "--pid= --jmxlocal -Q= --objname= --view= " +
    "--version -h --help" },
  gobgp: { options: "-a= -j --json -p= --port= -d" },
  bgpctl: { options: "-n -s= -j" },
  headscale: { options: "-o= --output= -t --tags -u= --user= -i= --identifier=" },
  calicoctl: { options: "--show-blocks --show-borrowed --show-configuration --ip= -h --help " +
    "-o= --output= -n= --namespace= -a --all-namespaces --allow-version-mismatch" },
  kops: { options: "--name= -o= --output= --state= --show-instance-groups= --wait= --count=" },
  minikube: { options: "-p= --profile= -o= --output= -f= --format= -l= --layout= -n= --length= --problems -d " +
    "--docs -i --images --light --short" },
  kaf: { options: "-b= --brokers= -c= --cluster= --no-headers" },
  maxctrl: { options: "--tsv -t= --timeout= -q --quiet --skip-sync" },
};

// What only reads of the instruments: programs that measure, list or check.

const nagios = "-w= -c= -t= -v -V -h --help --version --warning= --critical= --timeout=";
const asksHost = `${nagios} -H= --hostname= -p= --port= -4 -6`;
const slurm = "-h --noheader -n -V --version --help --usage -M= --clusters= --local -p= --partition= --json --yaml";

// biome-ignore format: filled to the width
export const instrumentReads: ReadTable = {
  "check_ftp check_imap check_pop check_simap check_spop check_ssmtp check_nntp check_nntps check_jabber check_clamd": {
    options: `${asksHost} --use-ipv4 --use-ipv6 --verbose -e= --expect= -A --all -r= --refuse= -M= --mismatch= -j --jail -m= --maxbytes= -d= --delay= ` +
      "-D= --certificate= -S --ssl --sni=" },
  "check_ldap check_ldaps": { options: `${asksHost} --use-ipv4 --use-ipv6 --verbose -a= --attr= -b= --base= -T --starttls -S --ssl -2 --ver2 -3 --ver3 -W= --warn-entries= ` +
    "-C= --crit-entries=" },
  check_dig: { options: `${asksHost} --use-ipv4 --use-ipv6 --verbose -l= --query_address= -T= --record_type= -a= --expected_address=` },
  check_ups: { options: `${asksHost} -u= --ups= -T --temperature --variable=` },
  check_cluster: { options: "--service -s --host -h -l= --label= -w= --warning= -c= --critical= -d= --data= -v --verbose" },
  check_dummy: { names: /^[\w .-]+$/, options: "-h --help -V --version" },
  check_file_age: { options: `${nagios} -W= -C= -f= --file= -i --ignore-missing` },
  "ipa-healthcheck": { options: "--list-sources --source= --check= --output-type= --failures-only --severity= --verbose --debug --indent= -h --help" },
  intel_gpu_top: { options: "-h -J -l -o=- -s= -L -d=" },
  "bpflist bpflist-bpfcc": { options: "-h --help -v -vv" },
  "javathreads javathreads-bpfcc cthreads cthreads-bpfcc": { options: "-h --help -l= -v", names: /^\d+$/ },
  "kvmexit kvmexit-bpfcc": { options: "-h --help -p= -v= -a -t= -T=", names: true },
  "funcslower funcslower-bpfcc": { options: "-h --help -p= -m= -u= -T -t -f -U -K -v", names: /^[\w:.]+$/ },
  "fail2ban-regex": { options: "--version -h --help -d= --datepattern= --timezone= --TZ= -e= --encoding= -r --raw -L= --maxlines= " +
    "-m= --journalmatch= -l= --log-level= -V -v --verbose --verbosity= --verbose-date --VD -D --debuggex --no-check-all " +
    "--print-no-missed --print-no-ignored --print-all-matched --print-all-missed --print-all-ignored -t --log-traceback --full-traceback" },
  halog: { names: /^[\d:.]+$/, options: "-h --help -H -E -e -rt -RT -Q -QS -tcn -TCN -hs -HS -v -q -m= -c -pct -st -cc -tc -srv -u -uc -ue -ua -ut -uao -uto -uba -ubt" },
  "ftwho ftpcount": { options: "-v --verbose -h --help -S= --server=" },
  "linux-version": { names: true, options: "--paths --reverse" },
  "bwm-ng": { options: "-i= --input= -o= --output= -u= --unit= -T= --type= -c= --count= -C= --csvchar= -t= --timeout= -I= --interfaces= " +
    "-N --ansiout -A= --avglength= -h --help -V --version" },
  ifplugstatus: { names: /^[\w.-]+$/, options: "-a --auto -h --help -q --quiet -v --verbose -V --version" },
  ibqueryerrors: { options: "-s= --suppress= -c --suppress-common -r --report-port --data --switch --ca --router --skip-sl --details --counters " +
    "-G= --port-guid= -S= -D= --Direct= -C= --Ca= -P= --Port= -t= --timeout= -d -e -h --help -v --verbose -V --version -R" },
  ibtracert: { names: /^[\w:.-]+$/, options: "-n --no_info -G --Guid -L --Lid -C= --Ca= -P= --Port= -t= --timeout= -d -e -h --help -v --verbose -V --version" },
  chronyd: { options: "-v --version -h --help" },
  corosync: { options: "-v" },
  containerd: { options: "-v --version -h --help" },
  ifquery: { names: /^[\w.:-]+$/, options: "-a --all -l --list --state --allow= -X= --exclude= --no-mappings --no-loopback -v --verbose -V --version -h --help" },
  "edac-ctl": { options: "--help --status --mainboard --print-labels" },
  "ipmi-dcmi": { options: `${ipmi} --get-dcmi-capability-info --get-asset-tag --get-management-controller-identifier-string ` +
    "--get-dcmi-sensor-info --get-system-power-statistics --get-enhanced-system-power-statistics --get-power-limit " +
    "--utc-to-localtime --localtime-to-utc --utc-offset=" },
  hugeadm: { options: "--pool-list --page-sizes --page-sizes-all --list-all-mounts --verbose= -v" },
  gpgconf: { options: "--list-dirs --list-components --verbose --quiet -v -q", names: /^[a-z-]+$/ },
  groupmems: { options: "-l --list -g= --group= -h --help" },
  ctdb: { options: "-n= -Y -x= -X -t= -T= -? --help --usage -d= --debug=", sub: {
    "status nodestatus leader uptime listnodes pnn ping ifaces ip ipinfo scriptstatus event_status event_script_list listvars getvar natgw_leader natgw_list natgw_status lvs_leader lvs_list lvs_status getcapabilities statistics dbstatistics getreclock getdebug getpid getdbmap getdbstatus gettickles runstate process-exists version": { names: true } } },
  btrbk: { names: true, options: "-h --help --version -n --dry-run --exclude= -v --verbose -q --quiet -l= --loglevel= -t --table -L --long -1 --single-column " +
    "--format= --pretty" },
  keactrl: { names: /^(status|version)$/ },
  irqtop: { options: "-d= --delay= -o= --output= -s= --sort= -S -n= --iter= -b --batch -J --json -h --help -V --version -c= -C= -t=" },
  "lnstat rtstat ctstat": { options: "-c= --count= -d --dump -i= --interval= -j --json -k= --keys= -s= --subject= -w= --width= -h --help -V --version" },
  i2cdetect: { options: "-l -V" },
  rdmsr: { options: "-a --all -p= --processor= -x -X -o -d -u -r -f= --bitfield= -0 -c -h -V", names: /^(0x)?[\da-f]+$/i },
  "ibstat ibstatus": { options: "-v " +
    "--list_of_cas --short --port_list --help --verbose --version " +
    "-l -s -p -d -V -h", names: true },
  ibv_devinfo: { options: "-d= --ib-dev= -i= --ib-port= -l --list -v --verbose" },
  perfquery: { options: "-x -X -S -D -E -F -a -l -c -C= -P= -t= -T -d -e -v -V -h " +
      "--extended --xmtsl --rcvsl --xmtdisc --rcverr --extended_speeds --oprcvcounters --flowctlcounters " +
      "--vloppackets --vlopdata --vlxmitflowctlerrors --vlxmitcounters --swportvlcong --rcvcc --slrcvfecn " +
      "--slrcvbecn --xmitcc --vlxmittimecc --smplctl --all_ports --loop_ports -G --Guid -L --Lid --Ca= " +
      "--Port= --help --verbose --version --timeout=", names: true },
  xentop: { options: "-b -d= --delay= -i= --iterations= -n --networks -x --vbds -r -v --vcpus -f --full-name -h --help -V --version --batch" },
  "virt-top": { options: "-1 -2 -3 -b -d= -n= -h --human-readable --help --version -i --inodes -V " +
      "-c=qemu:///system --connect=qemu:///system -o= -s --hist-cpu= --no-csv-cpu --no-csv-block " +
      "--no-csv-net --no-init-file --script --stream --block-in-bytes --end-time=" },
  "virt-df": { options: "-1 -2 -3 -b -d= -n= -h --human-readable --help --version -i --inodes -V " +
      "--blocksize= --csv --domain= --format= --one-per-guest -P= --uuid -v --verbose -x -c=qemu:///system " +
      "--connect=qemu:///system" },
  sstat: {
    options: `${slurm} -a --all -A= --accounts= --account= -b --brief -D -e -E= --endtime= -i= -j= --jobs= --job= -l --long -L ` +
      "-N= --node= --nodelist= -o= -O= --format= --Format= -P --parsable2 --parsable -q= --qos= -r= -s= --state= --states= -S= --starttime= " +
      "--sort= --start -t= -T -u= -U --user= --users= -v -w= -W= -X --allocations --units= --me --name= --priority " +
      "--allsteps --fields= --helpformat --noconvert --pidformat --verbose",
    names: /^[\w,.-]+$/ },
  "condor_q condor_status": {
    options: "-hold -held -run -running -all -allusers -better-analyze -analyze -long -total -totals -global -nobatch -batch -dag -idle -limit= " +
      "-constraint= -format= -af= -autoformat= -wide -json -xml -compact -avail -claimed -state -master -schedd -submitters -version -help",
    names: /^[\w.@-]+$/ },
  "bhosts bqueues": {
    options: "-a -d -l -p -r -s -w -W -x -A -aff -noheader -json -V -h -u= -q= -m= -J= -P= -o= -g= -G= -N= -rusage -cname -sum -UF",
    names: /^[\w.,[\]-]+$/ },
  "xxhsum xxh64sum b3sum": { options: "-c --check -q --quiet --status --strict --warn -w -H0 -H1 -H2 -H3 --tag --little-endian --no-names --raw --num-threads= -h --help -V --version" },
  "md5deep sha256deep hashdeep": { options: "-r -b -l -s -e -o= -k -z -t -q -0 -v -V -h -c= -i= -p=" },
  rhash: { options: "-c --check --md5 --sha1 --sha224 --sha256 --sha384 --sha512 --crc32 --blake2b --blake2s --sha3-256 -M -H -C --bsd --sfv " +
    "--hex --base32 -r --recursive --skip-ok -v --verbose --brief --simple -P --percents --speed -h --help -V --version " +
      "--crc32c --md4 --sha3-224 --sha3-384 --sha3-512 --tiger --tth --btih -A --aich -E --ed2k -L " +
      "--ed2k-link -W --whirlpool -G --gost12-256 --gost12-512 --gost94 --gost94-cryptopro --ripemd160 " +
      "--has160 --snefru128 --snefru256 --edonr256 --edonr512 -a --all --list-hashes --follow -i " +
      "--ignore-missing --ignore-case -q --accept= --exclude= -t= --crc-accept= --maxdepth= --uppercase " +
      "--lowercase -b --base64 -g --magnet --no-detect-by-ext --no-path-escaping -k --check-embedded " +
      "--path-separator= --printf=" },
  zdump: { options: "-v -V -i -c= -t= --help --version", names: /^[\w/+-]+$/ },
  json_pp: { options: "-v -V" },
  tidy: { options: "-e -errors -q -quiet -xml -asxml -v -version -h -help -i -indent -w= -wrap -utf8 -ascii -raw -show-body-only" },
  "apt-rdepends": { options: "-v --vcg --xvcg " +
    "-r --reverse -b --build-depends -d --dotty -f= -s= --follow= --show= --state-follow= --state-show= -p --print-state --help --version", names: true },
  debsecan: { options: "--show-whitelist " +
    "--suite= --only-fixed --format= --no-obsolete --line-length= --disable-https-check --help --version" },
  "qlist equery eix": { options: "-I -v -q -C -S -e -c -h --help -V --version", names: true },
  procinfo: { options: "-a -b -d -f -h -i -m -s -v -H -r" },
  sysdig: { options: "-l --list -L --list-events -cl --list-chisels -h --help --version" },
  "unbound-host dnstracer": { options: "-c= -t= -d -D -v -4 -6 -h -o -q= -r= -S=", names: true },
  "named-rrchecker ipv6calc prips": { options: "-h --help -i -v -V -o= -q -u -p -d= -f= -n -nocolor -nounicode -C -T -P -c", names: true },
  subnetcalc: { options: "-h --help -i -v -V -o= -q -u -p -d= -f= -n -nocolor -nounicode -C -T -P -c " +
      "-nocolour", names: true },
  kzonecheck: { options: "-o= --origin= -t= --time= -v --verbose -h --help -V --version" },
  "nsd-checkzone": { options: "-v -h -p", names: true },
  "nsd-checkconf": { options: "-v -h -p " +
      "-f", names: true },
  smbtree: { options: "-b --broadcast -D --domains -S --servers -N --no-pass -V --version -h --help -d= --debuglevel= " +
      "-? --usage" },
  slapacl: { options: "-b= -D= -d= -v -u -U= -X=", names: true },
  "opendkim-testkey": { options: "-d= -s= -v -vv -vvv" },
  "mysqltuner mysqltuner.pl": { options: "--skipsize --nobad --nogood --noinfo --nocolor --noprettyicon --buffers --verbose --silent --color --help --json --prettyjson --cvefile= " +
      "--socket= --port= --protocol= --user= --nodbstat --dbstat --tbstat --notbstat --colstat --nocolstat " +
      "--idxstat --noidxstat --sysstat --nosysstat --pfstat --nopfstat --noprocess " +
      "--bannedports= --maxportallowed= --skippassword --debug" },
  javap: { options: "-v -verbose -l -c -s -p -private -public -protected -package -sysinfo -constants -help --help -version -version --system= --multi-release=", names: /^(?!@)/ },
  jdeps: { options: "-s -summary -v -verbose -verbose:package -verbose:class -q -quiet -R -recursive --list-deps --print-module-deps --missing-deps -jdkinternals --jdk-internals --multi-release= -version --version -h --help", names: /^(?!@)/ },
  yamllint: { options: "-d= --config-data= -f= --format= -s --strict --no-warnings -h --help -v --version --list-files" },
  jsonlint: { options: "-q --quiet -c --compact -h --help --version -v" },
  shellcheck: { options: "-s= --shell= -f=checkstyle -f=diff -f=gcc -f=json -f=json1 -f=quiet -f=tty --format= -e= --exclude= -i= --include= -S= --severity= -o= " +
    "--enable= -C --color= -W= --wiki-link-count= -x --external-sources -a --check-sourced --norc -V --version --help " +
      "--list-optional" },
  hadolint: { options: "-f= --format= -t= --failure-threshold= --no-fail --no-color --ignore= --trusted-registry= -V --verbose -v --version -h --help" },
  bandit: { options: "-r --recursive -f= --format= -q --quiet -l -ll -lll -i -ii -iii -n= --number= -t= --tests= -s= --skip= -x= --exclude= -v --verbose -d --debug --version -h --help" },
  "check_icmp check_ntp_time check_ntp_peer": {
    options: `${asksHost} -L -S -D= -o= --oid= -C= --community= -l= -a= -e= -q -P= -O -R= -r= -n= -i= -x= --expect= --jitter=`, names: true },
  "check_mysql check_pgsql": { options: `${nagios} -H= --hostname= -P= --port= -u= -d= --database= -l= -s= -S -n -U=` },
  "check_uptime check_mem": { options: `${nagios} -u= -f -C -m` },
  check_apt: { options: `${nagios} -n --no-upgrade -l --list -o --only-critical -i= --include= -e= --exclude=` },
  swaplabel: { options: "-h --help -V --version", names: /^\/dev\// },
  rtcwake: { options: "--list-modes -m=show -v --verbose -h --help -V --version" },
  ledctl: { options: "-L --list-controllers -h --help -v --version" },
  mstflint: { options: "-d= --device= -qq", names: /^(q|query|full|v|verify|hw)$/ },
  mlxlink: { options: "-d= --device= -p= --port= -m --show_module -c --show_counters --show_eye --show_fec -j --json -v --version -h --help --show_serdes_tx --show_device --show_ber_monitor --cable" },
  "xpu-smi": { options: "-d= --device= -l --list -j --json -h --help -v --version", names: /^(discovery|health|stats|ps|topology|policy|agentset|vgpu|top)$/ },
  "cpufreq-info": { options: "--affected-cpus " +
    "-c= --cpu= -e --debug -a -b --boost -f --freq -w --hwfreq -l --hwlimits -d --driver -p --policy -g --governors -r --related-cpus -s --stats -y --latency -m --human -n -h --help -o --proc" },
  x86info: { options: "-a --all -c --cache -f -v --verbose -mhz -s -u" },
  "glances": { options: "--modules-list --fs-free-space --diskio-show-ramfs --diskio-iops --fahrenheit --percpu " +
    "--meangpu --disable-irix --process-short-name --light --enable-light -0 -f= " +
    "--process-filter= " +
    "--stdout= --stdout-csv= --stdout-json= --stop-after= --disable-check-update --time= -t= -1 -2 -3 -4 -V --version -h --help --disable-plugin= --enable-plugin= --hide-kernel-threads -b --byte" },
  "neofetch fastfetch screenfetch": { options: "--stdout --off --json --pipe= -n -N -v -V --version -h --help" },
  lscgroup: { options: "-g= -r= -n -v -a --all -h --help", names: true },
  cgget: { options: "--variable= --values-only " +
    "-g= -r= -n -v -a --all -h --help", names: true },
  "ausyscall audit2why": { options: "--paranoid --dump --exact -a --all -b --boot -h --help -v --verbose -d -i= --input= -l --lastreload -t=", names: true },
  "aa-unconfined": { options: "--with-ss --with-netstat " +
    "--paranoid --dump --exact -a --all -b --boot -h --help -v --verbose -d -i= --input= -l --lastreload -t=", names: true },
  "funccount funccount-bpfcc stackcount stackcount-bpfcc funclatency funclatency-bpfcc": {
    options: "-p= -i= -d= -c= -D -T -r -R -m -u -U -K -F -v -s -P -L -h --help", names: /^(t:[\w*:]+|[\w*]+)$/ },
  "xzdiff xzcmp": { options: "-q -s -u -r -i -w -b -B -y -c -V --version --help" },
  "zstdgrep lzgrep bzfgrep": {
    options: "-A= -B= -C= -c -E -e= -F -G -H -h -i -L -l -m= -n -o -q -s -v -w -x --color --count --extended-regexp --fixed-strings --ignore-case " +
      "--invert-match --line-number --max-count= --no-filename --only-matching --quiet --word-regexp --version --help" },
  ifstat: { options: "-a -A -b -i= -l -n -q -S -t -T -w -W -z -v -h", names: /^(\d+|0?\.\d+)$/ },
  nmon: { options: "-s= -c= -h -V -t -T" },
  mountstats: { options: "-f= -s --nfs --rpc --raw --xprt -v --version -h --help " +
      "-n -r -R -x -3 -4", names: true },
  findfs: { options: "-h --help -V --version", names: /^(LABEL|UUID|PARTUUID|PARTLABEL)=/ },
  fincore: { options: "-b --bytes -c --total -h --help -J --json -n --noheadings -o= --output= --output-all -r --raw -V --version" },
  lastlog2: { options: "-b= --before= -d= --database= -t= --time= -u= --user= -a --active -s --service -h --help -v --version" },
  "tpm2_pcrread tpm2_getcap": { options: "-V -Q --verbose --quiet -v --version -h --help", names: true },
  "virt-host-validate": {
    options: "--all --block-devices --blkdevs --csv --extra -h --human-readable -l --long --lvs --logical-volumes --no-title --parts --partitions " +
      "--pvs --vgs --volume-groups --uuids --filesystems -V --version --help -R --recursive --times --checksum -q " +
      "--quiet", names: /^(qemu|lxc|xen|kvm|bhyve|ch)$/ },
  "virt-filesystems virt-inspector": {
    options: "--all --block-devices --blkdevs --csv --extra -h --human-readable -l --long --lvs --logical-volumes --no-title --parts --partitions " +
      "--pvs --vgs --volume-groups --uuids --filesystems -V --version --help -R --recursive --times --checksum -q " +
      "--blocksize= -d= --domain= --format= -v --verbose -x -c=qemu:///system --connect=qemu:///system " +
      "--uuid --extra-stats --time-days --time-relative --time-t --uids --logvols --physvols " +
      "--physical-volumes --volgroups --no-applications --no-icon --quiet", names: /^(qemu|lxc|xen|kvm|bhyve|ch)$/ },
  "virt-ls": {
    options: "--all --block-devices --blkdevs --csv --extra -h --human-readable -l --long --lvs --logical-volumes --no-title --parts --partitions " +
      "--pvs --vgs --volume-groups --uuids --filesystems -V --version --help -R --recursive --times --checksum -q " +
      "--blocksize= -d= --domain= --format= -v --verbose -x -c=qemu:///system --connect=qemu:///system " +
      "--uuid --extra-stats --time-days --time-relative --time-t --uids --logvols --physvols " +
      "--physical-volumes --volgroups --no-applications --no-icon --quiet", names: true },
  "redis-check-rdb valkey-check-rdb": { options: "-v --version --help" },
  infocmp: { options: "-1 -a -C -c -d -I -L -l -n -q -r -T -u -V -x -w= -s=", names: /^[\w.+-]+$/ },
  pygmentize: { options: "-g -l= -f=terminal -f=terminal256 -f=text -f=html -O=style -V -h -N= -C" },
  actionlint: { options: "-color -no-color -oneline -format= -ignore= -verbose -version -help" },
  "ibv_devices ibnetdiscover": { options: "-l -p -s -V -h -C= -P= -t= -n= -H -S -D -g" },
  iblinkinfo: { options: "--down --line --additional --switches-only --cas-only --port-guid= --hops --help " +
    "--verbose --version " +
    "-l -p -s -V -h -C= -P= -t= -n= -H -S -D -g" },
  "uuidgen mcookie": { options: "-r --random -t --time -h --help -V --version" },
  "powertop btop nvtop radeontop": { options: "-V --version -h --help -v" },
  sstablemetadata: { options: "-c --colors -u -s --scan -t= -g= -h --help", names: true },
  sstableutil: { options: "-d -o --oplog -t= --type= -v --verbose -h --help", names: true },
  "slapschema slapauth": { options: "-a= -b= -c -d= -g -H= -n= -s= -v -U= -X=", names: true },
  exinext: { names: true },
  mailstats: { options: "-c -h -o -P" },
  xmlwf: { options: "-n -r -s -v -h -w" },
  numsum: { options: "-i -a -c -x -y -s -V -h" },
  csvjson: { options: "-d= -e= -t -i= --indent= -k= --key= --stream -H --no-header-row -I --no-inference -v -V --version -h --help -K= --skip-lines= --lat= --lon= --crs=" },
  "multitail tload": { options: "-V -h" },
  "virt-log": { options: "-d= --domain= --format= --blocksize= -v --verbose -x -V --version --help -c=qemu:///system --connect=qemu:///system" },
  tapestat: { names: /^\d+$/, options: "--human -k -m -t -V -y -z" },
  sreport: { options: "-a --all_clusters -M= --cluster= --federation -h --help --local -n --noheader -p --parsable -P --parsable2 -Q --quiet -t= -T= --tres= -v --verbose -V --version", sub: { "cluster job reservation user": { names: true } } },
  semodule: { options: "-l -lfull -lstandard --list-modules --list-modules=full --list-modules=standard --checksum -v --verbose" },
  squidclient: { names: /^mgr:[\w@-]+$/, options: "-h= --host= -p= --port= -T= -v -a -i= -j= -k -s" },
  spamassassin: { options: "--lint -D --debug -V --version" },
  postmulti: { options: "-l" },
  postmap: { names: true, options: "-q=" },
  ndctl: { options: "-v --version -h --help", sub: { list: { names: true, options: "-r= --region= -b= --bus= -d= --dimm= -n= --namespace= -m= --mode= -U= --numa-node= -B --buses -D --dimms -H --health -F --firmware -X --device-dax -R --regions -N --namespaces -i --idle -c --configured -C --capabilities -M --media-errors -v --verbose -u --human" } } },
  mdevctl: { sub: { "list types": { options: "-d --defined --dumpjson -p= --parent= -u= --uuid= -v --verbose" } } },
  usbguard: { sub: { "list-devices": { options: "-a --allowed -b --blocked -t --tree" }, "list-rules": { options: "-d --show-devices -l= --label=" }, "get-parameter": { names: true } } },
  usbip: { sub: { port: {}, list: { options: "-l --local -p --parsable -d --device" } } },
  "tlp-stat": { options: "-b --battery -c --config --cdiff -d --disk -e --pcie -g --graphics -p --processor -r --rfkill -s --system -t --temp -u --usb -v --verbose --psup --udev -w --warn" },
  rpcctl: { sub: { "client_show switch_show xprt_show": { names: true } } },
  nfs4_getfacl: { options: "-H --more-help -R --recursive -c --omit-header" },
  quotastats: {},
  "sos sosreport": { names: /^report$/, options: "-l --list-plugins --list-profiles --list-presets" },
  slapd: { options: "-VV -VVV" },
  "smbd nmbd winbindd": { options: "-b --build-options -V --version" },
  "ovsdb-tool": { options: "-m --more -h --help -V --version", sub: { "show-log db-version db-cksum db-name db-cid db-sid db-local-address schema-version schema-cksum schema-name needs-conversion check-cluster compare-versions help": { names: true } } },
  smtpctl: { sub: { "show_hosts show_hoststats show_queue show_relays show_routes show_stats show_status": {} } },
  sg_persist: { options: "-d= --device= -h --help -H --hex -i --in -m= --maxlen= -n --no-inquiry -s --read-full-status -k --read-keys -y --readonly -r --read-reservation --read-status -c --report-capabilities -v --verbose -V --version -l= --alloc-length=" },
  mpathpersist: { options: "-h --help -H --hex -i --in -k --read-keys -s --read-full-status -r --read-reservation -c --report-capabilities -l= --alloc-length= -d= --device= -v=" },
  "systemd-mount": { options: "--list --no-pager --no-legend -l --full" },
  sg_rtpg: { options: "-d --decode -e --extended -h --help -H --hex -r --raw -R --readonly -v --verbose -V --version" },
  sg_read_attr: { options: "-c --cache -e --enumerate -E= --ea= -f= --filter= -F= --first= -h --help -H --hex -l= --lvn= -m= --maxlen= -p= --pn= -q --quiet -r --raw -R --readonly -s= --sa= -v --verbose -V --version" },
  sg_get_lba_status: { options: "-S --16 -T --32 -b --brief -e= --element-id= -h --help -H --hex -l= --lba= -m= --maxlen= -r --raw -R --readonly -t= --report-type= -s= --scan-len= -v --verbose -V --version" },
  sg_sat_identify: { options: "-c --ck_cond -e --extend -h --help -H --hex -i --ident -l= --len= -p --packet -r --raw -R --readonly -v --verbose -V --version" },
  sg_modes: { options: "-a --all -c= --control= -d --dbd -D --dbout -e --examine -f --flexible -h --help -H --hex -l --list -L --llbaa -m= --maxlen= -O --old -p= --page= -r --raw -R -6 -s --six -v --verbose -V --version -A -N --new" },
  sg_decode_sense: { names: true, options: "-c --cdb -e= --err= -h --help -H --hex -n --nospace -s= --status= -v --verbose -V --version" },
  quotaon: { names: true, options: "-p --print-state -a --all -u --user -g --group -P --project -v --verbose -F= --format=" },
  "sa-learn": { names: /^magic$/, options: "--dump" },
  rpmdb: { options: "--verifydb" },
  pvck: { names: true, options: "--dump= -t --test -v --verbose --version -h --help --longhelp -q --quiet --nolocking --nohints --devices= --labelsector=" },
  vgck: { names: true, options: "-t --test -v --verbose --version -h --help --longhelp -q --quiet --nolocking --nohints --devices= --reportformat=" },
};
