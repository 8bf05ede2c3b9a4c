/** Programs that show what a machine has and does: displays, sound, volumes, firmware, services, keys, packages. */
import type { Program, Row } from "../program.ts";
import type { ReadTable } from "../reads.ts";
import { networkProbe, onlyShows } from "./facts.ts";

/** As `onlyShows`, by a pattern over the call. */
const showsIf = (names: string, pattern: string): Row => ({ names, if: pattern, level: "low", why: "only shows" });

/** The tools of bpftrace by their installed names, without those that show what others type or send. */
// biome-ignore format: filled to the width
export const scripted =
  "biolatency.bt biolatency-kp.bt biosnoop.bt biostacks.bt bitesize.bt capable.bt cpuwalk.bt dcsnoop.bt execsnoop.bt " +
  "gethostlatency.bt killsnoop.bt loads.bt mdflush.bt naptime.bt oomkill.bt opensnoop.bt pidpersec.bt runqlat.bt " +
  "runqlen.bt setuids.bt ssllatency.bt statsnoop.bt swapin.bt syncsnoop.bt syscount.bt tcpaccept.bt tcpconnect.bt " +
  "tcpdrop.bt tcplife.bt tcpretrans.bt tcpsynbl.bt threadsnoop.bt vfscount.bt vfsstat.bt writeback.bt xfsdist.bt";

