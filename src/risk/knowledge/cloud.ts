/** Cloud command lines and configuration management: the verb decides. */
import type { Program, Row } from "../program.ts";
import { actsAlone, elsewhere, serverClient, signsIn } from "./facts.ts";

/** An inventory that is a script is run; so is what stands in a folder of inventories. */
const scriptInventory: Row = {
  if: " (-i|--inventory(-file)?)[ =]?(?!(\\S*/)?(hosts|\\S+\\.(ini|ya?ml|json|toml|cfg)) |[\\w-]+ |\\S*, )[^ =]",
  level: "medium",
  why: "may run the inventory",
};

/** Functions of Salt that only look; what stands behind one is its argument. */
const saltReads =
  "test\\.(ping|version|versions_report)|grains\\.(items?|get|ls)|status\\.\\w+|" +
  "sys\\.(doc|list_modules|list_functions)|" +
  "network\\.(ip_addrs6?|arp|routes|default_route|netstat|active_tcp|interfaces)|timezone\\.get_zone|" +
  "ps\\.(top|cpu_percent|virtual_memory|swap_memory|disk_usage|get_users)|disk\\.(inodeusage|percent|usage)|" +
  "service\\.(get_all|available|enabled|get_enabled|get_disabled|status)|mount\\.(active|fstab)|" +
  "pkg\\.(version|info_installed|list_pkgs)";

/**
 * Command lines of the shape `TOOL NOUN VERB` (clouds, clusters, queues, backups, hypervisors): one table of verbs
 * speaks for all of them, and a tool lists only the words that mean something else to it.
 */

