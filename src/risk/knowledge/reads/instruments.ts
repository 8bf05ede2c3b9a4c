/** What only reads of the instruments (`knowledge/instruments.ts`): programs that measure, list or check. */
import type { ReadTable } from "../../reads.ts";

const nagios = "-w= -c= -t= -v -V -h --help --version --warning= --critical= --timeout=";
const asksHost = `${nagios} -H= --hostname= -p= --port= -4 -6`;
const slurm = "-h --noheader -n -V --version --help --usage -M= --clusters= --local -p= --partition= --json --yaml";

// biome-ignore format: filled to the width
export const instrumentReads: ReadTable = {
  irqtop: { options: "-d= --delay= -o= --output= -s= --sort= -S -n= --iter= -b --batch -J --json -h --help -V --version -c= -C= -t=" },
  "lnstat rtstat ctstat": { options: "-c= --count= -d --dump -i= --interval= -j --json -k= --keys= -s= --subject= -w= --width= -h --help -V --version" },
  i2cdetect: { options: "-l -V" },
  rdmsr: { options: "-a --all -p= --processor= -x -X -o -d -u -r -f= --bitfield= -0 -c -h -V", names: /^(0x)?[\da-f]+$/i },
  "ibstat ibstatus": { options: "-l -s -p -d -V -h", names: true },
  ibv_devinfo: { options: "-d= --ib-dev= -i= --ib-port= -l --list -v --verbose" },
  perfquery: { options: "-x -X -S -D -E -F -a -l -c -C= -P= -t= -T -d -e -v -V -h", names: true },
  xentop: { options: "-b -d= --delay= -i= --iterations= -n --networks -x --vbds -r -v --vcpus -f --full-name -h --help -V --version --batch" },
  "virt-top virt-df": { options: "-1 -2 -3 -b -d= -n= -h --human-readable --help --version -i --inodes -V" },
  sstat: {
    options: `${slurm} -a --all -A= --accounts= --account= -b --brief -D -e -E= --endtime= -i= -j= --jobs= --job= -l --long -L ` +
      "-N= --node= --nodelist= -o= -O= --format= --Format= -P --parsable2 --parsable -q= --qos= -r= -s= --state= --states= -S= --starttime= " +
      "--sort= --start -t= -T -u= -U --user= --users= -v -w= -W= -X --allocations --units= --me --name= --priority",
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
    "--hex --base32 -r --recursive --skip-ok -v --verbose --brief --simple -P --percents --speed -h --help -V --version" },
  zdump: { options: "-v -V -i -c= -t= --help --version", names: /^[\w/+-]+$/ },
  json_pp: { options: "-v -V" },
  tidy: { options: "-e -errors -q -quiet -xml -asxml -v -version -h -help -i -indent -w= -wrap -utf8 -ascii -raw -show-body-only" },
  "apt-rdepends": { options: "-r --reverse -b --build-depends -d --dotty -f= -s= --follow= --show= --state-follow= --state-show= -p --print-state --help --version", names: true },
  debsecan: { options: "--suite= --only-fixed --format= --no-obsolete --line-length= --disable-https-check --help --version" },
  "qlist equery eix": { options: "-I -v -q -C -S -e -c -h --help -V --version", names: true },
  procinfo: { options: "-a -b -d -f -h -i -m -s -v -H -r" },
  sysdig: { options: "-l --list -L --list-events -cl --list-chisels -h --help --version" },
  "unbound-host dnstracer": { options: "-c= -t= -d -D -v -4 -6 -h -o -q= -r= -S=", names: true },
  "named-rrchecker ipv6calc subnetcalc prips": { options: "-h --help -i -v -V -o= -q -u -p -d= -f= -n -nocolor -nounicode -C -T -P -c", names: true },
  kzonecheck: { options: "-o= --origin= -t= --time= -v --verbose -h --help -V --version" },
  "nsd-checkconf nsd-checkzone": { options: "-v -h -p", names: true },
  smbtree: { options: "-b --broadcast -D --domains -S --servers -N --no-pass -V --version -h --help -d= --debuglevel=" },
  slapacl: { options: "-b= -D= -d= -v -u -U= -X=", names: true },
  "opendkim-testkey": { options: "-d= -s= -v -vv -vvv" },
  "mysqltuner mysqltuner.pl": { options: "--skipsize --nobad --nogood --noinfo --nocolor --noprettyicon --buffers --verbose --silent --color --help --json --prettyjson --cvefile=" },
  javap: { options: "-v -verbose -l -c -s -p -private -public -protected -package -sysinfo -constants -help --help -version -version --system= --multi-release=", names: true },
  jdeps: { options: "-s -summary -v -verbose -verbose:package -verbose:class -q -quiet -R -recursive --list-deps --print-module-deps --missing-deps -jdkinternals --jdk-internals --multi-release= -version --version -h --help", names: true },
  yamllint: { options: "-d= --config-data= -f= --format= -s --strict --no-warnings -h --help -v --version --list-files" },
  jsonlint: { options: "-q --quiet -c --compact -h --help --version -v" },
  shellcheck: { options: "-s= --shell= -f=checkstyle -f=diff -f=gcc -f=json -f=json1 -f=quiet -f=tty --format= -e= --exclude= -i= --include= -S= --severity= -o= " +
    "--enable= -C --color= -W= --wiki-link-count= -x --external-sources -a --check-sourced --norc -V --version --help" },
  hadolint: { options: "-f= --format= -t= --failure-threshold= --no-fail --no-color --ignore= --trusted-registry= -V --verbose -v --version -h --help" },
  bandit: { options: "-r --recursive -f= --format= -q --quiet -l -ll -lll -i -ii -iii -n= --number= -t= --tests= -s= --skip= -x= --exclude= -v --verbose -d --debug --version -h --help" },
  "check_icmp check_ntp_time check_ntp_peer": {
    options: `${asksHost} -L -S -D= -o= --oid= -C= --community= -l= -a= -e= -q -P= -O -R= -r= -n= -i= -x= --expect= --jitter=`, names: true },
  "check_mysql check_pgsql": { options: `${nagios} -H= --hostname= -P= --port= -u= -d= --database= -l= -s= -S -n -U=` },
  "check_uptime check_mem check_apt": { options: `${nagios} -u= -f -C -m` },
  swaplabel: { options: "-h --help -V --version", names: /^\/dev\// },
  rtcwake: { options: "--list-modes -m=show -v --verbose -h --help -V --version" },
  ledctl: { options: "-L --list-controllers -h --help -v --version" },
  mstflint: { options: "-d= --device= -qq", names: /^(q|query|full|v|verify|hw)$/ },
  mlxlink: { options: "-d= --device= -p= --port= -m --show_module -c --show_counters --show_eye --show_fec -j --json -v --version -h --help --show_serdes_tx --show_device --show_ber_monitor --cable" },
  "xpu-smi": { options: "-d= --device= -l --list -j --json -h --help -v --version", names: /^(discovery|health|stats|ps|topology|policy|agentset|vgpu|top)$/ },
  "cpufreq-info": { options: "-c= --cpu= -e --debug -a -b --boost -f --freq -w --hwfreq -l --hwlimits -d --driver -p --policy -g --governors -r --related-cpus -s --stats -y --latency -m --human -n -h --help -o --proc" },
  x86info: { options: "-a --all -c --cache -f -v --verbose -mhz -s -u" },
  "glances": { options: "--stdout= --stdout-csv= --stdout-json= --stop-after= --disable-check-update --time= -t= -1 -2 -3 -4 -V --version -h --help --disable-plugin= --enable-plugin= --hide-kernel-threads -b --byte" },
  "neofetch fastfetch screenfetch": { options: "--stdout --off --json --pipe= -n -N -v -V --version -h --help" },
  "lscgroup cgget": { options: "-g= -r= -n -v -a --all -h --help", names: true },
  "aa-unconfined ausyscall audit2why": { options: "--paranoid --dump --exact -a --all -b --boot -h --help -v --verbose -d -i= --input= -l --lastreload -t=", names: true },
  "funccount funccount-bpfcc stackcount stackcount-bpfcc funclatency funclatency-bpfcc": {
    options: "-p= -i= -d= -c= -D -T -r -R -m -u -U -K -F -v -s -P -L -h --help", names: /^(t:[\w*:]+|[\w*]+)$/ },
  "xzdiff xzcmp": { options: "-q -s -u -r -i -w -b -B -y -c -V --version --help" },
  "zstdgrep lzgrep bzfgrep": {
    options: "-A= -B= -C= -c -E -e= -F -G -H -h -i -L -l -m= -n -o -q -s -v -w -x --color --count --extended-regexp --fixed-strings --ignore-case " +
      "--invert-match --line-number --max-count= --no-filename --only-matching --quiet --word-regexp --version --help" },
  ifstat: { options: "-a -A -b -i= -l -n -q -S -t -T -w -W -z -v -h", names: /^(\d+|0?\.\d+)$/ },
  nmon: { options: "-s= -c= -h -V -t -T" },
  mountstats: { options: "-f= -s --nfs --rpc --raw --xprt -v --version -h --help", names: true },
  findfs: { options: "-h --help -V --version", names: /^(LABEL|UUID|PARTUUID|PARTLABEL)=/ },
  fincore: { options: "-b --bytes -c --total -h --help -J --json -n --noheadings -o= --output= --output-all -r --raw -V --version" },
  lastlog2: { options: "-b= --before= -d= --database= -t= --time= -u= --user= -a --active -s --service -h --help -v --version" },
  "tpm2_pcrread tpm2_getcap": { options: "-V -Q --verbose --quiet -v --version -h --help", names: true },
  "virt-filesystems virt-ls virt-host-validate virt-inspector": {
    options: "--all --block-devices --blkdevs --csv --extra -h --human-readable -l --long --lvs --logical-volumes --no-title --parts --partitions " +
      "--pvs --vgs --volume-groups --uuids --filesystems -V --version --help -R --recursive --times --checksum -q", names: /^(qemu|lxc|xen|kvm|bhyve|ch)$/ },
  "redis-check-rdb valkey-check-rdb": { options: "-v --version --help" },
  infocmp: { options: "-1 -a -C -c -d -I -L -l -n -q -r -T -u -V -x -w= -s=", names: /^[\w.+-]+$/ },
  pygmentize: { options: "-g -l= -f=terminal -f=terminal256 -f=text -f=html -O=style -V -h -N= -C" },
  actionlint: { options: "-color -no-color -oneline -format= -ignore= -verbose -version -help" },
  "ibv_devices iblinkinfo ibnetdiscover": { options: "-l -p -s -V -h -C= -P= -t= -n= -H -S -D -g" },
  "uuidgen mcookie": { options: "-r --random -t --time -h --help -V --version" },
  "powertop btop nvtop radeontop": { options: "-V --version -h --help -v" },
  sstablemetadata: { options: "-c --colors -u -s --scan -t= -g= -h --help", names: true },
  sstableutil: { options: "-d -o --oplog -t= --type= -v --verbose -h --help", names: true },
  "slapschema slapauth": { options: "-a= -b= -c -d= -g -H= -n= -s= -v -U= -X=", names: true },
  exinext: { names: true },
  mailstats: { options: "-c -h -o -p -P" },
  xmlwf: { options: "-n -r -s -v -h -w" },
  numsum: { options: "-i -a -c -x -y -s -V -h" },
  csvjson: { options: "-d= -e= -t -i= --indent= -k= --key= --stream -H --no-header-row -I --no-inference -v -V --version -h --help -K= --skip-lines= --lat= --lon= --crs=" },
  "multitail tload": { options: "-V -h" },
};
