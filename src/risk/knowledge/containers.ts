/** Containers, virtual machines, clusters. */
import type { Program, Row } from "../program.ts";
import { elsewhere, followsLogs, imageClient, signsIn } from "./facts.ts";

const containerOptions = {
  value: "-e -u -w -v -p --env --user --workdir --index --volume --publish --name --entrypoint",
};
/** `-o jsonpath-file=FILE`: kubectl tells what it cannot read there. */
const ofTemplates: Row = { does: { is: "reads", after: "-o --output", if: "^[\\w-]*file=(.+)$" } };
const entersContainer: readonly Row[] = [{ does: { is: "runs-elsewhere", operand: 1 } }];
/** Without a command, a new container runs its own. */
const startsContainer: readonly Row[] = [
  { does: { is: "runs-argv", after: "--" } },
  { unless: " -- ", does: { is: "runs-argv", operand: 1 } },
];

// biome-ignore format: filled to the width
export const containerRules: readonly Program[] = [
  { id: "container.docker", names: "docker podman nerdctl docker.io finch",
    options: {
      value: "-H -c -l -n --host --context --config --log-level --namespace --url --connection --root " +
        "--runroot --storage-driver" },
    rows: [
      { words: "ps logs inspect images stats top port version info diff history search events container_ls " +
        "container_list container_ps container_logs container_inspect container_stats container_top " +
        "container_port container_diff image_ls image_list image_inspect image_history volume_ls volume_list " +
        "volume_inspect network_ls network_list network_inspect system_df system_info system_events service_ls " +
        "service_ps service_logs service_inspect node_ls node_ps node_inspect stack_ls stack_ps stack_services " +
        "compose_ps compose_logs compose_config compose_top compose_images compose_ls compose_version " +
        "compose_port compose_events compose_stats context_ls context_show context_inspect config_ls " +
        "config_inspect secret_ls plugin_ls manifest_inspect buildx_ls buildx_du buildx_inspect builder_du " +
        "checkpoint_ls pod_ps pod_ls pod_inspect pod_top pod_stats wait " +
        "system_connection_list namespace_ls secret_inspect plugin_inspect trust_inspect buildx_imagetools_inspect " +
        "machine_list machine_ls machine_inspect quadlet_list system_connection_ls image_exists container_exists " +
        "volume_exists network_exists pod_exists secret_exists image_tree image_diff",
        level: "low" },
      { words: "start restart stop pause unpause pull push tag build commit create update rename login logout " +
        "save load import export attach container_start container_restart container_stop container_pause " +
        "container_unpause container_update container_rename container_create container_commit container_attach " +
        "container_export image_pull image_push image_tag image_build image_save image_load volume_create " +
        "network_create network_connect network_disconnect compose_up compose_start compose_restart compose_stop " +
        "compose_pull compose_build compose_create compose_pause compose_unpause compose_push compose_scale " +
        "service_create service_update service_scale service_rollback node_update node_promote stack_deploy " +
        "swarm_init swarm_join swarm_update swarm_join-token config_create secret_create context_use " +
        "context_create buildx_build buildx_create plugin_install plugin_enable plugin_disable compose_cp " +
        "compose_watch play_kube generate_systemd system_service pod_start pod_stop pod_restart pod_create " +
        "generate_kube auto-update",
        level: "medium" },
      { words: "rm rmi kill container_rm container_remove container_kill container_prune image_rm image_remove " +
        "image_prune volume_rm volume_remove volume_prune network_rm network_remove network_prune system_prune " +
        "compose_down compose_rm compose_kill service_rm node_rm node_demote stack_rm swarm_leave swarm_ca " +
        "builder_prune buildx_prune buildx_rm config_rm secret_rm plugin_rm plugin_remove context_rm pod_rm " +
        "pod_kill pod_prune system_reset checkpoint_rm",
        level: "high" },
      { words: "()", level: "low" },
      imageClient,
      followsLogs,
      { words: "wait attach", ends: { does: "it waits until a container ends" } },
      { names: "docker podman", if: "^ (stop|restart|kill|rm) ",
        probe: { run: "$0 inspect --format '{{.Name}}␠{{.State.Status}}␠{{.State.StartedAt}}␠{{.Config.Image}}' $2+",
          shows: "the containers as they are",
          example: ["docker restart web",
            "docker inspect --format '{{.Name}} {{.State.Status}} {{.State.StartedAt}} {{.Config.Image}}' web"] } },
      { names: "docker podman", if: "^ (system|image|volume|container|builder) prune ",
        probe: { run: "$0 system df", shows: "what could be freed",
          example: ["docker system prune -af", "docker system df"] } },
      elsewhere("podman", "unshare", 0),
      elsewhere("podman", "machine_ssh", 0, signsIn),
      elsewhere("podman", "machine_ssh", 1, signsIn),
    ],
    deep: {
      "run create container_run container_create": { why: "starts a container",
        options: {
          value: "-e -v -p -w -u -l -m -h -c -a --env --env-file --volume --mount --publish --workdir --user " +
            "--name --network --net --entrypoint --label --label-file --memory --memory-swap --cpus --cpu-shares " +
            "--cpuset-cpus --hostname --add-host --restart --device --cap-add --cap-drop --security-opt --pid " +
            "--ipc --uts --userns --platform --pull --log-driver --log-opt --link --ulimit --tmpfs --dns " +
            "--dns-search --expose --gpus --health-cmd --ip --mac-address --runtime --shm-size --stop-signal " +
            "--stop-timeout --sysctl --volumes-from --detach-keys --cidfile --group-add --cgroupns " +
            "--cgroup-parent --index" },
        check: "docker",
        rows: [
          { words: "--privileged --device --pid=host --net=host --network=host --ipc=host --userns=host " +
            "--uts=host --cap-add=SYS_ADMIN --cap-add=ALL --cap-add=SYS_PTRACE --cap-add=SYS_MODULE " +
            "--cap-add=CAP_SYS_ADMIN --cap-add=CAP_SYS_PTRACE --cap-add=CAP_SYS_MODULE",
            level: "high" },
          { if: " --security-opt[ =]\\S*unconfined", level: "high", why: "gives the container the host's rights" },
        ] },
      "exec container_exec": { options: { value: "-e -w -u --env --env-file --workdir --user --detach-keys --index" },
        rows: [
          { words: "--privileged --device --pid=host --net=host --network=host --ipc=host --userns=host " +
            "--uts=host --cap-add=SYS_ADMIN --cap-add=ALL --cap-add=SYS_PTRACE --cap-add=SYS_MODULE " +
            "--cap-add=CAP_SYS_ADMIN --cap-add=CAP_SYS_PTRACE --cap-add=CAP_SYS_MODULE",
            level: "high" },
          ...entersContainer,
          { names: "podman", if: "^ (container )?exec (-\\S+ )*(-\\w*l\\w*|--latest) ", level: "high",
            why: "takes its first word for the command" },
        ] },
      "stop container_stop compose_stop": { rows: [{ does: "stops" }] },
      compose: {
        options: {
          value: "-f -p --file --project-name --profile --env-file --project-directory --parallel --progress " +
            "--ansi -n --tail --since" },
        rows: [
          { words: "ps logs config top images ls version port events stats convert volumes", level: "low" },
          { words: "up start restart stop pull build create pause unpause push scale cp watch attach wait",
            level: "medium" },
          { words: "down rm kill", level: "high" },
        ],
        deep: {
          exec: {
            options: containerOptions,
            rows: entersContainer },
          run: { level: "medium",
            options: containerOptions,
            rows: entersContainer },
        } },
      cp: { level: "medium", why: "copies files", rows: [{ does: "target-last" }] },
    },
    match: {
      low: ["docker logs --tail 100 web", "docker compose ps", "docker stats --no-stream", "docker exec web ls /app"],
      medium: ["docker restart web", "docker compose up -d web", "docker run --rm alpine ls"],
      high: ["docker rm -f web", "docker system prune -af --volumes", "docker volume rm x", "docker stop postgres",
        "docker run --privileged alpine ls"],
      block: ["docker run -v /:/host alpine rm -rf /host/etc", "docker exec web sh -c 'rm -rf /'"] } },
  { id: "container.compose", names: "docker-compose podman-compose",
    options: { value: "-f -p --file --project-name --profile --env-file --tail" },
    rows: [
      { words: "ps logs config top images ls version port events", level: "low" },
      { words: "up start restart stop pull build create pause unpause push scale", level: "medium" },
      { words: "down rm kill", level: "high" },
      { words: "()", level: "low" },
      followsLogs,
      { names: "docker-compose", if: " (up|down|restart|stop|start|rm|kill) ",
        probe: { run: "$0 --dry-run $@", shows: "which containers would change",
          example: ["docker-compose -f app.yml up -d", "docker-compose --dry-run -f app.yml up -d"] } },
    ],
    deep: {
      exec: {
        options: containerOptions,
        rows: entersContainer },
      run: { level: "medium",
        options: containerOptions,
        rows: entersContainer },
      stop: { rows: [{ does: "stops" }] },
    },
    match: { low: ["docker-compose ps"], medium: ["docker-compose up -d"], high: ["docker-compose down -v"] } },
  { id: "container.crictl", names: "crictl ctr runc crun youki runsc buildah skopeo",
    options: { value: "-r -n -a --namespace --address --runtime-endpoint --root" },
    rows: [
      { words: "ps images image pods inspect inspecti inspectp logs stats statsp info version list " +
        "containers_ls images_ls tasks_ls state events containers_list namespaces_ls snapshots_ls containers " +
        "imagefsinfo metricdescs metricsp runtime-config images_check i_check image_check tasks_metrics t_metrics " +
        "task_metrics snapshots_usage snapshots_tree snapshots_info " +
        "inspect-image list-tags c_ls c_list c_info container_ls container_list i_ls i_list image_ls t_ls t_list " +
        "t_ps task_ls " +
        "ns_ls namespace_ls tasks_ps containers_info content_ls plugins_ls leases_ls",
        level: "low" },
      { words: "pull start stop create runp update images_pull copy sync from commit push run tag pause resume",
        level: "medium" },
      { words: "rm rmp rmi stopp kill delete images_rm containers_rm tasks_kill tasks_rm prune rmi-all",
        level: "high" },
      { words: "()", level: "low" },
      { names: "skopeo", words: "inspect copy list-tags login sync delete",
        reach: { kind: "service", options: { host: "-H --host" } } },
      { names: "crictl buildah ctr", ...imageClient },
      { names: "crictl", ...followsLogs },
      elsewhere("buildah", "run", 1),
      { names: "ctr", words: "t_kill task_kill t_rm task_rm c_rm container_rm i_rm image_rm", level: "high" },
    ],
    deep: {
      "exec t_exec task_exec tasks_exec": {
        options: containerOptions,
        rows: entersContainer },
    },
    match: { low: ["crictl ps"], medium: ["crictl pull"], high: ["crictl rmi --prune"] } },
  { id: "cluster.kubectl", names: "kubectl oc k3s-kubectl microk8s.kubectl k kubectl.exe kubecolor",
    options: {
      value: "-n -f -l -o -c -s -k -L --namespace --filename --selector --output --container --context " +
        "--kubeconfig --cluster --user --server --tail --since --field-selector --sort-by --replicas --timeout " +
        "--image --type -p --patch --as --request-timeout --limit --grace-period --since-time -t" },
    tag: "cluster", check: "kubectl",
    rows: [
      { words: "get describe logs log top version cluster-info cluster-info_dump explain api-resources " +
        "api-versions diff config_view config_get-contexts config_current-context config_get-clusters " +
        "config_get-users auth_can-i auth_whoami rollout_status rollout_history wait events kustomize completion " +
        "options plugin_list status projects adm_upgrade adm_node-logs adm_top krew_list krew_info krew_search " +
        "krew_version tree who-can lineage neat df-pv get-all images outdated deprecations pod-lens sick-pods " +
          "unused-volumes cert-manager_version " +
        "cert-manager_status cert-manager_check gadget_version hns_tree minio_tenant_list minio_tenant_info " +
        "minio_version rook-ceph_ceph_osd_df rook-ceph_ceph_osd_status rook-ceph_ceph_pg_stat " +
        "rook-ceph_ceph_versions policy_can-i policy_who-can adm_policy_who-can access-matrix resource-capacity " +
          "view-allocations outdated_list " +
        "argo_rollouts_list argo_rollouts_get argo_rollouts_status argo_rollouts_version rook-ceph_ceph_status " +
        "rook-ceph_ceph_health rook-ceph_ceph_osd_tree rook-ceph_ceph_df rook-ceph_health rook-ceph_rook_version " +
        "rook-ceph_rook_status cnpg_status cnpg_version cnpg_logs ingress-nginx_backends ingress-nginx_conf " +
        "ingress-nginx_general ingress-nginx_info ingress-nginx_ingresses ingress-nginx_lint ingress-nginx_logs " +
        "cert-manager_status_certificate rolesum rbac-lookup ice_cpu ice_memory ice_status ice_restarts " +
        "ice_image ice_ip hns_describe rook-ceph_ceph_osd_pool_ls minio_tenant_status mayastor_get_volumes " +
        "mayastor_get_volume mayastor_get_pools mayastor_get_nodes mayastor_get_volume-replica-topologies " +
        "directpv_list_drives directpv_list_volumes directpv_info pgo_version",
        level: "low" },
      { words: "apply create patch edit set label annotate scale autoscale expose rollout_restart rollout_undo " +
        "rollout_pause rollout_resume cordon uncordon cp port-forward proxy attach certificate " +
        "config_use-context config_set-context config_set config_set-cluster adm_upgrade_channel " +
        "adm_upgrade_accept adm_upgrade_rollback config_set-credentials config_unset auth_reconcile new-app " +
        "start-build adm_policy policy tag import-image process alpha login logout convert rsync",
        level: "medium" },
      { words: "delete drain replace taint idle config_delete-context config_delete-cluster config_delete-user " +
        "adm_drain adm_prune rollback certificate_deny",
        level: "high" },
      { if: "^ (-\\S+ )*kustomize (.* )?(?![./\\w-]*\\.ya?ml)(\\S+@)?([a-z0-9-]+\\.)+[a-z]{2,}[/:]", level: "medium",
        why: "fetches what it builds" },
      { if: "^ (-\\S+ )*get-all .*(-o ?|--output[ =])(yaml|json)", level: "high", why: "shows the content of secrets" },
      ofTemplates,
      { if: " --raw[ =]\\S*(/(exec|attach|portforward|run)/|/(exec|attach|portforward)\\?)", level: "high",
        why: "runs a command there" },
      { words: "*", level: "medium" },
      { words: "()", level: "low" },
      { words: "", reach: { kind: "service", options: { host: "-s --server" } } },
      followsLogs,
      { ends: { endless: "-w --watch --watch-only", does: "it watches for ever", instead: "the same without -w" } },
      { words: "wait rollout_status argo_rollouts_status",
        ends: { ends: "--timeout --watch=false -w=false", does: "it waits until it is true",
          instead: "--timeout=60s" } },
      { words: "port-forward proxy attach", ends: { does: "it runs until it is stopped" } },
      { words: "cluster-info_dump", ends: { does: "it reads the logs of every pod" } },
      { names: "kubectl oc", if: "^ (-\\S+ )*(apply|replace) ", unless: " (-k|--kustomize|--prune|--force) ",
        probe: { without: "^(apply|replace)$", run: "$0 diff $@", shows: "what would change in the cluster",
          example: ["kubectl apply -f web.yml", "kubectl diff -f web.yml"] } },
      { names: "kubectl oc", if: " rollout (restart|pause|resume) ",
        probe: { run: "$0 get $- $3+", shows: "what would be restarted or held, as it is",
          example: ["kubectl -n shop rollout restart deployment/cart", "kubectl get -n shop deployment/cart"] } },
      { names: "kubectl oc",
        if: " (scale|autoscale|delete|patch|set|label|annotate|create|cordon|uncordon|drain|taint|rollout undo) ",
        probe: { run: "$0 $@ --dry-run=server", shows: "what the cluster says it would do",
          example: ["kubectl -n shop scale deployment/cart --replicas=3",
            "kubectl -n shop scale deployment/cart --replicas=3 --dry-run=server"] } },
    ],
    deep: {
      whoami: { level: "low", rows: [{ words: "-t --show-token", level: "high" }] },
      project: { level: "low", why: "names the project",
        rows: [{ if: "\\S", operands: true, level: "medium", why: "changes to another project" }] },
      config_view: { level: "low", why: "shows settings, with --raw the keys",
        rows: [{ words: "--raw", level: "high" }] },
      apply: { level: "medium", why: "changes the cluster", tag: "cluster",
        rows: [
          { if: " --prune(=true)? ", unless: " --dry-run(=(client|server))? ", level: "high",
            why: "deletes what is no longer in the files" },
        ] },
      exec: {
        options: { value: "-n -c --namespace --container --context --kubeconfig -f --filename --pod-running-timeout" },
        tag: "cluster",
        rows: entersContainer },
      rsh: { options: { value: "-n -c --namespace --container" }, tag: "cluster",
        rows: entersContainer },
      run: { level: "medium", why: "starts a pod",
        options: {
          value: "-n -o --output --image --namespace --overrides --env --restart --port -l --labels --context" },
        tag: "cluster",
        rows: [{ words: "--privileged", level: "high" }, ...startsContainer] },
      debug: { level: "high", why: "starts a debug container",
        options: { value: "-n --image --namespace --target -c --container --profile --copy-to" }, tag: "cluster",
        rows: startsContainer },
      get: { level: "low", why: "only reads",
        options: {
          value: "-n -o -l -f --namespace --output --selector --field-selector --sort-by --context --kubeconfig -L" },
        rows: [
          { if: " --raw[= ]\\S*/proxy/", level: "high", why: "calls a pod, a node or a service through the API" },
          { if: " --raw[= ]\\S*/secrets", level: "high", why: "shows the content of secrets" },
          ofTemplates,
        ] },
      top: { level: "low", why: "only reads" },
      delete: { level: "high", why: "deletes from the cluster" },
      scale: { level: "medium", why: "scales",
        options: { value: "-n --replicas --namespace --current-replicas --context" }, tag: "cluster" },
    },
    match: {
      low: ["kubectl get pods -A", "kubectl describe pod x", "kubectl top no", "kubectl logs x --tail=100",
        "kubectl rollout status deploy/x", "kubectl exec web -- cat /etc/hostname"],
      medium: ["kubectl rollout restart deploy/x", "kubectl apply -f x.yaml"],
      high: ["kubectl delete pod web-0 -n prod", "kubectl drain node-3", "kubectl get secret x -o yaml",
        "kubectl scale deploy/x --replicas=0"],
      block: ["kubectl exec web -- rm -rf /"] } },
  { id: "cluster.helm", names: "helm helmfile",
    options: { value: "-n -f --namespace --values --set --version --kube-context --kubeconfig --timeout",
      argv: "--post-renderer" },
    tag: "cluster",
    rows: [
      { words: "list ls status get history show search template lint version env repo_list plugin_list " +
        "dependency_list diff verify",
        level: "low" },
      { words: "install upgrade repo_add repo_update rollback pull package push test dependency_update " +
        "plugin_install apply sync create registry_login",
        level: "medium" },
      { words: "uninstall delete del repo_remove plugin_uninstall destroy", level: "high" },
      { names: "helm", ...imageClient },
      { names: "helm", if: "^ (upgrade|install|rollback|uninstall) ",
        probe: { run: "$0 $@ --dry-run", shows: "what would be sent to the cluster",
          example: ["helm upgrade web ./web", "helm upgrade web ./web --dry-run"] } },
    ],
    match: { low: ["helm list -A"], medium: ["helm upgrade x ./x"], high: ["helm uninstall x"] } },
];
