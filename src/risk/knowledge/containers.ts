/** Containers, virtual machines, clusters. */
import type { CallEffect } from "../call-effect.ts";
import type { Detail, Program, Rung } from "../program.ts";
import { followsLogs, imageClient, runsInside } from "./facts.ts";

const stopsThem: readonly CallEffect[] = [{ does: "stops" }];
const opensShell: readonly Rung[] = [
  { level: "medium", operands: true, if: "^ *(\\S+ )?$", why: "opens a shell in a container" },
];
/** Options that give the container the host's rights. */
const hostRights =
  "--privileged --device --pid=host --net=host --network=host --ipc=host --userns=host --uts=host " +
  "--cap-add=SYS_ADMIN --cap-add=ALL --cap-add=SYS_PTRACE --cap-add=SYS_MODULE --cap-add=CAP_SYS_ADMIN --cap-add=CAP_SYS_PTRACE " +
  "--cap-add=CAP_SYS_MODULE";
const startsContainer: Detail = {
  when: { high: hostRights },
  options: {
    value:
      "-e -v -p -w -u -l -m -h -c -a --env --env-file --volume --mount --publish --workdir --user --name --network --net --entrypoint " +
      "--label --label-file --memory --memory-swap --cpus --cpu-shares --cpuset-cpus --hostname --add-host --restart --device --cap-add " +
      "--cap-drop --security-opt --pid --ipc --uts --userns --platform --pull --log-driver --log-opt --link --ulimit --tmpfs --dns " +
      "--dns-search --expose --gpus --health-cmd --ip --mac-address --runtime --shm-size --stop-signal --stop-timeout --sysctl " +
      "--volumes-from --detach-keys --cidfile --group-add --cgroupns --cgroup-parent --index",
  },
  ladder: [{ level: "high", if: " --security-opt[ =]\\S*unconfined", why: "gives the container the host's rights" }],
  check: "docker",
  why: "starts a container",
};
const runsInContainer: Detail = {
  when: { high: hostRights },
  options: { value: "-e -w -u --env --env-file --workdir --user --detach-keys --index" },
  ladder: [
    {
      level: "medium",
      if: " exec (-\\S+ )*--(?!detach|interactive|tty|privileged|env|workdir|user|index)\\w",
      why: "has an option the rules do not know",
    },
  ],
  effects: [{ does: "runs-argv", operand: 1 }],
};
/** Options before the program in the container. */
const opensInside: Detail = {
  options: { value: "-e -u -w -v -p --env --user --workdir --index --volume --publish --name --entrypoint" },
  ladder: opensShell,
  effects: runsInside,
};

// biome-ignore format: filled to the width
const dockerReads =
  "ps logs inspect images stats top port version info diff history search events container_ls " +
  "container_list container_ps container_logs container_inspect container_stats container_top " +
  "container_port container_diff image_ls image_list image_inspect image_history volume_ls " +
  "volume_list volume_inspect network_ls network_list network_inspect system_df system_info " +
  "system_events service_ls service_ps service_logs service_inspect node_ls node_ps " +
  "node_inspect stack_ls stack_ps stack_services compose_ps compose_logs compose_config " +
  "compose_top compose_images compose_ls compose_version compose_port compose_events " +
  "compose_stats context_ls context_show context_inspect config_ls config_inspect secret_ls " +
  "plugin_ls manifest_inspect buildx_ls buildx_du buildx_inspect builder_du scout_* " +
  "checkpoint_ls pod_ps pod_ls pod_inspect pod_top pod_stats healthcheck_run wait " +
  "system_connection_list namespace_ls";

// biome-ignore format: filled to the width
const dockerChanges =
  "start restart stop pause unpause pull push tag build commit create update rename login " +
  "logout save load import export attach container_start container_restart container_stop " +
  "container_pause container_unpause container_update container_rename container_create " +
  "container_commit container_attach container_export image_pull image_push image_tag " +
  "image_build image_save image_load volume_create network_create network_connect " +
  "network_disconnect compose_up compose_start compose_restart compose_stop compose_pull " +
  "compose_build compose_create compose_pause compose_unpause compose_push compose_scale " +
  "service_create service_update service_scale service_rollback node_update node_promote " +
  "stack_deploy swarm_init swarm_join swarm_update swarm_join-token config_create " +
  "secret_create context_use context_create buildx_build buildx_create plugin_install " +
  "plugin_enable plugin_disable compose_cp compose_watch play_kube generate_systemd " +
  "system_service pod_start pod_stop pod_restart pod_create generate_kube auto-update";