// biome-ignore format: filled to the width
export const inventoryRules: readonly Program[] = [
  { id: "inventory.tracers", names: scripted, level: "low",
    match: { low: ["timeout 10 execsnoop.bt", "biolatency.bt"] } },
  { id: "inventory.windows", names: "xprop xwininfo xlsclients xlsfonts xdpyinfo", level: "low", oneDash: true,
    rows: [
      { names: "xprop xwininfo", unless: " -(root|id|name|version|help|grammar) ", level: "medium", why: "waits " +
        "for a click" },
    ],
    match: { low: ["xprop -root", "xwininfo -root -tree", "xlsclients -l", "xdpyinfo"], medium: ["xprop"] } },
  { id: "inventory.screens", names: "xrandr", level: "low",
    match: { low: ["xrandr", "xrandr --listmonitors", "xrandr -q"], medium: ["xrandr --output HDMI-1 --off"] } },
  { id: "inventory.fonts", names: "fc-list fc-match", level: "low",
    match: { low: ["fc-list : family", "fc-match monospace"] } },
  { id: "inventory.described", names: "fc-scan fc-query otfinfo edid-decode", level: "low",
    rows: [{ does: "read" }, { names: "edid-decode", does: { is: "writes", operand: 1 } }],
    match: { low: ["otfinfo -i x.otf", "edid-decode /sys/class/drm/card0/edid"], block: ["fc-scan /etc/shadow"] } },
  { id: "inventory.graphics",
    names: "clinfo vdpauinfo eglinfo es2_info drm_info gpustat rocminfo neuron-ls pinout gpiodetect gpioinfo " +
      "lsgpio lsiio " +
      "hl-smi",
    level: "low", match: { low: ["clinfo -l", "gpustat -cp", "rocminfo", "gpioinfo gpiochip0"] } },
  { id: "inventory.chips",
    names: "nvitop amd-smi npu-smi nvpmodel ddcutil v4l2-ctl vcgencmd rpi-eeprom-update raspi-config",
    level: "medium",
    rows: [
      onlyShows("nvitop", "-1 --once -V --version"), onlyShows("nvpmodel", "-q --query"),
      onlyShows("amd-smi", "version list static firmware ucode bad-pages metric process topology xgmi monitor"),
      showsIf("npu-smi", "^ info( -[tic] [\\w-]+| -[lm])* $"),
      onlyShows("ddcutil", "detect det capabilities cap getvcp get vcpinfo"),
      onlyShows("v4l2-ctl", "--list-* --get-* --all -D --info -l -L -C -P"),
      onlyShows("vcgencmd", "measure_temp measure_volts measure_clock get_throttled get_mem version get_config " +
        "get_camera " +
        "mem_oom read_ring_osc bootloader_version bootloader_config commands codec_enabled"),
      showsIf("rpi-eeprom-update", "^( -l)? *$"),
      showsIf("raspi-config", "^ nonint get_\\w+ $"),
    ],
    match: { low: ["nvitop -1", "amd-smi list", "npu-smi info", "v4l2-ctl --list-devices", "vcgencmd measure_temp",
      "raspi-config nonint get_hostname", "rpi-eeprom-update", "nvpmodel -q"],
      medium: ["nvitop", "amd-smi reset -G", "npu-smi set -t power", "vcgencmd otp_dump", "rpi-eeprom-update -a",
        "raspi-config"] } },
  { id: "inventory.sound", names: "aplay arecord amixer pactl wpctl pw-cli pw-dump", level: "medium",
    rows: [
      onlyShows("aplay arecord", "-l --list-devices -L --list-pcms"),
      onlyShows("amixer", "() scontrols scontents controls contents info sget get cget"),
      onlyShows("pactl", "info list stat get-default-sink get-default-source get-sink-volume get-source-volume " +
        "get-sink-mute " +
        "get-source-mute"),
      onlyShows("wpctl", "status get-volume inspect"), onlyShows("pw-cli", "ls list-objects info i"),
      { names: "pw-dump", level: "low" },
    ],
    match: { low: ["aplay -l", "amixer sget Master", "pactl list short sinks", "wpctl status", "pw-cli ls Node"],
      medium: ["aplay x.wav", "amixer sset Master 5%", "pactl set-sink-mute 0 1", "pactl subscribe", "pw-cli"] } },
  { id: "inventory.boards",
    names: "ndctl mdevctl usbguard usbip tlp-stat rpcctl quotastats sos sosreport slapd smbd nmbd " +
      "winbindd ovsdb-tool smtpctl systemd-mount",
    level: "medium",
    rows: [
      { names: "tlp-stat quotastats", level: "low" },
      onlyShows("ndctl", "list"), onlyShows("mdevctl", "list types"),
      onlyShows("usbguard", "list-devices list-rules get-parameter"),
      showsIf("usbip", "^ (port|list( -l| --local| -p| --parsable| -d| --device)+) $"),
      onlyShows("rpcctl", "client_show switch_show xprt_show"),
      showsIf("sos", "^ report (-l|--list-(plugins|profiles|presets)) $"),
      showsIf("sosreport", "^ (-l|--list-(plugins|profiles|presets)) $"),
      showsIf("slapd", "^ -VVV? $"),
      showsIf("smbd nmbd winbindd", "^ (-b|--build-options|-V|--version) $"),
      onlyShows("ovsdb-tool", "show-log db-version db-cksum db-name db-cid db-sid db-local-address schema-version " +
        "schema-cksum schema-name needs-conversion check-cluster compare-versions help"),
      onlyShows("smtpctl", "show_hosts show_hoststats show_queue show_relays show_routes show_stats show_status"),
      showsIf("systemd-mount", "^( --no-pager| --no-legend| -l| --full| --list)* $"),
      { names: "systemd-mount", unless: " --list ", level: "medium", why: "mounts what it names" },
      { names: "ndctl", words: "destroy-* disable-* sanitize-* zero-* clear-* freeze-* inject-* overwrite-*",
        level: "high", why: "takes memory away, or what it holds" },
      { names: "usbguard", words: "append-rule remove-rule allow-device block-device reject-device set-parameter",
        level: "high", why: "decides which devices may be used" },
    ],
    match: { low: ["ndctl list", "mdevctl types", "usbguard list-devices", "tlp-stat -s", "rpcctl xprt show",
      "sos report -l", "ovsdb-tool show-log", "smtpctl show queue"],
      medium: ["ndctl create-namespace", "systemd-mount", "usbip attach --remote=web1 --busid=1-1", "sos report",
        "slapd -d 1", "smbd",
        "smtpctl pause mta", "systemd-mount /dev/sdb1"],
      high: ["ndctl destroy-namespace all", "usbguard reject-device 5"] } },
  { id: "inventory.acls", names: "nfs4_getfacl", level: "low", rows: [{ does: "stat" }, { is: "walks" }],
    match: { low: ["nfs4_getfacl /srv/data"] } },
  { id: "inventory.reservations", names: "sg_persist mpathpersist", level: "low",
    rows: [
      { does: "stat" },
      { level: "high", why: "changes who may write to the disk",
        if: " (-\\w*[oCPAGIMLRzU]\\w*|--(out|clear|preempt|preempt-abort|register|register-ignore|" +
          "register-move|release|replace-lost|reserve|unreg)) " },
    ],
    match: { low: ["sg_persist -k /dev/sda"], high: ["sg_persist --out --clear /dev/sda"] } },
  { id: "inventory.radios", names: "iwgetid hciconfig hcitool btmgmt phc_ctl", level: "medium",
    rows: [
      { names: "iwgetid", level: "low" },
      showsIf("hciconfig", "^( -a)?( hci\\d+)?( -a)?( " +
        "(name|class|features|version|revision|commands|lm|lp|ptype))? *$"),
      onlyShows("hcitool", "dev con"), onlyShows("btmgmt", "info con version commands extinfo"),
      showsIf("phc_ctl", "^( -[qQ])* \\S+( (get|caps|cmp))+ $"),
    ],
    match: { low: ["iwgetid -r", "hciconfig -a", "hciconfig hci0", "hcitool dev", "btmgmt info", "phc_ctl eth0 get"],
      medium: ["hciconfig hci0 down", "hcitool scan", "btmgmt power off", "phc_ctl eth0 set"] } },
  // What they show of a volume is how it is laid out, never what a file holds.
  { id: "inventory.volumes",
    names: "ntfsinfo ntfscluster ntfsls thin_check thin_dump thin_ls cache_check cache_dump era_check era_dump " +
      "xfs_estimate xfs_logprint xfs_ncheck dump.exfat lscp lssu bcache-super-show volname dmraid vdostats zdb " +
      "sginfo " +
      "drbd-overview fcoeadm",
    level: "low",
    rows: [
      { words: "--clear-needs-check-flag --auto-repair --repair --output", level: "medium", why: "writes metadata" },
      { names: "dmraid", words: "-a --activate -E --erase_metadata -x --remove -f --format", level: "high",
        why: "changes the sets of disks" },
      { names: "zdb", words: "-R -x -B --read-block --dump-blocks", level: "medium", why: "shows what blocks hold" },
      { names: "fcoeadm", words: "-c -d -r -S", level: "high", why: "changes the ways to disks" },
      { does: "stat" },
    ],
    match: { low: ["ntfsinfo -m /dev/sdb1", "thin_check /dev/vg/tmeta", "lscp /dev/sdc1", "vdostats --human-readable",
      "zdb -C tank", "dmraid -r", "fcoeadm -i"],
      medium: ["thin_check --clear-needs-check-flag /dev/vg/tmeta", "zdb -R tank 0:0:1"],
      high: ["dmraid -ay", "fcoeadm -d eth0"] } },
  { id: "inventory.labels",
    names: "fatlabel dosfslabel exfatlabel ntfslabel e4defrag nilfs-tune vdo stratis duc fixfiles", level: "medium",
    rows: [
      showsIf("fatlabel dosfslabel exfatlabel ntfslabel", "^( -i| --volume-id)* /\\S+ $"),
      onlyShows("e4defrag", "-c"), onlyShows("nilfs-tune", "-l"), onlyShows("vdo", "status list"),
      onlyShows("stratis", "pool_list filesystem_list fs_list blockdev_list report daemon_version pool_explain"),
      onlyShows("duc", "ls info"), onlyShows("fixfiles", "check verify"),
      { does: "stat" },
    ],
    match: { low: ["fatlabel /dev/sdb1", "e4defrag -c /srv", "nilfs-tune -l /dev/sdc1", "vdo status",
      "stratis pool list", "duc info", "fixfiles check /srv"],
      medium: ["fatlabel /dev/sdb1 NEW", "e4defrag /srv", "nilfs-tune -L x /dev/sdc1", "vdo stop -a",
        "stratis pool destroy p", "duc index /srv", "fixfiles restore"] } },
  { id: "inventory.boot",
    names: "grub-probe grub2-probe efivar efibootdump kdump-config mstconfig mlxconfig mlxfwmanager", level: "medium",
    rows: [
      { names: "grub-probe grub2-probe efibootdump efivar mlxfwmanager", level: "low" },
      { names: "efivar", words: "-w --write -a --append -e --export -f --datafile", level: "high",
        why: "writes a variable of the firmware" },
      onlyShows("kdump-config", "show status test"),
      showsIf("mstconfig mlxconfig", "^( (-d|--dev) \\S+| -e| --enable_verbosity)* (q|query)( [A-Z][\\w\\[\\].]*)* $"),
      { names: "mlxfwmanager", words: "-u --update -i -y -f --clear-semaphore", level: "high", why: "writes firmware" },
      { does: "stat" },
    ],
    match: { low: ["grub-probe -t fs_uuid /boot", "efivar -l", "kdump-config show", "mstconfig -d 04:00.0 q",
      "mlxfwmanager --query"],
      medium: ["kdump-config unload", "mlxconfig -d /dev/mst/x set SRIOV_EN=1"],
      high: ["efivar -w -n x", "mlxfwmanager -u"] } },
  { id: "inventory.menus",
    names: "grub-editenv grub2-editenv grub-script-check grub2-script-check grub-file grub2-file ddrescuelog",
      level: "low",
    rows: [
      { names: "grub-editenv grub2-editenv", unless: "^( -v| --verbose)*( (?!list )\\S+)? list $", level: "medium",
        why: "changes what boots" },
      { names: "ddrescuelog", level: "medium", why: "makes another map",
        unless: " (-t|--show-status|-D|--done-status|-l|--list-blocks)[ =]" },
      { does: "read" },
    ],
    match: { low: ["grub2-editenv list", "grub-script-check /boot/grub/grub.cfg", "ddrescuelog -t x.map"],
      medium: ["grub-editenv /boot/grub/grubenv unset x", "ddrescuelog -d x.map"],
      block: ["grub-script-check /etc/shadow"] } },
  { id: "inventory.services",
    names: "rc-depend s6-rc s6-rc-db dinitctl svok systemd-hwdb systemd-sysusers systemd-tmpfiles systemd-creds " +
      "update-java-alternatives vmware-toolbox-cmd cloud-id lssubsys sanlock dlm_tool tgtadm nfsdclnts nfsconf " +
      "rpcdebug " +
      "nfsidmap abrt-cli abrt",
    level: "medium",
    rows: [
      { names: "rc-depend svok cloud-id lssubsys nfsdclnts rpcdebug", level: "low" },
      { names: "rpcdebug", words: "-s -c", level: "medium", why: "changes what the kernel logs" },
      onlyShows("s6-rc", "list listall diff"),
      onlyShows("s6-rc-db", "list type timeout contents dependencies all-dependencies flags atomics check"),
      onlyShows("dinitctl", "list ls status is-started is-failed"), onlyShows("systemd-hwdb", "query"),
      onlyShows("systemd-sysusers systemd-tmpfiles", "--cat-config"), onlyShows("systemd-creds", "list has-tpm2"),
      onlyShows("update-java-alternatives", "-l --list"),
      onlyShows("vmware-toolbox-cmd", "stat_hosttime stat_sessionid stat_balloon stat_swap stat_memlimit stat_memres " +
        "stat_cpures " +
        "stat_cpulimit stat_speed device_list device_status disk_list timesync_status upgrade_status -v --version"),
      onlyShows("sanlock", "client_status client_gets client_host_status client_log_dump status"),
      onlyShows("dlm_tool", "ls status dump dump_config plocks lockdump"),
      showsIf("tgtadm", "^(?!.* (--op|-o)[ =](?!show ))(?=.* (--op|-o)[ =]show )"),
      onlyShows("nfsconf", "-g --get -i --isset -e --entry"), onlyShows("nfsidmap", "-l -d"),
      onlyShows("abrt-cli abrt", "list ls status"),
    ],
    match: { low: ["rc-depend nginx", "s6-rc -a list", "dinitctl list", "systemd-tmpfiles --cat-config",
      "vmware-toolbox-cmd stat speed", "cloud-id", "sanlock client status", "dlm_tool ls",
      "tgtadm --lld iscsi --op show --mode target", "nfsconf --get nfsd threads", "rpcdebug -m nfs", "abrt-cli list"],
      medium: ["s6-rc -u change x", "dinitctl stop x", "systemd-tmpfiles --create", "systemd-creds cat x",
        "rpcdebug -m nfs -s all",
        "tgtadm --lld iscsi --op delete --mode target --tid 1", "nfsidmap -c", "sanlock shutdown"] } },
  { id: "inventory.keys",
    names: "keyctl trust p11-kit p11tool pkcs11-tool pkcs15-tool opensc-tool grpck pwck secon chcat sepolicy " +
      "aa-enabled sudoreplay lynis rkhunter",
    level: "medium",
    rows: [
      onlyShows("keyctl", "show list rlist describe rdescribe supports"), onlyShows("trust", "list"),
      onlyShows("p11-kit", "list-modules list-tokens"),
      onlyShows("p11tool", "--list-tokens --list-token-urls --list-mechanisms --list-all-certs --list-certs " +
        "--list-all-trusted"),
      onlyShows("pkcs11-tool", "-L --list-slots -T --list-token-slots -M --list-mechanisms -I --show-info"),
      onlyShows("pkcs15-tool", "-D --dump -c --list-certificates -k --list-keys --list-pins --list-public-keys " +
        "--list-applications --list-info -C --list-data-objects"),
      onlyShows("opensc-tool", "-l --list-readers -a --atr -n --name -i --info -D --list-drivers --serial"),
      onlyShows("grpck pwck", "-r --read-only"), onlyShows("chcat", "-L"),
      onlyShows("sepolicy", "booleans communicate interface network transition"),
      { names: "secon aa-enabled", level: "low" },
      { names: "lynis rkhunter", ends: { does: "it reads the whole file system" } },
      onlyShows("sudoreplay", "-l --list"), onlyShows("lynis", "show"), onlyShows("rkhunter", "--list -V " +
        "--version -C " +
        "--config-check"),
    ],
    match: { low: ["keyctl show @u", "trust list", "p11tool --list-tokens", "opensc-tool -l", "pwck -r", "secon",
      "sepolicy network -p 80", "sudoreplay -l", "lynis show version"],
      medium: ["keyctl print 42", "keyctl purge user", "trust anchor x.pem", "p11tool --export x", "grpck",
        "pkcs11-tool --delete-object -y cert", "lynis audit system", "rkhunter --check"] } },
  { id: "inventory.inputs", names: "audit2allow sigtool blkparse", level: "low",
    options: { "path-read": "-i --input --info" },
    rows: [
      { names: "sigtool", unless: " (--info|-i|--md5|--sha1|--sha256|-V|--version)[ =]", level: "medium",
        why: "builds or unpacks signatures" },
      { names: "audit2allow", words: "-M -o --output", level: "medium", why: "writes a module" },
      { names: "sigtool", does: "reads" },
    ],
    match: { low: ["audit2allow -a", "audit2allow -w -i /var/log/audit/audit.log", "blkparse -i sda.blktrace.0"],
      medium: ["audit2allow -a -M x", "sigtool -u main.cvd"], block: ["audit2allow -i /etc/shadow"] } },
  { id: "inventory.files", names: "aa-notify aulast auvirt agrind angle-grinder mmdblookup", level: "low",
    options: { "path-read": "-f --file" },
    rows: [{ names: "aa-notify", words: "-p --poll", level: "medium", why: "waits, and shows messages" }],
    match: { low: ["aulast", "aa-notify -s 1 -v", "mmdblookup -f x.mmdb -i 192.0.2.1", "agrind -f x.log '* | count'"],
      medium: ["aa-notify -p"], block: ["aulast -f /etc/shadow"] } },
  { id: "inventory.flows", names: "nfdump twprint", level: "low", options: { "path-read": "-r -R --twrfile" },
    match: { low: ["nfdump -r x.nf -s srcip", "twprint -m r -r x.twr"], medium: ["nfdump -r x.nf -w y.nf"],
      block: ["nfdump -r /etc/shadow"] } },
  { id: "inventory.data",
    names: "aulastlog siggen oscap pmlogsummary pmdumplog babeltrace2 dnssec-verify cupstestppd pv",
    level: "low",
    rows: [
      { names: "oscap", unless: "^ (info|-V|--version|-h|--help) ", level: "medium", why: "runs checks, or writes " +
        "reports" },
      { names: "pv", words: "-P --pidfile -R --remote", level: "medium", why: "writes a file, or changes another pv" },
      { names: "pv", prints: "passing" },
      { does: "read" },
    ],
    match: { low: ["oscap info x.xml", "pv x.sql", "aulastlog"], medium: ["oscap xccdf eval x.xml", "pv -R 42 -L 1k"],
      block: ["pv /etc/shadow"] } },
  { id: "inventory.packages",
    names: "dpigs debfoster debtree dlocate pactree pacconf expac pkgfile xbps-query eopkg slackpkg nix-channel " +
      "pkg_info " +
      "popularity-contest members",
    level: "medium",
    rows: [
      { names: "dpigs debtree dlocate pactree pacconf expac xbps-query popularity-contest members pkgfile pkg_info",
        level: "low" },
      { names: "pkgfile", words: "-u --update", level: "medium", why: "fetches the lists of files" },
      onlyShows("debfoster", "-s --show-orphans -a --show-keepers -d --show-depends -e --show-dependents -p " +
        "--show-providers -r " +
        "--show-related"),
      onlyShows("eopkg", "info list-installed li list-available la list-components lc list-repo lr search sr " +
        "search-file sf " +
        "list-upgrades lu list-pending lp"),
      onlyShows("slackpkg", "search file-search info"), onlyShows("nix-channel", "--list"),
    ],
    match: { low: ["dpigs -n 20", "debfoster -s", "dlocate -S /usr/bin/ls", "pactree -r openssl", "expac -Q %n",
      "pkgfile ls",
      "xbps-query -l", "eopkg li", "slackpkg search vim", "nix-channel --list"],
      medium: ["debfoster", "pkgfile -u", "eopkg upgrade", "slackpkg upgrade-all", "nix-channel --update"] } },
  { id: "inventory.settings",
    names: "udisksctl boltctl brightnessctl playerctl gsettings dconf xdg-mime xdg-settings xinput setxkbmap xset " +
      "sbctl " +
      "ubuntu-drivers eselect setserial ioping",
    level: "medium",
    rows: [
      onlyShows("udisksctl", "status info dump"), onlyShows("boltctl", "() list info domains"),
      onlyShows("brightnessctl", "get max info -l --list"), showsIf("brightnessctl", "^( -m| --machine-readable)* *$"),
      onlyShows("playerctl", "status metadata -l --list-all"),
      onlyShows("gsettings", "get list-schemas list-keys list-children range describe writable"),
      onlyShows("dconf", "read list"), onlyShows("xdg-mime", "query"), onlyShows("xdg-settings", "get check --list"),
      onlyShows("xinput", "list --list list-props --list-props"), onlyShows("setxkbmap", "-query -print"),
      showsIf("xset", "^ -?q $"), onlyShows("sbctl", "status verify list-files list-bundles list-enrolled-keys"),
      onlyShows("ubuntu-drivers", "list devices"), showsIf("eselect", "^( --\\w+)* [\\w-]+ (list|show)( [\\w-]+)? $"),
      showsIf("setserial", "^( -[gabGv]+)+( /dev/\\S+)+ $"),
      { names: "ioping", if: " (-c|-count)[ =]?\\d+ ", unless: " -\\w*[WJ]", level: "low", why: "measures how a " +
        "disk reads" },
    ],
    match: { low: ["udisksctl status", "boltctl", "gsettings get org.gnome.desktop.session idle-delay", "xset q",
      "setxkbmap -query", "sbctl status", "eselect profile list", "setserial -g /dev/ttyS0", "ioping -c 5 /srv"],
      medium: ["udisksctl mount -b /dev/sdb1", "boltctl authorize x", "gsettings set a b c", "xset r off",
        "sbctl sign x", "eselect profile set 1", "setserial /dev/ttyS0 irq 5", "ioping -W -c 5 /srv", "ioping " +
        "/srv"] } },
  { id: "inventory.interfaces", names: "ifdata", level: "low", oneDash: true,
    match: { low: ["ifdata -pa eth0", "ifdata -si eth0"] } },
  { id: "inventory.cached", names: "vmtouch", level: "low",
    rows: [
      { if: " -\\w*[telLdP]", level: "medium", why: "loads, drops or holds what is in memory" },
      { does: "stat" }, { is: "walks" },
    ],
    match: { low: ["vmtouch -v /srv/x"], medium: ["vmtouch -e /srv/x", "vmtouch -dl /srv/x"] } },
  { id: "inventory.verified", names: "rpmkeys rauc gprof", level: "medium",
    rows: [onlyShows("rpmkeys", "-K --checksig"), onlyShows("rauc", "status info"), { names: "gprof", unless: " @",
      level: "low" },
      { does: "read" }],
    match: { low: ["rpmkeys -K x.rpm", "rauc status", "gprof -b ./x gmon.out"],
      medium: ["rpmkeys --import x", "rauc install x"], block: ["rpmkeys -K /etc/shadow"] } },
  { id: "inventory.queues",
    names: "qmail-qstat qmail-qread hoststat progress iptstate logwatch ntptime hwloc-info hwloc-calc",
    level: "low",
    rows: [
      { names: "iptstate", unless: " (-\\w*1|--single|-h|--help) ", level: "medium", why: "takes the terminal" },
      { names: "logwatch", level: "medium", why: "may send mail",
        unless: "^(?!.* --output[ =](?!stdout ))(?=.* --output[ =]stdout )|^ (--help|--version) " },
    ],
    match: { low: ["qmail-qstat", "progress -q", "iptstate -1", "logwatch --output stdout --range today", "ntptime",
      "hwloc-info"],
      medium: ["iptstate", "logwatch", "progress -M"] } },
];

