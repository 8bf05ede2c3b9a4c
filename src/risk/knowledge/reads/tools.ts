import type { ReadTable } from "../../reads.ts";

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

// The parameters of AWS' own reads (Describe, Get, List …), from its API model (botocore 1.43 and 1.29) by `test/outside/aws-options.ts`.

// biome-ignore format: filled to the width
const awsParameters =
  "--accelerator-arn= --accept-language= --accept= --accepted-media-types= --accepts= --access-grant-id= " +
  "--access-grants-location-id= --access-key-id= --access-level-filter= " +
  "--access-log-subscription-identifier= --access-point-arn= --access-point-id= --access-preview-id= " +
  "--access-request-id= --access-system-profile-logs --access-token= " +
  "--account-assignment-creation-request-id= --account-assignment-deletion-request-id= " +
  "--account-default-status= --account-id-filter= --account-id-list= --account-id= --account-identifiers= " +
  "--account-ids= --account-scope= --account-url= --account= --acl-name= --acme-domain-validation-arn= " +
  "--acme-endpoint-arn= --acme-external-account-binding-arn= --action-execution-id= --action-id= " +
  "--action-name= --action-names= --action-owner-filter= --action-prefix= --action-status= " +
  "--action-target-arns= --action-type= --action= --active --activity-arn= --activity-ids= --actor-arn= " +
  "--additional-code-repository-equals= --additional-metrics= --additional-plan-options-map= --addon-name= " +
  "--addon-version= --address-region= --address-type= --admin-account= --administrator-account= " +
  "--affected-account-id= --after-blob-id= --after-commit-id= --after-commit-specifier= " +
  "--after-last-updated-at= --after-path= --after-time= --agent-arn= --aggregate-field= --aggregation-field= " +
  "--aggregation-period= --aggregation-request= --aggregation-type= --aggregator --aggregator-v2-arn= " +
  "--aggregators= --agreement-id= --ai-benchmark-job-name= --ai-recommendation-job-name= " +
  "--ai-workload-config-name= --alarm-contributor-id= --alarm-mute-rule-name= --alarm-name-prefix= " +
  "--alarm-name= --alarm-names= --alarm-types= --algorithm-name= --alias-id= --alias-ids= --alias-name= " +
  "--alias-prefix= --alias= --all-availability-zones --all-regions --all-users --allocation-ids= " +
  "--allowed-by-application --alternate-contact-type= --analysis-end-time= --analysis-id= --analysis-ids= " +
  "--analysis-report-id= --analysis-scheme-names= --analysis-start-time-begin= --analysis-start-time-end= " +
  "--analysis-start-time= --analysis-status= --analyze-rule-group --analyzer-arn= --analyzer-name= " +
  "--annotation-prefix= --anomaly-detector-arn= --anomaly-detector-id= --anomaly-detector-ids= " +
  "--anomaly-detector-types= --anycast-ip-list-id= --api-id= --api-key= --api-mapping-id= --api-type= " +
  "--app-arn= --app-category= --app-id= --app-image-config-name= --app-monitor-name= --app-name= " +
  "--app-type-equals= --app-type= --app-version= --application-arn= --application-id= " +
  "--application-identifier= --application-ids= --application-name= --application-names= " +
  "--application-provider-arn= --application-sources= --application-status-check-ids= " +
  "--application-type-equals= --application-version-id= --application= " +
  "--apply-override-for-compute-environment= --approval-rule-template-name= --approximation-dimension= " +
  "--architecture-types= --archive-name= --arn= --arns= --array-job-id= --artifact-arn= --artifact-id= " +
  "--artifact-type= --ascending-order --assessment-arn= --assessment-id= --assessment-name= " +
  "--assessment-status= --asset-id-filter= --asset-id= --asset-identifier= --asset-type-filter= " +
  "--asset-type= --asset= --assignment-status= --associated-gateway-id= --associated-policy-arn= " +
  "--associated-resource-types= --association-filter-list= --association-filter= --association-id= " +
  "--association-ids= --association-status= --association-type= --association-version= --at-time= " +
  "--attachment-arn= --attachment-id= --attachment-type= --attack-id= --attempt= --attribute-filters= " +
  "--attribute-name= --attribute-names= --attribute-value= --attribute= --attributes-to-get= --attributes= " +
  "--audience= --audit-context= --audit-report-id= --audit-targets= --audit-task-id= --auditors= " +
  "--auth-proxy-call --authentication-method-type= --authentication-profile-name= --author-arn= " +
  "--authorized-actions= --authorizer-id= --authorizer-name= --auto-ml-job-name= " +
  "--auto-scaling-configuration-arn= --auto-scaling-configuration-name= --auto-scaling-group-arns= " +
  "--auto-scaling-group-name= --auto-scaling-group-names= --automation-execution-id= " +
  "--automation-rules-arns= --availability-zone-filter= --availability-zone-group= " +
  "--availability-zone-id-filter= --availability-zone-id= --availability-zone= --aws-account-id= " +
  "--aws-account-ids= --aws-application-arn= --aws-config-connector-arns= --aws-region= --aws-resource-arn= " +
  "--aws-service-filter= --aws-service= --backtrack-identifier= --backup-arn= --backup-ids= --backup-job-id= " +
  "--backup-plan-id= --backup-plan-template-id= --backup-plan-template-json= --backup-type= " +
  "--backup-vault-account-id= --backup-vault-name= --base-lens-version= --base-model-arn-equals= " +
  "--base-path= --baseline-id= --baseline-identifier= --baseline-override= --baseline-time-period= " +
  "--batch-import-status= --before-blob-id= --before-commit-id= --before-commit-specifier= " +
  "--before-last-updated-at= --before-path= --before-substitution --before-time= --behavior-criteria-type= " +
  "--behaviors= --bgp-peers= --billing-group-name= --billing-view-arn= --blacklist-item-names= --blob-id= " +
  "--block-index= --block-token= --blue-green-deployment-identifier= --blueprint-name= --bot-category= " +
  "--bot-name= --bot-organization= --branch-name= --branch= --broker-id= --browser-type= --bucket-criteria= " +
  "--bucket-name= --bucket-region= --bucket= --buckets-aggregation-type= --budget-name= --build-workflow-id= " +
  "--bundle-id= --bundle-ids= --by-account-id= --by-backup-plan-id= --by-backup-vault-name= " +
  "--by-complete-after= --by-complete-before= --by-created-after= --by-created-before= --by-creation-after= " +
  "--by-creation-before= --by-customization-type= --by-destination-vault-arn= --by-inference-type= " +
  "--by-malware-scanner= --by-message-category= --by-name --by-output-modality= --by-parent-job-id= " +
  "--by-parent-recovery-point-arn= --by-provider= --by-recovery-point-arn= " +
  "--by-recovery-point-creation-date-after= --by-recovery-point-creation-date-before= --by-report-plan-name= " +
  "--by-resource-arn= --by-resource-type= --by-restore-testing-plan-arn= --by-scan-result-status= " +
  "--by-shared --by-source-recovery-point-arn= --by-state= --by-status= --by-vault-type= " +
  "--byte-match-set-id= --ca-certificate-id= --cache-cluster-id= --cache-cluster-ids= --cache-node-type= " +
  "--cache-parameter-group-family= --cache-parameter-group-name= --cache-policy-id= --cache-report-arn= " +
  "--cache-security-group-name= --cache-subnet-group-name= --calculation-execution-id= --calendar-names= " +
  "--call-as= --caller-arn= --campaign-id= --candidate-name-equals= --capability-name= " +
  "--capacity-block-extension-duration-hours= --capacity-block-ids= --capacity-duration-hours= " +
  "--capacity-manager-data-export-ids= --capacity-provider-arns= --capacity-provider-name= " +
  "--capacity-providers= --capacity-reservation-cancellation-quote-ids= --capacity-reservation-fleet-ids= " +
  "--capacity-reservation-id= --capacity-reservation-ids= --capacity-reservation-modification-quote-ids= " +
  "--capacity-reservation-name= --capacity-task-id= --capacity-task-status-filter= --carrier-gateway-ids= " +
  "--case-id-list= --case-id= --catalog-id= --catalog-item-id= --catalog-name= --category-code= --category= " +
  "--cell-name= --certificate-arn= --certificate-authority-arn= --certificate-authority-id= " +
  "--certificate-id= --certificate-identifier= --certificate-key-pair-origins= --certificate-name= " +
  "--certificate-provider-name= --certificate-statuses= --change-id= --change-set-name= --change-token= " +
  "--channel-arn= --channel-class= --channel-configuration= --channel-id= --channel-placement-group-id= " +
  "--channel= --check-arn= --check-id= --check-identifier= --check-ids= --check-name= --checkpoint-token= " +
  "--checksum-mode= --child-id= --child-type= --children-of-alarm-name= --choice-id= --chronological-order= " +
  "--cidr= --client-certificate-id= --client-configuration-version= --client-id= --client-metadata= " +
  "--client-request-token= --client-secret= --client-token= --client-vpn-endpoint-id= " +
  "--client-vpn-endpoint-ids= --cloud-connector-id= --cloud-watch-alarm-template-group-identifier= " +
  "--cluster-arn= --cluster-exists --cluster-id= --cluster-identifier= --cluster-ids= --cluster-name-filter= " +
  "--cluster-name= --cluster-names= --cluster-operation-arn= --cluster-parameter-group-family= " +
  "--cluster-scheduler-config-id= --cluster-scheduler-config-version= --cluster-security-group-name= " +
  "--cluster-states= --cluster-subnet-group-name= --cluster-type-filter= --cluster-type= --cluster-version= " +
  "--cluster-versions= --cluster= --clusters= --code-repository-name= --code-signing-config-arn= --codec= " +
  "--cognito-identity-pool-id= --collection-filters= --collection-id= --column-names= " +
  "--column-statistics-task-run-id= --command-arn= --command-execution-ids= --command-id= " +
  "--command-parameter-name= --comment-id= --commit-id= --commit-ids= --commit-specifier= " +
  "--community-matches= --comparison-time-period= --compatible-architecture= --compatible-runtime= " +
  "--compilation-job-name= --completed-time-filter= --completed= --compliance-status= --compliance-type= " +
  "--compliance-types= --component-arn= --component-build-version-arn= --component-name= " +
  "--component-version-arn= --compute-environments= --compute-quota-id= --compute-quota-version= " +
  "--compute-type-names= --conditional-operator= --conditions= --config-delivery-s3-destination-arn= " +
  "--config-id= --config-rule-name= --config-rule-names= --configuration-aggregator-name= " +
  "--configuration-aggregator-names= --configuration-id= --configuration-policy-association-identifiers= " +
  "--configuration-profile-id= --configuration-profile-identifier= --configuration-recorder-names= " +
  "--configuration-revision= --configuration-set-attribute-names= --configuration-set-name= " +
  "--configuration-version= --configuration= --conflict-detail-level= --conflict-resolution-strategy= " +
  "--conformance-pack-name= --conformance-pack-names= --connect-attachment-id= --connect-peer-id= " +
  "--connect-peer-ids= --connected-database= --connection-arn= --connection-function-identifier= " +
  "--connection-id= --connection-ids= --connection-mode= --connection-name= --connection-notification-id= " +
  "--connection-options= --connection-state= --connection-type= --connector-arn= --connector-id= " +
  "--connector-name-prefix= --connector-operation-arn= --connector-status= --consistent-read --construct-id= " +
  "--consumable-resource= --consumer-arn= --consumer-name= --contact-arn= --contact-channel-id= " +
  "--contact-id= --contact-list-name= --container-association-arn= --container-association-name= " +
  "--container-instance= --container-instances= --container-name= --container-provider-id= " +
  "--container-provider-type= --container-recipe-arn= --context-entries= --context-id= --context-lines= " +
  "--context-name= --context-type= --context= --continent-code= --continuation-token= --conversion-task-ids= " +
  "--copy-job-id= --copy-product-token= --core-network-id= --cost-category-arn= --cost-category-name= " +
  "--country-code= --crawler-name-list= --crawler-name= --crawler-names= --create-account-request-id= " +
  "--create-time-range= --created-after= --created-at-after= --created-at-before= --created-at= " +
  "--created-before= --creation-time-after= --creation-time-before= --creation-token= --credential-type= " +
  "--credentials-scope= --criteria= --cross-account-filter-option= --currencies= --currency-code= " +
  "--currency= --current-state= --custom-domain-certificate-arn= --custom-domain-name= " +
  "--custom-key-store-id= --custom-key-store-name= --custom-model-deployment-identifier= " +
  "--custom-plugin-arn= --custom-role-arn= --customer-gateway-arns= --customer-gateway-ids= --customer-id= " +
  "--daemon-arn= --daemon-deployment-arns= --daemon-name= --daemon-revision-arns= --daemon-task-definition= " +
  "--dashboard-id= --dashboard-name-prefix= --dashboard-name= --data-locations= --data-queries= " +
  "--data-share-arn= --data-source-arn= --data-source-id= --data-source-name= --data-source-type= " +
  "--data-source= --data-sources= --data-store-api-version= --data-type= --database-name= --database= " +
  "--dataset-identifier= --date-interval= --db-cluster-endpoint-identifier= --db-cluster-id= " +
  "--db-cluster-identifier= --db-cluster-parameter-group-name= --db-cluster-resource-id= " +
  "--db-cluster-snapshot-identifier= --db-groups= --db-instance-automated-backups-arn= --db-instance-class= " +
  "--db-instance-identifier= --db-name= --db-parameter-group-family= --db-parameter-group-name= " +
  "--db-proxy-endpoint-name= --db-proxy-name= --db-resource-id= --db-security-group-name= " +
  "--db-shard-group-identifier= --db-snapshot-identifier= --db-subnet-group-name= --db-user= " +
  "--dbi-resource-id= --default-code-repository-contains= --default-for-domain-id= --default-list " +
  "--default-lists --default-only --default-policy-type= --default-version --definition= " +
  "--delegation-permission-check --delegation-request-id= --delegation-set-id= --deletion-id= " +
  "--deletion-task-id= --delimiter= --delivery-channel-names= --delivery-destination-name= " +
  "--delivery-destination-types= --delivery-stream-name= --delivery-stream-type= --delta-id= " +
  "--dependency-config= --dependent-job-name= --deployed --deployed= --deployment-config-name= " +
  "--deployment-group-name= --deployment-group-names= --deployment-id= --deployment-ids= " +
  "--deployment-number= --deployment-strategy-id= --deprecated-status= --descending --descriptions= " +
  "--desired-state= --desired-status= --destination-address= --destination-arn= " +
  "--destination-commit-specifier= --destination-filters= --destination-id= --destination-name-prefix= " +
  "--destination-type= --destination= --detail-level= --details --detector-id= --dev-endpoint-names= " +
  "--developer-user-identifier= --device-fleet-name-contains= --device-fleet-name= --device-id= " +
  "--device-ids= --device-key= --device-name= --dhcp-options-ids= --dimension-name= " +
  "--dimension-value-operator= --dimension= --dimensions= --direct-connect-gateway-id= --direction= " +
  "--directory-bucket= --directory-id= --directory-ids= --discoverer-id-prefix= --discoverer-id= " +
  "--discovery-region= --disk-name= --disk-snapshot-name= --display-id= --distribution-configuration-arn= " +
  "--distribution-id= --distribution-name= --distribution-tenant-id= --dns-name= --document-filter-list= " +
  "--document-format= --document-version= --documentation-part-id= --documentation-version= " +
  "--domain-configuration-name= --domain-control-validation-resource= --domain-controller-ids= " +
  "--domain-id-equals= --domain-id= --domain-name-id= --domain-name= --domain-names= --domain-owner= " +
  "--domain-verification-identifier= --domain= --dry-run --dry-run-id= --durable-execution-arn= " +
  "--durable-execution-name= --duration-hours= --duration-in-minutes= --duration-in-seconds= " +
  "--duration-seconds= --duration= --durations= --earlier-time= --ec2-family-filter= " +
  "--ecr-repository-prefix= --ecr-repository-prefixes= --edge-deployment-plan-name= --edge-location= " +
  "--edge-packaging-job-name= --editor-id= --edns0-client-subnet-ip= --edns0-client-subnet-mask= " +
  "--effective-date= --effective-on= --effective-settings --egress-only-internet-gateway-ids= " +
  "--eks-access-entry-integrated --elastic-gpu-ids= --elasticsearch-version= --email-address= " +
  "--email-identity= --embed= --enabled-baseline-identifier= --enabled-control-identifier= " +
  "--enablement-status= --encoding-type= --encoding= --end-date-range= --end-date= --end-time-before= " +
  "--end-time= --endpoint-arn= --endpoint-config-name= --endpoint-group-arn= --endpoint-id= " +
  "--endpoint-identifier= --endpoint-name-equals= --endpoint-name= --endpoint-type= --engagement-id= " +
  "--engine-name= --engine-type= --engine-version= --engine= --entity-arn= --entity-filter= --entity-name= " +
  "--entity-selector-expression= --entity= --entries= --environment-id= --environment-identifier= " +
  "--environment-ids= --environment-name= --environment-names= --environment= --error-code= --event-arn= " +
  "--event-arns= --event-bridge-rule-template-group-identifier= --event-bus-name= --event-categories= " +
  "--event-category= --event-data-store-owner-account-id= --event-data-store= --event-id= --event-name= " +
  "--event-source-arn= --event-source-name= --event-source= --event-status= --event-time-after= " +
  "--event-time-before= --event-type= --events= --exact-as-path-matches= --exact-cidr-matches= " +
  "--exclude-column-schema --exclude-compliant-resources --exclude-devices-deployed-in-other-stage " +
  "--exclusion-ids= --exclusion-status= --exclusive-start-backup-arn= " +
  "--exclusive-start-delivery-stream-name= --exclusive-start-destination-id= " +
  "--exclusive-start-global-table-name= --exclusive-start-key= --exclusive-start-shard-id= " +
  "--exclusive-start-stream-arn= --exclusive-start-stream-name= --exclusive-start-table-name= " +
  "--exclusive-start-tag-key= --executable-users= --execution-arn= --execution-engine-id= --execution-id= " +
  "--execution-number= --execution-preview-id= --execution-role-arn= --execution-status-filter= " +
  "--execution-statuses= --executor-state-filter= --expected-bucket-owner= " +
  "--experiment-definition-identifier= --experiment-id= --experiment-name= --experiment-template-id= " +
  "--export-arn= --export-id= --export-image-task-ids= --export-name= --export-source-type= " +
  "--export-task-identifier= --export-task-ids= --export-type= --expression-attribute-names= " +
  "--expression-attribute-values= --expression-names= --expression-type= --expression= --extended-statistic= " +
  "--extended-statistics= --extension-association-id= --extension-identifier= --extension-version-number= " +
  "--external-id= --family-prefix= --family= --fargate-profile-name= --feature-group-name= " +
  "--feature-group-status-equals= --feature-name= --feature-set= --feature-type= --feature= --feedback= " +
  "--fetch-owner --field-index-names= --field-name= --field-names= --fields= --file-cache-ids= " +
  "--file-format= --file-last-written= --file-name= --file-path= --file-share-arn-list= --file-size-bytes= " +
  "--file-size= --file-system-association-arn-list= --file-system-id= --file-system-ids= " +
  "--filename-contains= --filter-by= --filter-clause= --filter-condition-list= --filter-conditions= " +
  "--filter-criteria= --filter-expression= --filter-log-group-arn= --filter-name-prefix= --filter-name= " +
  "--filter-pattern= --filter-predicate= --filter-statement= --filter= --filters-with-operator= --filters= " +
  "--finding-aggregator-arn= --finding-arns= --finding-criteria= --finding-id= --finding-identifier= " +
  "--finding-ids= --finding-statistic-types= --firewall-arn= --firewall-domain-list-id= --firewall-name= " +
  "--firewall-policy-arn= --firewall-policy-name= --firewall-rule-group-association-id= " +
  "--firewall-rule-group-id= --first-schema-version-number= --first-slot-start-time-range= " +
  "--first-snapshot-id= --flatten --fleet-id= --fleet-ids= --flow-definition-name= --flow-log-id= " +
  "--flow-log-ids= --flow-operation-id= --flow-operation-type= --folder-path= --forecast-data-type= " +
  "--forecast-statistics --format-version= --format= --foundation-model-arn-equals= --fpga-image-id= " +
  "--fpga-image-ids= --framework-name= --from-last-assessment-time= --from-time= --from= --function-arns= " +
  "--function-id= --function-name= --function-type= --function-version= --gateway-arn= --gateway-route-name= " +
  "--generated-template-name= --generation-id= --generation-status= --geo-match-set-id= " +
  "--global-cluster-identifier= --global-network-id= --global-network-ids= --global-replication-group-id= " +
  "--global-table-name= --glossary-identifier= --grant-arn= --grant-arns= --grant-id= --grant-scope= " +
  "--grant-tokens= --grant-type= --grantee --grantee-identifier= --grantee-principal= " +
  "--grantee-service-principal= --grantee-type= --granularity= --graph-arn= --graph-arns= --group-arn= " +
  "--group-by-key= --group-by-rules= --group-by= --group-id= --group-identifier= --group-ids= --group-name= " +
  "--group-names= --group= --grouping-id= --guardrail-identifier= --guardrail-version= --guidance-format= " +
  "--handshake-id= --has-databases --health-check-id= --hide-disabled --hide-password --history-item-type= " +
  "--home-region= --hook-result-id= --host-arn-filter= --host-arn= --host-id-filter= --host-id-set= " +
  "--host-ids= --host-instance-type= --host-key-id= --host-reservation-id-set= --hosted-zone-id-marker= " +
  "--hosted-zone-id= --hosted-zone-type= --hsm-client-certificate-identifier= " +
  "--hsm-configuration-identifier= --http-method= --hub-arn= --hub-content-name= --hub-content-type= " +
  "--hub-content-version= --hub-name= --human-task-ui-name= --hyper-parameter-tuning-job-name= --id= " +
  "--identifier= --identifiers= --identities= --identity-id= --identity-name= --identity-pool-id= " +
  "--identity-provider-config= --identity-provider-name= --identity-source-id= --identity-type= --identity= " +
  "--idp-identifier= --ids= --if-match= --if-modified-since= --if-none-match= --if-unmodified-since= " +
  "--ignore-whitespace --image-arn= --image-build-version-arn= --image-id= --image-ids= --image-name= " +
  "--image-pipeline-arn= --image-recipe-arn= --image-type= --image-version-arn= --import-arn= " +
  "--import-destination-type= --import-id= --import-source-arn= --import-status= --import-task-ids= " +
  "--incident-id= --incident-record-arn= --include-additional-details --include-all --include-all-instances " +
  "--include-all-resource-types --include-availability-zones --include-available-upgrade --include-blueprint " +
  "--include-certificate-details --include-children --include-communications --include-compliance-details " +
  "--include-connected-resources --include-cors --include-default-key-pair --include-deleted " +
  "--include-deleted-groups --include-deleted-resources --include-deprecated --include-directives " +
  "--include-disabled --include-edges --include-execution-data --include-graph --include-inactive " +
  "--include-instances --include-key-material= --include-linked-accounts --include-local-zones " +
  "--include-managed-resources --include-marketplace --include-models-sdl --include-node-logical-ids " +
  "--include-not-scaled-activities --include-only-statuses= --include-parameter-spec " +
  "--include-planned-deletion --include-property-values --include-provisioning-artifact-parameters " +
  "--include-public --include-public-key --include-raw-display-content= --include-related= " +
  "--include-relational-database-availability-zones --include-resolved-cases --include-resource-placeholders " +
  "--include-result --include-root --include-service-level-template --include-shadow-trails --include-shared " +
  "--include-shared-resources --include-socket-information --include-status-details --include-status= " +
  "--include-tags --include-unsupported-in-region --include= --included-data= --included-deleted-back-to= " +
  "--includes= --inclusion-filters= --index-categories= --index-name= --index-status= --indicator-type= " +
  "--inference-component-name= --inference-profile-identifier= --inference-recommendations-job-name= " +
  "--infrastructure-configuration-arn= --input-device-id= --input-file= --input-id= " +
  "--input-security-group-id= --input-serialization= --insight-arn= --insight-arns= --insight-id= " +
  "--insight-source= --insight-type= --instance-arn= --instance-arns= --instance-connect-endpoint-ids= " +
  "--instance-count= --instance-event-window-ids= --instance-family= --instance-fleet-id= " +
  "--instance-fleet-type= --instance-group-id= --instance-group-name-contains= --instance-group-name= " +
  "--instance-group-types= --instance-id= --instance-ids= --instance-information-filter-list= " +
  "--instance-name= --instance-names= --instance-profile-name= --instance-property-filter-list= " +
  "--instance-refresh-ids= --instance-requirements-with-metadata= --instance-requirements= " +
  "--instance-snapshot-name= --instance-states= --instance-status-filter= --instance-tenancy= " +
  "--instance-type-filter= --instance-type= --instance-types= --instances= --instrumentation-type= " +
  "--integrate-services= --integration-arn= --integration-id= --integration-identifier= " +
  "--integration-name-prefix= --integration-name= --integration-response-id= --integration-status= " +
  "--integration-type= --interconnect-id= --interleaved --internet-gateway-ids= " +
  "--internet-key-exchange-version= --interval= --introspection-id= --investigation-id= --invocation-id= " +
  "--invoker= --ip-set-id= --ip= --ipam-external-resource-verification-token-ids= --ipam-id= --ipam-ids= " +
  "--ipam-internet-registry-association-id= --ipam-internet-registry-association-ids= --ipam-policy-id= " +
  "--ipam-policy-ids= --ipam-pool-allocation-id= --ipam-pool-allocation-ids= --ipam-pool-id= " +
  "--ipam-pool-ids= --ipam-prefix-list-resolver-id= --ipam-prefix-list-resolver-ids= " +
  "--ipam-prefix-list-resolver-target-ids= --ipam-prefix-list-resolver-version= " +
  "--ipam-prefix-list-resolver-versions= --ipam-resource-discovery-association-ids= " +
  "--ipam-resource-discovery-id= --ipam-resource-discovery-ids= --ipam-scope-id= --ipam-scope-ids= " +
  "--is-owned --issue-type= --item-class-filter= --item-identifiers= --iterable-form-name= --job-arn= " +
  "--job-category= --job-config-schema-version= --job-definition-name= --job-definitions= --job-flow-ids= " +
  "--job-flow-states= --job-id= --job-identifier= --job-ids= --job-name= --job-names= --job-queue= " +
  "--job-queues= --job-reference-code-contains= --job-run-id= --job-status= --job-statuses= " +
  "--job-template-id= --jobs= --journey-activity-id= --journey-id= --key-attributes= " +
  "--key-condition-expression= --key-conditions= --key-format= --key-group-id= --key-id= --key-marker= " +
  "--key-names= --key-pair-ids= --key-pair-name= --key-type= --key= --keyspace-name= --keywords= --kpi-name= " +
  "--kubernetes-version= --label-options= --labeling-job-name= --lag-id= --landing-zone-identifier= " +
  "--language= --last-modified-time-after= --last-modified-time-before= --last-updated-after= " +
  "--last-updated-before= --later-time= --latest --latest-heartbeat-after= --latest-only " +
  "--launch-configuration-names= --launch-configuration-template-i-ds= --launch-configuration-template-id= " +
  "--launch-template-id= --launch-template-ids= --launch-template-name= --launch-template-names= " +
  "--launch-type= --layer-digest= --layer-name= --lease-id= --legal-hold-id= --lens-alias= --lens-arn= " +
  "--lens-name-prefix= --lens-name= --lens-status= --lens-type= --lens-version= --license-arn= " +
  "--license-arns= --license-asset-group-arn= --license-asset-ruleset-arn= --license-configuration-arn= " +
  "--license-configuration-arns= --license-conversion-task-id= --license-manager-report-generator-arn= " +
  "--license-model= --license-type= --life-cycle-status-filter= --lifecycle-execution-id= " +
  "--lifecycle-hook-names= --lifecycle-policy-arn= --limit-definition= --limit= --lineage-group-name= " +
  "--link-id= --link-ids= --link-status-filter= --linked-account-id= --list-by= --list-id= " +
  "--list-supported-character-sets --list-supported-timezones --list-suppressed-alerts " +
  "--list-suppressed-findings --list-tags --listener-arn= --listener-arns= --listener-identifier= " +
  "--loa-content-type= --load-balancer-arn= --load-balancer-arns= --load-balancer-name= " +
  "--load-balancer-names= --load-balancer-type= --load-dry-run-config --local-gateway-ids= " +
  "--local-gateway-route-table-id= --local-gateway-route-table-ids= " +
  "--local-gateway-route-table-virtual-interface-group-association-ids= " +
  "--local-gateway-route-table-vpc-association-ids= --local-gateway-virtual-interface-group-ids= " +
  "--local-gateway-virtual-interface-ids= --local-preference-matches= --locale= --location-arn= " +
  "--location-identifier= --location-name= --location-scope= --location-status= --location-type= --location= " +
  "--log-context= --log-group-class= --log-group-identifier= --log-group-identifiers= " +
  "--log-group-name-pattern= --log-group-name-prefix= --log-group-name= --log-group-tags= " +
  "--log-object-pointer= --log-record-pointer= --log-scope= --log-stream-name-prefix= --log-stream-name= " +
  "--log-stream-names= --log-type= --log-types= --logical-resource-id= --logins= --longest-prefix-matches= " +
  "--lookback-period-in-days= --lookup-attributes= --lookup-table-arn= --lookup-table-name-prefix= " +
  "--mac-modification-task-ids= --maintenance-id= --maintenance-track-name= --major-engine-version= " +
  "--malware-protection-plan-id= --malware-scanner= --managed-by-aws-backup-only " +
  "--managed-login-branding-id= --managed-type= --managed-view-arn= --management-cidr-range-constraint= " +
  "--map-run-arn= --mapping= --marker= --master-region= --materialized-view-refresh-task-run-id= " +
  "--max-annotation-results= --max-buckets= --max-conflict-files= --max-contributor-count= --max-datapoints= " +
  "--max-depth= --max-directory-buckets= --max-duration= --max-instance-count= --max-items= --max-keys= " +
  "--max-line-coverage-percentage= --max-merge-hunks= --max-parts= --max-query-results= --max-records= " +
  "--max-results= --max-scheduled-runs-preview= --max-schema-version= --max-slot-duration-in-hours= " +
  "--max-statistic-results= --max-uploads= --max-version= --maximum-bitrate= --maximum-framerate= " +
  "--med-matches= --member-account-id= --member-account-ids= --member-account= --members= --merge-option= " +
  "--merged-api-identifier= --mesh-name= --mesh-owner= --message-category= --message-id= --metadata-list= " +
  "--metadata-uid= --metadata= --metric-data-queries= --metric-for-comparison= --metric-name= " +
  "--metric-names= --metric-namespace= --metric-queries= --metric-source-types= --metric-source= " +
  "--metric-types= --metric-widget= --metric= --metrics-export-id= --metrics= --migration-id= " +
  "--migration-project-identifier= --migration-type= --milestone-number= --min-duration= " +
  "--min-line-coverage-percentage= --min-slot-duration-in-hours= --min-version= --minor-version= " +
  "--mlflow-version= --mode= --model-approval-status= --model-arn-equals= --model-card-export-job-arn= " +
  "--model-card-export-job-name-contains= --model-card-name= --model-card-status= --model-card-version= " +
  "--model-id= --model-identifier= --model-name-contains= --model-name-equals= --model-name= " +
  "--model-package-group-name= --model-package-name= --model-package-type= " +
  "--model-package-version-arn-equals= --model-source-equals= --model-status= --modified-time-after= " +
  "--modified-time-before= --monitor-arn-list= --monitor-arn= --monitor-name= --monitor-status= " +
  "--monitored-resource-name= --monitoring-alert-name= --monitoring-job-definition-name= " +
  "--monitoring-schedule-name= --monitoring-type-equals= --mount-target-id= --mrap= --multi-az " +
  "--multi-node-job-id= --multi-region-cluster-name= --multi-region-parameter-group-name= --multiplex-id= " +
  "--name-contains= --name-prefix-filter= --name-prefix= --name-query= --name= --named-query-id= " +
  "--named-query-ids= --names= --namespace-arn= --namespace-id= --namespace-name= --namespace= " +
  "--nat-gateway-ids= --network-acl-ids= --network-id= --network-insights-access-scope-analysis-id= " +
  "--network-insights-access-scope-analysis-ids= --network-insights-access-scope-id= " +
  "--network-insights-access-scope-ids= --network-insights-analysis-ids= --network-insights-path-id= " +
  "--network-insights-path-ids= --network-interface-id= --network-interface-ids= " +
  "--network-interface-permission-ids= --network-migration-definition-id= --network-migration-execution-id= " +
  "--next-hop-filters= --next-marker= --next-page-token= --next-token= --no-access-system-profile-logs " +
  "--no-active --no-aggregator --no-all-availability-zones --no-all-regions --no-all-users " +
  "--no-allowed-by-application --no-analyze-rule-group --no-ascending-order --no-auth-proxy-call " +
  "--no-before-substitution --no-by-name --no-by-shared --no-cluster-exists --no-consistent-read " +
  "--no-default-list --no-default-lists --no-default-only --no-default-version " +
  "--no-delegation-permission-check --no-deployed --no-descending --no-details --no-dry-run " +
  "--no-effective-settings --no-eks-access-entry-integrated --no-exclude-column-schema " +
  "--no-exclude-compliant-resources --no-exclude-devices-deployed-in-other-stage --no-fetch-owner " +
  "--no-flatten --no-forecast-statistics --no-grantee --no-has-databases --no-hide-disabled " +
  "--no-hide-password --no-ignore-whitespace --no-include-additional-details --no-include-all " +
  "--no-include-all-instances --no-include-all-resource-types --no-include-availability-zones " +
  "--no-include-available-upgrade --no-include-blueprint --no-include-certificate-details " +
  "--no-include-children --no-include-communications --no-include-compliance-details " +
  "--no-include-connected-resources --no-include-cors --no-include-default-key-pair --no-include-deleted " +
  "--no-include-deleted-groups --no-include-deleted-resources --no-include-deprecated " +
  "--no-include-directives --no-include-disabled --no-include-edges --no-include-execution-data " +
  "--no-include-graph --no-include-inactive --no-include-instances --no-include-linked-accounts " +
  "--no-include-local-zones --no-include-managed-resources --no-include-marketplace --no-include-models-sdl " +
  "--no-include-node-logical-ids --no-include-not-scaled-activities --no-include-parameter-spec " +
  "--no-include-planned-deletion --no-include-property-values --no-include-provisioning-artifact-parameters " +
  "--no-include-public --no-include-public-key --no-include-relational-database-availability-zones " +
  "--no-include-resolved-cases --no-include-resource-placeholders --no-include-result --no-include-root " +
  "--no-include-service-level-template --no-include-shadow-trails --no-include-shared " +
  "--no-include-shared-resources --no-include-socket-information --no-include-status-details " +
  "--no-include-tags --no-include-unsupported-in-region --no-interleaved --no-is-owned --no-latest " +
  "--no-latest-only --no-list-supported-character-sets --no-list-supported-timezones " +
  "--no-list-suppressed-alerts --no-list-suppressed-findings --no-list-tags --no-load-dry-run-config " +
  "--no-managed-by-aws-backup-only --no-multi-az --no-only-associated --no-only-attached --no-only-available " +
  "--no-predecessors-included --no-preview --no-recursive --no-resolve-alias --no-retrieve-a-zs " +
  "--no-return-merged-resources --no-reverse-order --no-role-level --no-rule-disabled --no-sampling " +
  "--no-scan-index-forward --no-shared --no-show-assigned-lf-tags " +
  "--no-show-aws-managed-license-asset-rulesets --no-show-cache-clusters-not-in-replication-groups " +
  "--no-show-cache-node-info --no-show-cluster-details --no-show-detail --no-show-guidance " +
  "--no-show-html-content --no-show-member-info --no-show-node-group-config " +
  "--no-show-node-level-update-status --no-show-shard-details --no-single-availability-zone " +
  "--no-sort-ascending --no-start-from-head --no-sub-type --no-tags --no-unmask " +
  "--no-use-prefix-attribute-value --no-use-s3-dual-stack-endpoint --no-verbose --no-vpc " +
  "--no-without-settings --no-without-statistics --node-id= --node-logical-id= --node-type= " +
  "--nodegroup-name= --notebook-execution-id= --notebook-id= " +
  "--notebook-instance-lifecycle-config-name-contains= --notebook-instance-lifecycle-config-name= " +
  "--notebook-instance-name= --notification= --num-of-reports= --number-of-top-traffic-bots-per-path= " +
  "--object-attributes= --observability-configuration-arn= --observability-configuration-name= " +
  "--observation-id= --offer-type= --offering-class= --offering-id= --offering-ids= --offering-type= " +
  "--offline-store-status-equals= --on-cluster-app-ui-type= --only-associated --only-associated= " +
  "--only-attached --only-available --open-id-connect-provider-arn= --operating-address-city-filter= " +
  "--operating-address-country-code-filter= --operating-address-state-or-region-filter= " +
  "--operating-system-names= --operating-system= --operation-id= --operation-identifier= --operation-name= " +
  "--operation-status= --operation= --operations= --ops-item-arn= --ops-item-filters= --ops-item-id= " +
  "--ops-metadata-arn= --optimization-contains= --optimization-job-name= --option-group-name= " +
  "--option-settings= --optional-object-attributes= --options= --order-by= --order-id= --order= " +
  "--ordered-organization-policy-input-list= --organization-config-rule-name= " +
  "--organization-config-rule-names= --organization-conformance-pack-name= " +
  "--organization-conformance-pack-names= --organization-entity-account-filters= " +
  "--organization-entity-filters= --organization-event-detail-filters= --organization-node-type= " +
  "--organization-parent-id= --organization-recommendation-identifier= " +
  "--organization-resource-collection-type= --organizational-unit-id= --organizational-unit-ids= " +
  "--origin-request-policy-id= --origin-restriction-type= --origin-type= --origin= --ota-update-id= " +
  "--ota-update-status= --outpost-arn= --outpost-generation-filter= --outpost-id= " +
  "--outpost-identifier-filter= --outpost-identifier= --outpost-lag-ids= --output-format= --output-keys= " +
  "--output-serialization= --overrides= --owner-account= --owner-directory-id= --owner-id= --owner-ids= " +
  "--owner= --owners= --owning-account= --package-group= --package-id= --package-name= --package-prefix= " +
  "--package-version-revision= --package-version= --package= --page-id= --page-size= --page-token= " +
  "--pagination-token= --parameter-filters= --parameter-group-family= --parameter-group-name= " +
  "--parameter-group-names= --parameters= --parent-catalog-id= --parent-entity-name= --parent-group= " +
  "--parent-id= --parent-resource-arn= --parent-resource-id= --parents-of-alarm-name= --part-number-marker= " +
  "--part-number= --partition-by= --partition-predicate= --partition-values= --partition= " +
  "--partitions-to-get= --partner-name= --password-version= --patch-group= --patch-set= --path-id= " +
  "--path-name= --path-prefix= --path= --pattern-name= --pattern-set-name= --pattern= --payment-option= " +
  "--payment-options= --peering-id= --peering-type= --percents= --period-alignment= --period-in-seconds= " +
  "--period= --permission-arn= --permission-set-arn= --permission-type= --permission-version= --permission= " +
  "--permissions-boundary-policy-input-list= --permissions= --persistent-app-ui-id= " +
  "--persistent-app-ui-type= --physical-resource-id= --pillar-id= --pillar= --pipeline-configuration-body= " +
  "--pipeline-execution-arn= --pipeline-execution-id= --pipeline-id= --pipeline-name-prefix= " +
  "--pipeline-name= --pipeline-version-id= --plan-id= --plan-types= --platform-application-arn= " +
  "--platform-arn= --platform= --plugin-name= --policy-arn= --policy-document= --policy-exclusion-list= " +
  "--policy-id= --policy-ids= --policy-input-list= --policy-name= --policy-names= --policy-scope= " +
  "--policy-source-arn= --policy-store-id= --policy-template-id= --policy-type-names= --policy-type= " +
  "--policy-types= --policy-usage-filter= --policy-version-id= --pool-ar-ns= --pool-id= --pool-ids= " +
  "--pool-name= --portal-id= --portal-product-id= --portfolio-id= --portfolio-share-token= " +
  "--portfolio-share-type= --position= --predecessors-included --prediction-interval-level= " +
  "--prefix-list-arn= --prefix-list-id= --prefix-list-ids= --prefix= --prefixes= --prepared-statement-names= " +
  "--preview --price-list-arn= --principal-arn= --principal-id= --principal-tags= --principal-type= " +
  "--principal= --principals= --priority= --privilege= --probe-id= --problem-id= --processing-job-name= " +
  "--producer-arn= --product-arn= --product-description= --product-descriptions= --product-id= " +
  "--product-name= --product-page-id= --product-rest-endpoint-page-id= --product-source= --product-type= " +
  "--products= --profile-arn= --profile-id= --profile-name-prefix= --profile-owner-type= --profile-type= " +
  "--profile-version= --program-name= --project-name= --projection-expression= --prompt-router-arn= " +
  "--property= --proposal-id= --protection-group-id= --protection-id= --protocol= --protocols= " +
  "--provider-name= --provider-type-filter= --provider= --providers= --provision-permission-set-request-id= " +
  "--provision-product-id= --provisioned-model-id= --provisioned-product-id= --provisioned-product-name= " +
  "--provisioning-artifact-id= --provisioning-artifact-name= --provisioning-status= --provisioning-type= " +
  "--proxy-arn= --proxy-configuration-arn= --proxy-configuration-name= --proxy-name= --proxy-rule-group-arn= " +
  "--proxy-rule-group-name= --proxy-rule-name= --public-ips= --public-version-number= --publish= " +
  "--publisher-id= --publishers= --pull-request-event-type= --pull-request-id= --pull-request-status= " +
  "--python-script= --qev2-idc-application-arn= --qualifier= --queries= --query-alias= --query-as-of-time= " +
  "--query-definition-name-prefix= --query-execution-id= --query-execution-ids= --query-filter= --query-id= " +
  "--query-language= --query-name= --query-result-type= --query-session-context= --query-status= " +
  "--query-string= --query-version= --question-id= --question-priority= --queue-name-prefix= --queue-name= " +
  "--queue-owner-aws-account-id= --queue-url= --queue= --quota-applied-at-level= --quota-code= " +
  "--quota-requested-at-level= --quota-share-arn= --quote-identifier= --range= --reaction-user-arn= " +
  "--readiness-check-name= --realtime-log-config-arn= --realtime-log-config-name= --reasons= " +
  "--recently-active= --recommendation-arn= --recommendation-detail-id= --recommendation-id= " +
  "--recommendation-identifier= --recommendation-ids= --recommendation-preferences= " +
  "--recommendation-template-arn= --recommendation-type= --recommender-id= --record-name= --record-type= " +
  "--recovery-group-name= --recovery-point-arn= --recovery-point-id= --recurrence= --recursive " +
  "--redrive-filter= --redshift-idc-application-arn= --refresh-id= --refresh-token= --regex-match-set-id= " +
  "--regex-pattern-set-id= --region-code= --region-filter= --region-filters= --region-name= --region-names= " +
  "--region-opt-status-contains= --region= --regions= --registered-gateway-arn= " +
  "--registration-status-filter= --registration-status= --registration-token= --registry-id= " +
  "--registry-name-prefix= --registry-name= --relational-database-name= --relational-database-snapshot-name= " +
  "--release-label= --release-version= --remediation-type= --remote-domain-names= " +
  "--replace-root-volume-task-ids= --replay-name= --replication-config-arn= " +
  "--replication-configuration-template-i-ds= --replication-group-id= --replication-group-ids= " +
  "--replication-instance-arn= --replication-task-arn= --replicator-arn= --replicator-name-filter= " +
  "--report-arn= --report-arns= --report-format= --report-group-arn= --report-group-arns= --report-id= " +
  "--report-ids= --report-job-id= --report-plan-name= --report-type= --repository-link-id= " +
  "--repository-name= --repository-names= --repository-prefix= --repository= --reputation-entity-reference= " +
  "--reputation-entity-type= --request-id= --request-items= --request-origin= --request-payer= " +
  "--request-progress= --request-token-arn= --request-token= --request-validator-id= --requested-dimensions= " +
  "--requests= --reservation-id= --reserved-cache-node-id= --reserved-cache-nodes-offering-id= " +
  "--reserved-capacity-arn= --reserved-db-instance-id= --reserved-db-instances-offering-id= " +
  "--reserved-elasticsearch-instance-id= --reserved-elasticsearch-instance-offering-id= " +
  "--reserved-instance-id= --reserved-instance-ids= --reserved-instance-offering-id= " +
  "--reserved-instances-id= --reserved-instances-ids= --reserved-instances-listing-id= " +
  "--reserved-instances-modification-ids= --reserved-instances-offering-ids= " +
  "--reserved-node-exchange-request-id= --reserved-node-id= --reserved-node-offering-id= " +
  "--reserved-nodes-offering-id= --resiliency-group-id= --resolution-id= --resolution= --resolve-alias " +
  "--resolver-endpoint-id= --resolver-ip= --resolver-query-log-config-association-id= " +
  "--resolver-query-log-config-id= --resolver-rule-association-id= --resolver-rule-id= --resource-arn-list= " +
  "--resource-arn= --resource-arns= --resource-collection-type= --resource-configuration-group-identifier= " +
  "--resource-configuration-identifier= --resource-endpoint-association-identifier= " +
  "--resource-evaluation-id= --resource-gateway-identifier= --resource-group-name= " +
  "--resource-handling-option= --resource-id-list= --resource-id= --resource-identifier= " +
  "--resource-identifiers= --resource-ids= --resource-keys= --resource-location= --resource-management-type= " +
  "--resource-model= --resource-name= --resource-owner-account-id= --resource-owner-aws-account-id= " +
  "--resource-owner= --resource-policy= --resource-query= --resource-region-scope= --resource-region= " +
  "--resource-request-status-filter= --resource-scan-id= --resource-set-name= --resource-share-arn= " +
  "--resource-share-arns= --resource-share-invitation-arn= --resource-share-invitation-arns= " +
  "--resource-share-status= --resource-share-type= --resource-tag= --resource-type-filters= " +
  "--resource-type-prefix= --resource-type= --resource-types= --resource= --resources-per-page= --resources= " +
  "--response-cache-control= --response-content-disposition= --response-content-encoding= " +
  "--response-content-language= --response-content-type= --response-expires= --response-headers-policy-id= " +
  "--response-type= --rest-api-id= --restorable-by-user-ids= --restore-job-id= --restore-testing-plan-name= " +
  "--restore-testing-selection-name= --result-attributes= --result-id= --result-ids= " +
  "--retention-configuration-names= --retiring-principal= --retiring-service-principal= --retrieval-token= " +
  "--retrieve-a-zs --return-consumed-capacity= --return-merged-resources --reverse-order --revision-id= " +
  "--revision= --revisions= --revocation-id= --revocation-ids= --role-alias= --role-arn= --role-level " +
  "--role-name= --role= --root-resource-arn= --rotation-id= --rotation-name-prefix= --rotation-override-id= " +
  "--rotation-start-time= --route-analysis-id= --route-id= --route-name= --route-response-id= " +
  "--route-server-endpoint-ids= --route-server-id= --route-server-ids= --route-server-peer-ids= " +
  "--route-table-id= --route-table-identifier= --route-table-ids= --router-type-identifier= " +
  "--routing-endpoint= --routing-rule-id= --rule-arns= --rule-disabled --rule-group-arn= --rule-group-id= " +
  "--rule-group-name= --rule-group-rule-name= --rule-id= --rule-identifier= --rule-metric-name= --rule-name= " +
  "--rule-owner-filter= --rule-set-name= --rule-type= --rule= --run-id= --run-ids= --run-type= --run= " +
  "--s3-bucket= --s3-key-prefix= --s3-path= --s3-prefix= --saml-provider-arn= --sample-type= --sampling " +
  "--sampling-boost-statistics-documents= --sampling-statistics-documents= --sampling-strategy= " +
  "--sandbox-id= --savings-plan-arns= --savings-plan-id= --savings-plan-ids= --savings-plan-offering-ids= " +
  "--savings-plan-payment-options= --savings-plan-types= --savings-plans-type= --scalable-dimension= " +
  "--scaling-plan-name= --scaling-plan-names= --scaling-plan-version= --scaling-policy-objective= " +
  "--scan-arn= --scan-by= --scan-configuration-arn= --scan-end-time= --scan-filter= --scan-id= " +
  "--scan-index-forward --scan-job-id= --scan-range= --scan-result-status= --scan-type-filter= --scan-type= " +
  "--schedule-identifier= --schedule-type= --scheduled-action-name= --scheduled-action-names= " +
  "--scheduled-audit-name= --scheduled-instance-ids= --scheduled-time-after= --scheduled-time-before= " +
  "--scheduling-strategy= --schema-definition= --schema-diff-type= --schema-id= --schema-name-prefix= " +
  "--schema-name= --schema-pattern= --schema-version-id= --schema-version-number= --schema-version= " +
  "--schema= --scope= --scopes= --scraper-id= --sdi-source-id= --sdk-type= --search-condition-expression= " +
  "--search-expression= --search-filter= --search-phrase= --search-string= --search-text= --search-vector= " +
  "--second-schema-version-number= --second-snapshot-id= --secondary-interface-ids= --secondary-network-ids= " +
  "--secondary-subnet-ids= --secret-arn= --secret-id= --secret= --security-control-id= " +
  "--security-control-ids= --security-group-ids= --security-group-rule-ids= --security-policy-name= " +
  "--security-profile-name= --security-profile-target-arn= --segment-id= --segment-name= --segment= " +
  "--select= --selected-fields= --selection-id= --selection-rules= --sequence-number= --serial-number= " +
  "--server-certificate-name= --server-id= --serverless-cache-name= --serverless-cache-snapshot-name= " +
  "--serverless-v2-platform-version= --service-account-id= --service-account= --service-action-id= " +
  "--service-arn= --service-arns= --service-code-list= --service-code= --service-codes= " +
  "--service-deployment-arns= --service-environments= --service-id= --service-identifier= --service-ids= " +
  "--service-link-virtual-interface-ids= --service-name= --service-names= --service-namespace= " +
  "--service-namespaces= --service-network-identifier= --service-network-resource-association-identifier= " +
  "--service-network-service-association-identifier= --service-network-vpc-association-identifier= " +
  "--service-principal= --service-regions= --service-revision-arns= --service-specification= --service-type= " +
  "--service-update-name= --service-update-status= --service-update-time-range= --service-view-arn= " +
  "--service= --services= --session-id= --session-states= --setting-id= --severity= --shard-filter= " +
  "--shard-id= --shard-iterator-type= --shard-iterator= --share-resource-type= --shared " +
  "--shared-directory-ids= --shared-with-prefix= --show-assigned-lf-tags " +
  "--show-aws-managed-license-asset-rulesets --show-cache-clusters-not-in-replication-groups " +
  "--show-cache-node-info --show-cluster-details --show-detail --show-guidance --show-html-content " +
  "--show-member-info --show-node-group-config --show-node-level-update-status --show-shard-details " +
  "--signal-map-identifier= --signal-type= --signing-algorithm= --single-availability-zone " +
  "--sink-identifier= --sinks= --site-id= --site-ids= --size-constraint-set-id= --size= --slo-ids= " +
  "--slo-owner-aws-account-id= --slot-start-time-range= --snapshot-arn= --snapshot-copy-grant-name= " +
  "--snapshot-id= --snapshot-identifier= --snapshot-ids= --snapshot-name= --snapshot-source= " +
  "--snapshot-type= --solution-stack-name= --sort-ascending --sort-by= --sort-condition= --sort-criteria= " +
  "--sort-key= --sort-order= --sort= --sorting-entities= --sorts= --source-account-equals= " +
  "--source-arn-prefix= --source-arn= --source-commit-specifier= --source-engine-name= --source-id= " +
  "--source-identifier= --source-model-arn-equals= --source-name= --source-portfolio-id= --source-prefix= " +
  "--source-resource-arn= --source-server-id= --source-type= --source-uri= --source= --space-name-contains= " +
  "--space-name-equals= --space-name= --special-feature= --spot-fleet-request-id= --spot-fleet-request-ids= " +
  "--spot-instance-request-ids= --sql-injection-match-set-id= --sse-customer-algorithm= " +
  "--sse-customer-key-md5= --sse-customer-key= --ssh-public-key-id= --stack-drift-detection-id= " +
  "--stack-instance-account= --stack-instance-region= --stack-instance-resource-drift-statuses= " +
  "--stack-name= --stack-refactor-id= --stack-resource-drift-status-filters= --stack-set-name= " +
  "--stack-status-filter= --stage-name= --stage= --standard-account-id= --standards-arn= " +
  "--standards-control-association-ids= --standards-subscription-arn= --standards-subscription-arns= " +
  "--start-after= --start-arns= --start-continent-code= --start-country-code= --start-date-range= " +
  "--start-date= --start-from-head --start-record-identifier= --start-record-name= --start-record-type= " +
  "--start-subdivision-code= --start-time-after= --start-time-before= --start-time-range= --start-time= " +
  "--started-after= --started-before= --started-by= --started-time-filter= --starting-block-index= " +
  "--starting-sequence-number= --stat= --state-filter= --state-machine-alias-arn= --state-machine-arn= " +
  "--state-value= --state= --statement-name= --states= --static-ip-name= --statistic-id= --statistic-type= " +
  "--statistic= --statistics-type= --statistics= --status-code= --status-equals= --status-filter= --status= " +
  "--statuscode= --statuses= --step-execution-id= --step-id= --step-ids= --step-states= --step-type= " +
  "--storage-optimizer-type= --storage-type= --storage-virtual-machine-ids= --stream-arn= " +
  "--stream-creation-timestamp= --stream-filter= --stream-id= --stream-name= --studio-id= " +
  "--studio-lifecycle-config-name= --sub-type --subdivision-code= --subject-id= --submit-time-after= " +
  "--submit-time-before= --submitted-since= --subnet-group-name= --subnet-group-names= --subnet-id= " +
  "--subnet-ids= --subnet-of-matches= --subscribed-domain= --subscription-arn-list= --subscription-arn= " +
  "--subscription-name= --subscription-status= --suggester-names= --suggestion-count= --suggestion-query= " +
  "--supernet-of-matches= --supported-dialect= --supported-permission-types= --supported-resource-types= " +
  "--supported-storage-filter= --suppression-state= --sync-name= --sync-type= --synced-at= --table-arn= " +
  "--table-catalog-id= --table-name= --table-pattern= --table-restore-request-id= --table= --tag-filters= " +
  "--tag-key-filters= --tag-key= --tag-keys= --tag-option-id= --tag-value= --tag-values= --tags " +
  "--tags-per-page= --tags-to-add= --tags= --tape-ar-ns= --target-accounts= --target-action-type= " +
  "--target-arn= --target-capacity-unit-type= --target-capacity= --target-configurations= " +
  "--target-cpu-utilization-per-core= --target-engine-name= --target-filters= --target-group-arn= " +
  "--target-group-arns= --target-group-identifier= --target-group-name= --target-group-type= " +
  "--target-id-filters= --target-id= --target-identifier= --target-ids= --target-lens-version= " +
  "--target-model-name-contains= --target-name= --target-prefix= --target-resource-id= --target-resources= " +
  "--target-selection= --target-tags= --target-type= --target-uid= --target-version= --target= --targets= " +
  "--task-arn= --task-definition= --task-execution-arn= --task-id= --task-ids= --task-run-id= --task-sets= " +
  "--task-status= --task-type= --tasks= --template-arn= --template-body= --template-name-prefix= " +
  "--template-name= --template-stage= --template-summary-config= --template-type= --template-version= " +
  "--tenant-db-name= --tenant-name= --term-in-years= --terms-id= --terms-name= --test-case-id= --test-id= " +
  "--text-format= --thing-group-id= --thing-group-name= --thing-name= --thing-principal-type= " +
  "--thing-type-name= --third-party-firewall= --threat-entity-set-id= --threat-intel-set-id= " +
  "--thumbnail-type= --tier= --tiering-configuration-name= --time-period= --time-range-lower-bound= " +
  "--time-range-type= --time-range-upper-bound= --time-range-value= --time-range= --time-window= " +
  "--time-zone-id= --time= --timestamp-filter= --timestamp= --tld= --tls-inspection-configuration-arn= " +
  "--tls-inspection-configuration-name= --to-last-assessment-time= --to-time= --to= --token-duration= " +
  "--token-ids= --token-properties= --token= --top-k= --topic-arn= --topic-name-filter= --topic-name= " +
  "--topic-names= --topic= --total-impact= --total-segments= --trace-format= --trace-ids= --track-name= " +
  "--tracking-server-name= --tracking-server-status= --trade-in-token= --traffic-mirror-filter-id= " +
  "--traffic-mirror-filter-ids= --traffic-mirror-filter-rule-ids= --traffic-mirror-session-ids= " +
  "--traffic-mirror-target-ids= --traffic-policy-id-marker= --traffic-policy-id= " +
  "--traffic-policy-instance-name-marker= --traffic-policy-instance-type-marker= " +
  "--traffic-policy-version-marker= --traffic-policy-version= --traffic-source-type= --trail-name-list= " +
  "--trail-name= --training-job-name= --training-plan-arn-equals= --training-plan-arn= --training-plan-name= " +
  "--transaction-id= --transfer-id= --transfer-type= --transform-id= --transform-job-name= " +
  "--transit-gateway-arns= --transit-gateway-attachment-id= --transit-gateway-attachment-ids= " +
  "--transit-gateway-connect-peer-arns= --transit-gateway-connect-peer-ids= --transit-gateway-ids= " +
  "--transit-gateway-metering-policy-id= --transit-gateway-metering-policy-ids= " +
  "--transit-gateway-multicast-domain-id= --transit-gateway-multicast-domain-ids= " +
  "--transit-gateway-policy-table-id= --transit-gateway-policy-table-ids= " +
  "--transit-gateway-route-table-announcement-ids= --transit-gateway-route-table-id= " +
  "--transit-gateway-route-table-ids= --trend-field= --trial-component-name= --trial-name= --trigger-names= " +
  "--trust-ids= --trust-store-arn= --trust-store-arns= --trust-store-identifier= --trusted-entity-set-id= " +
  "--trusted-token-issuer-arn= --type-arn= --type-equals= --type-name= --type-version-id= --type= --types= " +
  "--ultra-server-count= --ultra-server-type= --ultraserver-count= --ultraserver-type= --unit= --unmask " +
  "--update-action-status= --update-id= --update-status= --update-type= --upload-id-marker= --upload-id= " +
  "--upload-range= --upstream= --uri-path-prefix= --usage-criteria= --usage-limit-id= --usage-plan-id= " +
  "--usage-statistic-type= --usage-type= --usage-types= --use-prefix-attribute-value " +
  "--use-s3-dual-stack-endpoint --user-group-id= --user-id= --user-name= --user-pool-id= " +
  "--user-profile-name-contains= --user-profile-name-equals= --user-profile-name= --user-type= --username= " +
  "--uuid= --validate-policy-resource-type= --validation-result= --value= --variant-name-equals= " +
  "--vault-name= --vendor-name= --verbose --verification-state= --verified-access-endpoint-id= " +
  "--verified-access-endpoint-ids= --verified-access-group-id= --verified-access-group-ids= " +
  "--verified-access-instance-id= --verified-access-instance-ids= --verified-access-trust-provider-ids= " +
  "--version-id-marker= --version-id= --version-label= --version-labels= --version-name= --version-number= " +
  "--version-status= --version= --versions= --video-quality= --view-arn= --view-arns= --violation-id= " +
  "--virtual-cluster-id= --virtual-cluster-identifier= --virtual-gateway-id= --virtual-gateway-name= " +
  "--virtual-interface-id= --virtual-node-name= --virtual-router-name= --virtual-service-name= " +
  "--virtualization-types= --visibility-conditions= --visibility= --volume-ar-ns= --volume-arn= " +
  "--volume-arns= --volume-id= --volume-ids= --vpc --vpc-connector-arn= --vpc-encryption-control-ids= " +
  "--vpc-endpoint-association-arn= --vpc-endpoint-filters= --vpc-endpoint-id= --vpc-endpoint-ids= " +
  "--vpc-endpoint-owner= --vpc-id= --vpc-identifier= --vpc-ids= --vpc-ingress-connection-arn= --vpc-link-id= " +
  "--vpc-origin-id= --vpc-peering-connection-ids= --vpc-region= --vpn-concentrator-ids= " +
  "--vpn-connection-device-type-id= --vpn-connection-id= --vpn-connection-ids= --vpn-gateway-ids= " +
  "--vpn-tunnel-outside-ip-address= --vtl-device-ar-ns= --wait-time-seconds= --warm-pool-status-equals= " +
  "--web-acl-arn= --web-acl-id= --web-acl-name= --web-app-id= --webhook-id= --window-execution-id= " +
  "--window-id= --window-task-id= --without-settings --without-statistics --work-group= --work-ids= " +
  "--work-unit-id= --work-unit-token= --worker-configuration-arn= --worker-name= " +
  "--workflow-build-version-arn= --workflow-execution-id= --workflow-id= --workflow-version-arn= " +
  "--workforce-name= --workgroup-name= --workgroup-names= --workload-arn= --workload-id= " +
  "--workload-name-prefix= --workload-name= --workspace-directory-names= --workspace-id= --workspace-ids= " +
  "--workspace-name= --workteam-arn= --workteam-name= --xss-match-set-id= --zone-ids= --zone-names=";

