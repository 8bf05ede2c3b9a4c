/**
 * What only reads of tools of the shape `TOOL NOUN VERB` whose name begins with N to Z, from their own help: each sub-command by itself, since a
 * verb that reads for one tool acts for another. What stands behind it is a name.
 */
import type { Reads, ReadTable } from "../../reads.ts";

/** Sub-commands that look up what they are given, with options of the whole tool. */
export const looks = (sub: string, options = "", more: Reads["sub"] = {}): Reads => ({
  options,
  sub: { [sub]: { names: true }, ...more },
});
/** For a tool whose only reads are its version and its help. */
const nothing: Reads = { sub: {} };

const table = "-o= --output= -f= --format= --json -q --quiet -v --verbose";
const kubernetes = "-n= --namespace= -A --all-namespaces -o= --output= -l= --selector= --context=";

/** Of these tools every sub-command prints its help with `--help` and does nothing else. */
const honorsHelp = new Set(
  (
    "oci openstack scw vultr-cli ovhai railway netlify wrangler rclone restic s5cmd nomad odo okteto opa pluto polaris rancher " +
    "rosa skaffold talosctl tkn trivy tsuru vcluster velero virtctl vault openbao op step multipass limactl lxc incus govc " +
    "nats pulsar-admin rpk temporal vtctldclient mmctl occ sentry-cli mlflow prefect ray tailscale netbird nmstatectl " +
    "pro ua rpm-ostree ostree fwupdmgr samba-tool subscription-manager rustup pixi pulumi terragrunt"
  ).split(" "),
);