/** They ask another host. */
// biome-ignore format: filled to the width
export const inventoryClients: readonly Program[] = [
  { id: "inventory.probes", names: "ndisc6 clockdiff nmblookup ssh-audit sntp opendmarc-check ntpdc", level: "low",
    rows: [
      { names: "ntpdc", level: "medium", why: "may change the clock's daemon",
        if: " -\\w*i | -c[ =]?(?![ =])(?!(peers|listpeers|dmpeers|sysinfo|sysstats|loopinfo|kerninfo|reslist|iostats|" +
          "memstats|timerstats|version)(␠| ))" },
      { names: "ntpdc", if: "^( [^- ]\\S*)* *$", level: "medium", why: "waits for questions" },
      { names: "sntp", words: "-s -S -t --settod --step", level: "medium", why: "sets the clock" },
      networkProbe,
    ],
    match: { low: ["clockdiff localhost", "ntpdc -p", "sntp localhost"],
      medium: ["ntpdc -c 'addserver x'", "sntp -S x"] } },
  { id: "inventory.found", names: "rdisc6 ippfind pmprobe", level: "low",
    rows: [{ names: "ippfind", if: " (-x|--exec|!|-N|--not) ", level: "medium", why: "runs a program" }],
    match: { low: ["rdisc6 eth0", "ippfind -T 5", "pmprobe kernel.all.load"], medium: ["ippfind --exec id ;"] } },
];

