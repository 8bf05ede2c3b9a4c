/** Disks, partitions and file systems. */
import type { Program } from "../program.ts";
import { erases, onFile } from "./facts.ts";

// biome-ignore format: filled to the width
export const diskRules: readonly Program[] = [
  { id: "disk.format",
    names: "mkfs mke2fs mkswap mkfs_xfs newfs mkdosfs mkntfs blkdiscard zerofree scrub nwipe sg_format " +
      "sg_sanitize sg_write_same sg_unmap sg_write_buffer mkfatfs mkexfatfs mkudffs",
    level: "high", options: { value: "-t -L -b -i -m -N -O -E -U -I -J -G -T -g -r -o -n -d -l -p --type --label -s" },
    rows: [...erases(), { does: "delete" }],
    match: { high: ["mkswap /swapfile", "mkfs.ext4 -L data /tmp/disk.img"],
      block: ["mkfs.ext4 /dev/sdb1", "mkfs -t ext4 /dev/sda1", "blkdiscard /dev/sdb",
        "mkfs.ext4 /var/log/auth.log"] } },
  { id: "disk.badblocks", names: "badblocks", level: "medium", why: "reads or tests a whole disk",
    rows: [
      { words: "-n", level: "high" },
      ...erases("-w"),
      { ends: { endless: "-t -T -s -n -v", does: "it reads the whole disk" } },
    ],
    match: { medium: ["badblocks -sv /dev/sdb"], high: ["badblocks -n /dev/sdb"], block: ["badblocks -w /dev/sdb"] } },
  { id: "disk.gpt", names: "sgdisk", level: "high",
    rows: [
      { words: "-p --print -i --info -v --verify -L --list-types", level: "low" },
      { words: "-d --delete -n --new -N --largest-new -t --typecode -c --change-name -u --partition-guid -U " +
        "--disk-guid -G --randomize-guids -A --attributes -m --gpttombr -g --mbrtogpt -r --transpose -s --sort " +
        "-e --move-second-header -l --load-backup -R --replicate -h --hybrid",
        level: "high" },
      ...erases("-o --clear -z -Z --zap --zap-all"),
    ],
    match: { low: ["sgdisk -p /dev/sda"], high: ["sgdisk -n 1:0:0 /dev/sda", "sgdisk -p -d 1 /dev/sda"],
      block: ["sgdisk --zap-all /dev/sda"] } },
  { id: "disk.wipefs", names: "wipefs", level: "low",
    options: { value: "-o --offset -t --types" }, rows: erases("-a --all -o --offset -f --force"),
    match: { low: ["wipefs /dev/sda"], high: ["wipefs -a /tmp/x.img"], block: ["wipefs -a /dev/nvme0n1"] } },
  { id: "disk.hdparm", names: "hdparm", level: "low",
    rows: [
      { words: "--security-erase --security-erase-enhanced --trim-sector-ranges --make-bad-sector " +
        "--write-sector --sanitize-block-erase",
        level: "block" },
      { words: "-S -y -Y", level: "medium" },
      // Alone they show the setting, with a number they change it.
      { if: " -\\w*[WBMAaQJ] ?\\d", level: "medium", why: "changes a setting of the disk" },
      { ends: { endless: "-t -T -s -n -v", does: "it reads the whole disk" } },
    ],
    match: { low: ["hdparm -I /dev/sda", "hdparm -W /dev/sda"], medium: ["hdparm -S", "hdparm -W 0"],
      block: ["hdparm --security-erase p /dev/sda"] } },
  { id: "disk.partition", names: "sfdisk", level: "high", options: { value: "-N -o -O -X --part-type" },
    rows: [
      { words: "-l --list -d --dump -J --json -V --verify -s --show-size -F --list-free", level: "low" },
      { unless: " (-\\w*[ldJVsFn]\\w*|--(list|dump|json|verify|show-size|list-free|no-act)) ", does: "writes" },
    ],
    match: { low: ["sfdisk -d /dev/sda"], high: ["sfdisk"], block: ["sfdisk --delete /dev/sda", "sfdisk /dev/sda"] } },
  { id: "disk.partition-tools", names: "fdisk cfdisk gdisk parted partprobe growpart resizepart", level: "high",
    options: { value: "-o" },
    rows: [
      { words: "-l --list ~print ~print_* ~align-check -v --version", level: "low" },
      { names: "fdisk", words: "-s -x", level: "low" },
      { names: "growpart", words: "-N", level: "low" },
      { names: "partprobe", words: "-d", level: "low" },
      { names: "partprobe", level: "medium" },
      { names: "resizepart", level: "high" },
      { words: "~rm ~rm_* ~mkpart ~mkpart_* ~name ~set ~toggle ~rescue ~disk_set", level: "high" },
      { names: "resizepart", words: "~*", level: "high" },
      { words: "~mklabel ~mklabel_* ~mktable ~mktable_*", unless: onFile, operands: true, level: "block" },
      { names: "parted", if: "[ ␠]mk(l|t)\\w*[ ␠]", unless: onFile, operands: true, level: "block",
        why: "makes a new partition table" },
      { names: "parted",
        unless: "^( [^ ␠]+)?[ ␠]*((u(n(it?)?)?[ ␠]+\\w+%?|p(r(i(nt?)?)?)?([ " +
          "␠]+(free|all|devices|list|\\d+))?|align-check[ ␠]+\\w+[ ␠]+\\d+|h(elp)?|q(uit)?|version)[ ␠]+)*$",
        operands: true, level: "high", why: "does more than read" },
    ],
    match: { low: ["fdisk -l", "fdisk -s /dev/sda1", "parted -l", "parted -s /dev/sdb unit s print"],
      medium: ["partprobe"],
      high: ["fdisk /dev/sda", "parted /dev/sdb print 'set 1 boot on'", "parted -s /dev/sdb rm 1",
        "parted -s /dev/sdb mkpart primary 0% 100%"],
      block: ["parted /dev/sdb print mkl gpt"] } },
  { id: "disk.check", names: "fsck e2fsck xfs_repair btrfsck debugfs", level: "high",
    rows: [
      { words: "-h", level: "low" },
      { names: "fsck", words: "-n -N", level: "low" },
      { names: "fsck", if: " -- ", level: "high", why: "hands options on to what repairs" },
      { names: "e2fsck xfs_repair btrfsck", words: "-n", level: "low" },
      // What shows the content of no file, and writes none of this host.
      { names: "debugfs", level: "low", why: "looks at a file system",
        if: "^( -D| -c)* -R[ =]?(stats?|stat␠\\S+|show_super_stats(␠-h)?|ssv|ls(␠-\\w+)*(␠\\S+)?|features|" +
          "ncheck(␠\\d+)+|" +
          "icheck(␠\\d+)+|imap␠\\S+|bmap␠\\S+␠\\d+|blocks␠\\S+|ex(tents)?␠\\S+|test[bi]␠\\S+|freefrag|" +
            "list_deleted_inodes|" +
          "lsdel|dump_mmp|supported_features|list_quota␠\\w+) (/dev/\\S+ )?$" },
      { names: "fsck e2fsck", unless: " -\\w*f\\w*[ayp]| -\\w*[ayp]\\w*f",
        probe: { without: "^-[ayp]+$", run: "$0 -n $@", shows: "what it would repair",
          example: ["fsck -y /dev/sdb1", "fsck -n /dev/sdb1"] } },
    ],
    match: { low: ["fsck -n /dev/sdb1", "fsck -N /dev/sdb1", "debugfs -R 'stat <8>' /dev/sda1"],
      high: ["fsck -y /dev/sdb1", "e2fsck -y -N x /dev/sdb1", "debugfs -R 'cat /srv/x' /dev/sda1"] } },
  { id: "disk.tune", names: "resize2fs xfs_growfs tune2fs e2label xfs_admin fstrim", level: "medium",
    rows: [
      { names: "tune2fs", words: "-l", level: "low" },
      { names: "xfs_admin", words: "-l -u", level: "low" },
      { names: "xfs_growfs fstrim", words: "-n", level: "low" },
      { names: "resize2fs", words: "-P", level: "low" },
      { names: "e2label", if: "^ /\\S+ $", level: "low", why: "shows the label" },
      { names: "tune2fs", words: "-c -C -e -E -f -g -i -I -j -J -L -m -M -o -O -Q -r -T -u -U -z", level: "medium" },
      { names: "xfs_admin", words: "-c -e -j -L -O -p -r -U", level: "medium" },
    ],
    match: { low: ["tune2fs -l /dev/sda1"],
      medium: ["resize2fs /dev/sdb1", "tune2fs -l -O ^has_journal /dev/sda1", "xfs_admin -U generate -u /dev/sda1"] } },
  { id: "disk.look", names: "dumpe2fs xfs_info e2freefrag xfs_bmap xfs_spaceman xfs_io partx sdparm systool " +
    "vgcfgrestore " +
      "lvmdevices lvmconfig lvm nscd",
    level: "medium",
    rows: [
      { names: "dumpe2fs xfs_info e2freefrag xfs_bmap systool lvmconfig", level: "low" },
      { names: "xfs_spaceman", if: "^ -c (freesp|info|health|help|summary|prealloc␠-s)(␠-\\w+)* ", unless: " -c .* -c ",
        level: "low", why: "shows how space is used" },
      { names: "xfs_io", if: "^ -r -c (stat|statfs|bmap|fiemap|lsattr|help)(␠-\\w+)* [^-]\\S* $", level: "low",
        why: "shows how a file lies" },
      { names: "partx", words: "-s --show -l --list -P --pairs -o --output -r --raw -g -b --bytes", level: "low" },
      { names: "partx", words: "-a --add -d --delete -u --update", level: "high",
        why: "changes partitions that are in use" },
      { names: "sdparm", unless: " (-\\w*[cCsDr]\\w*|--(clear|command|set|defaults|wscan|readonly))[ =]", level: "low",
        why: "shows settings of a disk" },
      { names: "sdparm", if: " (-\\w*[cCsD]\\w*|--(clear|command|set|defaults))[ =]", level: "high",
        why: "changes a disk" },
      { names: "vgcfgrestore", words: "-l --list", level: "low" },
      { names: "vgcfgrestore", unless: " (-l|--list|-h|--help|-V|--version) ", level: "high",
        why: "brings an old state back" },
      { names: "lvmdevices", if: "^ *$|^ --(check|listids)", level: "low" },
      { names: "lvm", if: "^ (version|formats|segtypes|tags|help|dumpconfig|config|fullreport|lvmdiskscan|" +
        "[pvl]gs|[plv]vs|vgs|" +
        "[plv]vdisplay|vgdisplay|[plv]vscan|vgscan)( -\\S+| [\\w/+,.:@=%-]+)* $",
          unless: " (--(cache|config|mknodes|file)|-a[ay])",
        level: "low", why: "shows volumes" },
      { names: "nscd", if: "^ (-g|--statistics) $", level: "low", why: "shows counters" },
      { names: "xfs_io", if: " -c[ =]?(pwrite|falloc|fpunch|fcollapse|finsert|fzero|zero|truncate|mwrite|reflink|" +
        "dedupe)",
        does: "writes" },
      { does: "stat" },
    ],
    match: { low: ["dumpe2fs -h /dev/sda1", "xfs_info /srv", "partx --show /dev/sda", "sdparm --get=WCE /dev/sda",
      "lvm pvs", "vgcfgrestore --list vg", "nscd -g"],
      medium: ["partx", "lvm", "xfs_io -x -c 'fsync' /srv/x", "nscd -i hosts"],
      high: ["partx -d /dev/sda", "sdparm --set=WCE /dev/sda", "vgcfgrestore vg"],
      block: ["xfs_io -c 'pwrite 0 1g' /dev/sdb"] } },
  { id: "disk.megaraid", names: "megacli MegaCli megacli64 MegaCli64", level: "medium", oneDash: true,
    rows: [
      { words: "-GetBbuStatus -GetBbuCapacityInfo -GetBbuDesignInfo " +
        "-LdInfo -LDInfo -LdPdInfo -PDList -PdList -PDInfo -EncInfo -AdpAllInfo -CfgDsply -ShowSummary",
        level: "low" },
      { words: "-CfgLdDel -CfgClr -CfgForeign -PDOffline -PDMarkMissing -PDClear -PdPrpRmv -LDInit " +
        "-AdpFacDefSet -AdpFwFlash",
        level: "high" },
    ],
    match: { low: ["megacli -LdInfo -Lall -aALL", "megacli -PDList -aALL"], medium: ["megacli"],
      high: ["megacli -CfgLdDel -L0 -a0", "megacli -LdInfo -CfgClr -a0"] } },
  { id: "disk.smart", names: "smartctl nvme sas3ircu storcli storcli64 perccli perccli64 arcconf ssacli hpssacli",
    level: "medium",
    rows: [
      { names: "smartctl",
        words: "-a -i -H -A -x -l -c -g --get --all --log --capabilities --info --health --attributes --scan --xall",
        level: "low" },
      { words: "~list ~id-ctrl ~id-ns ~smart-log ~error-log ~fw-log ~list-subsys ~show-regs ~version ~list-ns " +
        "~get-feature ~LIST ~show ~SHOW ~display ~DISPLAY",
        level: "low" },
      { names: "nvme", words: "list-ctrl get-log self-test-log effects-log ana-log endurance-log sanitize-log " +
        "show-hostnqn " +
        "show-topology supported-log-pages resv-report changed-ns-list-log nvm-id-ctrl list-secondary " +
          "primary-ctrl-caps " +
        "intel_smart-log-add intel_temp-stats intel_market-name wdc_vs-smart-add-log wdc_smart-add-log",
        level: "low" },
      { names: "smartctl", words: "-t --test -X", level: "medium" },
      { names: "storcli storcli64 perccli perccli64 ssacli hpssacli", if: " (log)?file=", level: "medium",
        why: "writes a file" },
      { names: "storcli storcli64 perccli perccli64", does: { is: "writes", all: true, level: "medium",
        if: "^(?i:file|logfile|outfile)=([^]+)$", why: "writes what it shows to a file" } },
      { names: "arcconf", if: " getlogs .*clear ", level: "high", why: "clears its logs" },
      { names: "sas3ircu", if: "^ \\d+ status $", level: "low" },
      { names: "arcconf", words: "~getconfig ~GETCONFIG ~getstatus ~GETSTATUS ~getlogs ~getversion ~GETVERSION " +
        "~getsmartstats", level: "low" },
      { words: "-s ~offline ~missing ~reset ~subsystem-reset ~fw-download ~fw-commit ~fw-activate ~ns-rescan " +
        "~del ~delete ~create-ns ~attach-ns ~detach-ns ~device-self-test ~set-feature ~connect ~disconnect",
        level: "high" },
      { words: "~format ~sanitize ~delete-ns ~write-zeroes ~write ~dsm", level: "block" },
      { names: "smartctl", if: " (-l|--log)[ =]?((scterc|scttempint),|\\S*,reset )", level: "medium",
        why: "changes how the disk behaves" },
      { names: "smartctl", ends: { endless: "-t --test", does: "it runs a test of the disk" } },
    ],
    match: { low: ["smartctl -a /dev/sda", "nvme list", "nvme smart-log /dev/nvme0"],
      medium: ["smartctl -t short /dev/sda", "smartctl -l scterc,70,70 /dev/sda"],
      high: ["smartctl -s", "nvme detach-ns /dev/nvme0 -n 1 -c 0"],
      block: ["nvme format /dev/nvme0n1"] } },
  { id: "disk.mount", names: "mount", options: { value: "-t -o -L -U -O --types --options --source --target" },
    check: "mount",
    match: { low: ["mount"], medium: ["mount /dev/sdb1 /mnt"], high: ["mount -o remount,rw /"] } },
  { id: "disk.umount", names: "umount", level: "medium",
    rows: [
      { words: "-f -l -a --force --lazy --all", level: "high" },
      { probe: { run: "fuser -vm $1", shows: "which processes use it",
        example: ["umount /mnt/data", "fuser -vm /mnt/data"] } },
    ],
    match: { medium: ["umount /mnt"], high: ["umount -l /srv"] } },
  { id: "disk.xfs-db", names: "xfs_db", level: "high", options: { value: "-c -p -l" },
    rows: [
      { words: "-r", level: "low" },
      { if: " -c(?![ =]?(ag[fi]l?|frag|freesp|help|info|inode|label|p|print|sb|uuid|version)( |␠|$))", level: "medium",
        why: "does more than look" },
    ],
    match: { low: ["xfs_db -r -c frag /dev/sda1"], medium: ["xfs_db -r -c 'log start /srv/x' /dev/sda1"],
      high: ["xfs_db -x /dev/sda1"] } },
  { id: "disk.guest", names: "guestfish virt-resize", level: "medium", why: "opens a disk of a machine",
    match: { medium: ["guestfish info"] } },
  { id: "disk.image", names: "qemu-img", options: { value: "-f -O -o -S -s -l" },
    rows: [
      { words: "info check map compare measure", level: "low" },
      { words: "create resize convert amend rebase commit bench", level: "medium" },

      { words: "()", level: "medium" },
      { names: "qemu-img", if: " [a-z][a-z0-9+]+:", level: "medium", why: "opens what is no file of this host" },
    ],
    deep: {
      snapshot: { level: "low", rows: [{ unless: "^ snapshot( -[Uq])* (-l|--list) [^-]\\S* $", level: "medium" }] },
      convert: { level: "medium", options: { value: "-f -O -o -S -s -l" }, rows: [{ does: "target-last" }] },
    },
    match: { low: ["qemu-img info x.qcow2"], medium: ["qemu-img", "qemu-img info nbd://backup/x"],
      block: ["qemu-img convert -O raw x.qcow2 /dev/sda"] } },
  { id: "disk.swap", names: "swapon swapoff", level: "medium",
    rows: [
      { words: "-s --show --summary", level: "low" },
      { names: "swapoff",
        probe: { run: "swapon --show", shows: "how much swap is in use", example: ["swapoff -a", "swapon --show"] } },
    ],
    match: { low: ["swapon --show"], medium: ["swapoff -a"] } },
  { id: "disk.sync", names: "sync", level: "low",
    match: { low: ["sync"] } },
  { id: "disk.quota", names: "quota repquota quotacheck quotaon quotaoff edquota setquota", level: "medium",
    rows: [{ names: "quota repquota", level: "low" },
      { names: "repquota", if: " (-\\w*c|--cache) /", level: "medium",
        why: "takes a file for what is asked" }, { names: "quotaon", words: "-p --print-state", level: "low" }],
    match: { low: ["repquota -a"], medium: ["quotaoff -a", "quotacheck -avugm", "setquota -u bob 1 2 3 4 /"] } },
];
