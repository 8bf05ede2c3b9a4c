/** Disks, partitions and file systems. */
import type { Rule } from "../rule.ts";

export const diskRules: readonly Rule[] = [
  {
    id: "disk.format",
    names:
      "mkfs mke2fs mkswap mkfs_xfs newfs mkdosfs mkntfs blkdiscard zerofree scrub nwipe sg_format sg_sanitize sg_write_same sg_unmap sg_write_buffer mkfatfs mkexfatfs mkudffs",
    level: "block",
    why: "erases a disk",
    examples: { block: ["mkfs.ext4 /dev/sdb1", "mkfs -t ext4 /dev/sda1", "mkswap /swapfile", "blkdiscard /dev/sdb"] },
  },
  {
    id: "disk.badblocks",
    names: "badblocks",
    level: "medium",
    flags: { high: "-n", block: "-w" },
    why: "reads or tests a whole disk",
    examples: { medium: ["badblocks -sv /dev/sdb"], high: ["badblocks -n /dev/sdb"], block: ["badblocks -w /dev/sdb"] },
  },
  {
    id: "disk.gpt",
    names: "sgdisk",
    level: "high",
    when: {
      low: "-p --print -i --info",
      high: "-d --delete -n --new -N --largest-new -t --typecode -c --change-name -u --partition-guid -U --disk-guid -G --randomize-guids -A --attributes -m --gpttombr -g --mbrtogpt -r --transpose -s --sort -e --move-second-header -l --load-backup -R --replicate -h --hybrid",
      block: "-o --clear -z -Z --zap --zap-all",
    },
    examples: {
      low: ["sgdisk -p /dev/sda"],
      block: ["sgdisk --zap-all /dev/sda"],
      high: ["sgdisk -n 1:0:0 /dev/sda", "sgdisk -p -d 1 /dev/sda"],
    },
  },
  {
    id: "disk.wipefs",
    names: "wipefs",
    level: "low",
    when: { block: "-a --all -o --offset -f --force" },
    examples: { low: ["wipefs /dev/sda"], block: ["wipefs -a /dev/nvme0n1"] },
  },
  {
    id: "disk.hdparm",
    names: "hdparm",
    level: "low",
    when: {
      block:
        "--security-erase --security-erase-enhanced --trim-sector-ranges --make-bad-sector --write-sector --sanitize-block-erase",
      medium: "-S -B -W -M -y -Y",
    },
    examples: { low: ["hdparm -I /dev/sda"], block: ["hdparm --security-erase p /dev/sda"] },
  },
  {
    id: "disk.partition",
    names: "sfdisk",
    level: "high",
    takes: "-N -o -O -X --part-type",
    when: { low: "-l --list -d --dump -J --json -V --verify -s --show-size -F --list-free" },
    check: "partition",
    examples: { low: ["sfdisk -d /dev/sda"], block: ["sfdisk --delete /dev/sda", "sfdisk /dev/sda"] },
  },
  {
    id: "disk.partition-tools",
    names: "fdisk cfdisk gdisk parted partprobe growpart resizepart",
    level: "high",
    takes: "-o",
    when: {
      low: "-l --list print print_* fdisk_-s fdisk_-x growpart_-N partprobe_-d -v --version",
      medium: "partprobe",
      high: "rm rm_* mkpart mkpart_* resizepart resizepart_* name set toggle rescue disk_set",
      block: "mklabel mklabel_* mktable mktable_*",
    },
    check: "parted",
    examples: {
      low: ["fdisk -l", "parted -l", "parted -s /dev/sdb unit s print", "fdisk -s /dev/sda1"],
      block: ["parted /dev/sdb print mkl gpt"],
      high: [
        "fdisk /dev/sda",
        "parted /dev/sdb print 'set 1 boot on'",
        "parted -s /dev/sdb rm 1",
        "parted -s /dev/sdb mkpart primary 0% 100%",
      ],
      medium: ["partprobe"],
    },
  },
  {
    id: "disk.check",
    names: "fsck e2fsck xfs_repair btrfsck debugfs",
    level: "high",
    // `-N` only says which programs it would start.
    when: { low: "-n -h fsck_-N" },
    examples: {
      low: ["fsck -n /dev/sdb1", "fsck -N /dev/sdb1"],
      high: ["fsck -y /dev/sdb1", "e2fsck -y -N x /dev/sdb1"],
    },
  },
  {
    id: "disk.tune",
    names: "resize2fs xfs_growfs tune2fs e2label xfs_admin fstrim",
    level: "medium",
    when: {
      low: "tune2fs_-l xfs_admin_-l xfs_admin_-u xfs_growfs_-n fstrim_-n resize2fs_-P",
      medium:
        "tune2fs_-c tune2fs_-C tune2fs_-e tune2fs_-E tune2fs_-f tune2fs_-g tune2fs_-i tune2fs_-I tune2fs_-j tune2fs_-J tune2fs_-L tune2fs_-m tune2fs_-M tune2fs_-o tune2fs_-O tune2fs_-Q tune2fs_-r tune2fs_-T tune2fs_-u tune2fs_-U tune2fs_-z xfs_admin_-c xfs_admin_-e xfs_admin_-j xfs_admin_-L xfs_admin_-O xfs_admin_-p xfs_admin_-r xfs_admin_-U",
    },
    examples: {
      low: ["tune2fs -l /dev/sda1"],
      medium: ["resize2fs /dev/sdb1", "tune2fs -l -O ^has_journal /dev/sda1", "xfs_admin -U generate -u /dev/sda1"],
    },
  },
  {
    id: "disk.look",
    names: "dumpe2fs xfs_info",
    level: "low",
    examples: { low: ["dumpe2fs -h /dev/sda1", "xfs_info /srv"] },
  },
  {
    id: "disk.megaraid",
    names: "megacli MegaCli megacli64 MegaCli64",
    level: "medium",
    oneDash: true,
    when: {
      low: "-LdInfo -LDInfo -LdPdInfo -PDList -PdList -PDInfo -EncInfo -AdpAllInfo -CfgDsply -ShowSummary",
      high: "-CfgLdDel -CfgClr -CfgForeign -PDOffline -PDMarkMissing -PDClear -PdPrpRmv -LDInit -AdpFacDefSet -AdpFwFlash",
    },
    examples: {
      low: ["megacli -LdInfo -Lall -aALL", "megacli -PDList -aALL"],
      high: ["megacli -CfgLdDel -L0 -a0", "megacli -LdInfo -CfgClr -a0"],
    },
  },
  {
    id: "disk.smart",
    names: "smartctl nvme sas3ircu storcli arcconf ssacli hpssacli",
    when: {
      low: "-a -i -H -A -x -l -c --all --info --health --attributes --scan --xall list id-ctrl id-ns smart-log error-log fw-log list-subsys show-regs version list-ns get-feature LIST show SHOW display DISPLAY",
      medium: "smartctl_-t smartctl_--test smartctl_-X",
      high: "-s offline missing reset subsystem-reset fw-download fw-commit fw-activate ns-rescan del delete",
      block: "format sanitize delete-ns write-zeroes write dsm",
    },
    level: "medium",
    examples: {
      low: ["smartctl -a /dev/sda", "nvme list", "nvme smart-log /dev/nvme0"],
      block: ["nvme format /dev/nvme0n1"],
      medium: ["smartctl -t short /dev/sda"],
    },
  },
  {
    id: "disk.mount",
    names: "mount",
    takes: "-t -o -L -U -O --types --options --source --target",
    check: "mount",
    examples: { low: ["mount"], medium: ["mount /dev/sdb1 /mnt"], high: ["mount -o remount,rw /"] },
  },
  {
    id: "disk.umount",
    names: "umount",
    level: "medium",
    flags: { high: "-f -l -a --force --lazy --all" },
    examples: { medium: ["umount /mnt"], high: ["umount -l /srv"] },
  },
  {
    id: "disk.xfs-db",
    names: "xfs_db",
    level: "high",
    takes: "-c -p -l",
    when: { low: "-r" },
    examples: { low: ["xfs_db -r -c frag /dev/sda1"], high: ["xfs_db -x /dev/sda1"] },
  },
  {
    id: "disk.image",
    names: "qemu-img guestfish virt-resize",
    sub: { low: "info check map compare measure", medium: "create resize convert snapshot amend rebase commit bench" },
    takes: "-f -O -o -S -s -l",
    noSub: "medium",
    deep: { convert: { level: "medium", takes: "-f -O -o -S -s -l", operands: "target-last" } },
    examples: { low: ["qemu-img info x.qcow2"], block: ["qemu-img convert -O raw x.qcow2 /dev/sda"] },
  },
  {
    id: "disk.swap",
    names: "swapon swapoff",
    level: "medium",
    when: { low: "-s --show --summary -s --show --summary" },
    examples: { low: ["swapon --show"], medium: ["swapoff -a"] },
  },
  { id: "disk.sync", names: "sync", level: "low", examples: { low: ["sync"] } },
  {
    id: "disk.quota",
    names: "quota repquota quotacheck quotaon quotaoff edquota setquota",
    level: "medium",
    when: { low: "quota repquota quotaon_-p quotaon_--print-state" },
    examples: { low: ["repquota -a"], medium: ["quotaoff -a", "quotacheck -avugm", "setquota -u bob 1 2 3 4 /"] },
  },
];
