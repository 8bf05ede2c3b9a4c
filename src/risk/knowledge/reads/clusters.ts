/** What only reads of the clients of clusters, containers and databases, from their own help (kubectl 1.31, helm 3.16, docker 27, podman 5, crictl 1.31). */
import type { ReadTable } from "../../reads.ts";

const kubeSelects =
  "-A --all-namespaces -l= --selector= --field-selector= -f= --filename= -R --recursive --chunk-size=";
const kubePrints = "-o= --output= --allow-missing-template-keys --show-managed-fields --template=";
const kubeDryRun = "--dry-run --field-manager= --validate --server-side --force-conflicts --record --save-config";

const helmValues = "-f= --values= --set= --set-string= --set-json= --set-literal= --set-file= --version= --devel";

const dockerLists = "-a --all -f= --filter= --format= --no-trunc -q --quiet --noheading --sort=";
const dockerLogs =
  "--details -f --follow --since= -n= --tail= -t --timestamps --until= --color --names -l --latest --no-color";
const psOptions = "-A -a -e -f -u -x -w -ef -eo= -o= -aux -faux -axo=";

const composeLists = "-a --all --filter= --format= --no-trunc -q --quiet --orphans --services --status=";

// biome-ignore format: filled to the width
export const clusterReads: ReadTable = {
  "kubectl oc k3s-kubectl microk8s.kubectl k kubectl.exe kubecolor": { help: "--help -h",
    options: "--as= --as-group= --as-uid= --cluster= --context= --kubeconfig= --disable-compression --log-flush-frequency= " +
      "--match-server-version -n= --namespace= --request-timeout= --tls-server-name= --user= --username= -v= --v= --vmodule= " +
      "--warnings-as-errors -h --help",
    sub: {
      get: { names: true,
        options: `${kubeSelects} ${kubePrints} --ignore-not-found -L= --label-columns= --no-headers --output-watch-events ` +
          "--raw= --server-print --show-kind --show-labels --sort-by= --subresource= -w --watch --watch-only" },
      describe: { names: true, options: `${kubeSelects} --show-events` },
      "logs log": { names: true,
        options: "--all-containers --all-pods -c= --container= -f --follow --ignore-errors --limit-bytes= --max-log-requests= " +
          "--pod-running-timeout= -p --previous --prefix -l= --selector= --since= --since-time= --tail= --timestamps" },
      "adm_node-logs": { names: true, options: "--boot= --case-sensitive -g= --grep= -l= --path= --role= --since= --tail= -u= --unit= --until=" },
      "top adm_top": { names: true,
        options: "-A --all-namespaces --containers --field-selector= -l= --selector= --no-headers --sort-by= --sum --use-protocol-buffers " +
          "--show-capacity" },
      version: { options: "--client --short -o= --output=" },
      "cluster-info": {},
      "cluster-info_dump": { options: "-A --all-namespaces --namespaces= -o= --output= --pod-running-timeout= --template=" },
      explain: { names: true, options: "--api-version= --recursive --output= -o=" },
      "api-resources api-versions": {
        options: "--api-group= --cached --categories= --namespaced --no-headers -o= --output= --sort-by= --verbs= --show-kind" },
      diff: { options: "-f= --filename= -R --recursive -l= --selector= --server-side --force-conflicts --field-manager= " +
        "--show-managed-fields --concurrency= --prune-allowlist=" },
      "config_view config_get-contexts config_get-clusters config_get-users config_current-context": { names: true,
        options: `--minify --flatten --merge --no-headers ${kubePrints}` },
      "auth_can-i auth_whoami": { names: true, options: `--list --no-headers -q --quiet --subresource= -A --all-namespaces ${kubePrints}` },
      rollout_status: { names: true, options: "-f= --filename= -l= --selector= -R --recursive --revision= --timeout= -w --watch" },
      rollout_history: { names: true, options: `-f= --filename= -l= --selector= -R --recursive --revision= ${kubePrints}` },
      wait: { names: true, options: `${kubeSelects} ${kubePrints} --all --for= --local --timeout=` },
      events: { names: true, options: `-A --all-namespaces --for= --types= --no-headers --chunk-size= -w --watch ${kubePrints}` },
      kustomize: { names: true, options: "--as-current-user --load-restrictor= --reorder= --enable-alpha-plugins=false" },
      "tree who-can lineage df-pv get-all images outdated deprecations pod-lens sick-pods unused-volumes cert-manager_version cert-manager_status cert-manager_check gadget_version hns_tree minio_tenant_list minio_tenant_info minio_version rook-ceph_ceph_osd_df rook-ceph_ceph_osd_status rook-ceph_ceph_pg_stat rook-ceph_ceph_versions access-matrix resource-capacity view-allocations argo_rollouts_list argo_rollouts_get argo_rollouts_status argo_rollouts_version cnpg_status rook-ceph_ceph_status rook-ceph_ceph_health rook-ceph_ceph_osd_tree rook-ceph_ceph_df rook-ceph_health rook-ceph_rook_version rook-ceph_rook_status": {
        names: true, options: "-A --all-namespaces -l= --selector= -o= --output= -v --verbose --no-color --timeout= -t --pods -p --util -u -c --watch=false" },
      "completion options plugin_list status projects project policy_can-i policy_who-can adm_policy_who-can krew_list krew_info krew_search krew_version": { names: true,
        options: "--name-only -q --short --suggest --all-namespaces" },
      // Plugins, by their own help.
      "ingress-nginx_backends ingress-nginx_conf ingress-nginx_general ingress-nginx_info ingress-nginx_ingresses ingress-nginx_lint ingress-nginx_logs": { names: true,
        options: "--deployment= --pod= --host= --list --backend= --all-namespaces --tail= --since= --out-of-date --from= --to=" },
      "cert-manager_status_certificate rolesum rbac-lookup ice_cpu ice_memory ice_status ice_restarts ice_image ice_ip hns_describe rook-ceph_ceph_osd_pool_ls minio_tenant_status": {
        names: true, options: "-k= --kind= -o= --output= --gke -A --all-namespaces -l= --selector= --sort= -t --tree" },
      "mayastor_get_volumes mayastor_get_volume mayastor_get_pools mayastor_get_nodes mayastor_get_volume-replica-topologies directpv_list_drives directpv_list_volumes directpv_info pgo_version": {
        names: true, options: "-o= --output= --nodes= --drives= --all --status=" },
      whoami: { options: "--show-server --show-console --show-context" },
      adm_upgrade: {},
      exec: { options: "-c= --container= -f= --filename= -i --stdin -t --tty -q --quiet --pod-running-timeout=" },
      rsh: { options: "-c= --container= -t -T --tty --no-tty --shell= --timeout=" },
      // With `--dry-run`, which makes them low.
      "apply create run scale set delete patch label annotate expose autoscale cordon uncordon drain taint edit replace rollout_restart rollout_undo": {
        names: true,
        options: `${kubeSelects} ${kubePrints} ${kubeDryRun} --all --current-replicas= --env= --image= --labels= --limits= --max= --min= ` +
          "--name= --cpu-percent= -p= --patch= --patch-file= --type= --port= --target-port= --protocol= --replicas= --requests= --restart= --rm -i -t " +
          "--stdin --tty --overrides= --command --expose --overwrite --resource-version= --serviceaccount= --tcp= --from= --from-literal= " +
          "--schedule= --now --wait --timeout= --ignore-daemonsets --delete-emptydir-data --grace-period= --force --local --list --to-revision=" },
    },
  },
  "stern kubetail kail": { names: true,
    options: "-A --all-namespaces -c= --container= --color= --container-state= --context= -E= --exclude-container= -e= --exclude= -h " +
      "--ephemeral-containers -H= --highlight= -i= --include= --init-containers --field-selector= --max-log-requests= -n= --namespace= " +
      "--no-follow --node= --only-log-lines -o= --output= -p --prompt -l= --selector= -s= --since= --tail= --template= -t --timestamps " +
      "--timezone= --exclude-pod= -k= -b --line-buffered --svc= --deploy= --pod= --ns= --label= --since" },
  "helm": { help: "--help -h",
    options: "--burst-limit= --debug --kubeconfig= --kube-as-group= --kube-as-user= --kube-context= -n= --namespace= --qps= -h --help",
    sub: {
      "list ls": {
        options: "-A --all-namespaces -a --all -d --date --deployed --failed -f= --filter= -m= --max= --no-headers --offset= -o= --output= " +
          "--pending -r --reverse -l= --selector= -q --short --superseded --time-format= --uninstalled --uninstalling" },
      status: { names: true, options: "-o= --output= --revision= --show-desc --show-resources" },
      get: { names: true, options: "-a --all -o= --output= --revision= --template=" },
      history: { names: true, options: "--max= -o= --output=" },
      show: { names: true, options: "--version= --devel --jsonpath=" },
      search: { names: true, options: "-l --versions --devel --max-col-width= --fail-on-no-result -o= --output= -r --regexp --version= --list-repo-url" },
      template: { names: true,
        options: `${helmValues} -a= --api-versions= --create-namespace --description= --dry-run --enable-dns=false -g --generate-name ` +
          "--include-crds --is-upgrade --kube-version= --name-template= --no-hooks -s= --show-only= --skip-crds --skip-tests --validate" },
      "upgrade install uninstall rollback": { names: true,
        options: `${helmValues} --dry-run -i --install --atomic --cleanup-on-fail --create-namespace --description= --force -g ` +
          "--generate-name --hide-notes --history-max= --keep-history --labels= --name-template= --no-hooks --reset-then-reuse-values " +
          "--reset-values --reuse-values --skip-crds --timeout= --wait --wait-for-jobs -o= --output=" },
      diff: { names: true,
        options: `${helmValues} --allow-unreleased -C= --context= --detailed-exitcode --dry-run --include-tests --install --no-color ` +
          "--no-hooks --normalize-manifests --output= -q --suppress-secrets --reset-values --reuse-values --skip-schema-validation " +
          "--strip-trailing-cr --suppress= --three-way-merge -D= --find-renames=" },
      lint: { names: true, options: `${helmValues} --strict --quiet --with-subcharts --kube-version= --skip-schema-validation` },
      "version env": { options: "--short --template=" },
      "repo_list plugin_list dependency_list verify": { names: true, options: "-o= --output= --max-col-width= --no-headers" },
    },
  },
  "docker podman nerdctl docker.io finch": { help: "--help",
    options: "-c= --context= -H=unix:///var/run/docker.sock -H=unix:///run/docker.sock --host=unix:///var/run/docker.sock -D --debug -l= --log-level= --tls --tlsverify --version -n= --namespace= --connection= --help",
    sub: {
      "ps container_ls container_list container_ps": {
        options: `${dockerLists} -n= --last= -l --latest -s --size --external --ns --pod -p` },
      "logs container_logs service_logs": { names: true, options: `${dockerLogs} --no-resolve --no-task-ids --no-trunc --raw` },
      "inspect container_inspect image_inspect volume_inspect network_inspect service_inspect node_inspect config_inspect context_inspect pod_inspect buildx_inspect secret_inspect plugin_inspect trust_inspect machine_inspect": {
        names: true, options: "-f= --format= -s --size --type= --pretty -v --verbose -l --latest --platform=" },
      "images image_ls image_list": { names: true, options: `${dockerLists} --digests --history -n --tree` },
      "stats container_stats pod_stats": { names: true,
        options: "-a --all --format= --no-stream --no-trunc --no-reset -i= --interval= -l --latest" },
      "top container_top pod_top": { names: true, options: psOptions },
      "port container_port diff container_diff": { names: true, options: "-a --all -l --latest --format=" },
      "version info system_info": { options: "-f= --format= -D --debug" },
      "history image_history": { names: true, options: "--format= -H --human --no-trunc -q --quiet --platform=" },
      search: { names: true, options: "-f= --filter= --format= --limit= --no-trunc --list-tags --compatible" },
      "events system_events": { options: "-f= --filter= --format= --since= --until= --no-trunc --stream" },
      "volume_ls volume_list network_ls network_list service_ls node_ls stack_ls config_ls secret_ls plugin_ls context_ls pod_ps pod_ls context_show buildx_ls checkpoint_ls namespace_ls system_connection_list system_connection_ls machine_list machine_ls quadlet_list": {
        options: `${dockerLists} --cluster --ctr-ids --ctr-names --ctr-status --label --ns` },
      "service_ps node_ps stack_ps stack_services": { names: true, options: `${dockerLists} --no-resolve --namespace=` },
      "system_df builder_du buildx_du": { options: "--format= -v --verbose --filter=" },
      "image_exists container_exists volume_exists network_exists pod_exists secret_exists image_tree image_diff": {
        names: true, options: "--external --whatrequires" },
      "manifest_inspect buildx_imagetools_inspect": { names: true, options: "-v --verbose --raw --format=" },
      wait: { names: true },
      compose: {
        options: "-f= --file= --profile= -p= --project-name= --project-directory= --env-file= --parallel= --progress= --ansi= --compatibility " +
          "--verbose --dry-run" },
      compose_ps: { names: true, options: composeLists },
      compose_logs: { names: true, options: `${dockerLogs} --index= --no-log-prefix` },
      "compose_config compose_convert": { names: true,
        options: "--format= --hash= --images --models --networks --no-consistency --no-env-resolution --no-interpolate --no-normalize " +
          "--no-path-resolution --profiles -q --quiet --resolve-image-digests --services --volumes" },
      "compose_top compose_images compose_ls compose_version compose_port compose_events compose_stats compose_volumes": { names: true,
        options: `${composeLists} -f= --short --index= --protocol= --json --since= --until= --no-stream` },
      compose_exec: { options: "-T --no-TTY --no-tty -e= --env= --index= -u= --user= -w= --workdir= -i --interactive" },
      "exec container_exec": { options: "-e= --env= -i --interactive -t --tty -u= --user= -w= --workdir= -l --latest" },
    },
  },
  // Its templates and hooks run programs.
  helmfile: { help: "--help -h", sub: { version: {} } },
  "docker-compose podman-compose": {
    options: "-f= --file= --profile= -p= --project-name= --project-directory= --env-file= --ansi= --no-ansi --compatibility --verbose --dry-run",
    sub: {
      ps: { names: true, options: composeLists },
      logs: { names: true, options: `${dockerLogs} --no-log-prefix` },
      config: { names: true, options: "--format= --hash= --images --no-interpolate --profiles -q --quiet --resolve-image-digests --services --volumes" },
      "top images ls version port events": { names: true, options: `${composeLists} --short --index= --protocol= --json` },
      exec: { options: "-T --index= -u= --user= -w= --workdir=" },
      "up down restart stop start rm kill": { names: true, options: "-d --detach -v --volumes --remove-orphans -t= --timeout= -s -f" },
    },
  },
  crictl: { help: "--help -h",
    options: "-D --debug -i= --image-endpoint= -r= --runtime-endpoint= -t= --timeout= -h --help -v --version",
    sub: {
      ps: { options: "-a --all --id= --image= --label= -n= --last= -l --latest --name= --namespace= --no-trunc -o= --output= -p= --pod= -q --quiet " +
        "-r --resolve-image-path -s= --state= -v --verbose -w --watch" },
      pods: { options: "--id= --label= -n= --last= -l --latest --name= --namespace= --no-trunc -o= --output= -q --quiet -s= --state= -v --verbose" },
      "images image": { names: true, options: "--digests -f= --filter= --no-trunc -o= --output= --pinned -q --quiet -v --verbose" },
      "inspect inspecti inspectp": { names: true,
        options: "-o= --output= -q --quiet --template= -f= --filter= --id= --image= -l --latest --name= -n= --last= -p= --pod= -s= --state=" },
      logs: { names: true, options: "-f --follow --limit-bytes= -p --previous --since= --tail= -t --timestamps" },
      "stats statsp": { names: true, options: "-a --all --id= --label= -o= --output= -p= --pod= -s= --seconds= -n= --name= -w --watch" },
      "info version imagefsinfo metricdescs metricsp runtime-config": { names: true, options: "-o= --output= -q --quiet --template=" },
      exec: { options: "-i --interactive -t --tty -s --sync --timeout=" },
    },
  },
  "ctr": { options: "--snapshotter= " +
    "-n= --namespace= -a= --address= --timeout= --connect-timeout= --debug",
    sub: { info: {}, plugins_ls: { options: "-d --detailed" }, "tasks_metrics t_metrics task_metrics": { options: "--format=" }, "containers_ls containers_list images_ls tasks_ls namespaces_ls snapshots_ls version c_ls c_list c_info container_ls container_list i_ls i_list image_ls t_ls t_list t_ps task_ls ns_ls namespace_ls tasks_ps containers_info content_ls plugins_ls leases_ls images_check i_check image_check tasks_metrics t_metrics task_metrics snapshots_usage snapshots_tree snapshots_info": { names: true, options: "-q --quiet" } ,
      "t_exec task_exec tasks_exec": { options: "--exec-id= --cwd= -t --tty -d --detach --user= --fifo-dir=" } } },
  "crun youki runsc": { options: "--debug --systemd-cgroup --cgroup-manager= -? --help --usage -V --version " +
    "--root= --log-format=", sub: {
    exec: { options: "-t --tty -u= --user= --cwd= -e= --env= -d --detach -a= --apparmor= --pid-file= -g= --additional-gids=" }, "list state events ps": { names: true, options: "-f= --format= -q --quiet --stats --interval=" } } },
  runc: { options: "--root= --log-format= " +
      "--debug --help -h --version", sub: {
    exec: { options: "-t --tty -u= --user= --cwd= -e= --env= -d --detach -a= --apparmor= --pid-file= -g= --additional-gids=" }, "list state events ps": { names: true, options: "-f= --format= -q --quiet --stats --interval=" } } },
  skopeo: { help: "--help -h", options: "--command-timeout= --debug --override-arch= --override-os= --override-variant= " +
      "--help -h --version",
    sub: { "inspect list-tags": { names: true, options: "--config -f= --format= -n --no-tags --no-creds --raw --retry-times= --tls-verify=true" } } },
  buildah: { help: "--help -h", sub: { "images containers ps info inspect version": { names: true,
    options: "--log-level= " +
    "-a --all --digests -f= --filter= --format= --json --noheading --no-trunc -q --quiet --type= -t=" } } },
  cilium: { help: "--help -h", names: true, options: "--all-addresses --all-controllers --all-health --all-nodes --all-redirects --brief --verbose -o= --output= --wait-duration= " +
    "-n= --namespace= --context= --since= --last= --follow -f" },
  hubble: { help: "--help -h", names: true, options: "--last= --since= --until= --pod= -f --follow -n= --namespace= --from-pod= --to-pod= --from-ip= --to-ip= --ip= --verdict= --type= -t= -o= --output= " +
    "--protocol= --port= --from-port= --to-port= --http-status= --label= -l= -A --all-namespaces --not --first= --numeric --color= --print-node-name --time-format=" },
  "kubectx kubens": { options: "-c --current -h --help" },
  istioctl: { help: "--help -h", options: "-o= --output= --fqdn= --port= --direction= -n= --namespace= -i= --istioNamespace= --context= --vklog=",
    sub: { "proxy-config_cluster* proxy-config_route* proxy-config_listener* proxy-config_endpoint* pc_cluster* pc_route* pc_listener* pc_endpoint*": { names: true, options: "--cluster= --address= --type= --subset= --name= --status=" },
      "proxy-config_log pc_log ztunnel-config_workload* ztunnel-config_service* ztunnel-config_policy ztunnel-config_policies ztunnel-config_connection* zc_workload* zc_service* waypoint_list waypoint_status tag_list experimental_describe x_describe experimental_precheck x_precheck experimental_authz_check x_authz_check": { names: true, options: "-A --all-namespaces" },
      validate: { options: "-f= --filename= -x= --referential=" },
      "verify-install": {},
      "version analyze proxy-status ps": { names: true,
      options: "-A --all-namespaces --color -o= --output= --failure-threshold= --list-analyzers -S= --suppress= --timeout= --remote --short -s --revision= -r=" } } },
  flux: { help: "--help -h", names: true, options: "-n= --namespace= -A --all-namespaces --context= --timeout= --verbose --no-header --status-selector= -l= --label-selector= " +
    "--kind= --level= --since= --tail= --pre" },
  argocd: { help: "--help -h", names: true,
    options: "--source= --source-positions= --source-names= --revisions= " +
    "-o= --output= -l= --selector= -p= --project= -N= --app-namespace= -r= --repo= --cluster= --grpc-web --loglevel= --logformat= " +
      "--show-operation --show-params --tail= --since-seconds= --container= -c= --kind= --name= --namespace= --group= --short --client --revision= " +
      "--exit-code --hard-refresh=false --refresh=false --health --sync --timeout= --path= --history-id=" },
  argo: { help: "--help -h", options: "-n= --namespace= -A --all-namespaces -o= --output= --context=",
    sub: {
      "list get watch version": { names: true,
        options: "--running --completed --status= --since= --older= -l= --selector= --chunk-size= --no-color --node-field-selector=" },
      logs: { names: true, options: "-c= --container= --tail= --since= --timestamps --grep= --no-color -p --previous" },
      "cron_list cron_get template_list template_get cluster-template_list cluster-template_get archive_list archive_get": { names: true, options: "-l= --selector= --chunk-size=" },
    } },
  eksctl: { help: "--help -h", names: true, options: "--nodegroup= " +
    "--cluster= -c= --name= -n= --region= -r= --profile= -p= -o= --output= -A --all-regions --chunk-size= --color=" },
  kubeadm: { help: "--help -h", options: "-v= --v= -o= --output= --kubernetes-version= --image-repository= --feature-gates= --cert-dir=" },
  k3s: { names: true,
    options: "-n= --namespace= -A --all-namespaces -o= --output= -l= --selector= --show-labels --no-headers --sort-by= --tail= --since= -c= --wait-ready" },
  microk8s: { names: true,
    options: "-n= --namespace= -A --all-namespaces -o= --output= -l= --selector= --show-labels --no-headers --sort-by= --tail= --since= -c= --wait-ready " +
      "--timeout= -t= -a= --addon= --format= --yaml" },
  "fly flyctl": { help: "--help -h", names: true, options: "-a= --app= -j --json -o= --org= -r= --region= -i= --instance= -n --no-tail --verbose" },
  heroku: { help: "--help", names: true, options: "-t --tail -a= --app= -r= --remote= -n= --num= -j --json -x --extended -s= --source= -d= --dyno= -p= --process-type=" },
  "lxc-ls": { names: true,
    options: "--nesting= -q --quiet -? -h --help --usage --version " +
    "-1 --line -f --fancy -F= --fancy-format= -l --active --running --stopped --frozen --defined -g= --groups= --filter=" },
};