// biome-ignore format: filled to the width
const listed: ReadTable = {
  // Clouds.
  "oci": { options: `${table} -c= --compartment-id= --all --query= --limit= --sort-by= --lifecycle-state= --display-name= --profile= ` +
    "--region= --instance-id= --bucket-name= -bn= --namespace-name= --name= --status= --sort-order= --page-size= " +
    "--availability-domain= --vcn-id= --cluster-id= --alarm-id= --start-time= --end-time= --output=", names: true },
  nova: looks("list show flavor-list image-list service-list hypervisor-list hypervisor-show hypervisor-stats usage " +
    "usage-list " +
    "server-migration-list availability-zone-list instance-action-list instance-action server-group-list quota-show " +
    "console-log",
    "--all-tenants --host= --status= --fields="),
  openstack: { options: "-f= --format= -c= --column= --long --all-projects --project= --status= --host= " +
    "--sort-column= --limit= --lines= --server= " +
    "--marker= --changes-since= --os-cloud= --name= --image= --flavor= --ip= --network= --service=", names: true,
    sub: { "catalog_list catalog_show": { names: true } } },
  scw: { options: `${table} --name= --project-id= --zone= --region= -p= --text --all`, names: true },
  "vultr-cli": looks("account bare-metal_list block-storage_list block-storage_get database_list database_get " +
    "dns_domain_list dns_record_list " +
    "firewall_group_list firewall_rule_list instance_list instance_get kubernetes_list kubernetes_get " +
    "network_list object-storage_list os_list plans_list regions_list snapshot_list ssh-key_list version " +
    "vpc_list", "-o= --output="),
  ovhai: looks("app_get app_list app_logs capabilities data_list datastore_list job_get job_list job_logs me me_get " +
    "notebook_get notebook_list " +
    "registry_list version", "-o= --output="),
  railway: looks("list status whoami logs", "--json --service= -s= --environment= -e= -d --deployment -b --build"),
  render: { names: /^(list|services|deploys|projects|environments|whoami|\w+-\w+)$/, options: "-o= --output= " +
    "--confirm=false",
    sub: { "services_list deploys_list environments_list projects_list whoami": { names: true } } },
  netlify: looks("status sites:list functions:list watch", "--json --verbose"),
  wrangler: looks("whoami deployments_list deployments_status deployments_view versions_list versions_view " +
    "kv_namespace_list kv_key_list " +
    "kv:namespace_list kv:key_list r2_bucket_list r2_bucket_info d1_list d1_info d1_migrations_list queues_list " +
    "queues_info secret_list " +
    "pages_project_list pages_deployment_list hyperdrive_list hyperdrive_get vectorize_list",
    "--env= -e= --name= --json --remote --namespace-id= --binding= --project-name= --version"),
  // Storage and backups.
  rclone: { names: /^[\w-]+:[^:]*$|^\/|^(about|check|hashsum|listremotes|ls|lsd|lsf|lsjson|lsl|md5sum|ncdu|sha1sum|size|tree|version|md5|sha1)$/,
    options: "--include= --exclude= --max-depth= -R --recursive --fast-list --json -v -vv --size-only --one-way " +
      "--long --max-age= " +
      "--min-age= --human-readable --files-only --dirs-only -F= --format= --s= --checksum --full --download " +
      "--progress -P --dry-run " +
      "-h --help --checkers= --transfers= --tpslimit= --tpslimit-burst= --bwlimit= --timeout= --contimeout= " +
      "--retries= --retries-sleep= --low-level-retries= --log-level= --stats= --stats-one-line " +
      "--stats-one-line-date --stats-unit= --use-json-log -q --quiet --no-traverse --no-modtime " +
      "--no-mimetype --original --stat --hash --hash-type= --csv -d --dir-slash --absolute -s= --separator= " +
      "--encrypted -M --metadata --min-size= --max-size= --ignore-case --use-mmap --buffer-size= " +
      "--modify-window= --order-by= --max-backlog= --dirsfirst --full-path --level= -D --noindent " +
      "--noreport -Q --quote --sort= --sort-ctime --sort-modtime --sort-reverse -U --unsorted --color -n",
    sub: { "about check hashsum lsd lsf lsjson lsl ls md5sum sha1sum size tree version listremotes": {
      names: /^[\w-]+:[^:]*$|^[\w./-]+$/ } } },
  restic: looks("snapshots stats check find ls diff list_snapshots list_packs list_index list_blobs list_locks " +
    "version key_list features " +
    "cache cat_config",
    "-r= --repo= --json --latest= -H= --host= --tag= --path= --mode= --read-data --read-data-subset= --no-lock " +
    "--no-cache -q --quiet " +
      "-v --verbose -l --long -c --compact -g= --group-by= -n --dry-run --password-file= -p= --recursive " +
      "--human-readable " +
      "--limit-download= --limit-upload= --key-hint= -h --help"),
  mc: { options: "--json --quiet -q --no-color -r --recursive --versions --summarize --depth= -d= --name= --older-than= --newer-than= " +
    "--larger= --smaller= --maxdepth= --regex= --count= -c= --exit -x --interval= --incomplete -I --storage-class= --rewind=" },
  "rdiff-backup": looks("list info compare", "--api-version= -v= --verbosity= --parsable-output"),
  s3cmd: looks("ls la du info", "-H --human-readable-sizes -r --recursive -l --long-listing --no-progress -q " +
    "--list-md5 " +
      "-h --help --limit= --region="),
  s5cmd: looks("ls du head version", "-H --humanize -e --etag -g --group -s --storage-class --json --numworkers= " +
    "--show-fullpath"),
  swift: looks("list stat capabilities info", "-l --lh --long -p= --prefix= -d= --delimiter= --totals -t " +
      "--version -h --help -q --quiet"),
  tarsnap: { options: "--list-archives --print-stats -v -t -f= --version --humanize-numbers" },
  "proxmox-backup-client": looks("list status files snapshot_list snapshot_files snapshot_notes_show version " +
    "task_list task_log namespace_list " +
    "group_list", "--output-format= --ns="),
  urbackupclientctl: looks("list browse status list-backupdirs", "-b="),
  timeshift: { options: "--list --list-snapshots --list-devices --version --help" },
  // Clusters.
  nomad: looks("status job_status job_history job_deployments job_allocs job_inspect job_plan job_validate " +
    "job_periodic_list node_status server_members " +
    "alloc_status alloc_logs deployment_status deployment_list eval_status eval_list agent-info namespace_list " +
    "namespace_status volume_status " +
    "version operator_raft_list-peers operator_autopilot_get-config operator_autopilot_health " +
    "operator_scheduler_get-config plugin_status " +
    "quota_list quota_status service_list service_info node-pool_list node_pool_list " +
    "scaling_policy_list license_get alloc_checks acl_policy_list recommendation_list sentinel_list " +
    "operator_snapshot_inspect job_scaling-events",
    "-json -verbose -short -stats -self -namespace= -region= -t= -all-allocs -allocs -per-page= -page-token= " +
    "-filter= -stderr -stdout " +
      "-tail -n= -c= -f -job -task= -no-color -p -full -detailed -evals -latest -os -quiet -monitor",
    { "exec alloc_exec": { options: "-i= -t= -e= -group=", names: true } }),
  odo: looks("list version describe_component analyze registry", "-o= -n= --namespace= --name="),
  okteto: looks("version context_list context_show namespace_list preview_list endpoints logs", "-n= --namespace= " +
    "-o= --output= --tail="),
  opa: looks("version capabilities check", "-s --strict --format= -f="),
  pluto: { names: /^(detect-files|detect-helm|detect-all-in-cluster|detect-api-resources|list-versions|version)$/,
    sub: { "detect-files detect-helm detect-all-in-cluster detect-api-resources list-versions version": {
      options: "-o= --output= -n= --namespace= -t= --target-versions= -d= --directory= --kube-context= -v= " +
        "--ignore-deprecations" } } },
  polaris: { sub: { version: {}, audit: { options: "--format= --audit-path= --only-show-failed-tests " +
    "--set-exit-code-on-danger " +
    "--set-exit-code-below-score= --namespace= --severity=" } } },
  rancher: { options: "--format= -q --quiet -a",
    sub: { ["clusters_ls nodes_ls projects_ls namespaces_ls settings_ls apps_ls inspect context_current " +
      "catalog_ls"]: { names: true },
      "clusters nodes ps projects namespaces": {} } },
  rke: looks("version", ""),
  rke2: looks("etcd-snapshot_ls etcd-snapshot_list secrets-encrypt_status certificate_check", "--version -v"),
  rosa: looks("list_clusters list_machinepools list_upgrades list_users list_idps list_ingresses list_addons " +
    "list_versions list_regions " +
    "list_instance-types list_operator-roles list_account-roles list_oidc-config list_oidc-providers list_gates " +
    "list_accessrequests " +
    "list_tuning-configs describe_cluster describe_machinepool describe_addon describe_upgrade describe_ingress " +
    "whoami version verify_quota " +
    "verify_permissions logs_install logs_uninstall", "-c= --cluster= -o= --output= --region= --profile= --tail="),
  skaffold: looks("version diagnose config_list schema_list inspect_modules_list inspect_profiles_list " +
    "inspect_build-env_list",
    "-f= --filename= -p= --profile= -a --all --yaml-only"),
  talosctl: looks("health version containers dmesg events list ls logs memory mounts netstat ss processes service " +
    "services stats time " +
    "usage disks members get config_info config_contexts cgroups etcd_members etcd_status etcd_alarm_list " +
    "image_list interfaces",
    "-n= --nodes= -e= --endpoints= --context= --cluster= -o= --output= --tail= -k --kubernetes -l --long -H " +
    "--humanize -d= -r -i " +
      "-a --all -s= --sort= --since= --duration= --namespace= --insecure --server=false --wait-timeout= " +
      "--control-plane-nodes= --worker-nodes= --init-node= --k8s-endpoint="),
  telepresence: looks("list status version", "-n= --namespace= --output="),
  tilt: looks("get describe version doctor api-resources explain", "-o= --output= -l= --port= --host=", { analytics: {} }),
  tkn: looks("pipeline_list pipeline_describe pipeline_logs pipelinerun_list pipelinerun_describe pipelinerun_logs " +
    "task_list task_describe " +
    "task_logs taskrun_list taskrun_describe taskrun_logs clustertask_list eventlistener_list " +
    "eventlistener_describe triggertemplate_list " +
    "triggerbinding_list version pr_list pr_describe pr_logs tr_list tr_describe tr_logs p_list t_list hub_search " +
    "bundle_list",
    `${kubernetes} --limit= --label= -L --last --no-headers --reverse --all -a`),
  trivy: { options: "--cache-ttl= --debug -d --exit-code= --format= -f= --ignore-unfixed --light --list-all-pkgs " +
    "--no-progress " +
      "--offline-scan -q --quiet --scanners= --security-checks= -s= --severity= --skip-db-update " +
      "--skip-java-db-update --skip-update " +
      "--timeout= --vuln-type= --pkg-types= --version -v",
    sub: { "image i filesystem fs rootfs config": { names: /^[\w./:@-]+$/ }, "version": {} } },
  tsuru: looks("app-list app-info app-log app_list app_info app_log unit-list unit_list node-list node_list " +
    "pool-list pool_list platform-list " +
    "platform_list service-list service_list service_info team-list team_list user-list user_list user-info " +
    "user_info target-list target_list " +
    "version event-list event_list event_info plan-list plan_list", "-a= --app= -l= -n= -q"),
  vcluster: looks("list ls version describe", "-n= --namespace= --output= --driver="),
  velero: looks("backup_get backup_describe backup_logs restore_get restore_describe restore_logs schedule_get " +
    "schedule_describe backup-location_get " +
    "snapshot-location_get plugin_get repo_get get_backups get_backup get_restores get_restore get_schedules " +
    "get_schedule get_backup-locations " +
    "get_snapshot-locations get_plugins describe_backups describe_backup describe_restores describe_restore " +
    "describe_schedules " +
    "describe_schedule version backup_delete",
    `${kubernetes} --details --insecure-skip-tls-verify --show-labels --client-only --colorized= --timeout=`),
  virtctl: looks("fslist guestosinfo userlist version vm_list permitted-devices", "-n= --namespace= -o= --output= " +
    "--client",
    { ssh: { options: "-c= --command= -l= --username= -i= --identity-file= -p= --port= -t= --local-ssh-opts= --known-hosts= --local-ssh" } }),
  waypoint: { names: true, options: "-h -help --version", sub: { ["version status context_list context_verify " +
    "project_list deployment_list " +
    "build_list artifact_list-builds runner_list workspace_list logs"]: {} } },
  werf: looks("version helm_list helm_status helm_history helm_get_notes helm_ls config_list config_graph host_df",
    "--env= -n= --namespace= --dev"),
  serf: looks("members info reachability rtt version", "-format= -detailed -status= -name= -tag= -role= -verbose"),
  // Secrets: nothing that shows one.
  "vault openbao": looks("status token_lookup token_capabilities version operator_diagnose operator_members " +
    "operator_raft_list-peers " +
    "operator_raft_autopilot_state operator_raft_autopilot_get-config operator_key-status audit_list auth_list " +
    "secrets_list policy_list " +
    "policy_read lease_lookup path-help kv_metadata_get kv_list list plugin_list plugin_info namespace_list " +
    "namespace_lookup version-history",
    "-format= -namespace= -ns= -detailed -detailed= -accessor= -accessor -mount= -self -field= -no-color -version " +
    "--version", { read: {
      names: /^sys\/(health|seal-status|leader|ha-status|host-info|metrics|mounts|auth|policies|key-status|leases\/count|version-history|plugins\/catalog|replication\/(\w+\/)?status|internal\/counters\/(activity|activity\/monthly|tokens|entities|requests|config)|storage\/raft\/(configuration|autopilot\/(state|configuration)))$/ } }),
  op: looks("account_list vault_list group_list whoami", "--format= --account="),
  // Of a name without a slash at its end `ls` shows what is kept there.
  pass: looks("find version", "", { "ls list": { names: /\/$/ } }),
  sops: { options: "--version -v", sub: { filestatus: { names: true } } },
  step: looks("version certificate_inspect certificate_verify certificate_fingerprint certificate_lint " +
    "certificate_needs-renewal " +
    "ca_health ca_provisioner_list crypto_jwk_thumbprint ssh_list ssh_inspect ssh_check-host ssh_hosts",
    "--format= --short --bundle --roots= --expires-in= --verbose", { ca_roots: {} }),
  summon: { options: "-V --version -h --help" },
  teller: { sub: { version: {} } },
  // Virtual machines.
  multipass: looks("list info version networks find help aliases get", "--format= --snapshots",
    { exec: { options: "-d= --working-directory= -n --no-map-working-directory", names: true } }),
  prlctl: looks("list problem-list statistics", "-a --all -i --info -f -o= --output= -L -t --json -j -H --no-header",
    { exec: { options: "--current-user", names: true } }),
  qm: looks("list status config pending listsnapshot agent_ping guest_exec-status guest_cmd", "--full " +
    "--verbose --current --output-format= --snapshot=",
    { guest_exec: { options: "--timeout= --synchronous=", names: true } }),
  pct: looks("list status config pending df cpusets listsnapshot", "--verbose --current --output-format= " +
    "--snapshot=", { exec: { options: "--keep-env=", names: true } }),
  iocage: looks("list df get version", "-h -l -q -r -t -H --header --long --quiet",
    { exec: { options: "-u= -U= --host_user= --jail_user=", names: true } }),
  bastille: looks("list", "-a -j", { cmd: { names: true } }),
  limactl: looks("list ls info", "-q --quiet --json -f= --format= --log-level= --tty",
    { shell: { options: "--shell= --workdir= --preserve-env", names: true } }),
  "lxc incus": looks("list ls info version config_show config_get config_list config_device_list config_device_show " +
    "config_metadata_show config_trust_list config_template_list config_template_show profile_list profile_show " +
    "profile_get profile_device_list profile_device_show network_list network_show network_get network_info " +
    "network_list-leases network_list-allocations network_acl_list network_acl_show network_forward_list " +
    "network_zone_list network_zone_show network_peer_list storage_list storage_show " +
    "storage_info storage_get storage_volume_list storage_volume_show storage_volume_info storage_bucket_list " +
    "image_list image_ls image_show image_info image_alias_list remote_list remote_get-default project_list " +
    "project_show project_info project_get cluster_list cluster_show cluster_get cluster_group_list " +
    "cluster_group_show warning_list warning_show operation_list operation_show alias_list snapshot_list " +
    "snapshot_show query_list top",
    "-c= --columns= -f= --format= --fast --all-projects --project= --resources --show-log -e --expanded --type= " +
      "--pretty --loglevel= --target= -q --quiet --verbose -v --debug --version",
    { exec: { options: "--cwd= --env= -t --force-interactive -T --force-noninteractive -n --disable-stdin " +
      "--group= --user= --mode= --project=", names: true } }),
  toolbox: looks("list", "-c --containers -i --images -v --verbose --log-level=",
    { run: { options: "-c= --container= -d= --distro= -r= --release= --preserve-fds=", names: true } }),
  distrobox: looks("list", "-v --verbose --no-color -r --root",
    { enter: { options: "-n= --name= -T --no-tty -H --no-workdir -nw", names: true } }),
  "lxc-attach": { options: "-n= --name= -s= --namespaces= -P= --lxcpath= -q --quiet --clear-env --keep-env -u= --uid= -g= " +
    "--gid= -R --remount-sys-proc -a= --arch=" },
  govc: { options: "-vm= -host= -dc= -ds= -cluster= -pool= -json -xml -dump -i -l -e -r -k -c= -n= -type= -name= -d=" },
  boundary: { options: "-target-id= -target-name= -target-scope-id= -target-scope-name= -host-id= -scope-id= -id= -filter= " +
    "-format= -recursive -keyring-type= -username= -exec=" },
  "lima flatpak-spawn schroot": { options: "--host --sandbox --watch-bus --clear-env -c= --chroot= -r --run-session -q --quiet " +
    "-v --verbose -l --list -i --info -a --all -d= --directory= -p --preserve-environment" },
  jexec: { options: "-l -u= -U= -d=" },
  zlogin: { options: "-l= -e= -S -Q -C -E -n" },
  "systemd-nspawn": { options: "-b --boot -q --quiet" },
  vzctl: looks("status", "--quiet --verbose", { "exec exec2": { names: true } }),
  adb: looks("devices version get-state", "-l -s= -d -t=", { shell: { options: "-n -T -t -x", names: true } }),
  udocker: { sub: { "run": { options: "-v= -e= -w= -u= --user= --workdir= --rm", names: true } } },
  pvesh: looks("get ls usage", "--output-format= --noborder --noheader --human-readable --type= --verbose --full " +
    "--limit= --start= --vmid="),
  pvesm: looks("status list path scan_nfs scan_lvm scan_lvmthin scan_zfs scan_iscsi nfsscan lvmscan zfsscan",
    "--storage= --content= --enabled --vmid= --node= --target="),
  pvecm: looks("status nodes apiver", "--verbose"),
  pvesr: looks("list status read", "--guest="),
  pveum: looks("user_list role_list group_list acl_list pool_list realm_list user_permissions " +
    "user_token_permissions", "--output-format= --noheader"),
  pvesubscription: looks("get", ""),
  vagrant: looks("global-status version plugin_list snapshot_list box_list " +
    "box_outdated list-commands",
    "--machine-readable -i --box-info --no-color -v --version --local --global",
    { "ssh winrm powershell": { options: "-c= --command= -p --plain -t --tty -s= --shell= -e --elevated" } }),
  "vboxmanage VBoxManage": looks("list showvminfo showmediuminfo showhdinfo guestproperty_get guestproperty_enumerate " +
    "snapshot_list-all getextradata metrics_list metrics_query bandwidthctl_list debugvm_statistics",
    "-l --long -s --sorted --machinereadable --details -v --version",
    { guestcontrol: { options: "--exe= --username= --user= --passwordfile= --domain= --timeout= --putenv= --wait-stdout --wait-stderr " +
      "--quiet --verbose", names: true } }),
  virsh: { options: "-c=qemu:///system -c=qemu:///session --connect=qemu:///system --connect=qemu:///session -q --quiet -r --readonly -v --version -t --timing " +
      "--all --inactive --persistent --transient --state-running --state-shutoff --state-paused --title --name " +
      "--uuid --table --details --pool= --human --domain= --state --cpu-total --balloon --vcpu --interface --block " +
      "--perf " +
      "--iothread --raw --list-active --list-inactive --nowait --with-snapshot --live --config --current --parent " +
      "--tree --roots --leaves --inet --full --source= --id --autostart --no-autostart --daemon --pretty --percent " +
      "--total --bytes --physical --reason --anystats --rawstats --backing --enforce --dirtyrate --memory --cap= " +
      "--xpath= --wrap --maximum --active --guest --ephemeral --no-ephemeral --private --no-private --metadata " +
      "--no-metadata --topological --descendants --with-managed-save --without-managed-save --list-other " +
      "--list-running --list-paused --list-shutoff --state-other --type= --os --timezone --hostname --filesystem " +
      "--disk --user --without-snapshot --with-checkpoint --without-checkpoint --disk-only --internal --external " +
      "--no-leaves",
    sub: { ["pool-capabilities cpu-models cpu-stats migrate-getmaxdowntime migrate-getspeed ttyconsole nodedev-info " +
      "net-port-list iface-name iface-mac pool-name pool-uuid vol-name vol-key snapshot-info snapshot-parent " +
      "snapshot-dumpxml checkpoint-info checkpoint-parent checkpoint-dumpxml nwfilter-binding-list " +
      "backup-dumpxml guestinfo nodesevinfo"]: { names: true }, ["list dominfo domstate domstats domblklist domblkinfo domblkstat domiflist domifaddr domifstat " +
      "domif-getlink domid domuuid domname " +
        "dommemstat domcontrol domjobinfo domhostname domfsinfo domdisplay domcapabilities dumpxml vcpuinfo " +
        "vcpucount vncdisplay nodeinfo " +
        "nodecpustats nodememstats nodecpumap nodedev-list nodedev-dumpxml freecell freepages capabilities hostname " +
        "uri sysinfo version " +
        "net-list net-info net-dumpxml net-dhcp-leases net-uuid net-name pool-list pool-info pool-dumpxml vol-list " +
        "vol-info vol-path vol-pool " +
        "vol-dumpxml iface-list iface-dumpxml nwfilter-list nwfilter-dumpxml secret-list snapshot-list " +
        "snapshot-info snapshot-current " +
        "snapshot-parent snapshot-dumpxml checkpoint-list checkpoint-info checkpoint-dumpxml iothreadinfo guestinfo " +
        "maxvcpus event help " +
        "domlaunchsecinfo domblkerror allocpages-list managedsave-dumpxml"]: { names: true },
      "lxc-enter-namespace": { options: "--noseclabel", names: true }, ["schedinfo emulatorpin vcpupin desc memtune blkiotune numatune " +
        "domtime"]: { names: /^[\w.:-]+$/ }, "qemu-agent-command": { names: true } } },
  vmadm: looks("list get lookup info", "-o= -p -s= -H -j"),
  zoneadm: { options: "-z= -u=", sub: { list: { options: "-c -d -i -p -v" } } },
  xe: looks("vm-list host-list sr-list vdi-list vbd-list vif-list network-list pif-list pool-list snapshot-list " +
    "template-list task-list " +
    "message-list pbd-list cd-list console-list bond-list vlan-list vm-param-get " +
    "vm-param-list host-param-get " +
    "host-param-list sr-param-get sr-param-list vdi-param-list pool-param-get pool-param-list host-cpu-info " +
    "host-dmesg host-license-view " +
    "diagnostic-db-stats diagnostic-timing-stats host-data-source-list vm-data-source-list vm-data-source-query " +
    "host-data-source-query " +
    "vm-vif-list vm-disk-list sr-data-source-list help", "--minimal"),
  "xl xm": looks("list info uptime vcpu-list dmesg top domid domname block-list network-list vtpm-list pci-list " +
    "pci-assignable-list " +
    "cpupool-list claims sched-credit sched-credit2 sched-rtds sharing console-list channel-list usb-list " +
    "usbctrl-list psr-cmt-show " +
    "psr-cat-show psr-hwinfo getenforce loglevel tmem-list debug-list help", "-l -v -Z -n --long --verbose " +
    "--context --cpupool --numa"),
  // Queues and stores of data.
  nats: looks("account_info account_report_connections account_report_statistics consumer_info consumer_list " +
    "consumer_ls consumer_report " +
    "context_list context_ls kv_ls kv_list kv_info kv_status kv_history object_ls object_list object_info rtt " +
    "server_info server_list " +
    "server_ls server_ping server_report_jetstream server_report_connections server_report_accounts " +
    "server_check_connection " +
    "server_check_jetstream server_check_stream server_check_server server_check_message stream_info stream_list " +
    "stream_ls stream_report " +
    "stream_state stream_subjects stream_find latency micro_list micro_ls micro_info micro_stats micro_ping",
    "-s= --server= --context= --timeout= -j --json -a --all -n --names --count= --top= --sort= --raw"),
  nsq_stat: nothing,
  "neo4j-admin": looks("database_info server_status server_validate-config server_memory-recommendation memrec " +
    "--version",
    "--version --verbose --help --memory="),
  orchestrator: { sub: {}, options: "-version --version" },
  "pd-ctl": looks("cluster cluster_status config_show config_placement-rules_show health hot_read " +
    "member_leader_show member " +
    "min-resolved-ts ping region region_key region_check region_topread region_topwrite scheduler_show " +
    "stores label version " +
    "operator_show operator_check", "-u= --pd= --jq= -V --version", { store: { names: /^\d+$/ } }),
  "proxysql-admin": { options: "--is-enabled --status --version -v --help" },
  "pulsar-admin": looks("brokers_list brokers_healthcheck brokers_leader-broker brokers_namespaces " +
    "brokers_list-dynamic-config brokers_version broker-stats_topics broker-stats_load-report " +
    "broker-stats_monitoring-metrics broker-stats_mbeans clusters_list clusters_get " +
    "functions_list functions_status " +
    "functions_stats functions_get namespaces_list namespaces_policies namespaces_topics namespaces_get-retention " +
    "namespaces_get-backlog-quotas " +
    "namespaces_bundles namespaces_permissions sinks_list sinks_status sources_list sources_status schemas_get " +
    "tenants_list tenants_get topics_list topics_stats " +
    "topics_stats-internal topics_partitioned-stats topics_list-partitioned-topics topics_subscriptions " +
    "topics_lookup topics_info-internal " +
    "topics_get-partitioned-topic-metadata topics_permissions topics_bundle-range topics_get-retention " +
    "topics_last-message-id bookies_list-bookies bookies_racks-placement",
    "--cluster= -c= --name= --namespace= --tenant= --per-partition"),
  rpk: looks("cluster_health cluster_info cluster_metadata cluster_config_get cluster_config_status " +
    "cluster_logdirs_describe cluster_partitions_list cluster_partitions_status " +
    "cluster_maintenance_status cluster_self-test_status cluster_storage_list-mount cluster_license_info " +
    "cluster_status group_list group_describe topic_list " +
    "topic_describe topic_describe-storage redpanda_admin_brokers_list version profile_list profile_current " +
    "acl_list security_acl_list security_user_list " +
    "security_role_list registry_subject_list registry_schema_list registry_schema_get " +
    "registry_compatibility-level_get transform_list plugin_list",
    "-a --all -d --detailed --format= -r --regex -p --print-partitions -s --print-summary -c --print-configs --watch=false " +
    "-b --print-brokers -i --include-internal"),
  "schema-registry": nothing,
  temporal: looks("workflow_list workflow_describe workflow_show workflow_count workflow_stack activity_describe " +
    "task-queue_describe task-queue_list-partition schedule_list " +
    "schedule_describe batch_list batch_describe operator_cluster_health operator_cluster_describe " +
    "operator_cluster_list operator_cluster_system " +
    "operator_namespace_list operator_namespace_describe operator_search-attribute_list env_list " +
    "worker_deployment_list worker_deployment_describe",
    "-n= --namespace= -w= --workflow-id= -r= --run-id= -q= --query= -o= --output= --limit= -t= --task-queue= -s= " +
    "--schedule-id= --fields= --reset-points --time-format="),
  tctl: looks("status version cluster_health workflow_list workflow_describe workflow_show namespace_list " +
    "namespace_describe taskqueue_describe admin_cluster_describe " +
    "nodes_ls users_ls bots_ls db_ls apps_ls access_ls windows_ls devices_ls inventory_ls inventory_status " +
    "alerts_list recordings_ls requests_ls acl_ls",
    "--format= --verbose -v"),
  "tikv-ctl": looks("metrics region-properties size cluster raft_region range-properties", "--host= --pd= -r= -d= --db= -h="),
  tiup: looks("list status env cluster_list cluster_display cluster_audit dm_list dm_display " +
    "--version", "--installed --all --verbose --version -v -R= -N= --role= --node= --uptime"),
  "vtctlclient": looks("ListAllTablets ListTablets GetTablet GetKeyspace GetKeyspaces GetShard GetSchema GetVSchema " +
    "ShardReplicationPositions Validate ValidateKeyspace " +
    "ValidateShard ValidateSchemaKeyspace ValidateVersionKeyspace GetCellInfo GetCellInfoNames GetCellsAliases " +
    "GetSrvKeyspace GetSrvVSchema Workflow_show GetPermissions GetRoutingRules", ""),
  "vtctldclient": looks("GetTablets GetTablet GetKeyspace GetKeyspaces GetShard GetSchema GetVSchema " +
    "ShardReplicationPositions Validate ValidateKeyspace ValidateShard " +
    "ValidateSchemaKeyspace ValidateVersionKeyspace GetCellInfo GetCellInfoNames GetCellsAliases GetSrvKeyspaces " +
    "GetSrvVSchema GetWorkflows GetPermissions GetRoutingRules " +
    "GetBackups GetTopologyPath GetTabletVersion FindAllShardsInKeyspace GetFullStatus", "--server= --keyspace= --shard= " +
    "--cell= --json"),
  zeebe: { sub: { version: {}, status: {} } },
  solr: looks("status version healthcheck zk_ls", "-p= --port= -c= -r"),
  storm: looks("version list classpath localconfvalue remoteconfvalue get-errors help", ""),
  // Applications.
  mmctl: looks("system_version system_status team_list channel_list user_list user_search plugin_list " +
    "job_list websocket version config_show config_get license_get " +
    "auth_list auth_current team_search group_list-ldap permissions_role_show roles_show bot_list command_list " +
    "webhook_list export_list",
    "--format= --json --all --number="),
  "n98-magerun wp": nothing,
  nextcloud: nothing,
  occ: looks("help", ""),
  omd: looks("status sites versions version config_show diff", "-b --bare -v -V="),
  plesk: looks("version help", ""),
  "sentry-cli": looks("info releases_list releases_info projects_list organizations_list deploys_list monitors_list " +
    "issues_list events_list repos_list", "--org= -o= --project= -p= --no-interactive"),
  "tctl-tsh": looks("status version ls", "--format="),
  "step-ca": { options: "--version -v --help -h", sub: {} },
  zmcontrol: looks("status", "-v"),
  zmprov: looks("gaa getAllAccounts gad getAllDomains gas getAllServers gacos getAllCos gadl " +
    "getAllDistributionLists gdl getDistributionList gqu getQuotaUsage gdlm getDistributionListMembership gam " +
    "getAccountMembership " +
    "gxu gmi getMailboxInfo cto countObjects", "-l --ldap -v -s="),
  // Jobs.
  mlflow: looks("experiments_search experiments_list runs_list runs_describe doctor", "--mask-envs -v --version --view= " +
    "--experiment-id= --run-id="),
  nextflow: looks("log info", "-v -version"),
  pbsnodes: { names: true, options: "-a -l -x -q -v -H -S -j -L" },
  prefect: looks("version flow_ls flow-run_ls flow-run_inspect flow-run_logs deployment_ls deployment_inspect " +
    "deployment_schedule_ls work-pool_ls work-pool_inspect work-pool_preview work-queue_ls work-queue_inspect " +
    "block_ls block_type_ls " +
    "concurrency-limit_ls concurrency-limit_inspect global-concurrency-limit_ls profile_ls config_view artifact_ls " +
    "automation_ls variable_ls task-run_ls task-run_inspect",
    "--limit= --flow-name= --state= --state-type= -p= --pool= -n= --num-logs= --reverse -r --hide-sources --version " +
    "-v"),
  qconf: { options: "-help -ss -sh -sql -sq= -sel -se= -sconf= -sconfl -sc -sp= -spl -sst= -sul -su= -suser= " +
    "-suserl -ssconf -sm -so -sep -srqs= -srqsl -sprj= -sprjl -sckptl -sckpt= -shgrp= -shgrpl -shgrp_tree= -stl" },
  qmgr: { options: "-c=", sub: {} },
  ray: looks("status memory list_actors list_jobs list_nodes list_tasks list_placement-groups list_objects " +
    "list_workers list_runtime-envs summary_actors summary_tasks summary_objects get_actors get_nodes get_tasks " +
    "get_jobs job_list job_status job_logs health-check",
    "-v --verbose --limit= --detail --format= -f= --version"),
  sacctmgr: { names: true, options: "-n --noheader -p --parsable -P --parsable2 -s --associations -r --readonly -V " +
    "--version -o " +
      "-h --help -Q --quiet -v --verbose",
    sub: { ["show_account show_accounts show_association show_associations show_assoc show_cluster show_clusters " +
      "show_user show_users show_qos show_event show_events show_tres show_wckey show_wckeys show_transaction " +
      "show_transactions show_reservation show_reservations show_resource show_federation show_problem show_config " +
      "show_configuration " +
      "list_account list_accounts list_association list_associations list_assoc list_cluster list_clusters " +
      "list_user list_users list_qos list_event list_events list_tres list_wckey list_wckeys list_transaction " +
      "list_transactions list_reservation list_resource list_federation list_problem list_config list_configuration " +
      "ping version"]: { names: true } } },
  wandb: looks("status", "--version"),
  // Networks.
  "nebula-cert": looks("print verify version", "-path= -json -ca= -crt= -h -version"),
  netbird: looks("status version networks_list routes_list service_status", "-d --detail --json --ipv4"),
  netq: looks("show check trace help", "json"),
  nmstatectl: looks("show", "--json -r -k --running-config"),
  "nsd-control": looks("status stats_noreset zonestatus serverpid stats_list", ""),
  nv: looks("show config_show config_diff config_history config_find list-commands", "-o= --output= --rev= " +
    "--applied --operational --pending -w= --view="),
  occtl: looks("show_status show_users show_user show_id show_sessions show_session show_iroutes show_ip_bans " +
    "show_ip_ban show_events show", "-j --json -n --no-pager -s= --socket-file= " +
      "-h --help -v --version"),
  ospfctl: looks("show", "-s="),
  "ovn-nbctl ovn-sbctl": { options: "-f= --format= --no-heading -t= --timeout= --oneline --columns= --names " +
    "--no-names --no-leader-only --data= --bare --ovs --uuid --stats " +
      "--vflows --leader-only --shuffle-remotes --no-shuffle-remotes --no-syslog --no-headings --pretty -h " +
      "--help -V --version",
    sub: { ["show list find get ls-list lr-list lsp-list lsp-get-type lsp-get-up lsp-get-addresses lsp-get-options " +
      "lsp-get-port-security lrp-list lr-route-list lr-nat-list lr-lb-list lr-policy-list acl-list qos-list " +
      "meter-list lb-list ls-lb-list dhcp-options-list " +
        "lflow-list count-flows chassis-list lsp-get-enabled get-connection " +
        "get-ssl"]: { names: /^(?!--$)/ } } },
  "ovs-vsctl": { options: "-f= --format= --no-heading -t= --timeout= --oneline --columns= --names --no-names " +
    "--if-exists --data= --bare -V --version " +
      "--no-headings --max-column-width= --pretty -h --help --no-syslog --dry-run",
    sub: { ["show list find get list-br list-ports list-ifaces port-to-br iface-to-br br-exists " +
      "get-controller get-fail-mode get-manager get-ssl " +
        "get-aa-mapping"]: { names: /^(?!--$)/ } } },
  "ovs-dpctl": looks("show dump-flows dump-conntrack get-flow ct-stats-show ct-get-limits ct-get-maxconns " +
    "ct-get-nconns", "-m --more -s --statistics -t= --timeout= --names --no-names --color type=ovs " +
      "-h --help -V --version"),
  pdns_control: looks("ping rping version uptime status show respsizes ccounts qtypes list list-zones " +
    "get-parameter", " " +
      "--help"),
  pdnsutil: looks("list-zone list-all-zones show-zone check-zone check-all-zones list-keys list-autoprimaries " +
    "get-meta", "-v --verbose -q --quiet " +
      "-h --help"),
  rdma: looks("dev link resource system statistic dev_show link_show resource_show system_show statistic_show", "-j " +
    "-p -d --json --pretty --details -V --version"),
  rec_control: looks("ping get get-all get-qtypelist get-remotelogger-stats get-tas get-ntas get-parameter help " +
    "list-dnssec-algos current-queries top-queries top-remotes top-largeanswer-remotes top-servfail-queries " +
    "top-servfail-remotes top-timeouts top-bogus-queries version get-dont-throttle-names get-dont-throttle-netmasks " +
    "get-proxymapping-stats", " " +
      "--help --timeout="),
  resolvconf: { options: "-l -v --version", sub: {} },
  rndc: { options: "-s= -p= -q -V -4 -6", sub: { "status zonestatus showzone managed-keys_status validation_status serve-stale_status": { names: true }, dnssec: { options: "-status", names: true } } },
  mmcli: { options: "-L --list-modems -m= --modem= -b= --bearer= -i= --sim= --signal-get --location-status -V --version -J --output-json", sub: {} },
  tailscale: looks("status ip netcheck ping version whois dns_status dns_query serve_status " +
    "funnel_status exit-node_list exit-node_suggest metrics_print licenses drive_list",
    "--json --peers=false --active --self -4 -6 -1 --1 --c= -c= -timeout= -verbose -tsmp -icmp --until-direct=false --tsmp --icmp --timeout= --verbose " +
    "--upstream --daemon --list " +
      "--format="),
  tipc: looks("bearer_list bearer_get link_list link_get link_statistics_show link_stat_show link_monitor_list " +
    "link_monitor_summary media_list media_get nametable_show node_list node_get node_show peer_list socket_list " +
    "socket_show", "-h --help -j -p"),
  "unbound-control": looks("status stats_noreset list_forwards list_stubs list_local_zones list_local_data " +
    "list_insecure list_auth_zones view_list_local_zones view_list_local_data lookup get_option dump_infra dump_requestlist dump_cache ratelimit_list ip_ratelimit_list", "-q"),
  upower: { options: "-e --enumerate -d --dump -i= --show-info= -v --version -h --help --battery -b", sub: {} },
  vdpa: looks("dev_show dev_config_show dev_vstats_show mgmtdev_show", "-j -p -n -V --json --pretty"),
  wifi: looks("status", ""),
  "zerotier-cli": looks("info listnetworks listpeers peers listmoons status bond_list bond_show", "-j -h -v"),
  zerotier: looks("info listnetworks listpeers peers", "-j"),
  swconfig: { names: true, sub: { list: {}, "dev": { names: /^(?!set$|load$)/ } } },
  ubus: { options: "-v -S -t=", sub: { list: { names: true }, "wait_for": { names: true },
    "call_system": { names: /^(board|info)$/ } } },
  uci: { options: "-q -X -n -N", sub: { "show": { names: /^(?!wireless|.*(key|pass|secret|token|psk|private))[\w.@[\]-]+$/ }, "get": { names: /^(?!.*(key|pass|secret|token|psk|private))[\w.@[\]-]+$/ },
    "changes": { names: true } } },
  // Directories and the host.
  net: { options: "-U= --user= -S= -I= -w= -k -P --kerberos --use-kerberos= --long --verbose -v",
    sub: { ["ads_info ads_lookup ads_status ads_testjoin ads_workgroup ads_printer_info groupmap_list lookup " +
      "rpc_info rpc_testjoin rpc_trustdom_list rpc_getsid rpc_share_list rpc_group_list rpc_user_list rpc_user_info " +
      "rpc_group_members rpc_registry_enumerate rpc_service_list rpc_service_status " +
      "rpc_printer_list rpc_file_list rpc_rights_list usershare_list usershare_info conf_list conf_listshares " +
      "getdomainsid status_shares status_sessions time_zone user_info sam_list_users sam_list_groups " +
      "serverid_list help"]: { names: true }, time: {} } },
  oomctl: looks("dump", "--no-pager --version -h --help"),
  ostree: looks("refs log show ls admin_status remote_list remote_refs remote_show-url remote_summary " +
    "admin_config-diff diff rev-parse config_get admin_status", "--repo= --sysroot= --list -l --raw -R -v " +
    "--print-metadata-key= " +
      "--verbose --version"),
  pdbedit: { options: "-L --list -v --verbose -u= --user= -P= --account-policy=", names: true },
  powerprofilesctl: looks("list get list-holds list-actions version query-battery-aware", ""),
  "pro ua": looks("status security-status version help api_u.pro.version.v1 api_u.pro.status.is_attached.v1 " +
    "api_u.pro.status.enabled_services.v1 api_u.pro.packages.summary.v1 api_u.pro.packages.updates.v1 " +
    "api_u.security.package_manifest.v1 api_u.unattended_upgrades.status.v1 config_show",
    "--all --format= --wait --esm-infra --esm-apps --thirdparty --unavailable --version"),
  realm: looks("list discover", "--all --name-only -a -n -v --verbose"),
  "rpm-ostree": looks("status db_diff db_list db_version kargs initramfs-etc ex_history search", "-v --verbose " +
    "--json -b --booted --pending-exit-77 --jsonpath= --format= --changelogs"),
  rspamadm: looks("configtest confighelp grep configgraph control_stat control_uptime control_fuzzystat help", "-q " +
    "-s -c --help -V"),
  rspamc: looks("stat counters uptime ping", "-c -n --compact --corpus -j --json --version " +
      "--raw --ucl --extended-urls --sort= -t= --timeout= --commands -v --verbose"),
  "samba-tool": looks("user_list user_show group_list group_listmembers group_show computer_list computer_show " +
    "contact_list dns_query dns_zonelist dns_zoneinfo dns_serverinfo domain_info domain_level_show " +
    "domain_passwordsettings_show domain_trust_list domain_trust_show " +
    "drs_showrepl fsmo_show gpo_list gpo_listall gpo_getlink gpo_show gpo_listcontainers ntacl_get ou_list " +
    "ou_listobjects processes sites_list sites_view sites_subnet_list sites_subnet_view spn_list " +
    "schema_attribute_show schema_objectclass_show testparm time visualize_reps delegation_show ntacl_getdosinfo " +
    "dbcheck user_getgroups",
    "-H= --URL= -U= --full-dn --base-dn= --summary --json -v --verbose --cross-ncs --suppress-prompt " +
    "--section-name= --parameter-name= --attributes= -k= --machine-pass -P --use-kerberos= --hide-expired " +
    "--hide-disabled"),
  smbcontrol: looks("smbd_ping nmbd_ping winbindd_ping all_ping smbd_debuglevel nmbd_debuglevel winbindd_debuglevel " +
    "all_debuglevel smbd_profilelevel smbd_num-children all_noop smbd_noop winbindd_onlinestatus smbd_pool-usage " +
    "all_pool-usage", "-t="),
  "snapd-ctl": nothing,
  sssctl: looks("domain-list domain-status user-show group-show netgroup-show user-checks access-report " +
    "config-check gpo-show gpo-list cert-show", "-o --online -a --active-server -r --servers -s= --service= "),
  "subscription-manager": looks("status list identity facts version repos plugins config repo-override " +
    "syspurpose syspurpose_role syspurpose_usage syspurpose_addons syspurpose_service-level role usage " +
    "service-level addons",
    "--consumed --available --installed --all --list --list-enabled --list-disabled --list-available --show " +
    "--match-installed --matches= --pool-only --no-overlap --ondate= --verbose"),
  "systemd-sysext systemd-confext": looks("status list", "--json= --no-pager --no-legend --version"),
  "tuned-adm": looks("active list list_profiles list_plugins recommend verify profile_info", "-v --version -i " +
    "--ignore-missing"),
  userdbctl: looks("user group users-in-group groups-of-user services", "--no-pager --no-legend " +
    "-S --synthesize= --with-nss= --with-dropin= -N -s= --service= -z --disposition= --uid-min= " +
    "--uid-max= -I -R -B --fuzzy --boundaries="),
  varlinkctl: { options: "--no-pager -j --json= -q --quiet --collect", sub: { ["info list-interfaces list-methods " +
    "introspect"]: { names: /^(unix:)?\/run\/[\w./-]+$|^[\w.]+$/ }, help: {} } },
  // Languages.
  nodenv: looks("version versions which whence root", "--bare"),
  nvm: looks("ls list ls-remote version version-remote current which", "--no-colors --lts --no-alias --version"),
  nx: { options: "--version --help", sub: {} },
  opam: { options: "-a --all -i --installed -A --short -s --available --columns= --repo= -f= --field= --raw " +
    "--depends-on= " +
    "--recursive --version --all-versions",
    sub: { ["list show switch_list repository_list repo_list config_list config_report " +
      "pin_list"]: { names: true }, "var option": { names: /^[^=]+$/ } } },
  pdm: { options: "--version -V", sub: {} },
  pixi: looks("list info search tree task_list workspace_channel_list workspace_platform_list", "--json " +
    "-e= --environment= -p= --platform= -x --explicit --sort-by= --limit= -v -q --extended --version -V"),
  pod: { options: "--version", sub: {} },
  "pyenv": looks("version versions which whence root version-name version-file version-origin commands shims " +
    "completions prefix latest", "--bare --skip-aliases -q --version"),
  "rbenv": looks("version versions which whence root version-name version-file version-origin commands shims " +
    "prefix", "--bare --skip-aliases --version"),
  rails: { options: "--version -v --help -h", sub: { help: {} } },
  rustup: looks("show show_active-toolchain show_home show_profile check toolchain_list target_list component_list " +
    "override_list which --version", "-v --verbose --installed -q --version -V --toolchain="),
  rye: looks("version toolchain_list --version", "--version -V"),
  sdk: looks("list current version home", ""),
  sequelize: { options: "--version --help", sub: {} },
  spack: looks("arch compilers compiler_list find info list location providers repo_list spec versions dependencies " +
    "dependents env_list tags help maintainers",
    "-l -L -v -d -p --json -x --long --deps --variants --loaded --format= -V --version --safe --count"),
  sqitch: looks("status log plan show help target_list", "--oneline --max-count= -n= --format= -f= --project= -v " +
    "--version"),
  stack: { options: "--version --numeric-version", sub: {} },
  symfony: looks("version local:php:list server:status server:list local:check:requirements local:server:status " +
    "proxy:status env:list help list local:server:list", "--no-ansi --version -V"),
  tfenv: looks("list list-remote version-name --version", "--version"),
  tfswitch: { options: "-v --version -h --help -S --show-latest -l --list-all=false -t --show-latest-stable=" },
  turbo: { options: "--version", sub: {} },
  vcpkg: looks("list search version depend-info help owns", "--x-full-desc --x-json --recurse=false"),
  volta: looks("list which --version", "--format= -d --default -c --current --version -v"),
  prisma: { options: "-v --version -h --help", sub: { version: { options: "--json" } } },
  // What the table of a family says of them holds for one of its tools only.
  pulumi: { options: "-s= --stack= --non-interactive --color= --diff --json -j --show-urns -u --show-ids -i " +
    "--emoji=false",
    sub: { stack: {}, "version whoami stack_ls stack_history stack_output plugin_ls policy_ls org_get-default logs": {
      names: true, options: "--page-size= --page= --limit= --all -a --show-secrets=false --since= --follow=false" },
      config: { options: "--show-secrets=false" } } },
  scontrol: looks("show ping version listpids", "-o --oneliner -d --details -a --all -M= -F --future --hide -Q -v " +
      "--clusters= --federation -h --help --local --quiet --sibling --verbose -V --version"),
  "sidekiqctl uwsgi passenger-config": { options: "--version", sub: {} },
  resque: looks("list"),
  "virt-resize": { options: "--version --help", sub: {} },
  terragrunt: { options: "-no-color -json -input=false -lock=false -lock-timeout= -target= -var= -detailed-exitcode " +
    "-version --version",
    // It runs hooks and init of its own before all else.
    sub: { version: {} } },
};

export const familyReads: ReadTable = Object.fromEntries(
  Object.entries(listed).map(([names, reads]) => [
    names,
    names.split(" ").every((name) => honorsHelp.has(name)) ? { help: "--help", ...reads } : reads,
  ]),
);
