/** Volumes made of disks, and disks of other hosts. */
import type { Program } from "../program.ts";
import { erases } from "./facts.ts";

// biome-ignore format: filled to the width
export const volumeRules: readonly Program[] = [
  { id: "disk.lvm", names: "pvs vgs lvs pvdisplay vgdisplay lvdisplay pvscan vgscan lvscan lvmdiskscan", level: "low",
    match: { low: ["lvs", "vgdisplay"] } },
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
      { words: "-d --detach -D --detach-all -c --set-capacity -f --find -P --partscan", level: "medium" },
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
      { words: "status luksDump isLuks luksUUID", level: "low" },
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
      { names: "dmsetup", if: "^ (targets|version) $", level: "low" },
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
        "role_list gc_list lc_list zone_list zonegroup_list realm_list period_list topic_list reshard_list user_stats",
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