// biome-ignore format: filled to the width
const familyRules: readonly Program[] = [
  { id: "cloud.aws", names: "aws aliyun oci", check: "family",
    rows: [
      { names: "oci", words: "load-balancer load-balancer-health", level: "low" },
      { words: "s3_ls sts_get-caller-identity configure_list configure_list-profiles logs_tail " +
        "logs_filter-log-events " +
        "dynamodb_scan configure_get",
        level: "low" },
      { words: "s3api_get-object object_get dms_test-connection elasticache_test-failover elasticache_test-migration",
        level: "medium" },
      { names: "aws",
        if: "^ (?!(s3|configure|logs|history|deploy|emr|sso|cloudformation) )[\\w-]+ [\\w-]+ (?!help )\\S",
        operands: true, level: "medium", why: "writes what it gets to a file" },
      { words: "gamelift_get-instance-access glue_get-connection glue_get-connections " +
        "ec2_get-vpn-connection-device-sample-configuration",
        level: "high" },
      // Its answer is a secret, or an address with which anybody is let in.
      { words: "ecr_get-login appsync_list-api-keys wafv2_list-api-keys wafv2_get-decrypted-api-key " +
        "location_describe-key " +
        "secretsmanager_batch-get-secret-value cognito-idp_list-user-pool-client-secrets " +
          "cognito-idp_describe-user-pool-client " +
        "cognito-idp_describe-identity-provider codepipeline_get-job-details " +
          "codepipeline_get-third-party-job-details " +
        "gamelift_get-compute-access s3control_get-data-access kinesis-video-signaling_get-ice-server-config " +
        "snowball_get-job-unlock-code snowball_get-job-manifest storagegateway_describe-chap-credentials " +
        "bedrock-agentcore_get-resource-api-key iotwireless_get-wireless-device ivs_get-stream-key " +
          "ivs_batch-get-stream-key " +
        "ivs-realtime_get-ingest-configuration chime-sdk-meetings_get-attendee chime-sdk-meetings_list-attendees " +
          "chime_get-bot " +
        "macie2_get-sensitive-data-occurrences athena_get-session-endpoint finspace_get-kx-connection-string " +
        "mediapackage_describe-channel mediapackage_list-channels directconnect_describe-virtual-interfaces " +
        "amplify_get-webhook amplify_list-webhooks chime_get-user chime_list-users chime_list-bots " +
          "cloudhsmv2_describe-clusters codepipeline_list-webhooks cognito-idp_describe-user-import-job " +
          "cognito-idp_list-user-import-jobs connecthealth_get-patient-insights-job dataexchange_get-job " +
          "dataexchange_list-jobs devicefarm_get-upload devicefarm_list-uploads emr_get-session-endpoint " +
          "emr-serverless_get-session-endpoint evs_get-environment glue_get-dashboard-url " +
          "glue_get-session-endpoint interconnect_get-connection ivs_get-channel ivs_batch-get-channel " +
          "ivs_get-stream-session mailmanager_get-address-list-import-job securityagent_get-integration " +
          "securityagent_list-integrations wickr_get-oidc-info wickr_get-opentdf-config " +
          "workspaces-thin-client_get-environment workspaces-thin-client_list-environments " +
        "directconnect_describe-router-configuration ec2_describe-vpn-connections ssm_get-parameters-by-path " +
        "ssm_get-parameter-history iot_get-registration-code",
        level: "high", why: "shows a secret" },
      { names: "aws", if: "^ [\\w-]+ get-\\S*(presigned-url|embed-url|login-url|action-link|session-url|" +
        "download-url|download-url-for-layer|download-link|upload-url|upload-links|upload-job-path|software-updates|" +
        "revocation-content|certificates-bundle|working-location|dashboard-for-job-run|" +
        "shipping-label) ", operands: true, level: "medium", why: "shows an address that lets anybody in" },
      // A worker's poll takes the work, a quota is used up, and an identity made.
      { words: "stepfunctions_get-activity-task xray_get-sampling-targets cognito-identity_get-id " +
        "kms_get-parameters-for-import timestream-query_query " +
        "apigatewayv2_preview-portal sagemaker_get-scaling-configuration-recommendation " +
        "ec2_get-flow-logs-integration-template " +
        "payment-cryptography_get-parameters-for-import payment-cryptography_get-parameters-for-export poll-for-*",
        level: "medium", why: "takes or makes something" },
      { words: "ssm_get-parameter ssm_get-parameters ec2_get-password-data sts_assume-role " +
        "sts_get-session-token ecr_get-login-password kms_decrypt kms_schedule-key-deletion",
        level: "high" },
      elsewhere("aws", "ecs_execute-command", undefined, { after: "--command" }),
      { words: "~send-command ~start-session",
        does: { is: "runs-text", after: "--parameters", if: "^commands?=([^\\[\"{][^]*)$" } },
      { words: "~send-command ~start-session",
        does: { is: "runs-text", after: "--parameters", if: "\"(\\w+)\"(?!\\s*:)" } },
      { words: "~send-command ~start-session",
        does: { is: "runs-text", after: "--parameters --cli-input-json",
          if: "\"((?:[^\"\\\\]|\\\\.)*\\s(?:[^\"\\\\]|\\\\.)*)\"" } },
      { names: "aws", words: "--generate-cli-skeleton --dryrun", is: "rehearsal" },
      { names: "aws oci aliyun", if: "[ =]fileb?://", level: "medium", why: "takes words from a file" },
      { names: "aws oci aliyun", does: { is: "reads", all: true, if: "(?:^|=)fileb?://([^]*)$" } },
      { reach: { kind: "account", options: { host: "--endpoint-url --endpoint" } } },
      { names: "aliyun", if: " \\w*(Kubeconfig|VncUrl|UserData|UserKubeconfig|Password\\w*) ", level: "high",
        why: "shows a secret" },
      { names: "aliyun", if: " (Delete|Stop|Release|Reboot|Terminate|Destroy)\\w+ ", level: "high" },
      { names: "aws", if: "^ s3 (rm|cp|mv|sync) ",
        probe: { run: "$0 $@ --dryrun", shows: "which objects would change",
          example: ["aws s3 rm s3://logs --recursive", "aws s3 rm s3://logs --recursive --dryrun"] } },
      { names: "aws", if: "^ ec2 (terminate|stop|start|reboot)-instances ",
        probe: { run: "$0 $@ --dry-run", shows: "whether it would be allowed",
          example: ["aws ec2 stop-instances --instance-ids i-1",
            "aws ec2 stop-instances --instance-ids i-1 --dry-run"] } },
    ],
    match: { low: ["aws ec2 describe-instances", "aws s3 ls s3://b", "aws sts get-caller-identity"],
      medium: ["aws s3 cp s3://b/a a", "aws ec2 start-instances --instance-ids i-1"],
      high: ["aws s3 rm s3://my-bucket --recursive", "aws ec2 terminate-instances --instance-ids i-1",
        "aws secretsmanager get-secret-value --secret-id x"] } },
  { id: "cloud.others",
    names: "gcloud gsutil bq az doctl hcloud ibmcloud heroku flyctl fly scw linode-cli openstack nova vercel " +
      "netlify wrangler exo ovhai railway render civo vultr-cli",
    options: {
      value: "-g --zone --resource-group --subscription --query --filter --location -a --app -C --command --scripts " +
        "--script --exec-command --ssh-command" },
    check: "family",
    rows: [
      actsAlone("render"),
      { words: "account_show auth_list config_list az_version account_view domains_view linodes_view " +
        "clusters_view nodebalancers_view group_exists lock_list lock_show tag_list tag_show is_instances " +
        "is_instance is_vpcs is_subnets is_floating-ips is_load-balancers is_security-groups is_volumes " +
        "is_images resource_groups heroku_releases record-set load-balancer load-balancer-type",
        level: "low" },
      { words: "console_url ssh_sftp get-credentials auth_login exo_config ibmcloud_config gsutil_test fly_sftp " +
        "flyctl_sftp container:exec message_get storage_setacl version_upgrade version_update arcappliance_logs " +
          "simulate-maintenance-event",
        level: "medium" },
      { words: "keys_list list-keys connection-string get-access-token print-access-token print-identity-token " +
        "list-connection-strings list-key list-api-key show-cd-url get-config show-device-config-script " +
        "get-boot-log-uris versions_access appsettings_list apikey_show authorizations:info signalr_key " +
          "webpubsub_key topic_key " +
        "query-key_list admin-key_show kp_key appconfig_credential",
        level: "high" },
      { names: "az", if: "^ (?!keyvault |sql |sshkey |ad )(\\S+ )*keys? list |^ iot (hub|dps) policy (list|show) |" +
        "^ iot (hub|edge) (device|module)-identity show ", operands: true, level: "high", why: "shows a key" },
      { names: "openstack scw vultr-cli fly flyctl", level: "high", why: "shows a password or a key",
        if: "^ (credential list|object config get|database (list|get)|redis status) ", operands: true },
      { words: "acr_check-health aks_check-acr aks_check-network", level: "medium", why: "starts something to try it" },
      elsewhere("gcloud", "compute_ssh beta_compute_ssh alpha_compute_ssh app_instances_ssh workstations_ssh " +
        "beta_workstations_ssh compute_tpus_tpu-vm_ssh", 1, { ...signsIn, after: "--command" }),
      elsewhere("gcloud", "cloud-shell_ssh", 0, { ...signsIn, after: "--command" }),
      elsewhere("az", "vm_run-command vmss_run-command connectedmachine_run-command container_exec containerapp_exec " +
        "aks_command", undefined, { ...signsIn, after: "--scripts --script --command --exec-command" }),
      { names: "az", if: " (--scripts?|--(exec-)?command) ", does: { is: "runs-text", if: "^(\\S+\\s[^]*)$" } },
      { names: "az", does: { is: "reads", after: "-f --template-file" } },
      { names: "az", if: "[ =]@", level: "medium", why: "takes words from a file or its input" },
      { names: "az", does: { is: "reads", all: true, if: "(?:^|=)@([^]+)$" } },
      { names: "doctl", if: " logs .*(-f|--follow) ", level: "medium", why: "follows a log" },
      elsewhere("doctl", "compute_ssh", undefined, { ...signsIn, after: "--ssh-command" }),
      elsewhere("hcloud openstack", "server_ssh", 1, signsIn),
      elsewhere("linode-cli nova", "ssh", 1, signsIn),
      elsewhere("heroku", "run run:detached ps:exec", 0, { ...signsIn, why: "starts what runs it" }),
      elsewhere("railway", "ssh run", 0, signsIn),
      elsewhere("fly flyctl", "ssh_console console", undefined, { ...signsIn, after: "-C --command" }),
      elsewhere("fly flyctl", "machine_exec machines_exec m_exec", 1, signsIn),
      { names: "scw", words: "instance_server_ssh", does: { is: "runs-text", if: "^command=([^]*)$" } },
      { names: "exo", if: " dbaas user (show|list) ", level: "high", why: "shows a password" },
      { names: "heroku", words: "drains", level: "medium", why: "shows addresses with tokens" },
      { names: "bq", if: " query (-\\S+ )*(\\S*␠)?(?i:drop|truncate|delete)␠", level: "high", why: "destroys data" },
      { names: "bq", words: "~query", unless: " query (-\\S+ )*(?i:select|with)␠[^;]*$", level: "medium",
        why: "runs what its text says" },
      { names: "heroku railway", if: "^ (config(:get)?|variables|vars) ", unless: " (-h|--help) ", level: "high",
        why: "shows what an application has in its environment" },
      { names: "vercel", if: "^( -\\S+)* *$", unless: " (-v|-h|--version|--help) ", level: "medium",
        why: "deploys the folder" },
      { reach: { kind: "account", options: { host: "--endpoint-url --endpoint" } } },
    ],
    match: { low: ["gcloud compute instances list", "az vm list", "gsutil ls", "az network vnet subnet list -g x"],
      medium: ["gcloud compute instances start x", "az vm start -n x -g y", "az aks get-credentials -n x"],
      high: ["gcloud compute instances delete x", "az group delete -n x", "gsutil rm -r gs://b"],
      block: ["gcloud compute ssh vm --command='rm -rf /'"] } },
  { id: "cloud.storage",
    names: "s3cmd rclone mc s5cmd azcopy swift restic borg borgmatic duplicity duplicacy rdiff-backup kopia " +
      "tarsnap snapper timeshift bup attic urbackupclientctl proxmox-backup-client",
    options: { value: "-r --repo --repository --password-file -c", "path-read": "-T", argv: "--metadata-mapper --rsh" },
    check: "family",
    rows: [
      { words: "key_list key-list restic_snapshots listremotes about tarsnap",
        level: "low" },
      { words: "init s3cmd_get rclone_config mc_get mc_put version_enable version_suspend support_inspect " +
        "support_diag support_perf repository_validate-provider debug_get-obj kopia_show content_show blob_show",
        level: "medium" },
      actsAlone("borgmatic mc"),
      { words: "config_show config_dump svcacct_info cat_masterkey cat_key key_show alias_list alias_ls",
        level: "high" },
      { names: "rdiff-backup", if: " [\\w.@-]+::", level: "medium", why: "runs itself on another host" },
      { names: "restic kopia", words: "", reach: { kind: "account", options: { host: "-r --repo" } } },
      { names: "rclone mc s3cmd s5cmd azcopy",
        reach: { kind: "account", options: { host: "--endpoint-url --endpoint" } } },
    ],
    match: { low: ["rclone ls x:", "restic snapshots", "borg list /srv/repo", "snapper list"],
      medium: ["rclone copy x:b a", "restic backup /srv"], high: ["rclone purge x:b", "restic forget --prune x"],
      block: ["restic backup /etc/shadow", "restic --password-command='sh -c \"rm -rf /\"' snapshots"] } },
  { id: "cluster.tools",
    names: "kubeadm k3s k0s rke2 microk8s minikube kind etcdctl etcdutl flux argocd argo " +
      "istioctl linkerd cilium hubble calicoctl velero nomad consul boundary waypoint kops eksctl talosctl rke " +
      "rosa odo vcluster clusterctl tkn kn knative crossplane kubescape kube-bench popeye trivy grype syft " +
      "cosign dive kompose kustomize skaffold tilt telepresence werf kubeseal lxd dapr k9s rancher tsuru " +
      "portainer dokku virtctl okteto garden pluto kubent goldilocks polaris kubeval kubeconform conftest opa " +
      "serf",
    check: "family",
    rows: [
      actsAlone("pluto portainer"),
      { words: "hubble_observe kubeadm_config_images guestosinfo fslist userlist backup_logs restore_logs " +
        "backup_describe restore_describe viz_stat " +
        "viz_edges viz_routes viz_check viz_list viz_authz agent-info kv_export catalog members raft_list-peers " +
        "auth_can-i certs_check-expiration images_list kustomize_build proxy-status proxy-config analyze image " +
        "scan config_view fs flux_build kube-bench popeye config kubeconform lint endpoint alarm_list " +
        "member_list app_diff app_resources capabilities operator_diagnose upgrade_plan consul_monitor " +
        "talosctl_services snapshot_status trace_deploy trace_deployment tag_list ztunnel-config print_init-defaults " +
        "print_join-defaults",
        level: "low" },
      { words: "skaffold_build dive_build check_perf check_datascale connectivity_test " +
        "bug-report consul_event config_context endpoint_config endpoint_regenerate kvstore_get token_list dokku_run " +
        "garden_run garden_test garden_config operator_scan microk8s_inspect image_build ping_create ping_update " +
        "ping_delete serf_event serf_query",
        level: "medium" },
      elsewhere("consul", "exec", 0, { joins: true, level: "medium", why: "runs a command on every node" }),
      elsewhere("nomad", "exec alloc_exec", 1),
      elsewhere("minikube", "ssh", 0, signsIn),
      elsewhere("boundary", "connect connect_ssh", 0, { ...signsIn, after: "-exec" }),
      elsewhere("virtctl", "ssh", undefined, { ...signsIn, after: "-c --command" }),
      elsewhere("okteto", "exec", 0, signsIn),
      elsewhere("garden vcluster telepresence", "exec connect intercept", 1, signsIn),
      elsewhere("dokku", "run run:detached", 1, signsIn),
      elsewhere("dokku", "enter", 2),
      elsewhere("dapr werf waypoint", "run kube-run exec", 0, { level: "medium", why: "starts what runs it" }),
      elsewhere("rancher", "ssh", 1, signsIn),
      elsewhere("tsuru", "app-run app_run", 0, signsIn),
      { names: "dokku", if: "^ (config(:(show|get|export|bundle))?|\\w+:info) ", level: "high",
        why: "shows what an application has in its environment" },
      { names: "dokku", if: "^ \\S+:(on|off) ", level: "medium" },
      { names: "kustomize", if: "^ build .*(?<![./\\w-])([a-z0-9-]+\\.)+[a-z]{2,}[/:]", level: "medium",
        why: "fetches what it builds" },
      { names: "argocd", if: " get-resource .*--kind[ =](?i:secret)", level: "high", why: "shows a secret" },
      actsAlone("k9s lxd"),
      { words: "config_get-token microk8s_config seal alarm_disarm member_remove member_add kv_destroy force-leave",
        level: "high" },
      { words: "--enable-exec --enable-alpha-plugins", level: "high" },
      { names: "etcdctl", words: "~watch", does: { is: "runs-argv", after: "--", level: "medium" } },
      { names: "k9s", words: "", reach: { kind: "service", options: { host: "-s --server" } } },
      { names: "etcdctl consul nomad", ...serverClient },
      { names: "cosign", words: "verify verify-attestation verify-blob tree", reach: { kind: "service" } },
      { names: "trivy", words: "image i", reach: { kind: "service" } },
      { names: "talosctl", words: "", reach: { kind: "service", options: { host: "-e --endpoints -n --nodes" } } },
      { names: "k9s", ends: { ends: "version info help", does: "it takes the terminal" } },
    ],
    match: { low: ["etcdctl endpoint health", "consul members", "nomad status", "velero backup describe x"],
      medium: ["argocd app sync x", "velero backup create x"],
      high: ["etcdctl del / --prefix", "kubeadm reset", "velero restore delete x"] } },
  { id: "secret.tools",
    names: "vault bao openbao doppler infisical op pass sops chamber berglas step cfssl lpass bw gopass summon teller",
    check: "family",
    rows: [
      { words: "status token_lookup token_capabilities version operator_diagnose raft_list-peers audit_list " +
        "auth_list secrets_list policy_read lease_lookup metadata_get path-help certificate_inspect certinfo",
        level: "low" },
      elsewhere("doppler infisical op teller", "run", 0,
        { after: "--command", level: "medium", why: "gives a program secrets" }),
      elsewhere("berglas", "exec", 0, { level: "medium", why: "gives a program secrets" }),
      elsewhere("chamber sops", "exec exec-env exec-file", 1, { level: "medium", why: "gives a program secrets" }),
      elsewhere("summon", "", 0, { level: "medium", why: "gives a program secrets" }),
      { words: "metadata_put metadata_patch gopass_env gopass_audit gopass_find gopass_process", level: "medium" },
      { names: "vault bao openbao", words: "read", level: "high", why: "shows a secret",
        unless: "^ read( -(format|field)=\\w+)* sys/(health|seal-status|leader|ha-status|host-info|metrics|" +
          "mounts|auth|" +
          "policies|key-status|replication/(\\w+/)?status|internal/counters/[\\w/]+|leases/count|version-history|" +
          "storage/raft/(configuration|autopilot/(state|configuration))|plugins/catalog) $" },
      { names: "doppler infisical op pass sops chamber berglas step cfssl lpass bw gopass summon teller", words: "read",
        level: "high", why: "shows a secret" },
      { words: "metadata_delete get show unwrap kv_get decrypt operator_seal operator_unseal operator_init view " +
        "export edit secrets_disable auth_disable",
        level: "high" },
      { names: "vault", ...serverClient },
    ],
    match: { low: ["vault status", "vault secrets list", "vault token lookup", "pass ls"],
      medium: ["vault kv put secret/app a=b"],
      high: ["vault kv get secret/app", "op read op://x/y", "vault operator seal"] } },
  { id: "vm.virsh", names: "virsh", check: "family",
    rows: [
      { if: "^( -\\S+)* ((emulatorpin|desc|memtune|blkiotune|numatune|domtime)( -\\S+)* [^ -]\\S*|" +
        "vcpupin \\S+ \\S+)" +
        "( -\\S+)* [^ -]",
        level: "medium",
        why: "sets what is given" },
      elsewhere("virsh", "lxc-enter-namespace", 1),
      { words: "qemu-agent-command",
        unless: "^(?!.*(\\\\|input-data|\"env\"|\"arg\".*\"path\")).*\"execute\"\\s*:\\s*\"guest-exec\"|" +
          "^[^{]*\\{\\s*\"execute\"\\s*:\\s*" +
          "\"guest-(ping|info|sync|sync-delimited|get-\\w[\\w-]*|network-get-interfaces|fsfreeze-status|" +
          "exec-status)\"" +
          "\\s*(,\\s*\"arguments\"\\s*:\\s*\\{[^{}]*\\}\\s*)?\\}[^{}]*$",
        level: "high", why: "acts in the guest" },
      { words: "qemu-agent-command",
        does: { is: "runs-text", joins: true, if: "(?:\"path\"\\s*:\\s*|(?<=[\\[,]\\s*))\"([^\"]*)\"(?!\\s*:)" } },
      { words: "dom* nodeinfo nodecpustats nodememstats dumpxml vcpuinfo capabilities freecell hostname uri " +
        "sysinfo net-dhcp-leases vncdisplay iothreadinfo emulatorpin vcpupin-show schedinfo " +
        "pool-capabilities cpu-models cpu-stats migrate-getmaxdowntime migrate-getspeed ttyconsole nodedev-info " +
        "net-port-list iface-name iface-mac pool-name pool-uuid vol-name vol-key snapshot-info snapshot-parent " +
        "snapshot-dumpxml checkpoint-info checkpoint-parent checkpoint-dumpxml nwfilter-binding-list " +
        "backup-dumpxml guestinfo nodesevinfo",
        level: "low" },
      { words: "domrename define setmem setvcpus autostart managedsave-edit migrate", level: "medium" },
      { words: "domfsfreeze undefine managedsave managedsave-remove vol-wipe destroy", level: "high" },
    ],
    match: { low: ["virsh list --all", "virsh domblklist web"], medium: ["virsh setvcpus vm1 2"],
      high: ["virsh destroy vm1"] } },
  { id: "vm.tools",
    names: "lxc incus lxc-ls lxc-info qm pct pvesh pvesm pvecm pveum pvesr ha-manager vagrant multipass " +
      "VBoxManage vboxmanage xe xl xm esxcli govc prlctl limactl colima virt-xml vmadm zoneadm iocage " +
      "bastille cbsd",
    check: "family",
    rows: [
      elsewhere("lxc incus", "exec", 1),
      elsewhere("lxc incus", "shell console", 1),
      elsewhere("pct", "exec enter", 1),
      elsewhere("qm", "guest_exec", 1),
      elsewhere("vagrant", "ssh winrm powershell", 1, { ...signsIn, after: "-c --command" }),
      elsewhere("multipass prlctl", "exec shell enter", 1),
      elsewhere("iocage bastille", "exec cmd console", 1),
      elsewhere("cbsd", "jexec", 1),
      elsewhere("limactl", "shell", 1),
      elsewhere("colima", "ssh", 0, signsIn),
      elsewhere("VBoxManage vboxmanage", "guestcontrol", 2, { after: "--exe --path" }),
      elsewhere("govc", "guest.run guest.start", 0),
      { words: "getallvms get.* getstate power.getstate qm_config pct_config qm_pending pct_df config_show " +
        "storage_list volume_list showvminfo dominfo " +
        "uptime lxc-ls lxc-info vagrant_port vagrant_ssh-config",
        level: "low" },
      { names: "qm", operands: true,
        if: "^ guest cmd \\S+ (?!ping |info |get-\\S+ |network-get-interfaces |fsfreeze-status )",
        level: "medium", why: "acts in the guest" },
      { words: "cluster_list-tokens", level: "high", why: "shows tokens" },
      { names: "vagrant", words: "status validate port ssh-config winrm-config snapshot", is: "project",
        why: "runs the Vagrantfile" },
      { words: "pct_push pct_pull qm_set qm_monitor updatecerts file_get file_pull trust_list-tokens key_show " +
        "multipass_alias",
        level: "medium" },
      actsAlone("cbsd"),
      { words: "pvesm_free controlvm unprotect lxc_restore", level: "high" },
    ],
    match: { low: ["lxc list", "qm config 100", "pvesh get /nodes", "xl list", "pct exec 101 -- df -h"],
      medium: ["qm start 100"], high: ["lxc delete web", "pct destroy 101"], block: ["pct exec 101 -- rm -rf /"] } },
  { id: "queue.tools",
    names: "pulsar-admin nats rpk kaf kcctl nsq_stat activemq artemis couchbase-cli neo4j-admin " +
      "arangosh tikv-ctl pd-ctl tiup vtctlclient vtctldclient orchestrator " +
      "proxysql-admin maxctrl mysqlrouter-ctl ksql schema-registry temporal tctl zeebe camunda flink hbase " +
      "storm solr",
    check: "family",
    rows: [
      actsAlone("orchestrator zeebe"),
      { words: "server_report stream_report cluster_info healthcheck server-list bucket-list host-list server-info " +
        "group-list rebalance-status kaf_topics kaf_groups kaf_nodes store load-report " +
        "activemq_dstat activemq_bstat activemq_query activemq_list activemq_status",
        level: "low" },
      elsewhere("tiup", "cluster_exec dm_exec", undefined, { ...signsIn, after: "--command" }),
      { words: "pub produce request consumer_next flink_info", level: "medium" },
      actsAlone("arangosh artemis maxctrl ksql camunda"),
      { words: "-rm", level: "high" },
      { names: "vtctldclient", words: "", reach: { kind: "service", options: { host: "--server" } } },
      { names: "couchbase-cli", words: "", reach: { kind: "service", options: { host: "-c --cluster" } } },
      { names: "nats rpk kaf", reach: { kind: "service", options: { host: "-s --server -b --brokers" } } },
    ],
    match: {
      low: ["pulsar-admin topics list public/default", "nats stream ls", "rpk cluster health"],
      medium: ["nats pub x hi"], high: ["nats stream purge x", "pulsar-admin topics delete x"] } },
  { id: "app.tools",
    names: "doveadm wp drush occ artisan n98-magerun magento keycloak kcadm.sh kcadm sentry-cli omd cmk " +
      "gitlab-ctl gitlab-runner gitea forgejo mattermost mmctl nextcloud zmprov zmcontrol kopano-admin plesk " +
      "discourse ghost bench circusctl honcho tctl-tsh step-ca authelia",
    check: "family",
    rows: [
      actsAlone("zmprov step-ca"),
      { names: "wp drush occ artisan n98-magerun magento bench", is: "project", why: "starts the application" },
      { words: "queue:failed migrate:status route:list about who auth_test quota_get core_verify-checksums " +
        "plugin_verify-checksums tsh_status",
        level: "low" },
      { words: "log_reopen search-replace sql:query sql-query sqlq maintenance-mode zmcontrol_start bench_get-app " +
        "doctor_recreate-table doctor_convert",
        level: "medium" },
      elsewhere("drush", "ssh", 0, signsIn),
      { names: "drush", if: " @\\S", level: "medium", why: "asks another site" },
      { names: "wp", if: " --fields?[ =]\\S*(user_pass|user_activation_key)", level: "high", why: "shows hashes" },
      actsAlone("authelia circusctl forgejo gitea mattermost"),
      { words: "migrate:fresh migrate:refresh down kick expunge zmcontrol_stop db_query db_reset db_clean " +
        "gitlab-ctl_show-config keycloak_show-config config:show",
        level: "high" },
    ],
    match: { low: ["gitlab-ctl status", "zmcontrol status", "gitlab-runner verify"],
      medium: ["gitlab-ctl restart", "wp plugin list", "wp plugin update --all"],
      high: ["wp db drop", "drush sql-drop"] } },
  { id: "batch.tools",
    names: "scontrol sacctmgr pbsnodes qmgr qconf condor_config_val airflow dagster prefect luigi " +
      "nextflow dvc mlflow ray dask wandb",
    check: "family",
    rows: [
      actsAlone("scontrol qmgr"),
      { names: "airflow", is: "project", why: "imports the DAG files",
        words: "dags_list dags_show dags_details dags_report dags_next-execution dags_list-import-errors dags_state " +
          "dags_backfill dags_test tasks_list tasks_state tasks_failed-deps tasks_test tasks_render " +
          "tasks_clear" },
      { names: "qmgr", unless: "^ -c ([lp]|list|print)(␠[\\w@.,-]+)* $|^( -\\S+)* $", level: "medium",
        why: "does more than show" },
      { words: "dags_report dags_list-runs dags_list-jobs tasks_states-for-dag-run show-config dvc_config " +
        "pbsnodes qmgr",
        level: "low" },
      elsewhere("ray", "exec", 1, signsIn),
      { words: "scontrol_update dags_trigger dags_test tasks_test dvc_get artifacts_get plots_show plots_diff " +
        "config_list",
        level: "medium" },
      { names: "dvc", if: "^ config \\S+ \\S", level: "medium", why: "sets what is given" },
    ],
    match: { low: ["scontrol show node n1", "airflow jobs check"],
      medium: ["airflow dags trigger x", "airflow dags list"],
      high: ["sacctmgr delete user x"] } },
  { id: "net.tools",
    names: "rndc pdnsutil pdns_control rec_control unbound-control knotc tailscale zerotier-cli netbird " +
      "nebula-cert headscale occtl easyrsa gobgp bgpctl ospfctl lldpcli lldpctl ovn-nbctl ovn-sbctl ovs-dpctl nv " +
      "netq devlink rdma dcb tipc vdpa mlnx_qos resolvconf nmstatectl connmanctl iwctl iw bluetoothctl mmcli " +
      "upower nsd-control mstpctl zerotier",
    check: "family",
    rows: [
      { names: "ovn-nbctl ovn-sbctl", if: " -- ", level: "medium", why: "gives more than one command" },
      { words: "tailscale_ip iw_list iw_features iw_commands netcheck zonestatus ping rping stats_noreset " +
        "get-all dump_cache dump_infra dump_requestlist lldpctl link links dump survey station neighbor neighbors " +
        "neighbours routes rib dev_show " +
        "dhclient listnetworks listpeers peers mmcli upower resolvconf dump-flows dump-conntrack dump-groups " +
          "iw_dev iw_reg iw_phy dev",
        level: "low" },
      elsewhere("tailscale", "ssh", 1, signsIn),
      { names: "rndc", words: "", reach: { kind: "service", options: { host: "-s" } } },
      { names: "occtl", words: "show_events", ends: { does: "it follows events for ever" } },
      { names: "iw",
        unless: "^( -\\S+)* *$|^( -\\S+)* (list|features|commands|help|event|reg get|dev|phy|phy \\S+ (info|channels|" +
          "reg get)|dev \\S+ (info|link|survey dump|scan dump|station (dump|get \\S+)|get \\S+|mp(ath|p) dump)) $",
        level: "medium", why: "changes a radio or sends" },
      { names: "devlink",
        if: " (recover|diagnose|clear|set|flash|reload|new|add|del|split|unsplit|run|test|snapshot|clearmax) ",
        level: "medium", why: "changes a device" },
      actsAlone("bluetoothctl connmanctl iwctl knotc lldpcli"),
      { words: "scan log_verbose softreset softresetin softresetout preauthkeys_list up file_get " +
        "rndc_flush flushname flushtree flush_zone flush_type flush_requestlist flush_infra " +
        "flush_negative flush_bogus wipe-cache log_reopen unbound-control_stats rndc_secroots rndc_stats " +
        "rndc_dumpdb rndc_recursing",
        level: "medium" },
      { words: "down", level: "high" },
    ],
    match: { low: ["tailscale status", "gobgp neighbor", "lldpcli show neighbors", "occtl show users"],
      medium: ["tailscale up"], high: ["tailscale down", "occtl disconnect user bob"] } },
  { id: "appliance.tools", names: "uci ubus lbu fw_printenv fw_setenv swconfig wifi", check: "family",
    rows: [
      actsAlone("wifi"),
      { words: "system_board system_info fw_printenv ubus_list ubus_listen", level: "low" },
      { words: "commit fw_setenv", level: "medium" },
      { words: "revert", level: "high" },
    ],
    match: { low: ["uci show network", "ubus call system board", "lbu status"], medium: ["uci commit", "fw_setenv x 1"],
      high: ["uci revert network"] } },
  { id: "directory.tools",
    names: "net ipa ipactl ipa-replica-manage samba-tool realm sssctl adcli dsctl dsconf dsidm kadmin " +
      "kadmin.local kdb5_util pdbedit smbcontrol rspamc rspamadm fwupdmgr tuned-adm powerprofilesctl " +
      "pvesubscription subscription-manager insights-client pro ua snapd-ctl ostree rpm-ostree bootc " +
      "systemd-sysext systemd-confext userdbctl varlinkctl homectl importctl oomctl authselect crm_node " +
      "composer-cli greenbone-feed-sync cupsctl",
    check: "family",
    rows: [
      { words: "oomctl_dump userdbctl_user userdbctl_group userdbctl_services user-find user-show cert-find dbcheck " +
        "drs_showrepl ads_info ads_lookup active recommend testjoin verify-chain authselect_current authselect_list " +
        "authselect_check monitor_server monitor_backend monitor_ldbm monitor_disk healthcheck listprincs getprinc " +
        "listpols getpol getprivs crm_node",
        level: "low" },
      { words: "collect-logs active-set profile insights-client compose_logs compose_results homectl_with " +
        "fwupdmgr_report-history fwupdmgr_report-devices fwupdmgr_report-export fwupdmgr_verify-update",
        level: "medium" },
      { words: "unjoin", level: "high" },
      { names: "net", words: "", reach: { kind: "service", options: { host: "-S --server -I --ipaddress" } } },
      { names: "samba-tool", words: "", reach: { kind: "service", options: { host: "-H --URL" } } },
      { names: "samba-tool", if: " --attributes[ =]\\S*(?i:pwd|password|credential|secret)", level: "high",
        why: "shows hashes" },
      { names: "dsconf", if: "rootpw|password", level: "high", why: "shows a hash" },
      actsAlone("kadmin kadmin.local greenbone-feed-sync"),
    ],
    match: { low: ["ipa user-find", "samba-tool drs showrepl", "realm list", "rpm-ostree status", "ipactl status"],
      medium: ["samba-tool user create bob"], high: ["ipa user-del bob", "realm leave"] } },
  { id: "language.tools",
    names: "asdf mise nvm fnm volta pyenv rbenv nodenv jenv sdk goenv tfenv tfswitch rustup ghcup opam stack " +
      "cabal nimble pixi hatch pdm rye conan vcpkg spack rails symfony manage.py django-admin flask alembic " +
      "flyway liquibase prisma knex sequelize dbmate goose sqitch console nx lerna dotnet-counters dotnet-trace " +
      "dotnet-dump dotnet-gcdump dotnet-stack dotnet-symbol turbo eas expo pod fastlane",
    check: "family",
    rows: [
      actsAlone("tfswitch"),
      { names: "rails manage.py django-admin flask alembic knex console fastlane pod lerna",
        is: "project", why: "imports the application or its settings, which are code" },
      { names: "prisma", unless: "^ version ", is: "project", why: "loads its settings, which are code" },
      { names: "eas", unless: "^ (whoami|account:\\S+) ", is: "project", why: "evaluates app.config.js" },
      { names: "flyway", words: "info validate", is: "project", why: "runs its callbacks" },
      { names: "liquibase", is: "project", why: "loads the classes that its settings name" },
      { words: "current which where whence showmigrations migrate_status ls-remote goenv_versions nodenv_versions " +
        "pyenv_versions rbenv_versions jenv_versions",
        level: "low" },
      elsewhere("asdf pyenv rbenv nodenv jenv goenv fnm volta mise stack cabal hatch pdm rye pixi opam nx lerna",
        "exec run x", 0, { level: "medium", why: "runs a program of another version" }),
      { names: "rustup nvm fnm mise asdf tfenv",
        words: "check ls-remote list-remote version-remote latest outdated list_all",
        reach: { kind: "service" } },
      elsewhere("rustup", "run", 1, { level: "medium", why: "runs a program of another version" }),
      { words: "shell exec run global local default test debug alembic_stamp cabal_list-bin cabal_get conan_inspect " +
        "conan_info graph_info diff-changelog lerna_version hatch_version goose_status goose_version",
        level: "medium" },
      { words: "migrate_reset migrate:fresh credentials:show secrets:show env:list env:get", level: "high" },
    ],
    match: { low: ["pyenv versions", "rustup show"], medium: ["rustup update", "flyway info", "alembic history"],
      high: ["asdf uninstall x"] } },
];

