import type { ReadTable } from "../../reads.ts";
import { awsParameters } from "./aws.ts";

/** What only reads of version control, clouds, provisioning, mail, web servers, languages and agents, from their own help. */

const revisions =
  "-n= -i -p -u --patch --no-patch --stat --shortstat --numstat --dirstat --summary --name-only --name-status --oneline --graph --decorate --no-decorate --decorate=short --decorate=full " +
  "--all --branches --tags --remotes --merges --no-merges --first-parent --reverse --follow --since= --until= --after= --before= --author= --committer= --grep= -S= -G= -L= --max-count= " +
  "--skip= --format= --pretty= --pretty --abbrev-commit --no-abbrev-commit --abbrev --date= --relative-date --color --no-color --color-words --word-diff --raw -z -w -b -M -C -R " +
  "--ignore-all-space --ignore-space-change --ignore-blank-lines --diff-filter= --cached --staged --merge-base --check --exit-code --quiet -q --text -a --cc -m -U= --unified= " +
  "--minimal --patience --histogram --full-index --binary --no-renames --find-renames --compact-summary --left-right --cherry-pick --cherry --boundary --simplify-by-decoration " +
  "--show-signature --no-ext-diff --no-textconv --no-prefix --src-prefix= --dst-prefix= --relative --children --parents --topo-order --date-order --source --clear-decorations -E -F -P";
const ghLists =
  "-P= --per-page= -L= --limit= -R= --repo= -s= --state= -l= --label= -a= --assignee= -A= --author= -S= --search= -q= --jq= -t= --template= --json= --workflow= -b= --branch= -u= --user= -e= --event= -c= " +
  "--comments --commit= --status= --created= --head= -H= -B= --base= -m= --milestone= --mention= --app= --log --log-failed -j= --job= --attempt= --exit-status --watch --required " +
  "--name-only --patch --exclude-drafts --exclude-pre-releases -O= --order= --sort= -a --all --owner= --visibility= --language= --topic= --archived --no-archived --source --fork --hostname= -i " +
  "--include --paginate --slurp --silent --cache= -X= --method= -p= --preview= --yaml -y -r= --ref= --color= --active";
const azReads =
  "-o= --output= --query= -g= --resource-group= -n= --name= --subscription= -d --show-details -w= --workspace= --analytics-query= --kql= -t= --timespan= --offset= --start-time= --end-time= " +
  "--metric= --metrics= --interval= --aggregation= --resource= --resource-id= --resource-type= --ids= --location= -l= --vnet-name= --nsg-name= --account-name= -c= --container-name= " +
  "--cluster-name= --server= -s= --server-name= --vm-name= --vmss-name= --instance-id= --top= --filter= --max-items= --max-events= --status= --caller= --correlation-id= --tag= --only-show-errors " +
  " --verbose --all --include --num-results= --prefix= --auth-mode= --dimension= --namespace= --orderby= --show-next-marker --zone-name= -z= --record-set-name= --registry= -r= --repository= " +
  "--plan= --slot= -p= --project= --org= --organization= --pipeline-ids= --branch= --assignee= --scope= --include-inherited --nodepool-name= --service-name= --help -h --vm= --source-ip= --dest-ip= --nic= -f= --template-file= --parameters= --result-format= --registry-name= --lb-name= --gateway-name= " +
  "-v= --graph-query= --app= --display-name= --tail= --spn= --upn= --job-name= --item-name= --backup-management-type= --workload-type= --operation-id= --environment= --replica= --type= --query-examples " +
  "--vault-name= --id= --namespace-name= --topic-name= --factory-name= --domain-name= --profile-name= --rule-name= --queue-name= --web-test=";
const gcloudReads =
  "--project= --format= --filter= --limit= --sort-by= --page-size= --uri --zone= --zones= --region= --regions= --global --location= --cluster= --freshness= --order= --instance= --database= " +
  "--account= --verbosity= --quiet -q --flatten= --show-deleted --bucket= --service= --resource= --folder= --organization= --start= --port= --user-output-enabled= --source= --version= " +
  "--job= --pool= --node-pool= --revision= --configuration= --billing-account= --interval= --command= --available --all --enabled --resource-names= --view= --dns-name= --network= --backend-service= --help -h -i= --ongoing --status= --delivery-pipeline= --release= --rollout= --scope= --asset-types= --worker-pool= --topic= --subscription= --keyring= --key= --router= --nat-name= --nat-ip= --instance-group= --repository= --package= --tag= --policy= --function= --gen2 --execution= --workflow= --queue= --domain= --table= --cluster-name= --environment= --hub= --membership= --trigger= --build= --occurrence-filter= --show-provenance --include-tags --show-occurrences --deployed-image= --as-of=";
const terraformReads =
  "-out=/dev/null -no-color -json -input=false -lock=false -lock-timeout= -target= -var= -var-file= -refresh=false -refresh-only -destroy -compact-warnings -detailed-exitcode -parallelism= -raw -state= " +
  "-help -version --version -replace= -concise -module-depth= -id= -recursive -check -diff -write=false -no-tests -verbose -type=";