// What only reads of the clients of databases, queues and caches, from their own help. What their statements do is judged apart.

const kafka =
  "--bootstrap-server= --bootstrap-servers= --broker-list= --broker= --zookeeper= --topic= --topics= --group= --all-groups --all-topics --describe --list " +
  "--members --offsets --state --verbose --under-replicated-partitions --unavailable-partitions --at-min-isr-partitions --under-min-isr-partitions " +
  "--topics-with-overrides --exclude-internal --entity-type= --entity-name= --all --timeout= --timeout-ms= --max-messages= --partition= --offset= " +
  "--from-beginning --skip-message-on-error --time= --partitions= --topic-list= --to-earliest --to-latest --to-offset= --shift-by= --reset-offsets --dry-run --version --help --describe-offsets --log-dirs= --brokers= --verify " +
  "--reassignment-json-file= --topic-partitions= --include= --exclude-internal-topics --status --replication";
const kcat = "-b= -t= -C -L -Q -J -o= -c= -e -q -u -O -p= -f= -D= -K= -m= -v -V -Z -A -d= -s= --help";
const mysqlClient =
  "-A -B -C -E -H -N -P= -S= -X -b -c -e= -f -h= -i -n -q -r -s -t -u= -v -w -D= --no-auto-rehash --batch --raw --silent --skip-column-names --table --vertical --xml --html " +
  "--execute= --database= --host= --port= --user= --socket= --protocol= --connect-timeout= --connect-expired-password --default-character-set= --defaults-file= --defaults-extra-file= --defaults-group-suffix= --no-defaults --no-beep " +
  "--column-names --column-type-info --comments --compress --force --ignore-spaces --line-numbers --quick --reconnect --show-warnings --skip-reconnect " +
  "--unbuffered --verbose --wait --safe-updates --binary-as-hex --ssl-mode= --tls-version= --login-path= --version -V --help -? --skip-ssl";

