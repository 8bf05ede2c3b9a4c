/** Disks, volumes and file systems. */
import type { Rule } from "../rule.ts";

export const diskRules: readonly Rule[] = [
  {
    id: "disk.format",
    names:
      "mkfs mke2fs mkswap mkfs_xfs newfs mkdosfs mkntfs blkdiscard zerofree scrub nwipe sg_format sg_sanitize sg_write_same sg_unmap sg_write_buffer mkfatfs mkexfatfs mkudffs",
    check: "makeFileSystem",
    examples: {
      high: ["mkswap /swapfile"],
      low: ["mkswap --version"],
      block: ["mkfs.ext4 /dev/sdb1", "mkfs -t ext4 /dev/sda1", "mkfs.ext4 -F /srv/disk.img", "blkdiscard /dev/sdb"],
    },
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
    id: "disk.lvm",
    names: "pvs vgs lvs pvdisplay vgdisplay lvdisplay pvscan vgscan lvscan lvmdiskscan multipath-list dmesg-list",
    level: "low",
    examples: { low: ["lvs", "vgdisplay"] },
  },
  {
    id: "disk.lvm-change",
    names:
      "lvcreate lvextend vgcreate vgextend pvcreate lvchange vgchange pvchange lvresize lvrename vgrename pvresize mdadm-assemble",
    level: "medium",
    // `-l` counts extents here, it lists nothing.
    takes: "-l -L -n -s -a -c -t -m -i -I -p --extents --size --name --snapshot --activate --type",
    when: { high: "-a=n -a=ln --activate=n" },
    examples: {
      medium: ["lvextend -L +10G /dev/vg/data", "lvextend -l +100%FREE vg/data", "vgchange -ay vg"],
      high: ["vgchange -an vg"],
    },
  },
  {
    id: "disk.loop",
    names: "losetup",
    level: "medium",
    takes: "-o -j -O --offset --sizelimit --output --associated",
    when: {
      low: "-l --list -a --all -j --associated -O -J --json",
      medium: "-d --detach -D --detach-all -c --set-capacity -f --find -P --partscan",
    },
    examples: { low: ["losetup -a"], medium: ["losetup -f x.img", "losetup -d /dev/loop5 -a"] },
  },
  {
    id: "disk.lvm-remove",
    names: "lvremove vgremove pvremove lvreduce vgreduce pvmove",
    level: "high",
    examples: { high: ["lvremove -f vg/data"] },
  },
  {
    id: "disk.mdadm",
    names: "mdadm",
    level: "high",
    flags: { block: "--zero-superblock" },
    when: {
      low: "--detail -D --examine -E --query -Q --detail-platform",
      medium: "--add -a --assemble -A --monitor --re-add",
      block: "--zero-superblock --create -C",
    },
    examples: {
      low: ["mdadm --detail /dev/md0"],
      high: ["mdadm --stop /dev/md0"],
      block: ["mdadm --zero-superblock /dev/sdb1"],
    },
  },
  {
    id: "disk.crypt",
    names: "cryptsetup",
    sub: {
      low: "status luksDump isLuks luksUUID",
      medium: "open luksOpen close luksClose resize",
      high: "luksAddKey luksChangeKey luksRemoveKey",
      block: "luksFormat luksErase erase luksKillSlot reencrypt",
    },
    otherSub: "high",
    examples: { low: ["cryptsetup status x"], block: ["cryptsetup luksFormat /dev/sdb"] },
  },
  {
    id: "disk.zfs",
    names: "zfs zpool",
    sub: {
      low: "list get status iostat history diff version",
      medium:
        "set snapshot create mount unmount umount scrub clone online clear share unshare hold release bookmark send add attach",
      high: "destroy rollback receive recv detach offline remove export import labelclear replace promote rename upgrade",
    },
    examples: { low: ["zpool status", "zfs list -t snapshot"], high: ["zfs destroy tank/data"] },
  },
  {
    id: "disk.btrfs",
    names: "btrfs",
    sub: {
      low: "filesystem_show filesystem_df filesystem_usage subvolume_list subvolume_show device_stats device_usage scrub_status balance_status quota_show qgroup_show",
      medium:
        "subvolume_create subvolume_snapshot scrub_start filesystem_sync scrub_cancel quota_enable property_set filesystem_defragment filesystem_resize",
      high: "subvolume_delete device_remove device_delete balance_start check rescue_*",
    },
    otherSub: "high",
    examples: { low: ["btrfs filesystem usage /"], high: ["btrfs subvolume delete /data"] },
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
    id: "disk.targets",
    names: "multipath multipathd iscsiadm dmsetup targetcli kpartx qemu-nbd zramctl",
    level: "medium",
    takes: "-m -p -T -o -n -v --mode --portal --targetname --op",
    when: {
      low: "multipath_-l multipath_-ll multipathd_list kpartx_-l --list ls info status table deps show session discoverydb -P",
      medium:
        "multipath_-f multipath_-r multipath_-a iscsiadm_-l iscsiadm_-R iscsiadm_-o --rescan qemu-nbd_-c --connect qemu-nbd_-d --disconnect kpartx_-a login --login add create",
      high: "-F -u --logout remove remove_all wipe_table suspend delete -D del",
    },
    examples: {
      low: ["multipath -ll", "iscsiadm -m session", "dmsetup ls --tree", "dmsetup info -c -o name"],
      medium: ["iscsiadm -m node -T x -l"],
      high: ["dmsetup remove data"],
    },
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
    id: "disk.ceph",
    names: "ceph rados rbd radosgw-admin cephadm ceph-volume gluster beegfs-ctl lfs drbdadm gfs2_tool",
    takes: "-p -n -c -m --pool --id --name --conf --format -f --cluster",
    sub: {
      low: "status health df version versions osd_tree osd_df osd_stat osd_ls osd_dump osd_perf osd_pool_ls osd_pool_get pg_stat pg_dump* pg_ls* pg_query mon_stat mon_dump mgr_services mgr_dump fs_ls fs_status auth_ls auth_list config_dump config_get log_last quorum_status crash_ls crash_info time-sync-status orch_ls orch_ps orch_host_ls osd_crush_rule_ls osd_crush_rule_dump osd_pool_stats osd_pool_autoscale-status osd_erasure-code-profile_get osd_erasure-code-profile_ls orch_device_ls device_ls lspools ls list info du stat lsblk snap_ls showmapped volume_info volume_status peer_status pool_list inventory bucket_list bucket_stats user_list user_info role cstate dstate dump getstripe quota osd_blocked-by insights features osd_crush_tree osd_find osd_metadata",
      medium: "*",
      high: "osd_purge osd_rm osd_destroy osd_crush_remove osd_crush_rm osd_pool_delete osd_pool_rm osd_crush_rule_rm orch_rm orch_host_rm orch_osd_rm orch_daemon_rm orch_host_drain osd_lost osd_out osd_down fs_rm fs_fail auth_del auth_rm mon_remove mon_rm pg_force* purge rmpool rm cleanup bucket_rm user_rm snap_rm snap_purge snap_rollback trash_rm trash_purge volume_delete volume_stop rm-cluster lvm_zap zap down secondary invalidate wipe-md",
    },
    deep: {
      volume_heal: {
        level: "medium",
        when: {
          low: "info statistics",
          medium: "full enable disable latest-mtime bigger-file source-brick granular-entry-heal",
        },
      },
    },
    noSub: "low",
    examples: {
      low: ["ceph -s", "ceph osd tree", "rbd ls images", "ceph osd pool get rbd size", "gluster volume heal gv0 info"],
      medium: ["ceph osd set noout", "rbd create x --size 10", "gluster volume heal info disable"],
      high: ["ceph osd purge 12 --yes-i-really-mean-it", "ceph osd pool delete a a --yes", "rados purge data"],
    },
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
