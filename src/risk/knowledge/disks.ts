/** Where data stands: disks, volumes, file systems, and the programs that create, change or delete files. */
import type { Program } from "../program.ts";
import { erases, escapes, onFile } from "./facts.ts";

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
      { if: " -\\w*[WBMAaQJr] ?\\d", level: "medium", why: "changes a setting of the disk" },
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
      { names: "lvm", if: "^ (version|formats|segtypes|tags|help|lvmconfig|dumpconfig|config|fullreport|lvmdiskscan|" +
        "[pvl]gs|[plv]vs|vgs|" +
        "[plv]vdisplay|vgdisplay|[plv]vscan|vgscan)( -\\S+| [\\w/+,.:@=%-]+)* $",
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
        words: "-a -i -H -A -x -l -c -g --get --all --log --capabilities --info --health --attributes --scan " +
          "--scan-open --xall",
        level: "low" },
      { words: "~list ~id-ctrl ~id-ns ~smart-log ~error-log ~fw-log ~list-subsys ~show-regs ~version ~list-ns " +
        "~get-feature ~LIST ~show ~SHOW ~display ~DISPLAY",
        level: "low" },
      { names: "nvme", words: "list-ctrl get-log self-test-log effects-log ana-log endurance-log sanitize-log " +
        "show-hostnqn " +
        "show-topology supported-log-pages resv-report changed-ns-list-log nvm-id-ctrl list-secondary " +
          "primary-ctrl-caps " +
        "intel_smart-log-add intel_temp-stats intel_market-name wdc_vs-smart-add-log wdc_smart-add-log " +
        "pred-lat-event-agg-log predictable-lat-log resv-notif-log list-endgrp lba-status-log id-domain id-iocs " +
        "id-nvmset endurance-event-agg-log fdp_configs fdp_stats fdp_status fdp_usage " +
        "fid-support-effects-log mi-cmd-support-effects-log ns-descs get-ns-id cmdset-ind-id-ns zns_id-ctrl " +
        "zns_id-ns zns_report-zones zns_changed-zone-list ocp_smart-add-log ocp_latency-monitor-log gen-hostnqn",
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

// Volumes made of disks, and disks of other hosts.

// biome-ignore format: filled to the width
export const volumeRules: readonly Program[] = [
  { id: "disk.lvm", names: "pvs vgs lvs pvdisplay vgdisplay lvdisplay pvscan vgscan lvscan lvmdiskscan pvck " +
      "vgck", level: "low",
    rows: [{ words: "--repair --repairtype --updatemetadata -f --file", level: "high", why: "rewrites metadata" }],
    match: { low: ["lvs", "vgdisplay", "vgck vg0"], high: ["pvck --repair -f /srv/x /dev/sdb"] } },
  { id: "disk.lvm-change",
    names: "lvcreate lvextend vgcreate vgextend pvcreate lvchange vgchange pvchange lvresize lvrename vgrename " +
      "pvresize",
    level: "medium",
    options: { value: "-l -L -n -s -a -c -t -m -i -I -p --extents --size --name --snapshot --activate --type" },
    rows: [{ words: "-a=n -a=ln --activate=n", level: "high" }],
    match: { medium: ["lvextend -L +10G /dev/vg/data", "lvextend -l +100%FREE vg/data", "vgchange -ay vg"],
      high: ["vgchange -an vg"] } },
  { id: "disk.loop", names: "losetup", level: "medium",
    options: { value: "-o -j -O --offset --sizelimit --output --associated" },
    rows: [
      { words: "-l --list -a --all -j --associated -O -J --json", level: "low" },
      { if: "^ /dev/loop\\d+ $", level: "low", why: "shows what it holds" },
      { words: "-d --detach -D --detach-all -c --set-capacity -f --find -P --partscan", level: "medium" },
      { if: "\\S \\S", operands: true, level: "medium", why: "sets a device up, whatever it lists" },
    ],
    match: { low: ["losetup -a"], medium: ["losetup -f x.img", "losetup -d /dev/loop5 -a"] } },
  { id: "disk.lvm-remove", names: "lvremove vgremove pvremove lvreduce vgreduce pvmove", level: "high",
    match: { high: ["lvremove -f vg/data"] } },
  { id: "disk.mdadm", names: "mdadm", level: "high",
    rows: [
      { words: "--zero-superblock --create -C", level: "block" },
      { words: "--detail -D --examine -E --query -Q --detail-platform -X --examine-bitmap", level: "low" },
      { words: "--add -a --assemble -A --monitor --re-add", level: "medium" },
    ],
    match: { low: ["mdadm --detail /dev/md0"], medium: ["mdadm --add"], high: ["mdadm --stop /dev/md0"],
      block: ["mdadm --zero-superblock /dev/sdb1"] } },
  { id: "disk.crypt", names: "cryptsetup",
    rows: [
      { words: "status luksDump isLuks luksUUID bitlkDump", level: "low" },
      { words: "open luksOpen close luksClose resize", level: "medium" },
      { words: "luksAddKey luksChangeKey luksRemoveKey", level: "high" },
      ...erases("luksFormat luksErase erase luksKillSlot reencrypt"),
      { words: "*", level: "high" },
    ],
    match: { low: ["cryptsetup status x"], medium: ["cryptsetup open"], high: ["cryptsetup zzz x"],
      block: ["cryptsetup luksFormat /dev/sdb"] } },
  { id: "disk.zfs", names: "zfs zpool",
    rows: [
      { words: "list get status iostat history diff version", level: "low" },
      { words: "holds userspace groupspace projectspace", level: "low" },
      { words: "set snapshot mount unmount umount scrub clone online clear share unshare hold release bookmark " +
        "send attach",
        level: "medium" },
      { words: "destroy rollback receive recv detach offline remove export import labelclear replace promote " +
        "rename upgrade",
        level: "high" },
      { words: "*", level: "medium" },
      { names: "zpool", if: "^ (-\\S+ )*(create|add) ", unless: " -n ", level: "high",
        why: "overwrites the disks that it takes" },
      { names: "zpool", words: "iostat status list",
        ends: { interval: 2, does: "it repeats for ever", instead: "zpool iostat 1 5" } },
    ],
    deep: {
      import: { level: "low", why: "lists the pools that could be imported",
        rows: [{ unless: "^ import( -[dos] \\S+| -D)* $", level: "high", why: "takes a pool" }] },
      send: { level: "medium", rows: [{ words: "-n --dryrun", is: "rehearsal" }] },
      "destroy receive recv": { level: "high", rows: [{ words: "-n", is: "rehearsal" }] },
      // Alone they list.
      "mount share": { level: "low", rows: [{ unless: "^ (mount|share) $", level: "medium" }] },
      allow: { level: "low", rows: [{ unless: "^ allow [^- ]+ $", level: "medium", why: "lets others do something" }] },
      upgrade: { level: "low", rows: [{ unless: "^ upgrade( -v)? $", level: "high",
        why: "changes the format for good" }] },
      events: { level: "low", rows: [
        { words: "-c", level: "medium", why: "forgets the events" },
        { words: "-f", level: "medium", why: "never ends" },
      ] },
    },
    match: { low: ["zpool status", "zfs list -t snapshot", "zpool upgrade", "zfs mount"], medium: ["zfs set",
      "zpool events -c"],
      high: ["zfs destroy tank/data", "zpool create -f tank /dev/sdb"] } },
  { id: "disk.btrfs", names: "btrfs",
    rows: [
      { words: "filesystem_show filesystem_df filesystem_usage fi_show fi_df fi_usage fi_us fi_du sub_list " +
        "sub_show su_list dev_stats dev_usage subvolume_list subvolume_show device_stats device_usage " +
        "filesystem_du inspect-internal_* version help scrub_status balance_status quota_show qgroup_show " +
        "subvolume_get-default subvolume_find-new property_get property_list replace_status quota_status " +
        "filesystem_commit-stats filesystem_sync-status",
        level: "low" },
      { words: "subvolume_create subvolume_snapshot scrub_start filesystem_sync scrub_cancel quota_enable " +
        "property_set filesystem_defragment filesystem_resize",
        level: "medium" },
      { words: "subvolume_delete device_remove device_delete balance_start check rescue_*", level: "high" },
      { words: "*", level: "high" },
      { words: "quota_rescan", level: "low" },
      { words: "quota_rescan", unless: "^ quota rescan (-s|--status) \\S+ $", level: "high" },
      { words: "filesystem_label fi_label", level: "low" },
      { words: "filesystem_label fi_label", unless: "^ (filesystem|fi) label \\S+ $", level: "high" },
    ],
    match: { low: ["btrfs filesystem usage /"], medium: ["btrfs subvolume create"],
      high: ["btrfs subvolume delete /data"] } },
  { id: "disk.targets", names: "multipath multipathd iscsiadm dmsetup targetcli kpartx qemu-nbd zramctl",
    level: "medium", options: { value: "-m -p -T -o -n -v --mode --portal --targetname --op" },
    rows: [
      { words: "--list ~ls ~info ~status ~table ~deps ~show ~session ~discoverydb -P", level: "low" },
      { names: "multipath", words: "-l -ll -t -T", level: "low" },
      { names: "multipath", if: "^( -v ?\\d)* -d( -v ?\\d)* $", level: "low", why: "only says what it would do" },
      { names: "multipathd", if: "^ -k[ =]?(show|list)␠[^ ]+ $", level: "low" },
      { names: "dmsetup", if: "^ (targets|version|udevcookies|splitname \\S+( \\S+)?) $", level: "low" },
      { names: "zramctl", if: "^ *$|^( --(output-all|bytes|noheadings|raw)| (-o|--output)[ =]?\\S+| -[bn]+)* " +
        "(/dev/zram\\d+ )?$", level: "low",
        why: "lists" },
      { names: "multipathd", words: "~list", level: "low" },
      { names: "multipathd", unless: "^ (-k[ =]?)?(show|list)([ ␠](?!.* -k)|$)", level: "medium",
        why: "changes paths" },
      { names: "iscsiadm", if: "^ (-m|--mode)[ =](node|iface|host|fw)( -P \\d)? $", level: "low" },
      { names: "kpartx", words: "-l", level: "low" },
      { words: "--rescan --connect --disconnect ~login --login ~add ~create", level: "medium" },
      { names: "multipath", words: "-f -r -a", level: "medium" },
      { names: "iscsiadm", words: "-l -R -o", level: "medium" },
      { names: "qemu-nbd", words: "-c -d", level: "medium" },
      { names: "kpartx", words: "-a", level: "medium" },
      { words: "-F -u --logout ~remove ~remove_all ~wipe_table ~suspend ~delete -D ~del --exec", level: "high" },
    ],
    match: { low: ["multipath -ll", "iscsiadm -m session", "dmsetup ls --tree", "dmsetup info -c -o name"],
      medium: ["iscsiadm -m node -T x -l"], high: ["dmsetup remove data"] } },
  { id: "disk.ceph", names: "ceph rados rbd radosgw-admin cephadm ceph-volume gluster beegfs-ctl lfs drbdadm gfs2_tool",
    options: { value: "-p -n -c -m --pool --id --name --conf --format -f --cluster" },
    rows: [
      { names: "rados", if: " ls( -\\S+)* [^- ]", level: "medium", why: "writes the list to a file" },
      { words: "status health df version versions osd_tree osd_df osd_stat osd_ls osd_dump osd_perf " +
        "osd_pool_ls osd_pool_get pg_stat pg_dump* pg_ls* pg_query mon_stat mon_dump mgr_services mgr_dump fs_ls " +
        "fs_status config_dump config_get log_last quorum_status crash_ls crash_info time-sync-status orch_ls " +
        "orch_ps orch_host_ls osd_crush_rule_ls osd_crush_rule_dump osd_pool_stats osd_pool_autoscale-status " +
        "osd_erasure-code-profile_get osd_erasure-code-profile_ls orch_device_ls device_ls lspools ls list info " +
        "du stat lsblk snap_ls showmapped volume_info volume_status peer_status pool_list inventory bucket_list " +
        "bucket_stats user_list user_info role cstate dstate dump getstripe quota osd_blocked-by insights " +
        "features osd_crush_tree osd_find osd_metadata osd_blocklist_ls osd_count-metadata osd_crush_class_ls " +
        "osd_crush_class_ls-osd osd_crush_dump osd_crush_get-device-class osd_crush_get-tunable osd_crush_ls " +
        "osd_crush_show-tunables osd_crush_weight-set_ls osd_get-require-min-compat-client osd_getmaxosd " +
        "osd_info osd_lspools osd_map osd_numa-status osd_ok-to-stop osd_pool_get-quota osd_safe-to-destroy " +
        "osd_status osd_utilization osd_versions mds_stat mds_metadata mds_versions mds_ok-to-stop mon_metadata " +
        "mon_versions mon_ok-to-stop mon_ok-to-rm mon_feature_ls fs_dump fs_get fs_feature_ls fs_subvolume_ls " +
        "fs_subvolumegroup_ls mgr_stat mgr_metadata mgr_module_ls mgr_versions pg_map pg_debug " +
        "orch_upgrade_status device_info device_ls-by-host device_ls-by-daemon " +
        "balancer_status balancer_ls balancer_show balancer_eval crash_ls-new crash_stat config_ls config_log " +
        "lvm_list " +
        "config_show telemetry_status node_ls daemon tell sync_status data_sync_status metadata_list usage_show " +
        "role_list gc_list lc_list zone_list zonegroup_list realm_list period_list topic_list reshard_list " +
        "user_stats stat2 lssnap listxattr listomapkeys list-inconsistent-pg list-inconsistent-obj " +
        "list-inconsistent-snapset device_list children diff mirror_pool_status mirror_image_status " +
        "mirror_snapshot_schedule_list mirror_snapshot_schedule_status lock_ls lock_list trash_ls trash_list " +
        "trash_purge_schedule_list trash_purge_schedule_status config_global_list config_global_get " +
        "config_pool_list config_pool_get config_image_list config_image_get image-meta_list image-meta_get " +
        "group_ls group_list group_image_list group_snap_list namespace_list namespace_ls journal_info " +
        "journal_status bucket_limit_check bilog_list datalog_list datalog_status mdlog_list " +
        "mdlog_status log_list log_show sync_error_list reshard_status metadata_sync_status bi_list object_stat " +
        "realm_get zonegroup_get zone_placement_list zonegroup_placement_list role_get pools_list",
        level: "low" },
      { words: "health_mute health_unmute insights_prune-health orch_upgrade_check", level: "medium" },
      { words: "auth_ls auth_list auth_get auth_export auth_print-key auth_print_key auth_get-key " +
        "auth_get-or-create auth_get-or-create-key osd_purge osd_rm osd_destroy osd_crush_remove osd_crush_rm " +
        "osd_pool_delete osd_pool_rm osd_crush_rule_rm orch_rm orch_host_rm orch_osd_rm orch_daemon_rm " +
        "orch_host_drain osd_lost osd_out osd_down fs_rm fs_fail auth_del auth_rm mon_remove mon_rm pg_force* " +
        "purge rmpool rm cleanup bucket_rm user_rm snap_rm snap_purge snap_rollback trash_rm trash_purge " +
        "volume_delete volume_stop rm-cluster lvm_zap zap down secondary invalidate wipe-md",
        level: "high" },
      { words: "()", level: "low" },
      { names: "ceph gluster", if: "^ *$", level: "medium", why: "opens a console" },
      { names: "ceph", words: "daemon tell",
        unless: " (daemon|tell) \\S+ (ops|dump_\\S+|status|version|help|heap stats|perf (dump|schema|histogram " +
          "dump)|config (show|get|diff|help)|session ls|client ls|cache status|damage ls|scrub " +
          "status|mon_status|quorum_status|objecter_requests|list_watchers|get_mapped_pools|bluefs stats)( |$)",
        level: "medium", why: "may change the daemon" },
      { names: "ceph",
        ends: { endless: "-w --watch --watch-debug --watch-info --watch-warn --watch-error",
          does: "it follows the cluster's log for ever", instead: "ceph log last 50" } },
      { words: "pg", level: "low" },
      { words: "pg", level: "medium",
        unless: " pg ([\\da-f]+\\.[\\da-f]+ (query|list_unfound)|stat|map|dump\\w*|ls[\\w-]*|query|debug) " },
      { words: "orch_status progress progress_json device_get-health-metrics telemetry_show telemetry_preview " +
        "osd_getmap osd_getcrushmap mon_getmap nfs_cluster_ls nfs_cluster_info nfs_export_ls service_status " +
        "service_dump report osd_pool_application_get fs_perf_stats rbd_perf_image_stats " +
        "mds_compat_show", level: "low" },
      { words: "raw_list", level: "low" },
      { words: "list-networks gather-facts check-host logs", level: "low" },
      { words: "sh-resources sh-resource sh-dev sh-minor sh-ll-dev sh-md-dev sh-md-idx show-gi get-gi " +
        "dump-md", level: "low" },
      { names: "drbdadm", words: "-d --dry-run", is: "rehearsal" },
      { words: "volume_list volume_get volume_help snapshot_list snapshot_info snapshot_status volume_rebalance " +
        "volume_remove-brick volume_quota volume_bitrot volume_profile volume_geo-replication " +
        "volume_top", level: "low" },
      { words: "volume_rebalance volume_remove-brick volume_quota volume_bitrot volume_profile " +
        "volume_geo-replication " +
        "volume_top", level: "medium",
        unless: " volume (rebalance \\S+ status|remove-brick \\S+( \\S+:\\S+)+ status|quota \\S+ list( \\S+)*|" +
          "bitrot \\S+ scrub status|profile \\S+ info|geo-replication( \\S+){0,2} status( detail)?|" +
          "top \\S+ (open|read|write|opendir|readdir)( (brick|list-cnt) \\S+)*) $" },
      { words: "progress", unless: " progress (json )?$", level: "medium" },
      { words: "osts mdts getdirstripe path2fid fid2path hsm_state pool_list", level: "low" },
    ],
    deep: {
      volume_heal: { level: "medium",
        rows: [
          { words: "~info ~statistics", level: "low" },
          { words: "~full ~enable ~disable ~latest-mtime ~bigger-file ~source-brick ~granular-entry-heal",
            level: "medium" },
        ] },
    },
    match: {
      low: ["ceph -s", "ceph daemon osd.1 dump_historic_ops", "ceph osd tree", "rbd ls images",
        "ceph osd pool get rbd size", "gluster volume heal gv0 info"],
      medium: ["ceph osd set noout", "ceph daemon osd.1 config set a b", "rbd create x --size 10",
        "gluster volume heal info disable"],
      high: ["ceph osd purge 12 --yes-i-really-mean-it", "ceph osd pool delete a a --yes", "rados purge data"] } },
];

// Programs that create, change or delete files, disks and file systems.

// biome-ignore format: filled to the width
export const filePrograms: readonly Program[] = [
  { id: "file.remove", names: "rm unlink shred srm wipe trash-put rimraf safe-rm",
    options: { value: "-n -s --iterations --size --random-source" },
    rows: [
      { if: " --no-p[a-z-]* ", level: "block", why: "--no-preserve-root is meant for deleting the whole system" },
      { if: "^ *$", operands: true, level: "high", why: "deletes what it is given" },
      { does: "delete" },
      { names: "rm unlink shred", is: "names" },
      { names: "rm", if: " -\\w*[rR]| --recursive ",
        probe: { run: "du -ach --apparent-size -- $*", shows: "what would be deleted, with sizes",
          example: ["rm -rf /var/cache/app/*.tmp", "du -ach --apparent-size -- /var/cache/app/*.tmp"] } },
      { names: "rm unlink shred",
        probe: { run: "ls -ldh -- $*", shows: "what would be deleted, with sizes",
          example: ["rm '/srv/my file' /srv/b", "ls -ldh -- '/srv/my file' /srv/b"] } },
    ],
    match: { high: ["rm -rf /var/lib/app/cache", "rm /tmp/x"],
      block: ["rm -rf /", "rm -rf /tmp/../etc", "shred -u /var/log/auth.log", "rm -rf ~", "rm -rf /{etc,usr}"] } },
  { id: "file.rmdir", names: "rmdir", level: "medium",
    rows: [{ is: "names" }],
    match: { medium: ["rmdir /opt/old"] } },
  { id: "file.truncate", names: "truncate", options: { value: "-s -r --size --reference" },
    rows: [
      { does: "write" },
      { probe: { run: "ls -lh -- $*", shows: "the files with their sizes",
        example: ["truncate -s 0 /srv/data/queue.dat", "ls -lh -- /srv/data/queue.dat"] } },
    ],
    match: { high: ["truncate -s 0 /srv/data/queue.dat"], block: ["truncate -s 0 /var/log/auth.log"] } },
  { id: "file.create", names: "mkdir mktemp mkfifo mknod", level: "medium",
    options: { value: "-m -t --mode --tmpdir --suffix" },
    rows: [{ names: "mktemp", prints: "temporary" }, { names: "mkdir", is: "names" }],
    match: { medium: ["mkdir -p /opt/app/releases/42"] } },
  { id: "file.touch", names: "touch", level: "medium", options: { value: "-d -t -r --date --reference --time" },
    rows: [{ does: "touch" }, { is: "names" }],
    match: { medium: ["touch /tmp/maintenance.flag"], high: ["touch /etc/cron.d/x"] } },
  { id: "file.copy", names: "cp install", level: "medium",
    options: { value: "-t -S -m -o -g --target-directory --suffix --mode --owner --group" },
    rows: [
      { names: "install",
        if: "^(?=.* (?:-\\w*m|--mode)[ =]?[2467][0-7]{3} ).* " +
          "\\S*/((ba|da|z|k|a)?sh|(python|perl|ruby|node|php|vim?|find|awk|env|less|nano|cp|tar)[\\d.]*) ",
        level: "block", why: "installs a shell with the set-user-id bit" },
      { names: "install", if: " (-\\w*m|--mode)[ =]?[2467][0-7]{3} ", level: "high",
        why: "installs a program with the set-user-id bit" },
      { does: "target-last" },
      { names: "install", is: "names" },
    ],
    match: { medium: ["cp /etc/nginx/nginx.conf /etc/nginx/nginx.conf.bak"], high: ["cp x /etc/passwd"],
      block: ["cp disk.img /dev/sda", "cp /etc/shadow /tmp/s"] } },
  { id: "file.move", names: "mv rename prename", level: "medium",
    options: { value: "-t -S --target-directory --suffix" },
    rows: [{ does: "move" }, { names: "mv", is: "names" }],
    match: { medium: ["mv /opt/app/current /opt/app/previous"],
      block: ["mv /etc /tmp/x", "mv /var/log/auth.log /tmp/"] } },
  { id: "file.link", names: "ln link", level: "medium", options: { value: "-t -S --target-directory --suffix" },
    rows: [{ does: "link" }],
    match: { medium: ["ln -sfn /opt/app/releases/42 /opt/app/current"], high: ["ln -sf /tmp/x /etc/passwd"] } },
  { id: "file.tee", names: "tee sponge", level: "low",
    rows: [
      { if: " (-[a-z]*a[a-z]*|--append) ", does: { is: "appends", input: true } },
      { unless: " (-[a-z]*a[a-z]*|--append) ", does: { is: "writes", input: true } },
      { prints: "stdin" }, { names: "tee", is: "plain" },
    ],
    match: { low: ["tee"], medium: ["tee -a /etc/motd"], high: ["tee /etc/hosts"], block: ["tee /dev/sda"] } },
  { id: "file.mode", names: "chmod chown chgrp setfacl chattr chcon restorecon setcap",
    options: { flag: "--recursive", value: "-m -x -M -X -t -u -l --reference --from" }, check: "chmod",
    rows: [
      { names: "chmod chown chgrp chattr setfacl chcon restorecon", is: "names" },
      { names: "chmod chown chgrp", unless: " -\\w*R| --recursive | --reference",
        probe: { run: "ls -ld -- $2+", shows: "the files with their modes and owners now",
          example: ["chmod 640 /etc/app/app.conf", "ls -ld -- /etc/app/app.conf"] } },
    ],
    match: { medium: ["chmod 640 /etc/app/app.conf", "chown app:app /var/log/app/app.log"],
      high: ["chmod -R 755 /srv/app", "chmod u+s /opt/app/bin/tool"],
      block: ["chmod u+s /bin/bash", "chmod -R 777 /", "chown -R nobody:nogroup /"] } },
  { id: "file.tar", names: "tar gtar bsdtar star",
    options: { flag: "--create --append --update --extract --get --list --remove-files",
      value: "-f -C -I -F -b -K -N -V -L --file --directory --exclude --checkpoint-action --to-command " +
        "--use-compress-program --info-script --new-volume-script --rsh-command --transform --strip-components " +
        "--owner --group --mode --newer",
      "path-read": "-T -X --files-from --exclude-from", "path-write": "--index-file" },
    check: "tar",
    rows: [
      { words: "-F --info-script --new-volume-script --rsh-command -T --files-from -X --exclude-from -g " +
        "--listed-incremental",
        level: "medium" },
      { names: "tar gtar", if: "( |^)-?\\w*f [^/ ]+:| --file[= ][^/ ]+:", unless: " --force-local ", level: "medium",
        why: "asks another host for the archive" },
      { names: "tar", if: "^-?[a-zA-Z]*c", is: "walks" }, { names: "tar", is: "names" },
    ],
    match: { low: ["tar tzf x.tgz"], high: ["tar tf x.tar --index-file=/etc/hosts"],
      medium: ["tar tf backup:x.tar", "tar tf x.tar -T names.txt", "tar czf /tmp/x.tgz /opt/app",
        "tar xzf x.tgz -C /opt/app"],
      block: ["tar cf /dev/null x --checkpoint=1 --checkpoint-action=exec='rm -rf /'"] } },
  { id: "file.cpio", names: "rpm2cpio", level: "low",
    rows: [{ does: "read" }],
    match: { low: ["rpm2cpio a.rpm"], block: ["rpm2cpio /etc/shadow"] } },
  { id: "file.cpio-archive", names: "cpio", level: "medium",
    options: { value: "-C -H -M -R --block-size --format --message --owner", "path-read": "-E -I --pattern-file",
      "path-write": "-F -O --file", argv: "--rsh-command" },
    rows: [
      { if: " (-\\w*t\\w*|--list) ", unless: " (-[a-zA-Z]*[op]|--(create|pass-through|rsh-command))", level: "low" },
      { if: " -\\w*[IF] ?[^/ ]+:", level: "medium", why: "asks another host for the archive" },
    ],
    match: { low: ["cpio -t", "cpio -itv"], medium: ["cpio -id"] } },
  { id: "file.zip", names: "zip rar pax", level: "medium",
    options: { value: "-TT -o -F -O", argv: "--unzip-command" },
    rows: [
      { does: "read" },
      escapes,
      { does: { is: "runs-text", after: "-TT", level: "high", why: "runs a command given in an option" } },
    ],
    match: { medium: ["zip -r x.zip dir"] } },
  { id: "file.archive", names: "7z 7za 7zr unrar ar",
    rows: [
      { words: "l lb t tv v vb p", level: "low" },
      { words: "()", level: "low" },
      { if: " @", level: "medium", why: "takes names from a file" },
      { does: "read-members" },
      escapes,
    ],
    match: { low: ["7z l x.7z", "unrar t x.rar", "ar t x.a"], medium: ["7z x l", "unrar x t", "ar r x.a x.o"] } },
  { id: "file.unzip", names: "unzip", level: "medium", options: { value: "-d -x -P" },
    rows: [
      { words: "-l -t -p -v -Z", level: "low" },
      { does: "read-members" },
      { probe: { run: "unzip -l $1", shows: "what the archive holds",
        example: ["unzip -o release.zip -d /srv/app", "unzip -l release.zip"] } },
    ],
    match: { low: ["unzip -l"], medium: ["unzip x.zip -d /opt/x"] } },
  { id: "file.compress",
    names: "gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 pigz unpigz compress uncompress lzma unlzma brotli",
    level: "medium", options: { value: "-S -T --suffix --threads", "path-write": "-o --output" },
    rows: [
      { words: "-l -c -t --list --stdout --to-stdout --test", level: "low" },
      { does: "read" },
      { names: "gunzip", prints: "decoding" }, { names: "gzip bzip2 xz zstd", prints: "unpack" },
    ],
    match: { low: ["gunzip -c access.log.gz", "gzip -l x.gz"], medium: ["gzip /var/log/app/app.log.1"],
      high: ["zstd -c x -o /etc/hosts"] } },
  { id: "file.zipinfo", names: "zipinfo zipgrep", level: "low", rows: [{ does: "read-members" }],
    match: { low: ["zipinfo x.zip"] } },
  { id: "file.dd", names: "dd dcfldd dc3dd sg_dd sgp_dd sgm_dd", check: "dd",
    rows: [
      { names: "dc3dd dcfldd", if: " h?wipe=", level: "block", why: "erases a disk" },
      { names: "dc3dd dcfldd", if: " (h?ofs?|\\w*log):?=", level: "medium", why: "writes what it says" },
      { names: "dd", prints: "stdin" },
    ],
    match: { low: ["dd if=/dev/zero of=/dev/null bs=1M count=10"], medium: ["dd if=/tmp/a.img of=/tmp/t bs=1M"],
      high: ["dd if=/dev/zero of=/srv/t bs=1M", "dd if=/dev/zero of=/tmp/t bs=1M count=10"],
      block: ["dd if=/dev/zero of=/dev/sda bs=1M"] } },
  { id: "file.patch", names: "patch ed ex vi vim nvim nano emacs pico joe mcedit view vimdiff rvim rview",
    level: "medium", options: { value: "-p -d -c --cmd", "path-read": "-i --input", script: "-S -s -u -l --load" },
    rows: [
      { does: "edit" },
      escapes,
      { names: "ex vi vim nvim view vimdiff rvim rview emacs",
        does: { is: "runs-text", all: true, level: "high", why: "runs a command given in an option",
          if: "(?:system(?:list)?|termopen|jobstart|os\\.execute|shell-command|call-process)" +
            "[(\\s\\[]*['\"]([^'\"]+)['\"]" } },
      { names: "emacs", does: { is: "deletes", all: true,
        if: "\\b(?:delete-(?:directory|file)|move-file-to-trash)\\s+\"([^\"]+)\"" } },
      { names: "patch",
        probe: { run: "$0 --dry-run $@", shows: "whether the patch applies",
          example: ["patch -p1 -i fix.diff", "patch --dry-run -p1 -i fix.diff"] } },
    ],
    match: { medium: ["vim /opt/app.conf"], high: ["nano /etc/passwd"],
      block: ["vim /etc/shadow", "nvim -c 'call system(\"rm -rf /etc\")'"] } },
  { id: "file.logrotate", names: "logrotate savelog", level: "medium", why: "rotates logs; the oldest are deleted",
    options: { "path-write": "-s --state -l --log" },
    rows: [
      { words: "-d --debug", level: "low" },
      { names: "logrotate", if: " (-f|--force) ",
        probe: { without: "^(-s|--state)(=.*)?$", run: "$0 -d $@", shows: "what would be rotated",
          example: ["logrotate -f -s /srv/state /etc/logrotate.d/nginx", "logrotate -d -f /etc/logrotate.d/nginx"] } },
      { names: "logrotate",
        probe: { run: "$0 -d $@", shows: "what would be rotated",
          example: ["logrotate /etc/logrotate.d/nginx", "logrotate -d /etc/logrotate.d/nginx"] } },
    ],
    match: { low: ["logrotate -d /etc/logrotate.conf"], medium: ["logrotate -f /etc/logrotate.d/nginx"] } },
  { id: "file.inotify", names: "inotifywait inotifywatch fatrace fswatch", level: "low",
    rows: [
      { names: "inotifywait", is: "names" },
    ],
    match: { low: ["inotifywait -m /var/log"] } },
  { id: "file.rsync", names: "rsync rclone-sync",
    options: {
      flag: "--delete --delete-before --delete-after --delete-during --delete-excluded --delete-delay " +
        "--remove-source-files",
      value: "-e -f -T -B -M --rsh --rsync-path --exclude --include --bwlimit --timeout --port --chmod --chown " +
        "--backup-dir --partial-dir --compare-dest --link-dest --temp-dir --filter --out-format --max-size " +
        "--min-size",
      "path-read": "--exclude-from --include-from --files-from", secret: "--password-file",
      "path-write": "--log-file --write-batch --only-write-batch" },
    check: "rsync",
    rows: [
      // It reads rules from a file.
      { if: " (-\\w*?f(?! ?=?[-+]␠)|--filter[ =](?![-+]␠))", level: "medium" },
      { names: "rsync", reach: { kind: "copy", stays: "-n --dry-run --list-only" } },
      { names: "rsync", is: "names" },
      { names: "rsync",
        probe: { run: "$0 --dry-run --itemize-changes $@", shows: "which files would change",
          example: ["rsync -a --delete /srv/a/ /srv/b/",
            "rsync --dry-run --itemize-changes -a --delete /srv/a/ /srv/b/"] } },
    ],
    match: { low: ["rsync -an /src/ /dst/"], medium: ["rsync -a /src/ /dst/", "rsync -n --filter='merge rules' a b"],
      high: ["rsync -a --delete /src/ /dest/"], block: ["rsync /etc/shadow host:/tmp/"] } },
];