// biome-ignore format: filled to the width
const dockerDestroys =
  "rm rmi kill container_rm container_remove container_kill container_prune image_rm " +
  "image_remove image_prune volume_rm volume_remove volume_prune network_rm network_remove " +
  "network_prune system_prune compose_down compose_rm compose_kill service_rm node_rm " +
  "node_demote stack_rm swarm_leave swarm_ca builder_prune buildx_prune buildx_rm config_rm " +
  "secret_rm plugin_rm plugin_remove context_rm pod_rm pod_kill pod_prune system_reset " + "checkpoint_rm";

// biome-ignore format: filled to the width
const kubeReads =
  "get describe logs log top version cluster-info cluster-info_dump explain api-resources api-versions diff " +
  "config_view config_get-contexts config_current-context config_get-clusters " +
  "config_get-users auth_can-i auth_whoami rollout_status rollout_history wait events " +
  "kustomize completion options plugin_list status projects adm_top krew_list krew_info krew_search krew_version";

// biome-ignore format: filled to the width
const kubeChanges =
  "apply create patch edit set label annotate scale autoscale expose rollout_restart " +
  "rollout_undo rollout_pause rollout_resume cordon uncordon cp port-forward proxy attach " +
  "certificate config_use-context config_set-context config_set config_set-cluster " +
  "config_set-credentials config_unset auth_reconcile new-app start-build adm_policy policy " +
  "tag import-image process alpha login logout convert project rsync";

// biome-ignore format: filled to the width
const kubeDestroys =
  "delete drain replace taint idle config_delete-context config_delete-cluster config_delete-user " +
  "adm_drain adm_prune rollback certificate_deny";