// biome-ignore format: filled to the width
export const toolReads: ReadTable = {
  git: { help: "--help",
    options: "--glob-pathspecs --noglob-pathspecs --icase-pathspecs " +
    "--no-pager -P -C= -c= --git-dir= --work-tree= --bare --no-replace-objects --literal-pathspecs --no-optional-locks --version -v --html-path --man-path --info-path --help",
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
      "rev-parse symbolic-ref name-rev describe merge-base for-each-ref ls-tree ls-files ls-remote cat-file show-ref count-objects check-ignore check-attr verify-commit verify-tag var help": { names: true,
        options: "--short --short= --abbrev-ref --verify --show-toplevel --git-dir --is-inside-work-tree --show-current --symbolic-full-name --tags --all --always --dirty --long --exact-match --contains --abbrev= --match= " +
          "-t -p -s -e -r -d -l -z -c -m -o -i -v -H -q --quiet --heads --refs --sort= --format= --count= --points-at= --merged= --no-merged= --name-only --full-name --full-tree --others --modified --deleted --cached --stage " +
          "--eol --exclude-standard --error-unmatch --human-readable -vH --raw --is-ancestor --octopus --fork-point --local-env-vars --head --batch-check --batch-all-objects --unordered -u --unmerged --debug" },
      version: { options: "--build-options" },
      "rerere_status rerere_diff rerere_remaining sparse-checkout_list show-index check-mailmap": { names: true },
      "verify-pack commit-graph_verify multi-pack-index_verify": { names: true, options: "-v --verbose -s --stat-only --object-dir= --shallow --progress --no-progress" },
      "bundle_verify bundle_list-heads": { names: true, options: "-q --quiet" },
      archive: { options: "-l --list" },
      "interpret-trailers": { names: true, options: "--parse --only-trailers --only-input --unfold" },
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
  "ansible-doc": { names: true, options: "-h --help --verbose -e= --entry-point= --no-fail-on-errors " +
    "-F --list_files -j --json -l --list -s --snippet -t= --type= -v --version" },
  "ansible-inventory ansible-galaxy": { names: true,
    options: "-h --help --verbose " +
    "--graph --list --host= --vars --yaml -y --toml --export -i= --inventory= -l= --limit= -v --version -t= --type= -F -s --snippet -j --json --only-changed --format= -p=" },
  "ansible-config": { options: "-h --help --verbose " +
    "--only-changed -t= --type= -f= --format= -v --version", sub: { "dump list": {} } },
  "salt salt-call": { names: true, options: "--local --out= --output= --static --timeout= -t= --summary --no-color --log-level= -l= -G -E -L -C -N --hide-timeout test=True -v --version --versions-report" },
  "puppet facter": { names: true, options: "-t --timing --no-cache --no-block --show-legacy --sequential --strict " +
    "--list-block-groups --list-cache-groups --no-color --hocon --no-ruby --no-custom-facts " +
    "--no-external-facts -l= --log-level= --version -h --help " +
    "--environment= --json --yaml -j -y -p --puppet --render-as= --color= --verbose -v --detailed-exitcodes --section=" },
  "chef-client": { options: "--version -v" },
  "bao consul": { help: "--help",
    options: "-kind= -name= -near= " +
    "-format= -namespace= -ns= -region= -json -verbose -short -stats -self -detailed -detailed= -id= -status= -all-allocs -allocs -wan -segment= -datacenter= -stale -keys -recurse -separator= -stderr -tail -tags -log-level= -n= " +
      "-f -s -filter= -node= -service= -quiet -help -version --version -stdout -job -task= -no-color -per-page= -page-token=" },
  ceph: { names: true, options: "--show-shadow " +
    "--daemon-type= --daemon_type= --daemon-id= --daemon_id= --service-name= --service_name= --service-type= --service_type= --hostname= --host-pattern= --detail --wide -s --status -f= --format= --cluster= --id= -n= --name= --user= --connect-timeout= -h --help -v --version --verbose --concise -w --watch" },
  cephadm: { names: true, options: "--name= " +
    "--format= --fsid= -v --verbose --no-detail" },
  "ceph-volume": { names: true, options: "-h --help " +
    "--format=" },
  rbd: { options: "-p= --pool= --format= --pretty-format -l --long -a --all --namespace= --cluster= --id= -n= --image= --snap= " +
      "--no-progress --limit=",
    sub: { ["ls list info du status snap_ls showmapped device_ls device_list children diff mirror_pool_status " +
      "mirror_image_status mirror_snapshot_schedule_list mirror_snapshot_schedule_status lock_ls lock_list trash_ls " +
      "trash_list trash_purge_schedule_list trash_purge_schedule_status config_global_list config_global_get " +
      "config_pool_list config_pool_get config_image_list config_image_get image-meta_list image-meta_get group_ls " +
      "group_list group_image_list group_snap_list namespace_list namespace_ls journal_info journal_status"]: {
      names: true, options: "--verbose --from-snap= --whole-object -R --recursive -t= --device-type=" } } },
  rados: { options: "-p= --pool= --format= -a --all --namespace= -N= --cluster= --id= -n= " +
      "--pgid= --version --show-time --object-locator= -s= --snap=",
    sub: { "df lspools ls stat stat2 lssnap listxattr listomapkeys list-inconsistent-pg list-inconsistent-obj list-inconsistent-snapset": {

      names: true } } },
  "radosgw-admin": { options: "--format= --pretty-format --uid= --bucket= --cluster= --id= -n= --rgw-realm= --rgw-zonegroup= --rgw-zone= --max-entries= --tenant= " +
      "--object= --date= --start-date= --end-date= --bucket-id= --shard-id= --metadata-key= --source-zone= " +
      "--zone-id= --zonegroup-id= --realm-id= --period= --show-log-entries --show-log-sum",
    sub: { ["user_list user_stats bucket_list bucket_stats gc_list lc_list zone_list zonegroup_list period_list " +
      "realm_list sync_status data_sync_status metadata_list usage_show role_list topic_list reshard_list " +
      "bucket_limit_check bilog_list datalog_list datalog_status mdlog_list mdlog_status log_list log_show " +
      "sync_error_list reshard_status metadata_sync_status bi_list object_stat realm_get zonegroup_get " +
      "zone_placement_list zonegroup_placement_list role_get pools_list"]: { names: true } } },
  gluster: { options: "--mode=script --xml --timeout=", sub: { "*": { names: true } } },
  kopia: { names: true, options: "-a --all --json --show-identical --reverse-sort -l --long --storage-stats --max-results= --tags= -v --verbose" },
  borg: { names: true,
    options: "--verify-data --repository-only --archives-only --keep-last= --keep-within= " +
    "--keep-hourly= --keep-daily= --keep-weekly= --keep-monthly= --keep-yearly= " +
    "-r= --repo= --json --latest= --latest --host= -H= --tag= --path= --mode= --read-data-subset= --no-lock -q --quiet -v --verbose --last= --first= --short --format= --long -l --recursive --prefix= -P= --group-by= -c --compact -a= --bypass-lock --list --info --stats -n --dry-run" },
  duplicity: { names: true,
    options: "--compare-data --verbosity= " +
    "--verify-data --repository-only --archives-only --keep-last= --keep-within= " +
    "--keep-hourly= --keep-daily= --keep-weekly= --keep-monthly= --keep-yearly= " +
    "-r= --repo= --json --latest= --latest --host= -H= --tag= --path= --mode= --read-data-subset= --no-lock -q --quiet -v --verbose --last= --first= --short --format= --long -l --recursive --prefix= -P= --group-by= -c --compact -a= --bypass-lock --list --info --stats -n --dry-run" },
  "haproxy": { names: true, options: "-c -f= -q -V -v -vv -dr" },
  "nginx": { options: "-t -T -v -V -q -c= -p=" },
  "apache2ctl apachectl httpd apache2": { names: true, options: "-t -S -M -v -V -l -L -D=" },
  "varnishtop varnishhist": { options: "-1 -A -b -c -C -d -E -g= -i= -I= -k= -L= -n= -N= -q= -r= -t= -T= -v -V -x= -X= -F= -f= " +
      "-h --optstring" },
  "varnishlog varnishncsa": { options: "-1 -A -b -c -C -d -E -g= -i= -I= -k= -L= -n= -N= -q= -r= -t= -T= -v -V -x= -X= -F= -f= " +
      "-h --optstring -R=" },
  varnishstat: { options: "-1 -f= -I= -X= -j -x -l -n= -N= -t= -V " +
      "-h --optstring" },
  varnishadm: { options: "-n= -t= -T= -S=", sub: { "status ping pid help banner backend.list ban.list param.show vcl.list vcl.show vcl.deps panic.show storage.list tls.cert.list": { names: true, options: "-j -p -l -v" } } },
  slaptest: { options: "-u -v -Q" },
  "traefik envoy squid": { names: true, options: "--mode=validate -c= --config-path= --config= --adapter= --address= -k= -f= -v --version version" },
  caddy: { names: true, options: "--packages --versions --skip-standard --pretty --diff " +
    "--mode=validate -c= --config-path= --config= --adapter= --address= -k= -f= -v --version version" },
  "named-checkconf named-checkzone": { names: true, options: "-z -p -x -h -j -l -v -c -t= -i= -k= -m= -n= -r= -M= -S= -T= -W= -q -d -f= -F=" },
  "lxc-info": { names: true, options: "-q --quiet -? -h --help --usage --version " +
    "-c= --config= -H --no-humanize -i --ips -n= --name= -p --pid -s --state -S --stats" },
  gpg: { names: true, options: "--list-keys -k --list-secret-keys -K --list-sigs --check-sigs --fingerprint --show-keys --verify --list-packets --version --with-colons " +
    "--with-fingerprint --with-subkey-fingerprint --with-keygrip --keyid-format= --no-tty --batch -v --verbose -q --quiet" },
  "postqueue mailq qshape": { names: true, options: "-p -j -v -l -s -b= -t= -m=" },
  postconf: { names: true, options: "-c=/etc/postfix -n -d -f -h -H -x -m -l -a -A -C= -o= -M -F -P -p -q -v" },
  postcat: { names: true, options: "-q -v -b -e -h -n" },
  "exim exim4": { names: true, options: "-bpra -bvs " +
    "-bp -bpa -bpc -bpr -bpru -bpu -bP -bt -bV -Mvb -Mvh -Mvl" },
  exiqgrep: { options: "-a -b -c -f= -i -l -o= -r= -R -s= -x -y= -z" },
  exiqsumm: { options: "-a -c" },
  exigrep: { names: true, options: "-I -l -M -t= -v" },
  eximstats: { names: true, options: "-t_remote_users -include_original_destination -show_dtlist -byemaildomain -emptyok " +
    "-bydomain -byedomain -byemail -byhost -h= -ne -nr -nt -q= -t= -tnl" },
  doveconf: { names: true, options: "-d -m= -s " +
    "-n -a -N -f= -h -H -u= -A -v" },
  doveadm: { names: true, options: "-s= " +
    "-n -a -N -f= -h -H -u= -A -v", sub: { "process_status search": { names: true } } },
  crontab: { options: "-l -u=", names: true },
  chronyc: { options: "--version --help " +
    "-4 -6 -a -c -d -h= -m -n -N -p= -v", sub: { "*": { names: true, options: "-a -v" } } },
  ntpq: { names: true, options: "-4 -6 -c= -n -p -w " +
      "--ipv4 --ipv6 --numeric --peers --version --wide --help -h -V -s --srcname -S --srcnumber -u --units " +
      "-W= --width= -d --debug" },

  ntpstat: { options: "-h -m= -w=" },
  perl: { options: "-v -V -c -n -e= -a -F= -l -0 -w -W -E= -M= -m= -p -s -t -T -u -X -V:version" },
  python: { names: true, options: "-V -VV --version -c= -m= -I -E -s -S -B -b -u -O -OO -q -W= -X= -d -h --help -?" },
  ruby: { names: true, options: "-0 -a -c -e= -F= -h --help -l -n -ne -p -s -S -v --version -V -w -W" },
  "node nodejs": { names: true, options: "-c --check -e= --eval= -h --help -p --print= -v --version" },
  php: { names: true, runs: "operand", options: "-h --help -i --ini -l -m -n -q -r= --re= --rf= --ri= -s -v --version -w" },
  java: { options: "-Xmx* -Xms* -Xss* -XX:+PrintFlagsFinal -XX:+PrintFlagsInitial -XX:+PrintCommandLineFlags -XX:+UnlockDiagnosticVMOptions -version --version -showversion --show-version -fullversion --list-modules -help -XshowSettings -XshowSettings:all -XshowSettings:vm" },
  dotnet: { names: true, options: "-g --global --local " +
    "--version --info --list-sdks --list-runtimes --outdated --vulnerable --deprecated --include-transitive" },
  "bash sh dash zsh ksh ash": { options: "-c= -l --login -n --norc --noprofile -e -u -x -v -o= -O= --posix --version -s" },
  pm2: { sub: { "list ls status describe show logs jlist prettylist env id": { names: true, options: "--lines= --nostream --raw --err --out --json --format --timestamp -m --mini-list --sort= --no-color" } } },
  "supervisorctl": { options: "-s= -c= " +
      "-h --help", sub: { "status avail pid tail version maintail": { names: true, options: "-f" } } },
  "celery airflow": { names: true, options: "-A= --app= -b= --broker= --version -d= --destination= --dag-id= -j --json -t= --timeout= -o= --output= --state= -s= -e= --start-date= --end-date= --no-backfill --limit= --active -v --verbose" },
  pveversion: { options: "-v --verbose" },
  "bpftool": { names: /^(prog|map|link|net|cgroup|perf|feature|btf|iter|struct_ops|show|list|tree|probe|dump|id|name|tag|pinned|help|version|\d+|\w+)$/, options: "-h --help -l --legacy " +
    "-j --json -p --pretty -f --bpffs -m --mapcompat -n --nomount -V --version", sub: { "*": { names: true } } },
  "logcli": { help: "--help", names: true, options: "--since= --from= --to= --limit= --batch= --forward --no-labels --include-label= --exclude-label= --labels-length= -o= --output= -q --quiet --stats --step= --tz= --timezone= --org-id= --addr= --colored-output --analyze-labels" },
  "promtool amtool": { help: "--help -h", names: true, options: "--config.file= --match= --url= --min-block-duration= --limit= --block-id= --extended -r -h --human-readable --alertmanager.url= --timeout= -o= --output= --active --inhibited --silenced --unprocessed -a -e -q= --query= --expired --within= --start= --end= --step= --lint= --lint-fatal --syntax-only -f= --format=" },
  // Agents of monitoring: what runs them, tries a file or sends is no read.
  telegraf: { options: "--test --config= --config-directory= --input-filter= --section-filter= --quiet --debug --version", sub: { version: {}, config: { names: /^check$/ } } },
  "datadog-agent": { help: "--help -h", options: "-j --json -p --pretty-json -v --verbose -n --no-color", sub: {
    "status health version hostname diagnose configcheck config_get tagger-list workload-list": { names: true },
    check: { names: /^[\w.-]+$/, options: "--table --json -r --check-rate -t= --check-times= --pause= -l= --log-level=" } } },
  "filebeat metricbeat packetbeat apm-server journalbeat": { options: "-e", sub: { "test_config test_output test_modules version modules_list": {} } },
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
  "crm_mon": { options: "--help-all --help-output --help-additional -? --help --help-display --help-deprecated " +
    "-U= --node= --resource= --tickets --fence-history= --neg-locations --hide-headers -s " +
    "--simple-status --interval= --text-fancy --verbose --quiet " +
    "-1 --one-shot -A --show-node-attributes -b --brief -c --show-tickets -f --failcounts -F -i= -I --include= --exclude= -L -m -n --group-by-node -N -o --operations -Q -r --inactive -R --show-detail -t --timing-details -X -V --output-as= -D" },
  pcs: { options: "--all --full --hide-inactive --output-format=text",
    sub: { ["status status_resources status_cluster status_corosync status_quorum status_nodes status_pcsd status_xml cluster_status " +
      "resource_status resource_config stonith_status stonith_config " +
      "stonith_list stonith_history stonith_history_show constraint_list constraint_show constraint_config constraint_ref " +
      "constraint_location_config constraint_order_config constraint_colocation_config property_config property_list property_show quorum_status quorum_config " +
      "resource_defaults_config resource_op_defaults alert_config tag_config booth_status " +
      "resource_failcount_show resource_relations resource_list resource_describe resource_agents stonith_describe stonith_level_config"]: { names: true },
      "node_attribute node_utilization": { names: /^[\w.-]+$/ },
      "config config_show constraint resource_failcount": {} } },
  crm_verify: { options: "--help-all --help-output --help-additional --text-fancy -h --help-data --output-as= " +
    "-x= --xml-file= " +
    "-L --live-check -V --verbose -q --quiet -X --version --help" },
  crm_attribute: { options: "-G --query --get-value -r= --resource= -N= --node= -n= --name= -t= --type= -l= --lifetime= -q --quiet -V --verbose" },
  crm_failcount: { options: "-I= --interval= --operation= --help --version " +
    "-G --query --get-value -r= --resource= -N= --node= -n= --name= -t= --type= -l= --lifetime= -q --quiet -V --verbose" },
  crm_simulate: { options: "-R --run -c --show-failcounts --show-attrs -a --all-actions -x= " +
    "--xml-file= --output-as= " +
    "-s --show-scores -L --live-check -V --verbose -Q --quiet -U --show-utilization" },
  cibadmin: { options: "-n -e --node-path " +
    "-Q --query -o= --scope= -A= --xpath= -l --local --no-children -V --verbose" },
  "corosync-cmapctl": { options: "-m= " +
    "-b -g=", names: /^[\w.]+$/ },
  drbdsetup: { names: true, options: "--now --timestamps " +
    "--statistics --verbose --json --show-defaults --color=" },
  crm_resource: { options: "--help-all --help-output --help-additional -h --help --help-queries --help-commands " +
    "--help-locations --help-advanced " +
    "--list-standards --list-ocf-providers --list-agents= --list-ocf-alternatives= " +
    "--show-metadata= -t= --resource-type= -m --meta -z --utilization --text-fancy " +
    "-l --list-raw -L --list -O --list-operations --list-all-operations -q --query-xml --query-xml-raw -W --locate -A --stack -a --constraints -Y --why -r= --resource= -N= --node= -g= --get-parameter= -G= --get-property= -V --verbose -Q --quiet --output-as=" },
  crm_node: { options: "-h --help --help-all --help-commands --help-additional " +
    "-l --list -n --name -q --quorum -i --cluster-id -N= --name-for-id= -p --partition -V --verbose -Q --quiet", sub: {} },
  repmgr: { options: "-f= --config-file= --csv --compact --event= --limit= --all --verbose -v --version -V",
    sub: { "cluster_show cluster_event cluster_matrix cluster_crosscheck node_status node_check service_status daemon_status": { names: true, options: "--archive-ready --downstream --role --slots --replication-lag --data-directory-config --is-shutdown-cleanly" } } },
  stonith_admin: { options: "-L --list-registered -I --list-installed -l= --list= -M --metadata -a= --agent= -H= --history= -V --verbose --quiet", sub: {} },
  crm: { names: true },
  drbdadm: { options: "-v --verbose --statistics --json --color=", names: true },
  "corosync-cfgtool": { options: "-b -n -s" },
  "cloud-init": { sub: { schema: { options: "-c= --config-file= -t= --schema-type=" },
      "status query analyze features schema": { names: true, options: "-l --long -w --wait --format= -a --all -s --system --annotate" } } },
  "certbot": { names: true, options: "--cert-name= -d= --domain= --dry-run --quiet -q -n --non-interactive" },
  "megacli MegaCli MegaCli64 storcli storcli64 perccli arcconf ssacli hpssacli": { names: true,
    options: "-LDInfo -PDList -AdpAllInfo -AdpBbuCmd -AdpEventLog -LdPdInfo -CfgDsply -EncInfo -PDInfo -ShowSummary -AdpGetTime -Lall -L0 -L1 -aALL -a0 -a1 -aAll -NoLog -PhysDrv -GetBbuStatus -GetEvents -GetEventLogInfo -r= -u=" },
  racadm: { names: true, options: "-r= -u= -p= -i --nocertwarn -g= -a -s -o= -c= -E" },
  nfsiostat: { names: /^\d+$|^\//, options: "-a --attr -d --dir -l= --list= -p --page -s --sort" },
  showmount: { names: true, options: "-a --all -d --directories -e --exports -h --help --no-headers -v --version" },
  nfsstat: { options: "-2 -3 -4 -c --client -l --list -m --mounts -n --nfs -o= -r --rpc -s --server -v --all " +
      "--verbose" },
  exportfs: { options: "-s -v" },
  rpcinfo: { names: true, options: "-a= -l -m -n= -p -s -t -T= -u" },
  "ipa": { names: true, options: "--user= --service= --host= --rules= --nodetail " +
    "--all --raw --sizelimit= --timelimit= --pkey-only --login= --uid= --first= --last= --users= --groups= --hosts=" },
  "slapcat": { options: "-a= -b= -c -d= -g -H= -n= -o= -s= -v" },
  "sshd": { options: "-t -T -C= -4 -6 -q -V" },
  "asterisk": { options: "-r -x= -V", names: true },
  "lpstat lpq": { names: true, options: "-E " +
    "-a -c -d -e -h= -H -l -o -p -P= -r -R -s -t -u -U= -v -W=" },
  smbstatus: { options: "-b --brief -f --fast -j --json -L --locks -l -n --numeric -N --notify -p --processes -P -S --shares -u= --user= -v -V " +
      "--profile --verbose -B --byterange -? --help --usage -d= --debuglevel= --version" },
  testparm: { names: true, options: "-L= -l -s --suppress-prompt -t= -v --verbose -V --show-all-parameters --parameter-name= --section-name= " +
      "--skip-logic-checks -? --help --usage -d= --debuglevel= --version --debug-stdout" },

  wbinfo: { names: true, options: "-D= -g -G= -I= -i= -m -n= -N= -p -P -r= -R= -s= -S= -t -u -U= -V -Y= --all-domains --domain= --domain-groups " +
    "--domain-info= --domain-users --getdcname= --group-info= --online-status --own-domain --ping --ping-dc --sequence --sid-to-name= --name-to-sid= " +
    "--trusted-domains --user-domgroups= --user-groups= --user-info= --user-sids= --verbose " +
      "--lookup-sids= --lookup-rids= --separator --sid-aliases= --sid-to-fullname= --sids-to-unix-ids= " +
      "--uid-info= --gid-info= --user-sidinfo= --dc-info= --dsgetdcname= --gid-to-sid= --uid-to-sid= " +
      "--sid-to-uid= --sid-to-gid= --WINS-by-ip= --WINS-by-name= --check-secret --version --help --usage -?" },
  "script": {},
  "debconf-show": { names: true, options: "--listowners --listdbs --db=" },
  "tripwire aide": { options: "--check --version -V" },
  rkhunter: { options: "--list -V --version -C --config-check -h --help --nocolors", names: /^(tests|languages|lang|rootkits|perl|propfiles)$/ },
  "lynx links w3m elinks": { names: true, options: "-dump -source -head -mime_header -nolist -listonly -width= -useragent= -connect_timeout= -accept_all_cookies -T= -cols= -no-connect" },
  "http https xh": { names: true, options: "-v --verbose -h --headers -b --body -m --meta -p= --print= --pretty= -s= --style= -f --form -j --json --check-status -I --ignore-stdin --follow -F --max-redirects= " +
    "--timeout= --verify=yes --ssl= --all -q --quiet --offline --stream -S --no-follow" },
  "nvidia-smi": { names: true, options: "-q -d= -i= --id= -L --list-gpus -x --xml-format --query-gpu= --query-compute-apps= --query-supported-clocks= --query-remapped-rows= --format= -u --unit -B --list-excluded-gpus " +
    "--query --display= --version --loop-ms= --help-query-gpu",
    sub: { topo: { options: "-m -p2p=" }, "dmon pmon": { options: "-s= -c= -o= -d= -i=" } } },
  "pwsh powershell pwsh-preview": { options: "-c= -Command= -command= -NoProfile -noprofile -NoLogo -nologo -NonInteractive -noninteractive -EncodedCommand= -ExecutionPolicy= -OutputFormat=" },
  "dialog whiptail zenity": { names: true, options: "--msgbox --yesno --infobox --inputbox --menu --title= --clear --backtitle= --info --text=" },
  "smbclient": { names: true, options: "-L= -N -g -m= -p= -I= -n= -W= -U= -t= -k --list= --no-pass " +
      "--port= --grepable --user= --workgroup= -? --help --usage -V --version -d= --debuglevel= --timeout= " +
      "--max-protocol=" },
  squeue: { names: true, options: "-A= --account= -a --all -r --array --array-unique -M= --clusters= --federation -o= --format= -h " +
    "--noheader -l --long -s= --steps= -O= --Format= --help --hide -i= -j= --jobs= --json -L= " +
    "--licenses= --local --me -n= --name= --noconvert -w= --nodelist= -p= --partition= -P --priority -q= " +
    "--qos= -R= --reservation= --sibling -S= --sort= --start -t= --states= --state= --usage -u= --user= -v " +
    "--verbose -V --version --yaml" },
  sinfo: { names: true, options: "-a --all -M= --clusters= -d --dead -e --exact --federation -o= --format= --summarize --long --Node " +
    "--list-reasons -O= --Format= --help --hide -i= --json -R --local -l --noconvert -N -n= " +
    "--nodes= -h --noheader -p= --partition= -T --reservation -r --responding -S= --sort= -t= --states= " +
    "--state= -s --usage -v --verbose -V --version --yaml" },
  sacct: { names: true, options: "-A= --accounts= --account= -L --allclusters -X --allocations -a --allusers -x= --associations= -b --brief " +
    "-M= --clusters= -c --completion -C= --constraints= --delimiter= -D --duplicates -E= --endtime= " +
    "--federation -F= --flags= -o= --format= -g= --gid= --group= -h --help -e --helpformat -j= --jobs= --job= " +
    "--json --local -l --long --name= -i= --nnodes= -I= --ncpus= --noconvert -N= --nodelist= -n --noheader -p " +
    "--parsable -P --parsable2 -r= --partition= -q= --qos= -R= --reason= -S= --starttime= -s= --state= -K= " +
    "--timelimit-max= -k= --timelimit-min= -T --truncate -u= --uid= --user= --units= --usage --use-local-uid " +
    "-v --verbose -V --version -W= --wckeys= --whole-hetjob --yaml" },
  sshare: { names: true, options: "-A= --accounts= -a --all -M= --clusters= -o= --format= -h --help -l --long -n --noheader -p --parsable -P " +
    "--parsable2 -m --partition --usage -u= --users= -U --Users -v --verbose -V --version" },
  sprio: { names: true, options: "-M= --clusters= --federation -o= --format= -l --long --help -j= --jobs= --local -h --noheader -n --norm " +
    "-p= --partition= --sibling -S= --sort= --usage -u= --user= -v --verbose -V --version -w --weights" },
  sdiag: { names: true, options: "-a --all -M= --cluster= -h --help -i --sort-by-id -t --sort-by-time -T --sort-by-time2 --usage -V " +
    "--version" },
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
  lfs: { names: true, options: "-h -i -l -p= -v", sub: { getdirstripe: { names: true, options: "-c -T --mdt-count -D --default -F --fid -H --mdt-hash --hex-idx -i -m --mdt-index -r --recursive -R --raw -v" }, "path2fid fid2path hsm_state pool_list osts mdts": { names: true },  quota: { names: true, options: "-q -v -h -u= -g= -p= -o= -i= -I= --pool=" }, getstripe: { names: true, options: "-d -r -v -q -c -S -i -p -m -y -L" }, df: { names: true, options: "-h -H -i -l -p= -v" } } },
  bjobs: { names: true, options: "-a -A -d -G= -J= -l -m= -noheader -o= -p -P= -q= -r -s -sum -u= -w -W -X" },
  qstat: { names: true, options: "-1 -a -B -f -F= -g= -i -j= -n -q -Q -r -s -t -u= -w -x -xml" },
  esxtop: { options: "-a -b -d= -n=" },
  snmptranslate: { names: true, options: "-IR -m= -M= -Oa -Of -On -OS -Os -Ou -Td -Tp -V -w= " +
      "-TB -Ta -Tl -To -Ts -Tt -Tz -h" },
  "hg bzr": { sub: { "status st log diff info list cat blame st annotate heads tip summary": { names: true,
    options: "-l= --limit= -r= --rev= --revision= -v --verbose -q --quiet -p --patch --stat -G --graph -b= --branch= -u= --user= -d= --date= -k= --keyword= -c= --change= -n --number -T= --template= --show-updates " +
      "--no-ignore --non-interactive --summarize --xml -g --git -w -B --follow --stop-on-copy" } } },
  svn: { options: "--show-item= --no-newline --depth= -R --recursive -H --human-readable", sub: { "status st log diff info list cat blame st annotate heads tip summary ls proplist propget mergeinfo": { names: true,
    options: "-l= --limit= -r= --rev= --revision= -v --verbose -q --quiet -p --patch --stat -G --graph -b= --branch= -u= --user= -d= --date= -k= --keyword= -c= --change= -n --number -T= --template= --show-updates " +
      "--no-ignore --non-interactive --summarize --xml -g --git -w -B --follow --stop-on-copy" } } },
  "nagios nagios3 nagios4 naemon": { options: "-v -vv -s -S", names: /^\/[\w./-]+\.cfg$/ },
  "vim-cmd": { names: true },
  "cypher-shell": { names: true, options: "-a= --address= -u= --username= -d= --database= --format= --access-mode=read --fail-fast --non-interactive" },
  "rocm-smi": { options: "-a -i -t -f -P -u -h -c -g -b -S -l -d= --json --csv --alldevices --version --showid --showuse --showtemp --showpower --showmemuse --showmeminfo --showclocks --showfan --showbus --showall --showallinfo --showpids --showdriverversion --showproductname --showhw --showtopo --showuniqueid --showserial --showvbios --showperflevel --showvoltage --showrasinfo --showxgmierr" },
  "beegfs-ctl": { names: true, options: "--listnodes --listtargets --getentryinfo --getquota --listquota --liststoragepools --listmirrorgroups --serverstats --clientstats --userstats --iostat --nodetype= --mount= --details --nicdetails --showversion --state --reachable --spaceinfo --longnodes --nodesfirst --pools --uid= --gid= --all --history= --interval= --names --maxlines= --verbose" },
  pmstat: { names: true, options: "-s= -t= -T= -S= -f= -r -w= -d -i= -n= -a= -A= -z -F -m -M -I -l -x " +
      "--archive= --align= --samples= --start= --interval= --finish= --pause -P --xcpu --hostzone " +
      "--timezone= -Z= --origin= -O= --version -V -? --help" },
  pminfo: { names: true, options: "-d -i= -n= -a= -A= -z -F -m -M -I -l -x " +
      "--archive= --desc --fetch --fullindom --labels --pmid --fullpmid --origin= -O= --series --oneline " +
      "--helptext --verify -v --version -V --events --hostzone --timezone= -Z= -? --help -t -T -f -s -b= " +
      "--batch=" },
  pmval: { names: true, options: "-s= -t= -T= -S= -f= -r -w= -d -i= -n= -a= -A= -z -F -m -M -I -l -x " +
      "--archive= --align= --samples= --start= --interval= --finish= --precision= --raw --instances= " +
      "--width= --filter= --timestamp --hostzone --timezone= -Z= --origin= -O= --nointerp -U --verbose -v " +
      "--version -V -? --help" },
  pmrep: { names: true, options: "-s= -t= -T= -S= -r -w= -d -i= -a= -A= -z -m -I -x -p -u -U -X -b= -P= " +
      "--archive= --align= --samples= --start= --interval= --finish= --precision= --timestamps --raw " +
      "--no-header -H --no-globals -G --no-inst-info --no-unit-info --rank= -J= --limit-filter= -8= " +
      "--sort-metric= -6= --dynamic-header -1 --names-change= -4= --ignore-unknown -5 --timestamp-format= " +
      "--repeat-header= -E= --separate-header -g --delimiter= -l= --space-scale= --count-scale= -q= " +
      "--extended-csv -k --invert-filter -n --predicate= -N= --include-labels --include-texts --version -V " +
      "--help -? --hostzone --timezone= -Z= --origin= -O= -2 --overall-rank -3 --overall-rank-alt -C " +
      "--check" },
  "size": { options: "-A -B -d -o -x -t -f --format= --common --totals --radix= -V --version" },
  "capinfos": { options: "-t -E -c -s -d -l -u -a -e -y -i -z -x -o -k -F -I -T -M -A -C -D -H -S -B -r -R -Q -q -h -N -n -v -m -b" },
  "matchpathcon avcstat": { names: true,
    options: "-A -s= -t= -c= -p= -b= -x -u -r -a -v --stats --all --type --role --user --class --bool --constrain -d -ds -dt -ep -C -Rs -Rt -Rc -V -T -n -N" },
  sesearch: { names: true,
    options: "-A -s= -t= -c= -p= -b= -x -u -r -a -v --stats --all --type --role --user --class --bool --constrain -d -ds -dt -ep -C -Rs -Rt -Rc -V -T -n -N " +
      "--allow --auditallow --dontaudit --neverallow --allowxperm --auditallowxperm --dontauditxperm " +
      "--neverallowxperm --type_trans --type_member --type_change --role_allow --role_trans --range_trans " +
      "--source= --target= --perm= -D= --default= -eb -Sp -rs -rt -rc -rd -rb -h --help --version --verbose " +
      "--debug" },
  seinfo: { names: true,
    options: "-A -s= -t= -c= -p= -b= -x -u -r -a -v --stats --all --type --role --user --class --bool --constrain -d -ds -dt -ep -C -Rs -Rt -Rc -V -T -n -N " +
      "--attribute --category --common --default --fs_use --genfscon --initialsid --netifcon --nodecon " +
      "--permissive --polcap --portcon --sensitivity --typebounds --validatetrans --expand --flat -h --help " +
      "--version --verbose --debug" },
  "lstopo lstopo-no-graphics hwloc-ls": { options: "--output-format= --memattrs --cpukinds --distances --disallowed --no-smt " +
    "--no-useless-caches --no-icaches --no-collapse --no-cpukinds --ignore= --restrict-flags= " +
    "--top --taskset --no-factorize --merge -h --help " +
    "--only= -v --verbose -p --physical -l --logical -c --cpuset --no-io --no-bridges --whole-io --no-caches --of= --filter= --restrict= --ps -s --silent --version" },
  "tnsping upsc apcaccess s6-svstat s6-svdt beegfs-df": { names: true, options: "-l -L -c -j -o= -u -e -p= -h=" },
  omreport: { names: true },
  "mmlsfs mmgetstate mmlscluster mmlsconfig mmlsdisk mmlsmount mmlsfileset mmlsquota mmlsnsd mmlspool mmlsnode mmlspolicy mmlsattr mmlssnapshot mmlslicense mmdf": {
    names: true, options: "-a -L -s -v -Y -m -M -X -d -f -F -n -N= -q -g= -u= -j= -e -o" },
  db2pd: { names: true, options: "-d= -database= -alldatabases -apinfo -catalogcache -cleaner -dirtypages -extentmovement " +
    "-fmp -load -memblocks -rebalance -reopt -runstats -scansharing -serverlist " +
    "-serviceclasses -sort -statisticscache -temptable -thresholds -workactionsets " +
    "-workclasssets -workloads " +
    "-db= -alldbs -inst -locks -transactions -applications -agents -dbptnmem -bufferpools -logs -tablespaces -tcbstats -dynamic " +
    "-static -hadr -osinfo -edus -memsets -mempools -utilities -wlocks -latches -activestatements -dbcfg -dbmcfg -sysplex -reorgs -recovery -version -storagepaths -fcm" },
  "pt-config-diff": { names: /^([hPuSDt]=[\w./-]+,?)+$/, options: "--databases= --tables= --host= --port= --user= --verbose -d= -h= -P= -u= -v " +
      "-A= --charset= -D= --database= --ignore-variables= --report-width= -S= --socket= --version --help" },
  "pt-index-usage": { names: /^([hPuSDt]=[\w./-]+,?)+$/, options: "--databases= --tables= --host= --port= --user= --verbose -d= -h= -P= -u= -v " +
      "-A= --charset= -D= --database= --databases-regex= --ignore-databases= --ignore-databases-regex= " +
      "--ignore-tables= --ignore-tables-regex= --progress= -q --quiet --report-format= -S= --socket= " +
      "--tables-regex= --version --help" },
  "pt-duplicate-key-checker": { names: /^([hPuSDt]=[\w./-]+,?)+$/, options: "--databases= --tables= --host= --port= --user= --verbose -d= -h= -P= -u= -v " +
      "--all-structs -A= --charset= -e= --engines= --ignore-databases= --ignore-engines= --ignore-order " +
      "--ignore-tables= --key-types= -S= --socket= --version --help" },
  "pt-mysql-summary": { names: /^([hPuSDt]=[\w./-]+,?)+$/, options: "--databases= --tables= --host= --port= --user= --verbose -d= -h= -P= -u= -v " +
      "--sleep= --all-databases -S= --socket= --version --help" },
  "pt-summary": { names: /^([hPuSDt]=[\w./-]+,?)+$/, options: "--databases= --tables= --host= --port= --user= --verbose -d= -h= -P= -u= -v " +
      "--sleep= --summarize-mounts --summarize-network --summarize-processes --nosummarize-mounts " +
      "--nosummarize-network --nosummarize-processes --version --help" },
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
  "mii-tool": { names: true, options: "-v --verbose -V --version " +
      "-p= --phy=" },
  mtx: { names: true, options: "-f=" },
  "kamcmd kamctl asmcmd fdbcli jar": { names: true, options: "-s= -g -l -H -k -p --privilege= --suppressheader --discovery --exec= --timeout= -t -tf -tvf -v -f= --file= --list -G= -d --state" },
  "cilium-dbg": { names: true, options: "-o= --output= --brief --verbose --all-addresses --all-controllers --all-health --all-nodes --all-redirects -n --numeric -l= --labels= --no-headers -D -H=" },
  "orchestrator-client": { names: true, options: "-c= --command= -i= --instance= -a= --alias= -d= -R= --reason= -b= -l= -S=" },
  "asinfo asadm": { names: true, options: "-v= -h= -p= -e= --execute= -l -U= -t= -f= --no-config-file --json -j" },
  "trace-cmd": { names: true, options: "-e -t -o -p -f -s -O -c -C -F -P -B -i= --input= " +
      "-h --help" },
  db2: { names: true },
  rsnapshot: { names: true, options: "-t -v -V -q" },
  "knife": { names: true, options: "-x= --ssh-user= -C= --concurrency= -F= --format= -a= --attribute= --long -l -i --id-only -w --with-uri -r --run-list -E= --environment= -m --medium -R= --rows= -b=" },
  "mysqldumpslow mariadb-dumpslow": { names: true, options: "-a -d -g= -h= -i= -l -n= -r -s= -t= -v --help --verbose --debug" },
  "corosync-quorumtool": { options: "-s -l -m -i -o= -p -V -H -h" },
  mokutil: { options: "--sb-state -l --list-enrolled -N --list-new -D --list-delete --pk --kek --db --dbx --list-sbat-revocations --short -v --verbose -h --help " +
      "--mokx -X --ca-check --ignore-keyring" },
  "grpc_health_probe grpc-health-probe": { options: "-service= -connect-timeout= -rpc-timeout= -v -verbose -tls -tls-no-verify -tls-server-name= -gzip -spiffe -user-agent= -rpc-header= -version" },
  lsnrctl: { sub: { "status services version": { names: true } } },
  crsctl: { sub: { "stat_res stat_server check_crs check_has check_cluster query_css query_crs": { names: true, options: "-t -v -init -w= -p -f -all -n=" } } },
  srvctl: { sub: { "status_* config_*": { names: true, options: "-d= -db= -n= -node= -i= -instance= -s= -service= -l= -listener= -v -verbose -all -a" } } },
  "salt-key": { names: true, options: "-L -l= --list= --list-all -F -f= --finger= --finger-all -P --print-all --out= --no-color --output=" },
  regctl: { options: "-v= --verbosity= --host= --logopt=", sub: { "version image_digest image_manifest image_config manifest_get manifest_head manifest_diff tag_ls repo_ls": { names: true,
    options: "--platform= --format= --list --require-digest -p= --limit= --last=" } } },
  "crane gcrane": { options: "-v --verbose --platform= --insecure=false", sub: { "digest manifest config ls catalog validate image_digest image_manifest image_config tag_ls repo_ls": { names: true,
    options: "--full-ref --omit-digest-tags --remote= --fast --format= --list --require-digest" } } },
  cf: { sub: { target: {}, "apps app logs routes services service orgs spaces events version stacks buildpacks domains ps releases status features quotas marketplace": { names: true,
    options: "--recent -n= --num= -a= --app= -t --tail=false -s= --source= -d= --dyno= --json -r= --remote= --guid -o= --ps= -p= --team= --no-color" } } },
  xfs_quota: { options: "-x -c= -V -p=", names: true },
  cosign: { names: true,
    options: "--key= -a= --annotations= --certificate-identity= --certificate-identity-regexp= --certificate-oidc-issuer= " +
      "--certificate-oidc-issuer-regexp= --type= --check-claims=true --signature= --rekor-url=" },
};