// biome-ignore format: filled to the width
export const databaseReads: ReadTable = {
  psql: { names: true,
    options: "-A -a -b -c= -d= -e -E -F= -f= -h= -H -l -n -P= -p= -q -R= -s -S -t -T= -U= -V -v= -w -W -x -X -z -0 -1 --csv --command= --dbname= --echo-all " +
      "--echo-errors --echo-queries --echo-hidden --field-separator= --host= --html --list --no-align --no-password --no-psqlrc --no-readline --port= --pset= " +
      "--quiet --record-separator= --single-transaction --tuples-only --username= --variable= --set= --version --expanded --field-separator-zero " +
      "--record-separator-zero --table-attr= --help -?" },
  pg_isready: { names: true, options: "-d= --dbname= -h= --host= -p= --port= -q --quiet -t= --timeout= -U= --username= -V --version" },
  pg_controldata: { names: true, options: "-D= --pgdata= -V --version" },
  "pg_lsclusters pg_config": { names: true, options: "-h --no-header -j --json -s --start-conf --version --bindir --pkglibdir --sharedir --configure" },
  "mysql mariadb": { names: true, options: mysqlClient },
  "mysqladmin mariadb-admin": { names: true,
    options: "-c= --count= -i= --sleep= -r --relative -E --vertical -s --silent -u= --user= -h= --host= -P= --port= -S= --socket= -v --verbose -b --no-beep -w " +
      "--protocol= --connect-timeout= --login-path= -f --force --ssl-mode= -V --version" },
  "mysqlshow mariadb-show": { names: true, options: "-u= --user= -h= --host= -P= --port= -S= --socket= -i --status -k --keys -t --show-table-type -v --verbose --count --protocol=" },
  "mysqlcheck mariadb-check": { names: true, options: "-c --check -C --check-only-changed -e --extended -F --fast -m --medium-check -q --quick -A --all-databases -B --databases " +
    "-u= --user= -h= --host= -P= --port= -S= --socket= -s --silent -v --verbose --tables -g --check-upgrade" },
  "mysqlbinlog mariadb-binlog": { names: true,
    options: "-v --verbose -vv --base64-output= --start-datetime= --stop-datetime= --start-position= --stop-position= -j= -d= --database= -s --short-form " +
      "-u= --user= -h= --host= -P= --port= --include-gtids= --exclude-gtids= --skip-gtids -o= --offset= --server-id= --print-table-metadata" },
  "innochecksum pt-query-digest": { names: true,
    options: "-c --count -v --verbose -s= --start-page= -e= --end-page= -p= --page= -S --page-type-summary --limit= --since= --until= --type= " +
      "--report-format= --group-by= --order-by= --progress=" },
  sqlcmd: { names: true, options: "-o=/dev/null -S= -d= -E -C -K= -l= -t= -h= -W -w= -s= -Q= -q= -b -k -u -y= -Y= -f= -a= -H= -m= -r -V= -N -x -I" },
  sqlite3: { names: true, options: "-init=/dev/null -readonly -header -noheader -column -csv -json -line -list -markdown -table -box -html -ascii -quote -tabs -separator= -nullvalue= " +
    "-bail -batch -echo -safe -version -newline= -stats" },
  "redis-cli valkey-cli keydb-cli": { names: true,
    options: "--cacert= --cacertdir= -h= -p= -s= -n= -u= -r= -i= -d= -D= -c -e -2 -3 --raw --no-raw --csv --json --quoted-json --tls --sni= --insecure --user= --bigkeys --memkeys --memkeys-samples= " +
      "--hotkeys --stat --latency --latency-history --latency-dist --intrinsic-latency= --scan --pattern= --quoted-pattern= --count= --cluster --verbose " +
      "--no-auth-warning --cluster-search-multiple-owners --show-pushes= --version -v -t= -4 -6 --help" },
  "mongosh mongo": { names: true,
    options: "--quiet --eval= --host= --port= --norc --nodb --json --verbose --version --authenticationDatabase= --authenticationMechanism= --username= -u= --tls --ssl " +
      "--tlsAllowInvalidCertificates --tlsAllowInvalidHostnames --retryWrites --apiVersion= --readPreference= --help" },
  "mongostat mongotop": { names: true,
    options: "--rowcount= -n= --noheaders --all --discover --json --humanReadable= -h= --host= --port= -u= --username= --authenticationDatabase= " +
      "--authenticationMechanism= --ssl --quiet -v --verbose -O= -o= --locks --uri= --version" },
  "kafka-consumer-groups kafka-consumer-groups.sh kafka-topics kafka-topics.sh kafka-configs kafka-configs.sh kafka-log-dirs kafka-log-dirs.sh kafka-acls kafka-acls.sh": {
    names: true, options: `${kafka} --command-config=` },
  "kafka-broker-api-versions.sh kafka-reassign-partitions.sh kafka-get-offsets.sh kafka-get-offsets kafka-broker-api-versions kafka-metadata-quorum kafka-metadata-quorum.sh kafka-console-consumer kafka-console-consumer.sh kafka-run-class kafka-run-class.sh": {
    names: true, options: `${kafka} --preserve-throttles --one-time=` },
  "kafka-features kafka-features.sh kafka-cluster kafka-cluster.sh kafka-transactions kafka-transactions.sh kafka-groups kafka-groups.sh kafka-share-groups kafka-share-groups.sh kafka-client-metrics kafka-client-metrics.sh": {
    names: true, options: `${kafka} --command-config= --transactional-id= --broker-id= --start-offset= --producer-id= --max-transaction-timeout= --group-type= --protocol= --consumer --share --name=` },
  "kafka-dump-log kafka-dump-log.sh": { options: "--files= --deep-iteration --verify-index-only --index-sanity-check --max-message-size= --max-bytes= --help --version" },
  "kcat kafkacat": { names: true, options: kcat },
  "rabbitmqctl rabbitmq-diagnostics rabbitmq-queues rabbitmq-upgrade rabbitmq-streams": { help: "--help",
    options: "-n= --node= -q --quiet -s --silent -t= --timeout= -l --longnames -p= --vhost= --formatter= --no-table-headers --dry-run --offline --online --local " +
      "--unresponsive --queue-timeout= --interval= --all " +
      "--unit=",
    sub: { ["status cluster_status node_health_check environment report ping list_* check_* help version certificates log_tail cipher_suites " +
      "schema_info erlang_version server_version log_location resolver_info resolve_hostname metadata_store_status maybe_stuck " +
      "command_line_arguments os_env quorum_status stream_status runtime_thread_stats tls_versions memory_breakdown listeners alarms is_running is_booting"]: { names: true }, log_tail: { options: "-N= --number=" }, cipher_suites: { options: "--format= --all" } } },
  "rabbitmq-plugins": { options: "-n= --node= -q --quiet -s --silent --formatter= --offline --online " +
      "-t= --timeout= -l --longnames", sub: { "is_enabled directories": { names: true }, "list version": { names: true, options: "-v --verbose -m --minimal -E --enabled -e --implicitly-enabled" } } },
  rabbitmqadmin: { sub: { list: { names: /^(?!users$)[\w.,-]+$/ }, "show_overview": { names: true } }, options: "-f= --format= -d= --depth= -V= --vhost= -H= --host= -P= --port= -u= --username= -q --quiet -s= --sort= -S -k --ssl -N=" },
  etcdctl: { help: "--help", options: "--insecure-skip-tls-verify --insecure-transport --insecure-discovery --keys " +
    "-w= --write-out= --endpoints= --cluster --dial-timeout= --command-timeout= --keepalive-time= --keepalive-timeout= --debug --hex " +
    "--cacert= --cert= --key= --prefix --keys-only --limit= --order= --sort-by= --rev= --from-key --print-value-only --consistency= --count-only --version" },
  pg_waldump: { names: /^[0-9A-F]{24}$|^[\w./-]*\/[0-9A-F]{24}$/, options: "-b --bkp-details -B= --block= -e= --end= -f --follow -F= --fork= -n= --limit= -q --quiet -r= --rmgr= -R= --relation= -s= --start= -t= --timeline= -V --version -w --fullpage -x= --xid= -z --stats -p= --path=" },
  patronictl: { help: "--help", sub: { "list history topology show-config version dsn": { names: true } }, options: "-c= --config-file= -d= --dcs-url= -e --extended -t --timestamp -f= --format= -W -w=" },
  "barman wal-g": { names: true, options: "--nagios --target= " +
    "--stanza= --set= --output= --log-level-console= --repo= --type= --minimal --json --detail" },
  pgbackrest: { names: true, options: "--stanza= --set= --output= --log-level-console= --repo= --type= --minimal --json --detail " +
      "--log-level-stderr= --log-timestamp --filter= --recurse --sort= --help" },

  "cqlsh nodetool": { names: true, options: "-h= --host= -p= --port= -e= -k= --keyspace= -u= --username= --request-timeout= --connect-timeout= --cqlversion= --encoding= -r -H " +
    "--human-readable --resolve-ip --no-color --version -t= -F= --format=" },
  "influx clickhouse-client clickhouse": { names: true, options: "-execute= -q= --query= -h= --host= --port= -u= --user= -d= --database= -f= --format= -m --multiline -t --time --readonly= " +
    "--max_execution_time= --org= -o= --hide-headers --json -s --secure" },
  "zkCli.sh zkcli": { names: true, options: "-server= -timeout= -r -R -s -w" },
  "trino presto": { options: "--execute= --server= --catalog= --schema= --user= --output-format= --timezone= --client-request-timeout=" },
  pg_amcheck: { options: "-a --all -d= --database= -D= --exclude-database= -i= --index= -I= --exclude-index= -r= --relation= -R= --exclude-relation= " +
    "-s= --schema= -S= --exclude-schema= -t= --table= -T= --exclude-table= --no-dependent-indexes --no-dependent-toast --no-strict-names --exclude-toast-pointers " +
    "--on-error-stop --skip= --startblock= --endblock= -P --progress -v --verbose -V --version -? --help -U= --username= -w --no-password" },
  pg_verifybackup: { names: true, options: "-e --exit-on-error -i= --ignore= -n --no-parse-wal -P --progress -q --quiet -s --skip-checksums -V --version -? --help" },
  pgmetrics: { names: true, options: "--no-password -w --timeout= -U= --username= -p= --port= -S --no-sizes -l --toolong= -f= --format= -c= --schema= -a= --table= --omit= --only-listed -V --version -? --help" },
  memcstat: { options: "--servers= -s= --binary -b --verbose -v --version -V " +
      "-h --help -S --server-version " +
      "-A= --args= -a --analyze" },
  pg_ctl: { names: true, options: "-D= --pgdata= -s --silent" },
  "couchbase-cli": { options: "-c= --cluster= -u= --username= -p= --password= -o=", sub: { "rebalance-status server-list bucket-list host-list server-info group-list": { names: true, options: "-c= --cluster= -u= --username= -p= --password= -o=" } } },
};