// biome-ignore format: filled to the width
export const containerRules: readonly Program[] = [
  { id: "container.docker", names: "docker podman nerdctl docker.io finch",
    sub: { low: dockerReads, medium: dockerChanges, high: dockerDestroys }, noSub: "low",
    options: { value: "-H -c -l -n --host --context --config --log-level --namespace --url --connection " +
    "--root --runroot --storage-driver" }, deep: { run: startsContainer, create: startsContainer, container_run: startsContainer,
    container_create: startsContainer, exec: runsInContainer, container_exec: runsInContainer,
    stop: { effects: stopsThem }, container_stop: { effects: stopsThem },
    compose_stop: { effects: stopsThem },
    compose: { sub: { low: "ps logs config top images ls version port events stats convert volumes",
    medium: "up start restart stop pull build create pause unpause push scale cp watch attach wait",
    high: "down rm kill" },
    options: { value: "-f -p --file --project-name --profile --env-file --project-directory --parallel " +
    "--progress --ansi -n --tail --since" }, deep: { exec: opensInside,
    run: { ...opensInside, level: "medium" } } },
    cp: { level: "medium", operands: "target-last", why: "copies files" } },
    reach: [{ names: "docker podman nerdctl", ...imageClient }],
    unbounded: [{ names: "docker podman nerdctl", ...followsLogs }, { names: "docker podman nerdctl", sub: "stats container_stats compose_stats pod_stats",
    ends: "--no-stream", does: "it never ends", instead: "docker stats --no-stream" }, { names: "docker podman nerdctl",
    sub: "events", ends: "--until", does: "it never ends", instead: "docker events --since 10m --until 0s" },
    { names: "docker podman nerdctl", sub: "wait attach", does: "it waits until a container ends" }],
    probes: [{ names: "docker podman", if: "^ (stop|restart|kill|rm) ", run: "$0 inspect --format '{{.Name}}␠{{.State.Status}}␠{{.State.StartedAt}}␠{{.Config.Image}}' $2+", shows: "the containers as they are",
      example: ["docker restart web",
      "docker inspect --format '{{.Name}} {{.State.Status}} {{.State.StartedAt}} {{.Config.Image}}' web"] }, { names: "docker podman", if: "^ (system|image|volume|container|builder) prune ", run: "$0 system df", shows: "what could be freed",
      example: ["docker system prune -af",
      "docker system df"] }],
    match: { low: ["docker logs --tail 100 web", "docker compose ps", "docker stats --no-stream",
      "docker exec web ls /app"], medium: ["docker restart web", "docker compose up -d web",
      "docker run --rm alpine ls"], high: ["docker rm -f web", "docker system prune -af --volumes",
      "docker volume rm x", "docker stop postgres", "docker run --privileged alpine ls"],
      block: ["docker run -v /:/host alpine rm -rf /host/etc", "docker exec web sh -c 'rm -rf /'"] } },
  { id: "container.compose", names: "docker-compose podman-compose",
    sub: { low: "ps logs config top images ls version port events",
    medium: "up start restart stop pull build create pause unpause push scale", high: "down rm kill" }, noSub: "low",
    options: { value: "-f -p --file --project-name --profile --env-file --tail" },
    deep: { exec: opensInside, run: { ...opensInside, level: "medium" },
    stop: { effects: stopsThem } }, unbounded: [{ names: "docker-compose", ...followsLogs }],
    probes: [{ names: "docker-compose", if: " (up|down|restart|stop|start|rm|kill) ", run: "$0 --dry-run $@", shows: "which containers would change",
      example: ["docker-compose -f app.yml up -d",
      "docker-compose --dry-run -f app.yml up -d"] }],
    match: { low: ["docker-compose ps"], medium: ["docker-compose up -d"], high: ["docker-compose down -v"] } },
  { id: "container.crictl", names: "crictl ctr runc crun buildah skopeo",
    sub: { low: "ps images image pods inspect inspecti inspectp logs stats statsp info version list " +
    "containers_ls images_ls tasks_ls state events containers_list namespaces_ls " +
    "snapshots_ls containers inspect-image list-tags",
    medium: "pull start stop create runp update images_pull copy sync from commit push run tag " + "pause resume",
    high: "rm rmp rmi stopp kill delete images_rm containers_rm tasks_kill tasks_rm prune rmi-all" }, noSub: "low",
    options: { value: "-r -n -a --namespace --address --runtime-endpoint --root" },
    deep: { exec: opensInside }, reach: [{ names: "skopeo", ...imageClient,
    sub: "inspect copy list-tags login sync delete" }, { names: "crictl buildah ctr", ...imageClient }],
    unbounded: [{ names: "crictl", ...followsLogs }],
    match: { low: ["crictl ps"], medium: ["crictl pull"], high: ["crictl rmi --prune"] } },
  { id: "cluster.kubectl", names: "kubectl oc k3s-kubectl microk8s.kubectl k kubectl.exe kubecolor", check: "kubectl",
    sub: { low: kubeReads, medium: kubeChanges, high: kubeDestroys }, noSub: "low",
    options: { value: "-n -f -l -o -c -s -k -L --namespace --filename --selector --output --container " +
    "--context --kubeconfig --cluster --user --server --tail --since --field-selector " +
    "--sort-by --replicas --timeout --image --type -p --patch --as --request-timeout " +
    "--limit --grace-period --since-time -t" }, tag: "cluster", otherSub: "medium", deep: { whoami: { level: "low", flags: { high: "-t --show-token" } }, config_view: { level: "low",
    flags: { high: "--raw" }, why: "shows settings, with --raw the keys" },
    apply: { level: "medium", ladder: [{ level: "high", if: " --prune(=true)? ", unless: " --dry-run(=(client|server))? ", why: "deletes what is no longer in the files" }],
    tag: "cluster", why: "changes the cluster" },
    exec: { ladder: opensShell,
    options: { value: "-n -c --namespace --container --context --kubeconfig -f --filename --pod-running-timeout" },
    tag: "cluster", effects: runsInside }, rsh: { ladder: opensShell, options: { value: "-n -c --namespace --container" }, tag: "cluster",
    effects: runsInside }, run: { level: "medium", flags: { high: "--privileged" },
    options: { value: "-n -o --output --image --namespace --overrides --env --restart --port -l --labels --context" },
    tag: "cluster", effects: runsInside, why: "starts a pod" }, debug: { level: "high",
    options: { value: "-n --image --namespace --target -c --container --profile --copy-to" }, tag: "cluster",
    effects: runsInside, why: "starts a debug container" }, get: { level: "low",
    options: { value: "-n -o -l -f --namespace --output --selector --field-selector --sort-by --context " +
    "--kubeconfig -L" }, ladder: [{ level: "high", why: "calls a pod, a node or a service through the API", if: " --raw[= ]\\S*/proxy/" }, { level: "high", why: "shows the content of secrets", if: " --raw[= ]\\S*/secrets" }], why: "only reads" },
    delete: { level: "high", why: "deletes from the cluster" }, scale: { level: "medium",
    options: { value: "-n --replicas --namespace --current-replicas --context" }, tag: "cluster", why: "scales" } },
    reach: [{ kind: "service", options: { host: "-s --server" }, sub: "" }], unbounded: [followsLogs,
    { endless: "-w --watch --watch-only", does: "it watches for ever", instead: "the same without -w" },
    { sub: "wait rollout_status", ends: "--timeout --watch", does: "it waits until it is true",
    instead: "--timeout=60s" }, { sub: "port-forward proxy attach", does: "it runs until it is stopped" },
    { sub: "cluster-info_dump", does: "it reads the logs of every pod" }],
    probes: [{ names: "kubectl oc", if: "^ (-\\S+ )*(apply|replace) ", unless: " (-k|--kustomize|--prune|--force) ", without: "^(apply|replace)$", run: "$0 diff $@", shows: "what would change in the cluster",
      example: ["kubectl apply -f web.yml",
      "kubectl diff -f web.yml"] }, { names: "kubectl oc", if: " rollout (restart|pause|resume) ", run: "$0 get $- $3+", shows: "what would be restarted or held, as it is",
      example: ["kubectl -n shop rollout restart deployment/cart",
      "kubectl get -n shop deployment/cart"] }, { names: "kubectl oc", if: " (scale|autoscale|delete|patch|set|label|annotate|create|cordon|uncordon|drain|taint|rollout undo) ", run: "$0 $@ --dry-run=server", shows: "what the cluster says it would do",
      example: ["kubectl -n shop scale deployment/cart --replicas=3",
      "kubectl -n shop scale deployment/cart --replicas=3 --dry-run=server"] }],
    match: { low: ["kubectl get pods -A", "kubectl describe pod x", "kubectl logs x --tail=100",
      "kubectl rollout status deploy/x", "kubectl exec web -- cat /etc/hostname"],
      medium: ["kubectl rollout restart deploy/x", "kubectl apply -f x.yaml"],
      high: ["kubectl delete pod web-0 -n prod", "kubectl drain node-3", "kubectl get secret x -o yaml",
      "kubectl scale deploy/x --replicas=0"], block: ["kubectl exec web -- rm -rf /"] } },
  { id: "cluster.helm", names: "helm helmfile",
    sub: { low: "list ls status get history show search template lint version env repo_list " +
    "plugin_list dependency_list diff verify",
    medium: "install upgrade repo_add repo_update rollback pull package push test " +
    "dependency_update plugin_install apply sync create registry_login",
    high: "uninstall delete del repo_remove plugin_uninstall destroy" },
    options: { value: "-n -f --namespace --values --set --version --kube-context --kubeconfig --timeout",
    argv: "--post-renderer" },
    tag: "cluster", reach: [{ names: "helm", ...imageClient }],
    probes: [{ names: "helm", if: "^ (upgrade|install|rollback|uninstall) ", run: "$0 $@ --dry-run", shows: "what would be sent to the cluster",
      example: ["helm upgrade web ./web",
      "helm upgrade web ./web --dry-run"] }],
    match: { low: ["helm list -A"], medium: ["helm upgrade x ./x"], high: ["helm uninstall x"] } },
];