// biome-ignore format: filled to the width
export const toolReads: ReadTable = {
  git: { help: "--help",
    options: "--no-pager -P -C= -c= --git-dir= --work-tree= --bare --no-replace-objects --literal-pathspecs --no-optional-locks --version -v --html-path --help",
    sub: {
      "log show diff whatchanged reflog range-diff stash_show diff-tree diff-index diff-files rev-list show-branch": { names: true, options: `${revisions} -s --summary -g --walk-reflogs --count --objects --submodule --ignore-missing --show-pulls --full-history --sparse --dense --exclude= --glob= --no-walk --no-commit-id -r -t --root --pickaxe-all --pickaxe-regex --ignore-submodules --stat-width= --stat-count= --indent-heuristic --find-copies --find-copies-harder --no-index=false --show-linear-break --disk-usage --left-only --right-only --ancestry-path --remove-empty --invert-grep --all-match -I --use-mailmap --no-notes --notes` },
      shortlog: { names: true, options: `${revisions.replace("-n= ", "")} -n --numbered -s --summary -e --email -c --committer --group=` },
      cherry: { names: true, options: "-v --abbrev= --abbrev" },
      fsck: { names: true, options: "--connectivity-only --no-dangling --dangling --unreachable --full --no-full --strict --no-reflogs --name-objects --progress --no-progress --verbose --tags --root --cache --references" },
      "lfs_ls-files lfs_env lfs_status": { names: true, options: "-l --long -s --size -n --name-only -a --all --json --porcelain" },
      status: { names: true, options: "-s --short -b --branch --porcelain --porcelain=v1 --porcelain=v2 --long -v --verbose -u= --untracked-files --ignored --ignore-submodules -z --column --no-column --ahead-behind " +
        "--no-ahead-behind --renames --no-renames --show-stash" },
      branch: { options: "-a --all -r --remotes -v -vv --verbose --list -l --merged --no-merged --contains= --no-contains= --points-at= --sort= --format= --show-current --column --no-column --color --abbrev -i" },
      tag: { options: "-l --list -n --contains= --no-contains= --points-at= --merged= --no-merged= --sort= --format= --column -i" },
      "remote remote_show remote_get-url": { names: true, options: "-v --verbose -n --all --push" },
      "blame annotate": { names: true, options: "-L= -l -t -S= -b --root --show-stats -s -e --show-email -w -M -C -c -f --show-name -n --show-number -p --porcelain --line-porcelain --since= --date= --abbrev= --color-lines" },
      "rev-parse symbolic-ref name-rev describe merge-base for-each-ref ls-tree ls-files ls-remote cat-file show-ref count-objects check-ignore check-attr verify-commit verify-tag var version help": { names: true,
        options: "--short --short= --abbrev-ref --verify --show-toplevel --git-dir --is-inside-work-tree --show-current --symbolic-full-name --tags --all --always --dirty --long --exact-match --contains --abbrev= --match= " +
          "-t -p -s -e -r -d -l -z -c -m -o -i -v -H -q --quiet --heads --refs --sort= --format= --count= --points-at= --merged= --no-merged= --name-only --full-name --full-tree --others --modified --deleted --cached --stage " +
          "--eol --exclude-standard --error-unmatch --human-readable -vH --raw --is-ancestor --octopus --fork-point --local-env-vars --head" },
      grep: { names: true, options: "-n --line-number -i --ignore-case -l --files-with-matches -L --files-without-match -c --count -w --word-regexp -v --invert-match -e= -E -F -G -P -h -H -a -I -z --name-only --cached --untracked " +
        "--no-index -A= -B= -C= --context= --color --no-color --heading --break -p --show-function -W --function-context --and --or --not --all-match -q --max-depth= -r --recursive -m=" },
      "stash_list worktree_list submodule_status config_list notes_list bisect_log": { names: true, options: "-v --verbose --porcelain --recursive --cached --oneline --stat -p --format= --date=" },
      config: { names: true, options: "-l --list --get= --get-all= --get-regexp= --get --get-all --get-regexp --name-only --show-origin --show-scope --global --local --system --worktree -z --null --type= --bool --int --path --default=" },
      "fetch pull push clean add commit rm mv": { names: true, options: "--dry-run -n -v --verbose --all --tags --prune -p -d -f -x -X -u --progress" },
    } },
  "gh glab": { help: "--help", options: "--version --help -h", sub: { "secret_list extension_list project_list codespace_list org_list search_issues search_prs search_repos search_commits search_code": { names: true, options: ghLists }, auth_status: { options: "-h= --hostname= -a --active" },
    "run_list run_view": { names: true, options: `${ghLists} -w= -v --verbose` }, "*": { names: true, options: ghLists } } },
  aws: { options: `--profile= --region= --output= --query= --color= --no-cli-pager --no-paginate --no-cli-auto-prompt --cli-read-timeout= --cli-connect-timeout= --max-items= --page-size= --starting-token= ` +
    `--human-readable --summarize --recursive --request-payer --since= --format= --filter= --dry-run --dryrun --no-dry-run --generate-cli-skeleton --no-sign-request --version --policy-source-arn= --action-names= --resource-arns= --policy-input-list= --context-entries= --caller-arn= --resource-policy= --resource-owner= --permissions-boundary-policy-input-list= ${awsParameters}` },
  az: { help: "--help", options: azReads },
  "gcloud gsutil bq": { help: "--help", options: `${gcloudReads} -z= -l -L -h -s -r -a -b -d -m -c -R -p --schema --view --routine --model --materialized_view --location= --json --max_results= --project_id= --dataset_id= --use_legacy_sql=false --dry_run --format -n= --all --tail=false -j --name= --type= --page_token=` },
  "doctl hcloud linode-cli ibmcloud exo": { options: "--output= -o= -c= --compartment-id= --all --query= --limit= --sort-by= --lifecycle-state= --display-name= --profile= --region= --all-projects --project= --status= " +
    "--name= --host= --long -f= --format= -F= --fields --column= --sort-column= --no-headers --no-header --name-only --server= --flavor= --image= --ip= --marker= --changes-since= --selector= -l= --context= --json --raw-output --verbose --type= --tail= --text --no-truncation --all-columns --order-by= --order= --page= --page-size= --delimiter= " +
    "--restrict= --no-trunc --no-va --va --include-ibm -q --quiet --deployment= --component= --tag-name= --resource=" },
  "terraform tofu": { help: "--help -help -h", options: terraformReads, sub: { "metadata_functions": {}, "show output state_list state_show version validate providers graph workspace_list workspace_show": { names: true }, fmt: { names: true } } },
  packer: { sub: { "validate inspect version": { names: true, options: "-syntax-only -evaluate-datasources=false -machine-readable -only= -except= -no-warn-undeclared-var" } } },
  ansible: { names: true, options: "--list-hosts -i= --inventory= -l= --limit= --version -v -vv -vvv -f= --forks= -u= --user=" },
  "ansible-playbook": { names: true, options: "--list-hosts --list-tasks --list-tags --syntax-check -C --check -D --diff -i= --inventory= -l= --limit= -t= --tags= --skip-tags= -v -vv -vvv --version -f= --forks= --start-at-task= -u= --user= -b --become" },
  "ansible-doc": { names: true, options: "-F --list_files -j --json -l --list -s --snippet -t= --type= -v --version" },
  "ansible-inventory ansible-galaxy": { names: true,
    options: "--graph --list --host= --vars --yaml -y --toml --export -i= --inventory= -l= --limit= -v --version -t= --type= -F -s --snippet -j --json --only-changed --format= -p=" },
  "ansible-config": { options: "--only-changed -t= --type= -f= --format= -v --version", sub: { "dump list": {} } },
  "salt salt-call": { names: true, options: "--local --out= --output= --static --timeout= -t= --summary --no-color --log-level= -l= -G -E -L -C -N --hide-timeout test=True -v --version --versions-report" },
  "puppet facter": { names: true, options: "--environment= --json --yaml -j -y -p --puppet --render-as= --color= --verbose -v --detailed-exitcodes --section=" },
  "chef-client": { options: "--version -v" },
  "bao consul": { help: "--help",
    options: "-format= -namespace= -ns= -region= -json -verbose -short -stats -self -detailed -detailed= -id= -status= -all-allocs -allocs -wan -segment= -datacenter= -stale -keys -recurse -separator= -stderr -tail -tags -log-level= -n= " +
      "-f -s -filter= -node= -service= -quiet -help -version --version -stdout -job -task= -no-color -per-page= -page-token=" },
  ceph: { names: true, options: "--daemon-type= --daemon_type= --daemon-id= --daemon_id= --service-name= --service_name= --service-type= --service_type= --hostname= --host-pattern= --detail --wide -s --status -f= --format= --cluster= --id= -n= --name= --user= --connect-timeout= -h --help -v --version --verbose --concise -w --watch" },
  cephadm: { names: true, options: "--format= --fsid= -v --verbose --no-detail" },
  "ceph-volume": { names: true, options: "--format=" },
  rbd: { options: "-p= --pool= --format= --pretty-format -l --long -a --all --namespace= --cluster= --id= -n= --image= --snap=",
    sub: { "ls list info du status snap_ls showmapped device_ls": { names: true } } },
  rados: { options: "-p= --pool= --format= -a --all --namespace= -N= --cluster= --id= -n=",
    sub: { "df lspools ls stat": {
      names: true } } },
  "radosgw-admin": { options: "--format= --pretty-format --uid= --bucket= --cluster= --id= -n= --rgw-realm= --rgw-zonegroup= --rgw-zone= --max-entries= --tenant=",
    sub: { ["user_list user_stats bucket_list bucket_stats gc_list lc_list zone_list zonegroup_list period_list " +
      "realm_list sync_status data_sync_status metadata_list usage_show role_list topic_list reshard_list"]: { names: true } } },
  gluster: { options: "--mode=script --xml --timeout=", sub: { "*": { names: true } } },
  kopia: { names: true, options: "-a --all --json --show-identical --reverse-sort -l --long --storage-stats --max-results= --tags= -v --verbose" },
  "borg duplicity": { names: true,
    options: "-r= --repo= --json --latest= --latest --host= -H= --tag= --path= --mode= --read-data-subset= --no-lock -q --quiet -v --verbose --last= --first= --short --format= --long -l --recursive --prefix= -P= --group-by= -c --compact -a= --bypass-lock --list --info --stats -n --dry-run" },
  "haproxy": { names: true, options: "-c -f= -q -V -v -vv -dr" },
  "nginx": { options: "-t -T -v -V -q -c= -p=" },
  "apache2ctl apachectl httpd apache2": { names: true, options: "-t -S -M -v -V -l -L -D=" },
  "varnishlog varnishncsa varnishtop varnishhist": { options: "-1 -A -b -c -C -d -E -g= -i= -I= -k= -L= -n= -N= -q= -r= -t= -T= -v -V -x= -X= -F= -f=" },
  varnishstat: { options: "-1 -f= -I= -X= -j -x -l -n= -N= -t= -V" },
  varnishadm: { options: "-n= -t= -T= -S=", sub: { "status ping pid help banner backend.list ban.list param.show vcl.list vcl.show vcl.deps panic.show storage.list tls.cert.list": { names: true, options: "-j -p -l -v" } } },
  slaptest: { options: "-u -v -Q" },
  "caddy traefik envoy squid": { names: true, options: "--mode=validate -c= --config-path= --config= --adapter= --address= -k= -f= -v --version version" },
  "named-checkconf named-checkzone": { names: true, options: "-z -p -x -h -j -l -v -c -t= -i= -k= -m= -n= -r= -M= -S= -T= -W= -q -d -f= -F=" },
  "lxc-info": { names: true, options: "-c= --config= -H --no-humanize -i --ips -n= --name= -p --pid -s --state -S --stats" },
  gpg: { names: true, options: "--list-keys -k --list-secret-keys -K --list-sigs --check-sigs --fingerprint --show-keys --verify --list-packets --version --with-colons " +
    "--with-fingerprint --with-subkey-fingerprint --with-keygrip --keyid-format= --no-tty --batch -v --verbose -q --quiet" },
  "postqueue mailq qshape": { names: true, options: "-p -j -v -l -s -b= -t= -m=" },
  postconf: { names: true, options: "-c=/etc/postfix -n -d -f -h -H -x -m -l -a -A -C= -o= -M -F -P -p -q -v" },
  postcat: { names: true, options: "-q -v -b -e -h -n" },
  "exim exim4": { names: true, options: "-bp -bpa -bpc -bpr -bpru -bpu -bP -bt -bV -Mvb -Mvh -Mvl" },
  exiqgrep: { options: "-a -b -c -f= -i -l -o= -r= -R -s= -x -y= -z" },
  exiqsumm: { options: "-a -c" },
  exigrep: { names: true, options: "-I -l -M -t= -v" },
  eximstats: { names: true, options: "-bydomain -byedomain -byemail -byhost -h= -ne -nr -nt -q= -t= -tnl" },
  doveconf: { names: true, options: "-n -a -N -f= -h -H -u= -A -v" },
  doveadm: { names: true, options: "-n -a -N -f= -h -H -u= -A -v", sub: { "process_status search": { names: true } } },
  crontab: { options: "-l -u=", names: true },
  chronyc: { options: "-4 -6 -a -c -d -h= -m -n -N -p= -v", sub: { "*": { names: true, options: "-a -v" } } },
  ntpq: { names: true, options: "-4 -6 -c= -n -p -w" },
  ntpstat: { options: "-h -m= -w=" },
  perl: { options: "-v -V -c -n -e= -a -F= -l -0 -w -W -E= -M= -m= -p -s -t -T -u -X -V:version" },
  python: { names: true, options: "-V -VV --version -c= -m= -I -E -s -S -B -b -u -O -OO -q -W= -X= -d -h --help -?" },
  ruby: { names: true, options: "-0 -a -c -e= -F= -h --help -l -n -ne -p -s -S -v --version -V -w -W" },
  "node nodejs": { names: true, options: "-c --check -e= --eval= -h --help -p --print= -v --version" },
  php: { names: true, runs: "operand", options: "-h --help -i --ini -l -m -n -q -r= --re= --rf= --ri= -s -v --version -w" },
  java: { options: "-Xmx* -Xms* -Xss* -XX:+PrintFlagsFinal -XX:+PrintFlagsInitial -XX:+PrintCommandLineFlags -XX:+UnlockDiagnosticVMOptions -version --version -showversion --show-version -fullversion --list-modules -help -XshowSettings -XshowSettings:all -XshowSettings:vm" },
  dotnet: { names: true, options: "--version --info --list-sdks --list-runtimes --outdated --vulnerable --deprecated --include-transitive" },
  "bash sh dash zsh ksh ash": { options: "-c= -l --login -n --norc --noprofile -e -u -x -v -o= -O= --posix --version -s" },
  pm2: { sub: { "list ls status describe show logs jlist prettylist env id": { names: true, options: "--lines= --nostream --raw --err --out --json --format --timestamp -m --mini-list --sort= --no-color" } } },
  "supervisorctl": { options: "-s= -c=", sub: { "status avail pid tail version maintail": { names: true, options: "-f" } } },
  "celery airflow": { names: true, options: "-A= --app= -b= --broker= --version -d= --destination= --dag-id= -j --json -t= --timeout= -o= --output= --state= -s= -e= --start-date= --end-date= --no-backfill --limit= --active -v --verbose" },
  pveversion: { options: "-v --verbose" },
  "bpftool": { names: /^(prog|map|link|net|cgroup|perf|feature|btf|iter|struct_ops|show|list|tree|probe|dump|id|name|tag|pinned|help|version|\d+|\w+)$/, options: "-j --json -p --pretty -f --bpffs -m --mapcompat -n --nomount -V --version", sub: { "*": { names: true } } },
  "logcli": { help: "--help", names: true, options: "--since= --from= --to= --limit= --batch= --forward --no-labels --include-label= --exclude-label= --labels-length= -o= --output= -q --quiet --stats --step= --tz= --timezone= --org-id= --addr= --colored-output --analyze-labels" },
  "promtool amtool": { help: "--help -h", names: true, options: "--config.file= --match= --url= --min-block-duration= --limit= --block-id= --extended -r -h --human-readable --alertmanager.url= --timeout= -o= --output= --active --inhibited --silenced --unprocessed -a -e -q= --query= --expired --within= --start= --end= --step= --lint= --lint-fatal --syntax-only -f= --format=" },
  // Agents of monitoring: what runs them, tries a file or sends is no read.
  telegraf: { options: "--test --config= --config-directory= --input-filter= --section-filter= --quiet --debug --version", sub: { version: {}, config: { names: /^check$/ } } },
  "datadog-agent": { help: "--help -h", options: "-j --json -p --pretty-json -v --verbose -n --no-color", sub: {
    "status health version hostname diagnose configcheck config_get tagger-list workload-list": { names: true },
    check: { names: /^[\w.-]+$/, options: "--table --json -r --check-rate -t= --check-times= --pause= -l= --log-level=" } } },
  "filebeat metricbeat": { options: "-e", sub: { "test_config test_output test_modules version modules_list": {} } },
  vector: { options: "-q --quiet -v --verbose --color= --version -V", sub: { validate: { names: true, options: "--no-environment --config-toml= --config-yaml= -d --deny-warnings" }, "list": { options: "--format=" }, graph: { options: "-c= --config= --config-yaml= --config-toml= -f= --format=" } } },
  "fluent-bit fluentd": { options: "--dry-run -c= --config= -p= --version -V --show-plugin-config=" },
  "otelcol otelcol-contrib": { sub: { validate: { options: "--config=" }, components: {} }, options: "--version -v" },
  "grafana-cli": { options: "--version -v --homepath= --pluginsDir=", sub: { "plugins_ls": {} } },
  thanos: { help: "--help", options: "--version --objstore.config-file= -o= --output= --timeout= --selector= --sort-by= --rules= --log.level=", sub: {
    "tools_bucket_ls tools_bucket_inspect tools_rules-check check_rules": { names: true } } },
  "newrelic newrelic-infra node_exporter vmctl influxd dog pdcli pd": { options: "--version -version -v", sub: { version: {} } },
  icingacli: { names: true, options: "--service_problem= --host_problem= --service_state= --host_state= --host= --service= --unhandled --handled --problems " +
    "--format= --columns= --verbose --no-color", sub: { "monitoring_list module_list": { names: true } } },
  check_nrpe: { options: "-H= -c= -p= -t= -u -n -2 -3 -4 -6 -V -h --help --version" },
  "crm_mon": { options: "-1 --one-shot -A --show-node-attributes -b --brief -c --show-tickets -f --failcounts -F -i= -I --include= --exclude= -L -m -n --group-by-node -N -o --operations -Q -r --inactive -R --show-detail -t --timing-details -X -V --output-as= -D" },
  pcs: { options: "--all --full --hide-inactive --output-format=text",
    sub: { ["status status_resources status_cluster status_corosync status_quorum status_nodes status_pcsd status_xml cluster_status " +
      "resource_status resource_config stonith_status stonith_config " +
      "stonith_list stonith_history stonith_history_show constraint_list constraint_show constraint_config constraint_ref " +
      "constraint_location_config constraint_order_config constraint_colocation_config property_config property_list property_show quorum_status quorum_config " +
      "resource_defaults_config resource_op_defaults alert_config tag_config booth_status " +
      "resource_failcount_show resource_relations resource_list resource_describe resource_agents stonith_describe stonith_level_config"]: { names: true },
      "node_attribute node_utilization": { names: /^[\w.-]+$/ },
      "config config_show constraint resource_failcount": {} } },
  crm_verify: { options: "-L --live-check -V --verbose -q --quiet -X --version --help" },
  "crm_failcount crm_attribute": { options: "-G --query --get-value -r= --resource= -N= --node= -n= --name= -t= --type= -l= --lifetime= -q --quiet -V --verbose" },
  crm_simulate: { options: "-s --show-scores -L --live-check -V --verbose -Q --quiet -U --show-utilization" },
  cibadmin: { options: "-Q --query -o= --scope= -A= --xpath= -l --local --no-children -V --verbose" },
  "corosync-cmapctl": { options: "-b -g=", names: /^[\w.]+$/ },
  drbdsetup: { names: true, options: "--statistics --verbose --json --show-defaults --color=" },
  crm_resource: { options: "-l --list-raw -L --list -O --list-operations --list-all-operations -q --query-xml --query-xml-raw -W --locate -A --stack -a --constraints -Y --why -r= --resource= -N= --node= -g= --get-parameter= -G= --get-property= -V --verbose -Q --quiet --output-as=" },
  crm_node: { options: "-l --list -n --name -q --quorum -i --cluster-id -N= --name-for-id= -p --partition -V --verbose -Q --quiet", sub: {} },
  repmgr: { options: "-f= --config-file= --csv --compact --event= --limit= --all --verbose -v --version -V",
    sub: { "cluster_show cluster_event cluster_matrix cluster_crosscheck node_status node_check service_status daemon_status": { names: true, options: "--archive-ready --downstream --role --slots --replication-lag --data-directory-config --is-shutdown-cleanly" } } },
  stonith_admin: { options: "-L --list-registered -I --list-installed -l= --list= -M --metadata -a= --agent= -H= --history= -V --verbose --quiet", sub: {} },
  crm: { names: true },
  drbdadm: { names: true },
  "corosync-cfgtool": { options: "-b -n -s" },
  "cloud-init": { sub: { "status query analyze features schema": { names: true, options: "-l --long -w --wait --format= -a --all -s --system --annotate" } } },
  "certbot": { names: true, options: "--cert-name= -d= --domain= --dry-run --quiet -q -n --non-interactive" },
  "megacli MegaCli MegaCli64 storcli storcli64 perccli arcconf ssacli hpssacli": { names: true,
    options: "-LDInfo -PDList -AdpAllInfo -AdpBbuCmd -AdpEventLog -LdPdInfo -CfgDsply -EncInfo -PDInfo -ShowSummary -AdpGetTime -Lall -L0 -L1 -aALL -a0 -a1 -aAll -NoLog -PhysDrv -GetBbuStatus -GetEvents -GetEventLogInfo -r= -u=" },
  racadm: { names: true, options: "-r= -u= -p= -i --nocertwarn -g= -a -s -o= -c= -E" },
  nfsiostat: { names: /^\d+$|^\//, options: "-a --attr -d --dir -l= --list= -p --page -s --sort" },
  showmount: { names: true, options: "-a --all -d --directories -e --exports -h --help --no-headers -v --version" },
  nfsstat: { options: "-2 -3 -4 -c --client -l --list -m --mounts -n --nfs -o= -r --rpc -s --server -v --all" },
  exportfs: { options: "-s -v" },
  rpcinfo: { names: true, options: "-a= -l -m -n= -p -s -t -T= -u" },
  "ipa": { names: true, options: "--all --raw --sizelimit= --timelimit= --pkey-only --login= --uid= --first= --last= --users= --groups= --hosts=" },
  "slapcat": { options: "-a= -b= -c -d= -g -H= -n= -o= -s= -v" },
  "sshd": { options: "-t -T -C= -4 -6 -q -V" },
  "asterisk": { options: "-r -x= -V", names: true },
  "lpstat lpq": { names: true, options: "-a -c -d -e -h= -H -l -o -p -P= -r -R -s -t -u -U= -v -W=" },
  smbstatus: { options: "-b --brief -f --fast -j --json -L --locks -l -n --numeric -N --notify -p --processes -P -S --shares -u= --user= -v -V" },
  testparm: { names: true, options: "-L= -l -s --suppress-prompt -t= -v --verbose -V --show-all-parameters --parameter-name= --section-name=" },
  wbinfo: { names: true, options: "-D= -g -G= -I= -i= -m -n= -N= -p -P -r= -R= -s= -S= -t -u -U= -V -Y= --all-domains --domain= --domain-groups " +
    "--domain-info= --domain-users --getdcname= --group-info= --online-status --own-domain --ping --ping-dc --sequence --sid-to-name= --name-to-sid= " +
    "--trusted-domains --user-domgroups= --user-groups= --user-info= --user-sids= --verbose" },
  "script": {},
  "debconf-show": { names: true, options: "--listowners --listdbs --db=" },
  "tripwire aide rkhunter": { options: "--check --version -V" },
  "lynx links w3m elinks": { names: true, options: "-dump -source -head -mime_header -nolist -listonly -width= -useragent= -connect_timeout= -accept_all_cookies -T= -cols= -no-connect" },
  "http https xh": { names: true, options: "-v --verbose -h --headers -b --body -m --meta -p= --print= --pretty= -s= --style= -f --form -j --json --check-status -I --ignore-stdin --follow -F --max-redirects= " +
    "--timeout= --verify=yes --ssl= --all -q --quiet --offline --stream -S --no-follow" },
  "nvidia-smi": { names: true, options: "-q -d= -i= --id= -L --list-gpus -x --xml-format --query-gpu= --query-compute-apps= --query-supported-clocks= --query-remapped-rows= --format= -u --unit -B --list-excluded-gpus " +
    "--query --display= --version --loop-ms= --help-query-gpu",
    sub: { topo: { options: "-m -p2p=" }, "dmon pmon": { options: "-s= -c= -o= -d= -i=" } } },
  "pwsh powershell pwsh-preview": { options: "-c= -Command= -command= -NoProfile -noprofile -NoLogo -nologo -NonInteractive -noninteractive -EncodedCommand= -ExecutionPolicy= -OutputFormat=" },
  "dialog whiptail zenity": { names: true, options: "--msgbox --yesno --infobox --inputbox --menu --title= --clear --backtitle= --info --text=" },
  "smbclient": { names: true, options: "-L= -N -g -m= -p= -I= -n= -W= -U= -t= -k --list= --no-pass" },
  "squeue sinfo sacct sshare sprio sdiag": { names: true, options: "-a --all -A= --account= -h --noheader -i= -j= --jobs= --job= -l --long -M= -n= --name= -N -o= --format= -O= -p= --partition= -r -R -s -S= -t= --states= -u= --user= -v -V -w= --start " +
    "--me -E= --endtime= --starttime= -X --allocations -P --parsable2 -e" },
  check_ping: { options: "-4 -6 -c= --critical= -H= --hostname= -L --link -p= --packets= -t= --timeout= -V -w= --warning=" },
  check_http: { options: "-4 -6 -A= -c= --critical= -C= -d= -e= -f= -H= --hostname= -I= --IP-address= -l -m= -N --no-body -p= --port= -r= --regex= -R= --eregi= -s= --string= -S --ssl --sni -t= --timeout= -u= --url= -v -V -w= --warning=" },
  check_tcp: { options: "-4 -6 -A -c= --critical= -d= -D= -e= --expect= -H= --hostname= -m= -M= -p= --port= -r= -S --ssl -t= --timeout= -v -V -w= --warning=" },
  check_ssh: { names: true, options: "-4 -6 -H= --hostname= -p= --port= -P= -r= -t= --timeout= -v -V" },
  check_ntp: { options: "-4 -6 -c= -H= -j= -k= -q -t= -v -V -w=" },
  check_dns: { options: "-a= -A -c= --critical= -H= --hostname= -n -q= -s= --server= -t= --timeout= -v -V -w= --warning=" },
  check_smtp: { options: "-4 -6 -c= -D= -e= -f= -F= -H= -N -p= -R= -S -t= -v -V -w=" },
  check_snmp: { options: "-c= -C= -H= -l= -L= -m= -n -o= -O -p= -P= -r= -R= -s= -t= -u= -v -V -w=" },
  check_disk: { options: "-A -c= --critical= -C -e -E -f -g= -i= -I= -k -K= -l -L -m -M -p= --path= -r= -R= -t= -u= -v -V -w= --warning= -W= -x= -X=" },
  check_load: { options: "-c= -n= -r -V -w=" },
  check_procs: { options: "-a= -c= -C= -e= -k -m= -p= -P= -r= -s= -t= -u= -v -V -w= -z=" },
  check_swap: { options: "-a -c= -n= -v -V -w=" },
  check_users: { options: "-c= -V -w=" },
  zabbix_get: { options: "-h --help -I= -k= --key= -p= --port= -s= --host= -t= --timeout= -V --version" },
  "memcached-tool": { names: /^(\S+:\d+|display|stats|sizes|settings)$/ },
  lfs: { names: true, options: "-h -i -l -p= -v", sub: { quota: { names: true, options: "-q -v -h -u= -g= -p= -o= -i= -I= --pool=" }, getstripe: { names: true, options: "-d -r -v -q -c -S -i -p -m -y -L" }, df: { names: true, options: "-h -H -i -l -p= -v" } } },
  bjobs: { names: true, options: "-a -A -d -G= -J= -l -m= -noheader -o= -p -P= -q= -r -s -sum -u= -w -W -X" },
  qstat: { names: true, options: "-1 -a -B -f -F= -g= -i -j= -n -q -Q -r -s -t -u= -w -x -xml" },
  esxtop: { options: "-a -b -d= -n=" },
  snmptranslate: { names: true, options: "-IR -m= -M= -Oa -Of -On -OS -Os -Ou -Td -Tp -V -w=" },
  "svn hg bzr": { sub: { "status st log diff info list cat blame st annotate heads tip summary": { names: true,
    options: "-l= --limit= -r= --rev= --revision= -v --verbose -q --quiet -p --patch --stat -G --graph -b= --branch= -u= --user= -d= --date= -k= --keyword= -c= --change= -n --number -T= --template= --show-updates " +
      "--no-ignore --non-interactive --summarize --xml -g --git -w -B --follow --stop-on-copy" } } },
  nagios: { options: "-v -vv -s -S", names: /^\/[\w./-]+\.cfg$/ },
  "vim-cmd": { names: true },
  "cypher-shell": { names: true, options: "-a= --address= -u= --username= -d= --database= --format= --access-mode=read --fail-fast --non-interactive" },
  "rocm-smi": { options: "-a -i -t -f -P -u -h -c -g -b -S -l -d= --json --csv --alldevices --version --showid --showuse --showtemp --showpower --showmemuse --showmeminfo --showclocks --showfan --showbus --showall --showallinfo --showpids --showdriverversion --showproductname --showhw --showtopo --showuniqueid --showserial --showvbios --showperflevel --showvoltage --showrasinfo --showxgmierr" },
  "beegfs-ctl": { names: true, options: "--listnodes --listtargets --getentryinfo --getquota --listquota --liststoragepools --listmirrorgroups --serverstats --clientstats --userstats --iostat --nodetype= --mount= --details --nicdetails --showversion --state --reachable --spaceinfo --longnodes --nodesfirst --pools --uid= --gid= --all --history= --interval= --names --maxlines= --verbose" },
  "pmval pminfo pmstat": { names: true, options: "-s= -t= -T= -S= -f= -r -w= -d -i= -n= -a= -A= -z -F -m -M -I -l -x" },
  pmrep: { names: true, options: "-s= -t= -T= -S= -r -w= -d -i= -a= -A= -z -m -I -x -p -u -U -X -b= -P=" },
  "size": { options: "-A -B -d -o -x -t -f --format= --common --totals --radix= -V --version" },
  "capinfos": { options: "-t -E -c -s -d -l -u -a -e -y -i -z -x -o -k -F -I -T -M -A -C -D -H -S -B -r -R -Q -q -h -N -n -v -m -b" },
  "seinfo sesearch matchpathcon avcstat": { names: true,
    options: "-A -s= -t= -c= -p= -b= -x -u -r -a -v --stats --all --type --role --user --class --bool --constrain -d -ds -dt -ep -C -Rs -Rt -Rc -V -T -n -N" },
  "lstopo lstopo-no-graphics": { options: "--only= -v --verbose -p --physical -l --logical -c --cpuset --no-io --no-bridges --whole-io --no-caches --of= --filter= --restrict= --ps -s --silent --version" },
  "tnsping upsc apcaccess s6-svstat s6-svdt beegfs-df": { names: true, options: "-l -L -c -j -o= -u -e -p= -h=" },
  omreport: { names: true },
  "mmlsfs mmgetstate mmlscluster mmlsconfig mmlsdisk mmlsmount mmlsfileset mmlsquota mmlsnsd mmlspool mmlsnode mmlspolicy mmlsattr mmlssnapshot mmlslicense mmdf": {
    names: true, options: "-a -L -s -v -Y -m -M -X -d -f -F -n -N= -q -g= -u= -j= -e -o" },
  db2pd: { names: true, options: "-db= -alldbs -inst -locks -transactions -applications -agents -dbptnmem -bufferpools -logs -tablespaces -tcbstats -dynamic " +
    "-static -hadr -osinfo -edus -memsets -mempools -utilities -wlocks -latches -activestatements -dbcfg -dbmcfg -sysplex -reorgs -recovery -version -storagepaths -fcm" },
  "pt-duplicate-key-checker pt-mysql-summary pt-summary pt-index-usage pt-config-diff": { names: /^([hPuSDt]=[\w./-]+,?)+$/, options: "--databases= --tables= --host= --port= --user= --verbose -d= -h= -P= -u= -v" },
  "hdfs hadoop mapred": { names: true,
    options: "-ls -lsr -du -dus -df -count -stat -checksum -getfacl -getfattr -test -find -help -usage -cat -text -tail -head -h -R -d -C -q -S -t -r -u -s -v -x -e -f -z -w -name= -iname= -print -print0 " +
      "-files -blocks -locations -racks -list-corruptfileblocks -openforwrite -includeSnapshots -storagepolicies -maintenance -blockId= -report -live -dead -decommissioning -printTopology -safemode -listOpenFiles " +
      "-getDatanodeInfo -getBalancerBandwidth -upgrade -rollingUpgrade -ns= -fs= -getServiceState -getAllServiceState -checkHealth -namenodes -confKey= -nnRpcAddresses -backupNodes -secondaryNameNodes " +
      "-listPolicies -getStoragePolicy -getPolicy -listCodecs -path= -listZones -listPools -listDirectives -list -status= -counter= -events= -list-active-trackers -list-attempt-ids " +
      "-list-blacklisted-trackers -logs= -info= -showacls -showJobs -all -a" },
  neo4j: { names: true, options: "--verbose --help --version" },
  "riak-admin riak emqx firebase icinga2 rsyslogd zabbix_agentd zabbix_agent2": { names: true,
    options: "--json -j --project= -P= --format= --csv -C --validate -V --version -v -N -N1 -N2 -t= --test= -p --print -T --test-config -x= --name= --type=" },
  "k3d": { names: true, options: "--no-headers --token=false -o= --output=" },
  "mii-tool": { names: true, options: "-v --verbose -V --version" },
  mtx: { names: true, options: "-f=" },
  "kamcmd kamctl asmcmd fdbcli jar": { names: true, options: "-s= -g -l -H -k -p --privilege= --suppressheader --discovery --exec= --timeout= -t -tf -tvf -v -f= --file= --list -G= -d --state" },
  "cilium-dbg": { names: true, options: "-o= --output= --brief --verbose --all-addresses --all-controllers --all-health --all-nodes --all-redirects -n --numeric -l= --labels= --no-headers -D -H=" },
  "orchestrator-client": { names: true, options: "-c= --command= -i= --instance= -a= --alias= -d= -R= --reason= -b= -l= -S=" },
  "asinfo asadm": { names: true, options: "-v= -h= -p= -e= --execute= -l -U= -t= -f= --no-config-file --json -j" },
  "trace-cmd": { names: true, options: "-e -t -o -p -f -s -O -c -C -F -P -B -i= --input=" },
  db2: { names: true },
  rsnapshot: { names: true, options: "-t -v -V -q" },
  "knife": { names: true, options: "-x= --ssh-user= -C= --concurrency= -F= --format= -a= --attribute= --long -l -i --id-only -w --with-uri -r --run-list -E= --environment= -m --medium -R= --rows= -b=" },
  "mysqldumpslow": { names: true, options: "-a -d -g= -h= -i= -l -n= -r -s= -t= -v --help --verbose --debug" },
  "corosync-quorumtool": { options: "-s -l -m -i -o= -p -V -H -h" },
  mokutil: { options: "--sb-state -l --list-enrolled -N --list-new -D --list-delete --pk --kek --db --dbx --list-sbat-revocations --short -v --verbose -h --help" },
  "grpc_health_probe grpc-health-probe": { options: "-service= -connect-timeout= -rpc-timeout= -v -verbose -tls -tls-no-verify -tls-server-name= -gzip -spiffe -user-agent= -rpc-header= -version" },
  lsnrctl: { sub: { "status services version": { names: true } } },
  crsctl: { sub: { "stat_res stat_server check_crs check_has check_cluster query_css query_crs": { names: true, options: "-t -v -init -w= -p -f -all -n=" } } },
  srvctl: { sub: { "status_* config_*": { names: true, options: "-d= -db= -n= -node= -i= -instance= -s= -service= -l= -listener= -v -verbose -all -a" } } },
  "salt-key": { names: true, options: "-L -l= --list= --list-all -F -f= --finger= --finger-all -P --print-all --out= --no-color --output=" },
  regctl: { options: "-v= --verbosity= --host= --logopt=", sub: { "version image_digest image_manifest image_config manifest_get manifest_head manifest_diff tag_ls repo_ls": { names: true,
    options: "--platform= --format= --list --require-digest -p= --limit= --last=" } } },
  crane: { options: "-v --verbose --platform= --insecure=false", sub: { "digest manifest config ls catalog validate image_digest image_manifest image_config tag_ls repo_ls": { names: true,
    options: "--full-ref --omit-digest-tags --remote= --fast --format= --list --require-digest" } } },
  cf: { sub: { target: {}, "apps app logs routes services service orgs spaces events version stacks buildpacks domains ps releases status features quotas marketplace": { names: true,
    options: "--recent -n= --num= -a= --app= -t --tail=false -s= --source= -d= --dyno= --json -r= --remote= --guid -o= --ps= -p= --team= --no-color" } } },
  xfs_quota: { options: "-x -c= -V -p=", names: true },
  cosign: { names: true,
    options: "--key= -a= --annotations= --certificate-identity= --certificate-identity-regexp= --certificate-oidc-issuer= " +
      "--certificate-oidc-issuer-regexp= --type= --check-claims=true --signature= --rekor-url=" },
};