// What only reads of them.

const v = "-h --help -V --version";
const label = "-i --volume-id -V --version -h --help";

// biome-ignore format: filled to the width
export const inventoryReads: ReadTable = {
  [scripted]: { options: "" },
  // Displays, chips, sound, radios.
  xprop: { names: true, options: "-help -grammar -id= -name= -root -len= -notype -version" },
  xwininfo: { options: "-help -id= -name= -root -int -children -tree -stats -bits -events -size -wm -shape -frame " +
    "-metric -english " +
    "-all -version" },
  xlsclients: { options: "-a -l -m= -version" },
  xlsfonts: { options: "-l -ll -lll -m -C -1 -w= -n= -u -o -fn= -v" },
  xdpyinfo: { options: "-queryExtensions -ext= -version -help" },
  xrandr: { options: "-q --query --current --listmonitors --listactivemonitors --listproviders --prop " +
    "--properties --verbose " +
    "-v --version --help --screen= --q1 --q12 --dryrun" },
  "fc-list fc-match": { names: true, options: "-v --verbose -f= --format= -q --quiet -a --all -s --sort -b " +
  "--brief -V --version -h --help" },
  "fc-scan fc-query": { options: "-f= --format= -b --brief -i= --index= -V --version -h --help" },
  otfinfo: { options: "-s --scripts -f --features -z --optical-size -p --postscript-name -a --family -v " +
    "--font-version -i --info " +
    "-g --glyphs -u --unicode -t --tables --script= --variable -V --verbose -q --quiet -h --help --version" },
  "edid-decode": { options: "-h --help -o= --output-format= -c --check -C --check-inline -n --native-resolution -p " +
    "--preferred-timings --diagonal= -P --physical-address -S --short-timings -L --long-timings -N --ntsc -X " +
    "--xmodeline -F " +
    "--fbmode -V --v4l2-timings -s --skip-hex-dump -H --only-hex-dump --skip-sha --hide-serial-numbers --version " +
    "--list-established-timings --list-dmts --list-vics --list-hdmi-vics --list-rids" },
  clinfo: { options: "-a --all-props -A --always-all-props --human --raw --json --offline --null-platform -l " +
    "--list -d= --device= " +
    "--prop= -h -? --version -v" },
  vdpauinfo: { options: "--screen= --help" },
  eglinfo: { options: "-B -h --help" },
  es2_info: { options: "" },
  drm_info: { options: "-j", names: true },
  gpustat: { options: "-c --show-cmd -u --show-user -p --show-pid -F --show-full-cmd -a --show-all --json " +
    "--no-color --no-header " +
    "-P --show-power --id= --no-processes --gpuname-width= -v --version -h --help" },
  nvitop: { options: "-1 --once -o= --only= -u= --user= -p= --pid= -V --version -h --help" },
  rocminfo: { options: "-h --help" },
  "amd-smi": { names: true, options: "--json --csv -g= --gpu= -h --help" },
  "npu-smi": { names: true, options: "-t= -i= -c= -l -m" },
  "neuron-ls": { options: "-w --wide -a --show-all-procs -t --topology -j --json-output -h --help" },
  nvpmodel: { options: "-q --query --verbose" },
  "hl-smi": { options: "-q -L --list -h --help -v --version" },
  ddcutil: { options: `-t --terse --brief -v --verbose -d= --display= -b= --bus= -l= --model= -n= --sn= -g= ` +
    `--mfg= ${v}`, sub: {
    "detect det capabilities cap": {}, "getvcp get vcpinfo": { names: true } } },
  "v4l2-ctl": { options: "--list-devices --list-formats --list-formats-ext --list-formats-out --list-formats-cap " +
  "--list-formats-meta " +
    "--list-framesizes= --list-frameintervals= --list-ctrls --list-ctrls-menus --list-inputs --list-outputs " +
    "--list-standards " +
    "--list-dv-timings --list-freqs --list-audio-inputs --list-audio-outputs --list-buffers --list-patterns -l -L " +
    "--all -D --info " +
    "--get-ctrl= -C= --get-fmt-video --get-fmt-video-out --get-input --get-output --get-standard " +
    "--get-detected-standard " +
    "--get-parm --get-priority --get-freq --get-tuner --get-dv-timings --get-selection= --get-cropcap " +
    "--get-audio-input " +
    "--get-jpeg-comp -d= --device= -k --concise -h --help --version" },
  vcgencmd: { names: true, options: "-t -h" },
  pinout: { options: "-c --color -m --monochrome -r= --revision= -h --help" },
  "rpi-eeprom-update": { options: "-l -h" },
  "raspi-config": { names: true },
  "gpiodetect gpioinfo": { names: true, options: "-h --help -v --version" },
  lsgpio: { options: "-n= -?" },
  lsiio: { options: "-v -h" },
  "aplay arecord": { options: "-l --list-devices -L --list-pcms -h --help --version" },
  amixer: { names: true, options: "-c= --card= -D= --device= -q --quiet -M --mapped-volume -R --raw-volume -h " +
    "--help -v --version" },
  pactl: { names: true, options: "-f= --format= -h --help --version" },
  wpctl: { names: true, options: "-h --help -k --nick -n --name -r --referenced -a --associated" },
  "pw-cli": { names: true, options: "-h --help --version" },
  "pw-dump": { names: true, options: "-N --no-colors -h --help --version" },
  iwgetid: { names: true, options: "-m --mode -r --raw -s --scheme -a --ap -f --freq -c --channel -p --protocol " +
    "-v -h" },
  hciconfig: { names: true, options: "-a --all -h --help" },
  hcitool: { options: "-i= -h --help", sub: { "dev con": {} } },
  btmgmt: { options: "-i= --index= -h --help -v --version", sub: { "info con version commands extinfo": {} } },
  phc_ctl: { names: true, options: "-q -Q -h -v" },
  // Volumes.
  ntfsinfo: { options: "-F= --file= -i= --inode= -m --mft -q --quiet -t --notime -v --verbose -h --help -V --version" },
  ntfscluster: { options: "-c= --cluster= -F= --filename= -I= --inode= -i --info -q --quiet -s= --sector= -v " +
    "--verbose -h --help -V " +
    "--version" },
  ntfsls: { options: "-a --all -F --classify -i --inode -l --long -p= --path= -q --quiet -R --recursive -s " +
    "--system -v --verbose -x " +
    "--dos -h --help -V --version" },
  thin_check: { options: `-q --quiet --super-block-only --skip-mappings --ignore-non-fatal-errors -m ` +
    `--metadata-snapshot ${v}` },
  thin_dump: { options: `-f= --format= -m --metadata-snap --dev-id= --skip-mappings ${v}` },
  thin_ls: { options: `-o= --format= --no-headers -m --metadata-snap ${v}` },
  "cache_check era_check": { options: `-q --quiet --super-block-only --skip-hints --skip-discards ${v}` },
  "cache_dump era_dump": { options: `--logical ${v}` },
  xfs_estimate: { options: "-b= -v -h -i= -e= -V" },
  xfs_logprint: { options: "-b -c -d -D -e -f -l= -i -q -n -o -s= -t -v -V" },
  xfs_ncheck: { options: "-f -l= -s -i= -V" },
  "dump.exfat": { options: "-V --version -h --help" },
  lscp: { options: "-a --all -b --show-block-count -g --show-increment -r --reverse -s --snapshot -i= --index= " +
    "-n= --lines= -h " +
    "--help -V --version", names: /^\d+$|^\/dev\// },
  lssu: { options: "-a --all -i= --index= -l --latest-usage -n= --lines= -h --help -V --version" },
  "bcache-super-show": { options: "" },
  volname: { options: "-? --help" },
  dmraid: { options: "-r --raid_devices -s --sets -b --block_devices -l --list_formats -n --native_log -c -d " +
    "--debug -v --verbose " +
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
    "filesystem_list fs_list blockdev_list": { names: true },
      report: { names: /^(engine_state_report|managed_objects_report)$/ },
    "daemon_version": {} } },
  duc: { options: "-F --classify -R --recursive -a --apparent -b --bytes -g --graph -c --color -h " +
    "--help", sub: { "ls info": {} } },
  ddrescuelog: { options: "-t --show-status -D --done-status -l= --list-blocks= -B --binary-prefixes -b= " +
    "--block-size= -i= " +
    "--input-position= -s= --size= -q --quiet -v --verbose -h --help -V --version" },
  // Boot and firmware.
  "grub-probe grub2-probe": { options: "-0 -d --device -t= --target= -v --verbose -? --help --usage -V --version" },
  "grub-editenv grub2-editenv": { options: "-v --verbose -? --help --usage -V --version" },
  "grub-script-check grub2-script-check": { options: "-v --verbose -? --help --usage -V --version" },
  "grub-file grub2-file": { options: "--is-i386-xen-pae-domu --is-x86_64-xen-domu --is-x86-xen-dom0 " +
  "--is-x86-multiboot " +
    "--is-x86-multiboot2 --is-arm-linux --is-arm64-linux --is-riscv64-linux --is-x86-linux --is-x86-linux32 " +
    "--is-i386-efi " +
    "--is-x86_64-efi --is-arm64-efi --is-arm-efi --is-x86-bios-bootsector -h --help" },
  efivar: { options: "-l --list -L --list-guids -p --print -d --print-decimal -n= --name= -v --verbose -? --help " +
    "--usage" },
  efibootdump: { options: "-? --help --usage", names: /^Boot[0-9A-F]{4}$/ },
  "kdump-config": { names: true },
  "mstconfig mlxconfig": { names: true, options: "-d= --dev= -e --enable_verbosity -h --help -v --version" },
  mlxfwmanager: { options: "--query -d= --dev= --query-format= -h --help -v --version" },
  // Services.
  "rc-depend": { names: true },
  "s6-rc": { options: "-a -d -u -b", sub: { "list listall diff": { names: true } } },
  "s6-rc-db": { options: "-d -u -b", sub: {
    "list type timeout contents dependencies all-dependencies flags atomics check": {
    names: true } } },
  dinitctl: { options: "-s --system -u --user --quiet --version --help", sub: {
    "list ls status is-started is-failed": { names: true } } },
  svok: { names: true },
  "systemd-hwdb": { options: "-h --help --version", sub: { query: { names: true } } },
  "systemd-sysusers systemd-tmpfiles": { options: "--cat-config --no-pager -h --help --version" },
  "systemd-creds": { options: "--no-pager --no-legend --json= -q --quiet -h --help " +
  "--version", sub: { list: {}, "has-tpm2": {} } },
  "update-java-alternatives": { options: "-l --list -h -? --help" },
  "vmware-toolbox-cmd": { names: true, options: "-v --version -q --quiet -h --help" },
  "cloud-id": { options: "-l --long -j --json -h --help" },
  lssubsys: { names: true, options: "-a --all -i --hierarchies -m --mount-points -M --all-mount-points -h --help" },
  sanlock: { options: "-D -h= -s=", sub: {
    "client_status client_gets client_host_status client_log_dump status": {} } },
  dlm_tool: { options: "-n -s -v -w -V -h", sub: { "ls status dump dump_config": {},
    "plocks lockdump": { names: true } } },
  tgtadm: { options: "--lld= -L= --op= -o= --mode= -m= --tid= -t= -h --help -V --version" },
  nfsdclnts: { options: "-t= --type= --clientinfo --hostname -q --quiet -v --verbose -V --version -h --help" },
  nfsconf: { names: /^[\w.-]+$/, options: "-g --get -i= --isset= -e --entry -v --verbose -a= --arg=" },
  rpcdebug: { options: "-v -h -m=" },
  nfsidmap: { options: "-l -d -v -h" },
  "abrt-cli abrt": { options: "--since= --until= -n --not-reported -d --detailed -f --full -b --bare -v -h " +
  "--help", sub: {
    "list ls": { names: true }, status: {} } },
  // Keys, policies, accounts.
  keyctl: { options: "--version", sub: {
    "show list rlist describe rdescribe supports": { names: /^(@\w+|%\w*:[\w.:-]+|-?\d+|\w+)$/ } } },
  trust: { options: "--filter= --purpose= -v --verbose -q --quiet -h --help", sub: { list: {} } },
  "p11-kit": { options: "-v --verbose -q --quiet -h --help", sub: {
    "list-modules list-tokens": { names: /^pkcs11:/ } } },
  p11tool: { names: /^pkcs11:/, options: "--list-tokens --list-token-urls --list-mechanisms --list-all-certs " +
    "--list-certs " +
    "--list-all-trusted -d= --debug= --only-urls --no-detailed-url --detailed-url --batch -v --version -h --help" },
  "pkcs11-tool": { options: "-L --list-slots -T --list-token-slots -M --list-mechanisms -I --show-info -v " +
  "--verbose --slot= " +
    "--slot-index= -h" },
  "pkcs15-tool": { options: "-D --dump -c --list-certificates -k --list-keys --list-pins --list-public-keys " +
  "--list-applications " +
    "--list-info -C --list-data-objects -s --short --reader= -v --verbose --version" },
  "opensc-tool": { options: "-l --list-readers -a --atr -n --name -i --info -D --list-drivers --serial -v " +
  "--verbose --version" },
  "grpck pwck": { options: "-r --read-only -q --quiet -S --silence-warnings -h --help" },
  secon: { options: "-V --version -h --help -P --prompt -u --user -r --role -t --type -s --sensitivity -c " +
    "--clearance -m --mls-range " +
    "-R --raw -f= --file= -L= --link= -p= --pid= --pid-exec= --pid-fs= --pid-key= --self --current --self-exec " +
    "--self-fs --parent " +
      "--color --current-exec --current-fs --current-key --self-key --parent-exec --parent-fs --parent-key" },
  chcat: { options: "-L" },
  sepolicy: { options: "-h --help -a --all -b= --boolean= -d= --domain= -l --list -p= --port= -s= --source= -t= " +
    "--target= -c= --class=", sub: {
    "booleans communicate interface network transition": { names: true } } },
  fixfiles: { options: "-v -B", sub: { "check verify": {} } },
  "aa-enabled": { options: "-h --help -q --quiet -x --exclusive" },
  sudoreplay: { options: "-l --list -h --help -V --version", names: /^[\w.@:+-]+$/ },
  lynis: { options: "--no-colors -h --help", sub: { show: { names: /^(?!settings|license|profiles)/ } } },
  // Records and data.
  audit2allow: { options: "-a --all -b --boot -d --dmesg -i= --input= -l --lastreload -r --requires -N " +
    "--noreference -R --reference " +
    "-x --xperms -w --why -v --verbose -D --dontaudit -m= --module= -t= --type= -e --explanation -h --help" },
  sigtool: { options: "-i= --info= --md5 --sha1 --sha256 -h --help -V --version --stdout --quiet" },
  blkparse: { options: "-A= --set-mask= -a= --act-mask= -b= --batch= -i= --input= -F= --format= -f= " +
    "--format-spec= -M --no-msgs -h " +
    "--hash-by-name -O --no-text-output -q --quiet -s --per-program-stats -t --track-ios -w= --stopwatch= -v " +
    "--verbose -V " +
    "--version", names: /^[a-z0-9]+$/ },
  "aa-notify": { options: "-f= --file= -l --since-last -s= --since-days= -u= --user= -v --verbose -h --help" },
  aulast: { options: "-f= --bad --debug --proof --tty= --user= --stdin", names: /^[\w/.-]+$/ },
  auvirt: { options: "-te= --end= -ts= --start= " +
    "-f= --file= --all-events --debug --proof --show-uuid --stdin --summary -u= --uuid= -v= " +
    "--vm= -h --help" },
  "agrind angle-grinder": { names: true, options: "-f= --file= -o= --output= -h --help -V --version" },
  mmdblookup: { names: true, options: "-f= --file= -i= --ip= -v --verbose --version -h -? --help" },
  nfdump: { names: true, options: "-r= -R= -s= -n= -o= -A= -c= -t= -a -b -B -q -N -I -6 -g -m -O= -V -h" },
  twprint: { options: "-m= -r= --twrfile= -t= --report-level= -s --silent -v --verbose -h --help --print-report" },
  aulastlog: { options: "-u= --user= --stdin" },
  siggen: { options: "-t --terse -h --hexadecimal -a --all -C --CRC32 -M --MD5 -S --SHA -H --HAVAL" },
  oscap: { options: "-V --version -h --help --profile= --profiles --progress", sub: { info: {} } },
  pmlogsummary: { options: "-a --all -b -f -F -H --header -i --mintime -I --maxtime -l --label -m --minimum -M " +
    "--maximum -N -p= " +
    "--precision= -s --sum -S= --start= -T= --finish= -v --verbose -V --version -x -y --samples -z --hostzone -Z= " +
    "--timezone= -? " +
      "--help -B= --bins=" },
  pmdumplog: { options: "-a --all -d --descs -e --labelsets -h --helptext -i --insts -l --label -L -m --metrics " +
    "-r --reverse -s --sizes " +
    "-S= --start= -t -T= --finish= -V --version -x -z --hostzone -Z= --timezone= -? --help" },
  babeltrace2: { options: `-v --verbose ${v} --clock-seconds --no-delta -b= --begin= -e= --end= --timerange= ` +
    `--names= --fields=` },
  "dnssec-verify": { options: "-c= -I= -v= -V -q -x -z" },
  cupstestppd: { options: "-I= -W= -q -r -v -vv" },
  pv: { options: "-p --progress -t --timer -e --eta -I --fineta -r --rate -a --average-rate -b --bytes -T " +
    "--buffer-percent -A= " +
    "--last-written= -F= --format= -n --numeric -q --quiet -W --wait -D= --delay-start= -s= --size= -l " +
    "--line-mode -0 --null -i= " +
    "--interval= -w= --width= -H= --height= -N= --name= -f --force -c --cursor -L= --rate-limit= -B= " +
    "--buffer-size= -C " +
    "--no-splice -E --skip-errors -S --stop-at-size -h --help -V --version" },
  // Packages.
  dpigs: { options: "-n= --lines= -S --source -H --human-readable -h --help" },
  debfoster: { names: true, options: "-s --show-orphans -a --show-keepers -d= --show-depends= -e= " +
    "--show-dependents= -p= " +
    "--show-providers= -r= --show-related= -v --verbose -q --quiet -V --version -h --help" },
  debtree: { names: true, options: "--show-installed -I --show-rdeps -R --build-dep -b --arch= --with-suggests -S " +
    "--no-recommends " +
    "--no-alternatives --no-provides --max-providers= --no-versions --no-conflicts --versioned-conflicts -VC " +
    "--max-depth= " +
    "--rdeps-depth= --max-rdeps= --no-skip --show-all --rotate -r --condense --quiet -q --verbose -v" },
  dlocate: { names: true, options: "-S -l -k -K -L -s --ls --lsconf --conf --du --md5sum --md5check --man --lsman " +
    "--lsbin --lsdir " +
    "--filename-only --package-only -w --word-regexp -i --ignore-case -E --extended-regexp -F --fixed-strings -G " +
    "--basic-regexp " +
    "-P --perl-regexp -h --help -V --version -v --verbose -c --columns -C --colour --color" },
  pactree: { names: true, options: "-a --ascii -c --color -d= --depth= -l --linear -o --optional -r --reverse -s " +
    "--sync -u --unique -h " +
    "--help" },
  pacconf: { names: true, options: "-l --repo-list -r= --repo= -v --verbose --raw --single -h --help -V --version" },
  expac: { names: true, options: "-Q --query -S --sync -s --search -g --group -1 --readone -d= --delim= -l= " +
    "--listdelim= -H= " +
    "--humansize= -t= --timefmt= -v --verbose -V --version -h --help" },
  pkgfile: { names: true, options: "-l --list -s --search -b --binaries -d --directories -g --glob -i " +
    "--ignorecase -q --quiet -R= " +
    "--repo= -r --regex -v --verbose -w --raw -V --version -h --help" },
  "xbps-query": { names: true, options: "-l --list-pkgs -m --list-manual-pkgs -H --list-hold-pkgs -O " +
  "--list-orphans -L --list-repos -o= " +
    "--ownedby= -p= --property= -s= --search= -S --show -f --files -x --deps -X --revdeps --regex --fulldeptree " +
    "-R --repository -i -v " +
    "--verbose -d --debug -V --version -h --help" },
  eopkg: { options: "-h --help -N --no-color -v --verbose", sub: {
    ["info list-installed li list-available la list-components lc list-repo lr search sr search-file sf " +
      "list-upgrades lu " +
    "list-pending lp"]: { names: true } } },
  slackpkg: { options: "", sub: { "search file-search info": { names: true } } },
  "nix-channel": { options: "--list" },
  pkg_info: { names: true, options: "-a -I -m" },
  "popularity-contest": { options: "" },
  members: { names: true, options: "-a --all -p --primary -s --secondary -t --two-lines -h --help -v --version" },
  // Settings of a session, a board, a link.
  udisksctl: { options: "-b= --block-device= -p= --object-path= -d= --drive= -h --help", sub: {
    "status info dump": {} } },
  boltctl: { options: "-a --all -v --verbose -h --help " +
    "--version", sub: { list: {}, info: { names: true }, domains: {} } },
  brightnessctl: { options: "-l --list -d= --device= -c= --class= -m --machine-readable -q --quiet -h --help -V " +
    "--version", sub: {
    "get max info": {} } },
  playerctl: { options: "-l --list-all -p= --player= -a --all-players -f= --format= -s --no-messages -h --help -V " +
    "--version", sub: {
    status: {}, metadata: { names: true } } },
  gsettings: { sub: {
    "get list-schemas list-keys list-children range describe writable": {
      names: /^(?!.*(passw|secret|token|credential))/i,
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
  ifdata: { names: /^[\w.:@-]+$/, options: "-h -e -p -pe -pa -pn -pN -pb -pm -ph -pf -si -sip -sib -sie -sid -sif " +
    "-sic -sim -so -sop " +
    "-sob -soe -sod -sof -sox -soc -bips -bops" },
  vmtouch: { options: "-v -q -f -m= -p= -i= -h" },
  rpmkeys: { options: "-K --checksig -v --verbose -q --quiet --version --help" },
  rauc: { options: "--detailed --output-format= -d --debug --version -h " +
    "--help", sub: { status: { names: /^(?!)/ }, info: {} } },
  gprof: { options: "-b --brief -p --flat-profile -q --graph -Q -P -l --line -z --display-unused-functions -c -L " +
    "-T -h --help -v " +
    "--version" },
  // Queues, logs, the rest.
  "qmail-qstat qmail-qread hoststat": { options: "" },
  progress: { options: "-q --quiet -d --debug -w --wait -W= --wait-delay= -c= --command= -a= " +
    "--additional-command= -p= --pid= -i= " +
    "--ignore-file= -o= --open-mode= -v --version -h --help" },
  iptstate: { options: "-R= --rate= " +
    "-1 --single -c --no-color -C --counters -d= --dst-filter= -D= --dstpt-filter= -h --help " +
    "-i --invert-filters -l " +
    "--lookup -m --mark-truncated -o --no-dynamic -L --no-dns -f --no-loopback -p --no-scroll -r --reverse -b= " +
    "--sort= -s= " +
    "--src-filter= -S= --srcpt-filter= -t --totals -v --version" },
  logwatch: { options: "--output= --format= --range= --detail= --service= --numeric --archives --hostlimit= " +
    "--help --version" },
  ntptime: { options: "-r -j -h -c" },
  "hwloc-info": { names: true, options: "--disallowed --restrict= --restrict-flags= --local-memory-flags= " +
    "--objects --topology --support -v --verbose -s --silent --ancestors " +
  "--ancestor= --children " +
    "--descendants= --local-memory --best-memattr= -n -p --physical -l --logical --filter= --no-icaches --no-io " +
    "--no-bridges " +
    "--whole-io --pid= --version -h --help" },
  "hwloc-calc": { names: true, options: "--no-smt -p --physical -l --logical --pi --li --po --lo -n --nodeset -N= " +
  "--number-of= -I= " +
    "--intersect= -H= --hierarchical= --largest --local-memory --sep= --single --taskset -q --quiet -v --verbose " +
    "--version -h " +
    "--help" },
  // They ask another host.
  "ndisc6 rdisc6": { names: true, options: "-1 --single -m --multiple -n --numeric -q --quiet -r= --retry= -s= " +
  "--source= -v --verbose " +
    "-w= --wait= -V --version -h --help" },
  clockdiff: { names: true, options: "-o -o1 -T= --time-format= -I -h --help -V --version" },
  nmblookup: { names: true, options: "-M --master-browser --recursion -S --status -r --root-port -A " +
    "--lookup-by-ip -B= --broadcast= -U= " +
    "--unicast= -T --translate -f --flags -V --version -? --help --usage" },
  "ssh-audit": { names: true, options: "-1 --ssh1 -2 --ssh2 -4 --ipv4 -6 --ipv6 -b --batch -j --json -l= --level= " +
  "-n --no-colors -p= " +
    "--port= -t= --timeout= -v --verbose --skip-rate-test -L --list-policies -h --help" },
  sntp: { names: true, options: "-4 -6 -d -j -V --version -h --help" },
  "opendmarc-check": { names: true },
  ntpdc: { names: true, options: "-c= -n -p -l -s -4 -6" },
  ippfind: { options: "-T= -4 -6 -l --ls -p --print -s --print-name --help --version" },
  pmprobe: { names: true, options: "-b -d -f --force -F --faster -i --internal -I --external -v --values -V " +
    "--verbose -O= -Z= -? --help" },
};
