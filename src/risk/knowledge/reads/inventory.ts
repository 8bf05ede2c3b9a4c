/** What only reads of the programs that show what a machine has and does (`knowledge/inventory.ts`), from their man pages. */
import type { ReadTable } from "../../reads.ts";
import { scripted } from "../inventory.ts";

const v = "-h --help -V --version";
const label = "-i --volume-id -V --version -h --help";

// biome-ignore format: filled to the width
export const inventoryReads: ReadTable = {
  [scripted]: { options: "" },
  // Displays, chips, sound, radios.
  xprop: { names: true, options: "-help -grammar -id= -name= -root -len= -notype -version" },
  xwininfo: { options: "-help -id= -name= -root -int -children -tree -stats -bits -events -size -wm -shape -frame -metric -english " +
    "-all -version" },
  xlsclients: { options: "-a -l -m= -version" },
  xlsfonts: { options: "-l -ll -lll -m -C -1 -w= -n= -u -o -fn= -v" },
  xdpyinfo: { options: "-queryExtensions -ext= -version -help" },
  xrandr: { options: "-q --query --current --listmonitors --listactivemonitors --listproviders --prop --properties --verbose " +
    "-v --version --help --screen= --q1 --q12 --dryrun" },
  "fc-list fc-match": { names: true, options: "-v --verbose -f= --format= -q --quiet -a --all -s --sort -b --brief -V --version -h --help" },
  "fc-scan fc-query": { options: "-f= --format= -b --brief -i= --index= -V --version -h --help" },
  otfinfo: { options: "-s --scripts -f --features -z --optical-size -p --postscript-name -a --family -v --font-version -i --info " +
    "-g --glyphs -u --unicode -t --tables --script= --variable -V --verbose -q --quiet -h --help --version" },
  "edid-decode": { options: "-h --help -o= --output-format= -c --check -C --check-inline -n --native-resolution -p " +
    "--preferred-timings --diagonal= -P --physical-address -S --short-timings -L --long-timings -N --ntsc -X --xmodeline -F " +
    "--fbmode -V --v4l2-timings -s --skip-hex-dump -H --only-hex-dump --skip-sha --hide-serial-numbers --version " +
    "--list-established-timings --list-dmts --list-vics --list-hdmi-vics --list-rids" },
  clinfo: { options: "-a --all-props -A --always-all-props --human --raw --json --offline --null-platform -l --list -d= --device= " +
    "--prop= -h -? --version -v" },
  vdpauinfo: { options: "--screen= --help" },
  eglinfo: { options: "-B -h --help" },
  es2_info: { options: "" },
  drm_info: { options: "-j", names: true },
  gpustat: { options: "-c --show-cmd -u --show-user -p --show-pid -F --show-full-cmd -a --show-all --json --no-color --no-header " +
    "-P --show-power --id= --no-processes --gpuname-width= -v --version -h --help" },
  nvitop: { options: "-1 --once -o= --only= -u= --user= -p= --pid= -V --version -h --help" },
  rocminfo: { options: "-h --help" },
  "amd-smi": { names: true, options: "--json --csv -g= --gpu= -h --help" },
  "npu-smi": { names: true, options: "-t= -i= -c= -l -m" },
  "neuron-ls": { options: "-w --wide -a --show-all-procs -t --topology -j --json-output -h --help" },
  nvpmodel: { options: "-q --query --verbose" },
  "hl-smi": { options: "-q -L --list -h --help -v --version" },
  ddcutil: { options: `-t --terse --brief -v --verbose -d= --display= -b= --bus= -l= --model= -n= --sn= -g= --mfg= ${v}`, sub: {
    "detect det capabilities cap": {}, "getvcp get vcpinfo": { names: true } } },
  "v4l2-ctl": { options: "--list-devices --list-formats --list-formats-ext --list-formats-out --list-formats-cap --list-formats-meta " +
    "--list-framesizes= --list-frameintervals= --list-ctrls --list-ctrls-menus --list-inputs --list-outputs --list-standards " +
    "--list-dv-timings --list-freqs --list-audio-inputs --list-audio-outputs --list-buffers --list-patterns -l -L --all -D --info " +
    "--get-ctrl= -C= --get-fmt-video --get-fmt-video-out --get-input --get-output --get-standard --get-detected-standard " +
    "--get-parm --get-priority --get-freq --get-tuner --get-dv-timings --get-selection= --get-cropcap --get-audio-input " +
    "--get-jpeg-comp -d= --device= -k --concise -h --help --version" },
  vcgencmd: { names: true, options: "-t -h" },
  pinout: { options: "-c --color -m --monochrome -r= --revision= -h --help" },
  "rpi-eeprom-update": { options: "-l -h" },
  "raspi-config": { names: true },
  "gpiodetect gpioinfo": { names: true, options: "-h --help -v --version" },
  lsgpio: { options: "-n= -?" },
  lsiio: { options: "-v -h" },
  "aplay arecord": { options: "-l --list-devices -L --list-pcms -h --help --version" },
  amixer: { names: true, options: "-c= --card= -D= --device= -q --quiet -M --mapped-volume -R --raw-volume -h --help -v --version" },
  pactl: { names: true, options: "-f= --format= -h --help --version" },
  wpctl: { names: true, options: "-h --help -k --nick -n --name -r --referenced -a --associated" },
  "pw-cli": { names: true, options: "-h --help --version" },
  "pw-dump": { names: true, options: "-N --no-colors -h --help --version" },
  iwgetid: { names: true, options: "-m --mode -r --raw -s --scheme -a --ap -f --freq -c --channel -p --protocol -v -h" },
  hciconfig: { names: true, options: "-a --all -h --help" },
  hcitool: { options: "-i= -h --help", sub: { "dev con": {} } },
  btmgmt: { options: "-i= --index= -h --help -v --version", sub: { "info con version commands extinfo": {} } },
  phc_ctl: { names: true, options: "-q -Q -h -v" },
  // Volumes.
  ntfsinfo: { options: "-F= --file= -i= --inode= -m --mft -q --quiet -t --notime -v --verbose -h --help -V --version" },
  ntfscluster: { options: "-c= --cluster= -F= --filename= -I= --inode= -i --info -q --quiet -s= --sector= -v --verbose -h --help -V " +
    "--version" },
  ntfsls: { options: "-a --all -F --classify -i --inode -l --long -p= --path= -q --quiet -R --recursive -s --system -v --verbose -x " +
    "--dos -h --help -V --version" },
  thin_check: { options: `-q --quiet --super-block-only --skip-mappings --ignore-non-fatal-errors -m --metadata-snapshot ${v}` },
  thin_dump: { options: `-f= --format= -m --metadata-snap --dev-id= --skip-mappings ${v}` },
  thin_ls: { options: `-o= --format= --no-headers -m --metadata-snap ${v}` },
  "cache_check era_check": { options: `-q --quiet --super-block-only --skip-hints --skip-discards ${v}` },
  "cache_dump era_dump": { options: `--logical ${v}` },
  xfs_estimate: { options: "-b= -v -h -i= -e= -V" },
  xfs_logprint: { options: "-b -c -d -D -e -f -l= -i -q -n -o -s= -t -v -V" },
  xfs_ncheck: { options: "-f -l= -s -i= -V" },
  "dump.exfat": { options: "-V --version -h --help" },
  lscp: { options: "-a --all -b --show-block-count -g --show-increment -r --reverse -s --snapshot -i= --index= -n= --lines= -h " +
    "--help -V --version", names: /^\d+$|^\/dev\// },
  lssu: { options: "-a --all -i= --index= -l --latest-usage -n= --lines= -h --help -V --version" },
  "bcache-super-show": { options: "" },
  volname: { options: "-? --help" },
  dmraid: { options: "-r --raid_devices -s --sets -b --block_devices -l --list_formats -n --native_log -c -d --debug -v --verbose " +
    "-V --version -h --help" },
  vdostats: { options: "--all --human-readable --si --verbose --version --help -h" },
  zdb: { options: "-b -c -C -d -D -G -h -i -l -L -m -M -q -s -S -u -v -Y -e -t=", names: true },
  sginfo: { options: "-a -A -c -C -e -g -i -I -l -n -s -V -v -6" },
  "drbd-overview": { options: "-h --help" },
  fcoeadm: { options: "-i --interface -t --target -l --lun -f --fcf -h --help -v --version", names: true },
  "fatlabel dosfslabel exfatlabel ntfslabel": { options: label },
  e4defrag: { options: "-c -v" },
  "nilfs-tune": { options: "-l -h -V", names: /^\/dev\// },
  vdo: { options: "-a --all -n= --name= --verbose --help -h", sub: { "status list": {} } },
  stratis: { options: "--help -h --version --unhyphenated-uuids", sub: {
    "pool_list": { names: true, options: "--stopped --uuid= --name=" }, "pool_explain": { names: true },
    "filesystem_list fs_list blockdev_list": { names: true }, report: { names: /^(engine_state_report|managed_objects_report)$/ },
    "daemon_version": {} } },
  duc: { options: "-F --classify -R --recursive -a --apparent -b --bytes -g --graph -c --color -h --help", sub: { "ls info": {} } },
  ddrescuelog: { options: "-t --show-status -D --done-status -l= --list-blocks= -B --binary-prefixes -b= --block-size= -i= " +
    "--input-position= -s= --size= -q --quiet -v --verbose -h --help -V --version" },
  // Boot and firmware.
  "grub-probe grub2-probe": { options: "-0 -d --device -t= --target= -v --verbose -? --help --usage -V --version" },
  "grub-editenv grub2-editenv": { options: "-v --verbose -? --help --usage -V --version" },
  "grub-script-check grub2-script-check": { options: "-v --verbose -? --help --usage -V --version" },
  "grub-file grub2-file": { options: "--is-i386-xen-pae-domu --is-x86_64-xen-domu --is-x86-xen-dom0 --is-x86-multiboot " +
    "--is-x86-multiboot2 --is-arm-linux --is-arm64-linux --is-riscv64-linux --is-x86-linux --is-x86-linux32 --is-i386-efi " +
    "--is-x86_64-efi --is-arm64-efi --is-arm-efi --is-x86-bios-bootsector -h --help" },
  efivar: { options: "-l --list -L --list-guids -p --print -d --print-decimal -n= --name= -v --verbose -? --help --usage" },
  efibootdump: { options: "-? --help --usage", names: /^Boot[0-9A-F]{4}$/ },
  "kdump-config": { names: true },
  "mstconfig mlxconfig": { names: true, options: "-d= --dev= -e --enable_verbosity -h --help -v --version" },
  mlxfwmanager: { options: "--query -d= --dev= --query-format= -h --help -v --version" },
  // Services.
  "rc-depend": { names: true },
  "s6-rc": { options: "-a -d -u -b", sub: { "list listall diff": { names: true } } },
  "s6-rc-db": { options: "-d -u -b", sub: { "list type timeout contents dependencies all-dependencies flags atomics check": {
    names: true } } },
  dinitctl: { options: "-s --system -u --user --quiet --version --help", sub: { "list ls status is-started is-failed": { names: true } } },
  svok: { names: true },
  "systemd-hwdb": { options: "-h --help --version", sub: { query: { names: true } } },
  "systemd-sysusers systemd-tmpfiles": { options: "--cat-config --no-pager -h --help --version" },
  "systemd-creds": { options: "--no-pager --no-legend --json= -q --quiet -h --help --version", sub: { list: {}, "has-tpm2": {} } },
  "update-java-alternatives": { options: "-l --list -h -? --help" },
  "vmware-toolbox-cmd": { names: true, options: "-v --version -q --quiet -h --help" },
  "cloud-id": { options: "-l --long -j --json -h --help" },
  lssubsys: { names: true, options: "-a --all -i --hierarchies -m --mount-points -M --all-mount-points -h --help" },
  sanlock: { options: "-D -h= -s=", sub: { "client_status client_gets client_host_status client_log_dump status": {} } },
  dlm_tool: { options: "-n -s -v -w -V -h", sub: { "ls status dump dump_config": {}, "plocks lockdump": { names: true } } },
  tgtadm: { options: "--lld= -L= --op= -o= --mode= -m= --tid= -t= -h --help -V --version" },
  nfsdclnts: { options: "-t= --type= --clientinfo --hostname -q --quiet -v --verbose -V --version -h --help" },
  nfsconf: { names: /^[\w.-]+$/, options: "-g --get -i= --isset= -e --entry -v --verbose -a= --arg=" },
  rpcdebug: { options: "-v -h -m=" },
  nfsidmap: { options: "-l -d -v -h" },
  "abrt-cli abrt": { options: "--since= --until= -n --not-reported -d --detailed -f --full -b --bare -v -h --help", sub: {
    "list ls": { names: true }, status: {} } },
  // Keys, policies, accounts.
  keyctl: { options: "--version", sub: { "show list rlist describe rdescribe supports": { names: /^(@\w+|%\w*:[\w.:-]+|-?\d+|\w+)$/ } } },
  trust: { options: "--filter= --purpose= -v --verbose -q --quiet -h --help", sub: { list: {} } },
  "p11-kit": { options: "-v --verbose -q --quiet -h --help", sub: { "list-modules list-tokens": { names: /^pkcs11:/ } } },
  p11tool: { names: /^pkcs11:/, options: "--list-tokens --list-token-urls --list-mechanisms --list-all-certs --list-certs " +
    "--list-all-trusted -d= --debug= --only-urls --no-detailed-url --detailed-url --batch -v --version -h --help" },
  "pkcs11-tool": { options: "-L --list-slots -T --list-token-slots -M --list-mechanisms -I --show-info -v --verbose --slot= " +
    "--slot-index= -h" },
  "pkcs15-tool": { options: "-D --dump -c --list-certificates -k --list-keys --list-pins --list-public-keys --list-applications " +
    "--list-info -C --list-data-objects -s --short --reader= -v --verbose --version" },
  "opensc-tool": { options: "-l --list-readers -a --atr -n --name -i --info -D --list-drivers --serial -v --verbose --version" },
  "grpck pwck": { options: "-r --read-only -q --quiet -S --silence-warnings -h --help" },
  secon: { options: "-V --version -h --help -P --prompt -u --user -r --role -t --type -s --sensitivity -c --clearance -m --mls-range " +
    "-R --raw -f= --file= -L= --link= -p= --pid= --pid-exec= --pid-fs= --pid-key= --self --current --self-exec --self-fs --parent" },
  chcat: { options: "-L" },
  sepolicy: { options: "-h --help -a --all -b= --boolean= -d= --domain= -l --list -p= --port= -s= --source= -t= --target= -c= --class=", sub: {
    "booleans communicate interface network transition": { names: true } } },
  fixfiles: { options: "-v -B", sub: { "check verify": {} } },
  "aa-enabled": { options: "-h --help -q --quiet -x --exclusive" },
  sudoreplay: { options: "-l --list -h --help -V --version", names: /^[\w.@:+-]+$/ },
  lynis: { options: "--no-colors -h --help", sub: { show: { names: /^(?!settings|license|profiles)/ } } },
  // Records and data.
  audit2allow: { options: "-a --all -b --boot -d --dmesg -i= --input= -l --lastreload -r --requires -N --noreference -R --reference " +
    "-x --xperms -w --why -v --verbose -D --dontaudit -m= --module= -t= --type= -e --explanation -h --help" },
  sigtool: { options: "-i= --info= --md5 --sha1 --sha256 -h --help -V --version --stdout --quiet" },
  blkparse: { options: "-A= --set-mask= -a= --act-mask= -b= --batch= -i= --input= -F= --format= -f= --format-spec= -M --no-msgs -h " +
    "--hash-by-name -O --no-text-output -q --quiet -s --per-program-stats -t --track-ios -w= --stopwatch= -v --verbose -V " +
    "--version", names: /^[a-z0-9]+$/ },
  "aa-notify": { options: "-f= --file= -l --since-last -s= --since-days= -u= --user= -v --verbose -h --help" },
  aulast: { options: "-f= --bad --debug --proof --tty= --user= --stdin", names: /^[\w/.-]+$/ },
  auvirt: { options: "-f= --file= --all-events --debug --proof --show-uuid --stdin --summary -u= --uuid= -v= --vm= -h --help" },
  "agrind angle-grinder": { names: true, options: "-f= --file= -o= --output= -h --help -V --version" },
  mmdblookup: { names: true, options: "-f= --file= -i= --ip= -v --verbose --version -h -? --help" },
  nfdump: { names: true, options: "-r= -R= -s= -n= -o= -A= -c= -t= -a -b -B -q -N -I -6 -g -m -O= -V -h" },
  twprint: { options: "-m= -r= --twrfile= -t= --report-level= -s --silent -v --verbose -h --help --print-report" },
  aulastlog: { options: "-u= --user= --stdin" },
  siggen: { options: "-t --terse -h --hexadecimal -a --all -C --CRC32 -M --MD5 -S --SHA -H --HAVAL" },
  oscap: { options: "-V --version -h --help --profile= --profiles --progress", sub: { info: {} } },
  pmlogsummary: { options: "-a --all -b -f -F -H --header -i --mintime -I --maxtime -l --label -m --minimum -M --maximum -N -p= " +
    "--precision= -s --sum -S= --start= -T= --finish= -v --verbose -V --version -x -y --samples -z --hostzone -Z= --timezone= -?" },
  pmdumplog: { options: "-a --all -d --descs -e --labelsets -h --helptext -i --insts -l --label -L -m --metrics -r --reverse -s --sizes " +
    "-S= --start= -t -T= --finish= -V --version -x -z --hostzone -Z= --timezone= -? --help" },
  babeltrace2: { options: `-v --verbose ${v} --clock-seconds --no-delta -b= --begin= -e= --end= --timerange= --names= --fields=` },
  "dnssec-verify": { options: "-c= -I= -v= -V -q -x -z" },
  cupstestppd: { options: "-I= -W= -q -r -v -vv" },
  pv: { options: "-p --progress -t --timer -e --eta -I --fineta -r --rate -a --average-rate -b --bytes -T --buffer-percent -A= " +
    "--last-written= -F= --format= -n --numeric -q --quiet -W --wait -D= --delay-start= -s= --size= -l --line-mode -0 --null -i= " +
    "--interval= -w= --width= -H= --height= -N= --name= -f --force -c --cursor -L= --rate-limit= -B= --buffer-size= -C " +
    "--no-splice -E --skip-errors -S --stop-at-size -h --help -V --version" },
  // Packages.
  dpigs: { options: "-n= --lines= -S --source -H --human-readable -h --help" },
  debfoster: { names: true, options: "-s --show-orphans -a --show-keepers -d= --show-depends= -e= --show-dependents= -p= " +
    "--show-providers= -r= --show-related= -v --verbose -q --quiet -V --version -h --help" },
  debtree: { names: true, options: "--show-installed -I --show-rdeps -R --build-dep -b --arch= --with-suggests -S --no-recommends " +
    "--no-alternatives --no-provides --max-providers= --no-versions --no-conflicts --versioned-conflicts -VC --max-depth= " +
    "--rdeps-depth= --max-rdeps= --no-skip --show-all --rotate -r --condense --quiet -q --verbose -v" },
  dlocate: { names: true, options: "-S -l -k -K -L -s --ls --lsconf --conf --du --md5sum --md5check --man --lsman --lsbin --lsdir " +
    "--filename-only --package-only -w --word-regexp -i --ignore-case -E --extended-regexp -F --fixed-strings -G --basic-regexp " +
    "-P --perl-regexp -h --help -V --version -v --verbose -c --columns -C --colour --color" },
  pactree: { names: true, options: "-a --ascii -c --color -d= --depth= -l --linear -o --optional -r --reverse -s --sync -u --unique -h " +
    "--help" },
  pacconf: { names: true, options: "-l --repo-list -r= --repo= -v --verbose --raw --single -h --help -V --version" },
  expac: { names: true, options: "-Q --query -S --sync -s --search -g --group -1 --readone -d= --delim= -l= --listdelim= -H= " +
    "--humansize= -t= --timefmt= -v --verbose -V --version -h --help" },
  pkgfile: { names: true, options: "-l --list -s --search -b --binaries -d --directories -g --glob -i --ignorecase -q --quiet -R= " +
    "--repo= -r --regex -v --verbose -w --raw -V --version -h --help" },
  "xbps-query": { names: true, options: "-l --list-pkgs -m --list-manual-pkgs -H --list-hold-pkgs -O --list-orphans -L --list-repos -o= " +
    "--ownedby= -p= --property= -s= --search= -S --show -f --files -x --deps -X --revdeps --regex --fulldeptree -R --repository -i -v " +
    "--verbose -d --debug -V --version -h --help" },
  eopkg: { options: "-h --help -N --no-color -v --verbose", sub: {
    ["info list-installed li list-available la list-components lc list-repo lr search sr search-file sf list-upgrades lu " +
    "list-pending lp"]: { names: true } } },
  slackpkg: { options: "", sub: { "search file-search info": { names: true } } },
  "nix-channel": { options: "--list" },
  pkg_info: { names: true, options: "-a -I -m" },
  "popularity-contest": { options: "" },
  members: { names: true, options: "-a --all -p --primary -s --secondary -t --two-lines -h --help -v --version" },
  // Settings of a session, a board, a link.
  udisksctl: { options: "-b= --block-device= -p= --object-path= -d= --drive= -h --help", sub: { "status info dump": {} } },
  boltctl: { options: "-a --all -v --verbose -h --help --version", sub: { list: {}, info: { names: true }, domains: {} } },
  brightnessctl: { options: "-l --list -d= --device= -c= --class= -m --machine-readable -q --quiet -h --help -V --version", sub: {
    "get max info": {} } },
  playerctl: { options: "-l --list-all -p= --player= -a --all-players -f= --format= -s --no-messages -h --help -V --version", sub: {
    status: {}, metadata: { names: true } } },
  gsettings: { sub: { "get list-schemas list-keys list-children range describe writable": { names: /^(?!.*(passw|secret|token|credential))/i,
    options: "--print-paths" } } },
  dconf: { sub: { "read list": { names: /^(?!.*(passw|secret|token|credential))\/[\w/.:@-]*$/i } } },
  "xdg-mime": { options: "--help --manual --version", sub: { query: { names: true } } },
  "xdg-settings": { options: "--list --help --manual --version", sub: { "get check": { names: true } } },
  xinput: { options: "--list --short --long --name-only --id-only --list-props --version --help", names: true },
  setxkbmap: { options: "-query -print -verbose -v -help -version" },
  xset: { options: "-q", names: /^q$/ },
  sbctl: { options: "--json -h --help", sub: { "status list-files list-bundles list-enrolled-keys": {}, verify: {} } },
  "ubuntu-drivers": { options: "--gpgpu --recommended --server --help -h", sub: { "list devices": {} } },
  eselect: { options: "--brief --colour=no --color=no", names: true },
  setserial: { options: "-g -a -b -G -v", names: /^\/dev\/tty\w+$/ },
  ioping: { options: "-c= -i= -l= -t= -T= -s= -S= -w= -o= -A -C -D -R -L -k -q -B -p= -h -v", names: true },
  ifdata: { names: /^[\w.:@-]+$/, options: "-h -e -p -pe -pa -pn -pN -pb -pm -ph -pf -si -sip -sib -sie -sid -sif -sic -sim -so -sop " +
    "-sob -soe -sod -sof -sox -soc -bips -bops" },
  vmtouch: { options: "-v -q -f -m= -p= -i= -h" },
  rpmkeys: { options: "-K --checksig -v --verbose -q --quiet --version --help" },
  rauc: { options: "--detailed --output-format= -d --debug --version -h --help", sub: { status: { names: /^(?!)/ }, info: {} } },
  gprof: { options: "-b --brief -p --flat-profile -q --graph -Q -P -l --line -z --display-unused-functions -c -L -T -h --help -v " +
    "--version" },
  // Queues, logs, the rest.
  "qmail-qstat qmail-qread hoststat": { options: "" },
  progress: { options: "-q --quiet -d --debug -w --wait -W= --wait-delay= -c= --command= -a= --additional-command= -p= --pid= -i= " +
    "--ignore-file= -o= --open-mode= -v --version -h --help" },
  iptstate: { options: "-1 --single -c --no-color -C --counters -d= --dst-filter= -D= --dstpt-filter= -h --help -i --invert-filters -l " +
    "--lookup -m --mark-truncated -o --no-dynamic -L --no-dns -f --no-loopback -p --no-scroll -r --reverse -b= --sort= -s= " +
    "--src-filter= -S= --srcpt-filter= -t --totals -v --version" },
  logwatch: { options: "--output= --format= --range= --detail= --service= --numeric --archives --hostlimit= --help --version" },
  ntptime: { options: "-r -j -h -c" },
  "hwloc-info": { names: true, options: "--objects --topology --support -v --verbose -s --silent --ancestors --ancestor= --children " +
    "--descendants= --local-memory --best-memattr= -n -p --physical -l --logical --filter= --no-icaches --no-io --no-bridges " +
    "--whole-io --pid= --version -h --help" },
  "hwloc-calc": { names: true, options: "--no-smt -p --physical -l --logical --pi --li --po --lo -n --nodeset -N= --number-of= -I= " +
    "--intersect= -H= --hierarchical= --largest --local-memory --sep= --single --taskset -q --quiet -v --verbose --version -h " +
    "--help" },
  // They ask another host.
  "ndisc6 rdisc6": { names: true, options: "-1 --single -m --multiple -n --numeric -q --quiet -r= --retry= -s= --source= -v --verbose " +
    "-w= --wait= -V --version -h --help" },
  clockdiff: { names: true, options: "-o -o1 -T= --time-format= -I -h --help -V --version" },
  nmblookup: { names: true, options: "-M --master-browser --recursion -S --status -r --root-port -A --lookup-by-ip -B= --broadcast= -U= " +
    "--unicast= -T --translate -f --flags -V --version -? --help --usage" },
  "ssh-audit": { names: true, options: "-1 --ssh1 -2 --ssh2 -4 --ipv4 -6 --ipv6 -b --batch -j --json -l= --level= -n --no-colors -p= " +
    "--port= -t= --timeout= -v --verbose --skip-rate-test -L --list-policies -h --help" },
  sntp: { names: true, options: "-4 -6 -d -j -V --version -h --help" },
  "opendmarc-check": { names: true },
  ntpdc: { names: true, options: "-c= -n -p -l -s -4 -6" },
  ippfind: { options: "-T= -4 -6 -l --ls -p --print -s --print-name --help --version" },
  pmprobe: { names: true, options: "-b -d -f --force -F --faster -i --internal -I --external -v --values -V --verbose -O= -Z= -? --help" },
};