// biome-ignore format: filled to the width
export const cloudRules: readonly Program[] = [
  ...familyRules,
  { id: "cloud.terraform", names: "terraform tofu terragrunt pulumi packer cdk",
    options: { value: "-var -var-file -s --stack -target -out", script: "-chdir" }, oneDash: true, tag: "cluster",
    rows: [
      { words: "plan show output state_list state_show version validate providers graph preview stack_ls " +
        "stack_output stack_history workspace_list workspace_show inspect diff ls logs config whoami plugin_ls " +
        "policy_ls stack metadata_functions",
        level: "low" },
      { words: "cdk_ls cdk_list cdk_diff cdk_synth init apply import fmt workspace_new workspace_select get up " +
        "refresh login taint untaint state_mv build deploy synth cancel workspace",
        level: "medium" },
      { words: "destroy state_rm state_push force-unlock down workspace_delete stack_rm apply_-destroy " +
        "apply_--destroy run-all",
        level: "high" },
      { names: "terraform tofu", words: "plan", is: "project", why: "runs the programs that its data sources name" },
      { names: "terragrunt", unless: "^ version $", is: "project", why: "its files run commands as they are read" },
      { names: "cdk", unless: "^ (doctor|version) $", is: "project", why: "runs the program that describes the stack" },
      { words: "-destroy --destroy -auto-approve --auto-approve", level: "high" },
      { if: "^ (output|config get|state show) .*(?i:password|passwd|secret|token|private_?key|kubeconfig|credential)",
        level: "high", why: "shows a secret" },
      { words: "-check", is: "rehearsal" },
      { names: "terraform tofu", if: "^ apply (-\\S+ )*[^- ]\\S* $",
        probe: { run: "$0 show $2", shows: "the plan in that file",
          example: ["terraform apply out.plan", "terraform show out.plan"] } },
    ],
    deep: {
      plan: { level: "low", options: { value: "-var -var-file -target -out -state -lock-timeout" }, oneDash: true },
    },
    match: { low: ["terraform validate", "terraform state list"],
      medium: ["terraform apply", "terraform plan", "terraform plan -destroy -lock=false", "terragrunt output"],
      high: ["terraform destroy", "terraform output -raw db_password"] } },
  { id: "config.ansible",
    names: "ansible-playbook ansible-pull salt salt-call salt-ssh chef-client chef-solo cf-agent puppet knife cfengine",
    level: "medium",
    options: { value: "-l -t -e -u -f --limit --tags --extra-vars",
      script: "-i --inventory --inventory-file -M --module-path" },
    rows: [
      { words: "--check --syntax-check --list-hosts --list-tasks --list-tags --versions-report", level: "low" },
      { names: "salt salt-ssh", if: `^ \\S+ (${saltReads})( |$)`, operands: true, level: "low" },
      { names: "salt-call", if: `^ (${saltReads})( |$)`, operands: true, level: "low" },
      // It still runs tasks that say `check_mode: false`, and gathers facts as root.
      { names: "ansible-playbook", if: " (-C|--check) ", unless: " --(list-\\w+|syntax-check) ", level: "medium",
        why: "runs what a playbook runs in check mode, too" },
      { names: "puppet", words: "~config ~facts", level: "low" },
      { names: "puppet", words: "agent apply lookup", unless: " --version ", is: "project",
        why: "fetches plugins and compiles manifests, of which one may say that it is no rehearsal" },
      { names: "chef-client chef-solo", is: "project", why: "runs recipes and their guards in a rehearsal, too" },
      { names: "puppet", level: "low",
        if: "^ (module list|resource (?!user\\b)[\\w:]+( [^ =-]+)?|parser validate( \\S+)+|cert list( --all)?|agent " +
          "--version) $" },
      { names: "knife", words: "~status", level: "low" },
      { names: "knife", if: "^ (node|role|environment|cookbook|client|user|data bag|tag|recipe|spork|supermarket) " +
        "(list|show) |^ (search|status|diff) ",
        unless: " (data bag show|ssh|exec) ", level: "low" },
      { words: "--no-noop ~state.* ~file.* ~user.* ~group.* ~cron.* ~saltutil.* ~pkg.install ~pkg.upgrade " +
        "~service.start ~service.restart ~service.enable",
        level: "medium" },
      { names: "puppet", words: "~set ~delete ~upload", level: "medium" },
      { words: "~pkg.remove ~pkg.purge ~service.stop ~system.* ~cmd.run ~cmd.run_all ~cmd.shell ~clean",
        level: "high" },
      { names: "knife", words: "~ssh ~winrm", level: "high" },
      elsewhere("knife", "ssh winrm", 1),
      { names: "ansible-playbook", ...scriptInventory },
      { names: "ansible-playbook puppet chef-client chef-solo", if: " /(tmp|var/tmp|dev/shm)/", operands: true,
        level: "high", why: "runs what anybody may have written" },
      { does: { is: "runs-text", after: "cmd.*" } },
      { names: "puppet", does: { is: "runs-text", after: "-e --execute", if: "exec\\s*\\{\\s*['\"]([^'\"]+)['\"]" } },
      { names: "puppet", does: { is: "runs-text", after: "-e --execute", if: "command\\s*=>\\s*['\"]([^'\"]+)['\"]" } },
      { names: "puppet",
        does: { is: "deletes", after: "-e --execute",
          if: "file\\s*\\{\\s*['\"]([^'\"]+)['\"][^}]*ensure\\s*=>\\s*absent" } },
      { names: "ansible-playbook ansible-pull salt salt-ssh knife puppet chef-client", reach: { kind: "service" } },
      { names: "ansible-playbook",
        probe: { run: "$0 --list-tasks --list-hosts $@", shows: "which tasks it would run, and on which hosts",
          example: ["ansible-playbook -l web site.yml",
            "ansible-playbook --list-tasks --list-hosts -l web site.yml"] } },
    ],
    match: { low: ["ansible-playbook --list-tasks site.yml", "ansible-playbook --syntax-check --check site.yml"],
      medium: ["ansible-playbook site.yml", "ansible-playbook --check site.yml", "puppet agent -t",
        "puppet agent --test --noop", "chef-client --why-run"],
      high: ["salt '*' cmd.run uptime"] } },
  { id: "config.ansible-adhoc", names: "ansible", level: "medium", why: "signs in to hosts and runs a module there",
    options: { value: "-m -a -u -f -l -e -t --module-name --args --user --limit --extra-vars",
      script: "-i --inventory --inventory-file -M --module-path" },
    rows: [
      { if: "\\b(lookup|query|q)(␠)*\\(", level: "high",
        why: "looks something up: by a command, a file or an address" },
      { if: " --(list-hosts|version) ", level: "low", why: "only lists hosts" },
      scriptInventory,
      { if: " (-\\w*m ?|--module-name[ =])(\\S*\\.)?(reboot|win_reboot|shutdown) ", level: "high" },
      { if: "\\bstate=absent\\b", level: "high", why: "removes something" },
      { unless: " (-\\w*m ?|--module-name[ =])(?!\\S*(shell|command|raw|script) )\\S",
        does: { is: "runs-text", after: "-a --args", if: "\\bcmd=(?:\"((?:[^\"\\\\]|\\\\.)*)\"|'([^']*)'|([^]*))" } },
      { unless: " (-\\w*m ?|--module-name[ =])(?!\\S*(shell|command|raw|script) )\\S",
        does: { is: "runs-text", after: "-a --args",
          if: "^(?![^]*\\bcmd=)(?:(?:chdir|creates|removes|executable|stdin)=\\S+\\s+)*([^]*)$" } },
      { if: " (-\\w*m ?|--module-name[ =])(?!\\S*(shell|command|raw|script) )\\S",
        does: { is: "deletes", after: "-a --args", if: "^(?=[^]*state=absent)[^]*?\\b(?:path|dest|name)=(/\\S+)" } },
      { reach: { kind: "service", options: { host: "-i --inventory" } } },
    ],
    match: { low: ["ansible all --list-hosts"], medium: ["ansible web -a uptime", "ansible all -m ping"],
      high: ["ansible all -m reboot"],
      block: ["ansible all -m shell -a 'rm -rf /'"] } },
  { id: "config.ansible-look", names: "ansible-inventory ansible-doc ansible-config facter ohai augtool-print",
    level: "low", options: { script: "-i --inventory --inventory-file --custom-dir --external-dir" },
    rows: [
      scriptInventory,
      { names: "facter ohai", words: "--custom-dir --external-dir -d --directory --plugin", level: "medium",
        why: "loads code from there" },
    ],
    match: { low: ["ansible-inventory --list", "ansible-inventory -i hosts.yml --graph", "facter os"],
      medium: ["ansible-inventory -i ./inv.py --list", "facter --custom-dir ./f"] } },
  { id: "cloud.parallel-ssh", names: "pssh parallel-ssh clush pdsh dsh mssh", level: "medium",
    why: "runs a command on many hosts", options: { flag: "-a -A -b -B -d -i -I -L -M -N -q -r -R -S -v --inline --all",
      value: "-h -H -l -p -P -t -o -e -w -g -x -X -f -u -O --hosts --host --user --timeout" },
    rows: [
      { unless: " --(r?copy|dest) ",
        does: { is: "runs-elsewhere", operand: 0, joins: true } },
    ],
    match: { medium: ["pssh -h hosts uptime", "clush -w web[1-3] uptime"], block: ["pdsh -w web1 'rm -rf /'"] } },
  { id: "cloud.metadata", names: "cloud-init ec2metadata ec2-metadata waagent", level: "low",
    rows: [
      { names: "waagent", unless: " -{0,2}(version|help|show-configuration) ", level: "medium",
        why: "is the agent itself" },
      { words: "status query analyze features schema", level: "low" },
      { words: "single modules init", level: "medium" },
      { words: "clean", level: "high" },
    ],
    match: { low: ["cloud-init status"], medium: ["cloud-init single"], high: ["cloud-init clean"] } },
  { id: "monitoring.agent",
    names: "promtool amtool telegraf datadog-agent newrelic logcli thanos node_exporter vmctl influxd " +
      "zabbix_get zabbix_sender nagios nagios3 nagios4 naemon check_nrpe filebeat metricbeat packetbeat " +
      "apm-server journalbeat vector fluent-bit fluentd otelcol " +
      "otelcol-contrib grafana-cli dog pdcli pd newrelic-infra icingacli",
    level: "medium",
    options: { settings: "--config" },
    rows: [
      { names: "zabbix_get", level: "low" },
      { names: "check_nrpe", if: " -c ?check_[\\w.-]+ ", level: "low" },
      { names: "promtool", level: "low", words: "check_config check_rules check_healthy check_ready check_web-config " +
        "query_instant query_range query_series query_labels tsdb_list tsdb_analyze test_rules check_metrics" },
      { names: "amtool", level: "low", words: "alert alert_query silence silence_query check-config config " +
        "config_show " +
        "config_routes config_routes_show config_routes_test cluster cluster_show" },
      { names: "logcli", level: "low",
        words: "query instant-query labels series stats volume volume_range detected-fields" },
      { names: "telegraf", words: "--test config", level: "low" },
      { names: "datadog-agent", level: "low",
        words: "status health version hostname diagnose configcheck config_get tagger-list workload-list check" },
      { names: "filebeat metricbeat packetbeat apm-server journalbeat",
        words: "test_config test_output test_modules version modules_list", level: "low" },
      { names: "vector", words: "validate list graph", level: "low" },
      { names: "fluent-bit fluentd", words: "--dry-run", level: "low" },
      { names: "fluent-bit fluentd", if: " (-c|--config)[ =]?(?!/etc/|/opt/|/fluent)\\S", level: "medium",
        why: "loads the plugins that it names" },
      { names: "otelcol otelcol-contrib", words: "validate components", level: "low" },
      { names: "grafana-cli", words: "plugins_ls", level: "low" },
      { names: "thanos", words: "tools_bucket_ls tools_bucket_inspect tools_rules-check check_rules", level: "low" },
      { names: "icingacli", words: "monitoring_list module_list", level: "low" },
      { words: "--version -version", level: "low" },
      { if: "^ version ", operands: true, level: "low" },
      { names: "zabbix_sender", level: "medium" },
      { names: "nagios nagios3 nagios4 naemon", if: "^ -(v+|[sS]) \\S+ $", level: "low" },
      { words: "~add ~set ~create ~update ~import ~setup", level: "medium" },
      { words: "~delete ~expire ~stop ~purge", level: "high" },
      { names: "zabbix_get", if: "web\\.(page|certificate)\\.", level: "medium", why: "asks another host from there" },
      { names: "zabbix_get check_nrpe", if: "system\\.run\\[| -a ", level: "high", why: "may run a command there" },
      { names: "zabbix_get zabbix_sender", reach: { kind: "request", options: { host: "-s -z" } } },
      { names: "check_nrpe", reach: { kind: "lookup", options: { host: "-H" } } },
    ],
    match: { low: ["promtool check config x.yml", "datadog-agent status", "zabbix_get -s web1 -k agent.ping"],
      medium: ["amtool silence add x"], high: ["promtool delete"] } },
  { id: "search.elastic", level: "medium",
    names: "elasticsearch-plugin elasticsearch-keystore logstash-plugin curator elasticdump opensearch-plugin " +
      "opensearch-keystore kibana-plugin kibana-keystore",
    rows: [
      { words: "~list ~show --dry-run", level: "low" },
      { words: "~remove ~delete_indices ~delete", level: "high" },
      { names: "elasticsearch-keystore opensearch-keystore kibana-keystore", words: "~show", level: "high" },
    ],
    match: { low: ["elasticsearch-plugin list"], medium: ["elasticsearch-plugin"], high: ["curator delete_indices"] } },
];
