/** The parameters of AWS' own reads (Describe, Get, List …), from its API model (botocore 1.29) by `test/outside/aws-options.ts`. */

// biome-ignore format: filled to the width
export const awsParameters =
  "--accelerator-arn= --accepted-media-types= --accepts= --access-key-id= --access-point-id= --account-id= " +
  "--account-identifiers= --account-ids= --account-scope= --account= --action-id= --action-owner-filter= " +
  "--action-prefix= --action-type= --action= --active --activity-arn= --activity-ids= " +
  "--additional-plan-options-map= --addon-name= --addon-version= --after-time= --aggregate-field= " +
  "--aggregation-request= --aggregation-type= --aggregator --aggregators= --alarm-name-prefix= --alarm-name= " +
  "--alarm-names= --alarm-types= --alias= --all-availability-zones --all-regions --allocation-ids= " +
  "--analysis-end-time= --analysis-start-time-begin= --analysis-start-time-end= --analysis-start-time= " +
  "--anomaly-detector-types= --api-id= --api-key= --api-mapping-id= --application-name= --application-names= " +
  "--architecture-types= --archive-name= --arn= --arns= --array-job-id= --assignment-status= " +
  "--associated-gateway-id= --association-filter-list= --association-id= --association-ids= " +
  "--association-version= --at-time= --attachment-id= --attribute-name= --attribute-names= --attribute-value= " +
  "--attribute= --attributes-to-get= --attributes= --audit-context= --authentication-profile-name= " +
  "--authorizer-id= --auto-create --auto-scaling-group-name= --auto-scaling-group-names= " +
  "--automation-execution-id= --availability-zone-group= --availability-zone= --aws-region= " +
  "--backtrack-identifier= --backup-arn= --backup-ids= --backup-job-id= --backup-plan-id= " +
  "--backup-plan-template-id= --backup-plan-template-json= --backup-type= --backup-vault-name= --base-path= " +
  "--baseline-id= --baseline-override= --before-time= --bgp-peers= --blue-green-deployment-identifier= " +
  "--blueprint-name= --broker-id= --bucket= --budget-name= --bundle-ids= --by-account-id= --by-backup-plan-id= " +
  "--by-backup-vault-name= --by-complete-after= --by-complete-before= --by-created-after= --by-created-before= " +
  "--by-creation-after= --by-creation-before= --by-destination-vault-arn= --by-parent-job-id= " +
  "--by-parent-recovery-point-arn= --by-report-plan-name= --by-resource-arn= --by-resource-type= --by-state= " +
  "--by-status= --cache-cluster-id= --cache-cluster-ids= --cache-node-type= --cache-parameter-group-family= " +
  "--cache-parameter-group-name= --cache-policy-id= --cache-security-group-name= --cache-subnet-group-name= " +
  "--calculation-execution-id= --calendar-names= --call-as= --capacity-providers= " +
  "--capacity-reservation-fleet-ids= --capacity-reservation-id= --capacity-reservation-ids= " +
  "--carrier-gateway-ids= --case-id-list= --case-id= --catalog-id= --catalog-name= --category= " +
  "--certificate-arn= --certificate-identifier= --certificate-statuses= --change-id= --change-set-name= " +
  "--channel= --check-id= --check-ids= --child-id= --child-type= --children-of-alarm-name= " +
  "--chronological-order= --cidr= --client-certificate-id= --client-request-token= --client-token= " +
  "--client-vpn-endpoint-id= --client-vpn-endpoint-ids= --cluster-arn= --cluster-exists --cluster-id= " +
  "--cluster-identifier= --cluster-name-filter= --cluster-name= --cluster-operation-arn= " +
  "--cluster-parameter-group-family= --cluster-security-group-name= --cluster-states= " +
  "--cluster-subnet-group-name= --cluster-type-filter= --cluster-version= --cluster= --clusters= " +
  "--code-signing-config-arn= --collection-id= --column-names= --command-id= --compatible-architecture= " +
  "--compatible-runtime= --compliance-type= --compliance-types= --compute-environments= " +
  "--config-delivery-s3-destination-arn= --config-rule-name= --config-rule-names= " +
  "--configuration-aggregator-name= --configuration-aggregator-names= --configuration-id= " +
  "--configuration-recorder-names= --configuration-revision= --configuration= --conformance-pack-name= " +
  "--conformance-pack-names= --connection-arn= --connection-id= --connection-notification-id= " +
  "--connection-state= --consistent-read --consumer-arn= --consumer-name= --container-instance= " +
  "--container-instances= --context= --continent-code= --continuation-token= --conversion-task-ids= " +
  "--copy-job-id= --cost-category-arn= --cost-category-name= --country-code= --crawler-name-list= " +
  "--crawler-name= --crawler-names= --create-account-request-id= --create-time-range= --created-after= " +
  "--created-before= --creation-token= --custom-key-store-id= --custom-key-store-name= --customer-gateway-ids= " +
  "--customer-id= --dashboard-name-prefix= --dashboard-name= --data-queries= --data-share-arn= --data-type= " +
  "--database-name= --date-interval= --db-cluster-endpoint-identifier= --db-cluster-identifier= " +
  "--db-cluster-parameter-group-name= --db-cluster-snapshot-identifier= --db-groups= " +
  "--db-instance-automated-backups-arn= --db-instance-class= --db-instance-identifier= --db-name= " +
  "--db-parameter-group-family= --db-parameter-group-name= --db-proxy-endpoint-name= --db-proxy-name= " +
  "--db-security-group-name= --db-snapshot-identifier= --db-subnet-group-name= --db-user= --dbi-resource-id= " +
  "--default-only --delegation-set-id= --deletion-id= --deletion-task-id= --delimiter= --delivery-channel-names= " +
  "--delivery-stream-name= --delivery-stream-type= --dependent-job-name= --deployed= --deployment-config-name= " +
  "--deployment-group-name= --deployment-group-names= --deployment-id= --deployment-ids= --deprecated-status= " +
  "--descending --desired-status= --destination-address= --destination-id= --destination-name-prefix= " +
  "--destination= --details --detector-id= --dev-endpoint-names= --dhcp-options-ids= --dimension= --dimensions= " +
  "--direct-connect-gateway-id= --display-id= --distribution-id= --dns-name= --document-filter-list= " +
  "--document-format= --document-version= --documentation-part-id= --documentation-version= --domain-name= " +
  "--domain-names= --dry-run --duration-seconds= --duration= --earlier-time= --ecr-repository-prefixes= " +
  "--editor-id= --effective-on= --effective-settings --egress-only-internet-gateway-ids= --elastic-gpu-ids= " +
  "--elasticsearch-version= --embed= --encoding-type= --encoding= --end-date= --end-time= --endpoint-arn= " +
  "--endpoint-group-arn= --endpoint-id= --endpoint-name= --engine-name= --engine-type= --engine-version= " +
  "--engine= --entity-filter= --entity-selector-expression= --environment-id= --environment-ids= " +
  "--environment-name= --environment-names= --event-arn= --event-arns= --event-bus-name= --event-categories= " +
  "--event-category= --event-data-store= --event-source-arn= --event-source-name= --event-type= " +
  "--exclude-column-schema --exclude-compliant-resources --exclusive-start-backup-arn= " +
  "--exclusive-start-delivery-stream-name= --exclusive-start-destination-id= " +
  "--exclusive-start-global-table-name= --exclusive-start-shard-id= --exclusive-start-stream-name= " +
  "--exclusive-start-table-name= --exclusive-start-tag-key= --executable-users= --execution-arn= --execution-id= " +
  "--executor-state-filter= --expected-bucket-owner= --export-arn= --export-image-task-ids= --export-name= " +
  "--export-task-identifier= --export-task-ids= --export-type= --expression-attribute-names= --expression= " +
  "--extended-statistic= --extended-statistics= --external-id= --family-prefix= --family= " +
  "--fargate-profile-name= --feature-type= --feedback= --fetch-owner --file-cache-ids= --file-last-written= " +
  "--file-size= --file-system-id= --file-system-ids= --filename-contains= --filter-criteria= " +
  "--filter-expression= --filter-name-prefix= --filter-name= --filter-pattern= --filter= --filters= " +
  "--finding-criteria= --finding-ids= --finding-statistic-types= --firewall-domain-list-id= " +
  "--firewall-rule-group-association-id= --firewall-rule-group-id= --first-schema-version-number= " +
  "--first-slot-start-time-range= --flatten --fleet-id= --fleet-ids= --flow-log-id= --flow-log-ids= " +
  "--forecast-statistics --fpga-image-id= --fpga-image-ids= --framework-name= --from= --function-name= " +
  "--function-version= --generation-status= --global-cluster-identifier= --global-replication-group-id= " +
  "--global-table-name= --grant-id= --grant-tokens= --grantee --grantee-principal= --granularity= --group-arn= " +
  "--group-by-key= --group-by= --group-id= --group-identifier= --group-ids= --group-name= --group-names= " +
  "--handshake-id= --health-check-id= --hide-password --history-item-type= --home-region= --host-id-set= " +
  "--host-ids= --host-instance-type= --host-reservation-id-set= --hosted-zone-id-marker= --hosted-zone-id= " +
  "--hsm-client-certificate-identifier= --hsm-configuration-identifier= --http-method= --id= --identity-id= " +
  "--identity-name= --identity-provider-config= --identity-type= --ids= --image-id= --image-ids= --import-arn= " +
  "--import-id= --import-status= --import-task-ids= --include-all --include-all-instances --include-blueprint " +
  "--include-communications --include-compliance-details --include-deleted --include-deleted-groups " +
  "--include-deleted-resources --include-deprecated --include-execution-data --include-graph " +
  "--include-linked-accounts --include-marketplace --include-only-statuses= --include-parameter-spec " +
  "--include-public --include-public-key --include-resolved-cases --include-shadow-trails --include-shared " +
  "--include= --included-deleted-back-to= --includes= --index-name= " +
  "--insight-id= --instance-event-window-ids= --instance-family= --instance-fleet-id= --instance-fleet-type= " +
  "--instance-group-id= --instance-group-types= --instance-id= --instance-ids= " +
  "--instance-information-filter-list= --instance-name= --instance-names= --instance-profile-name= " +
  "--instance-refresh-ids= --instance-requirements-with-metadata= --instance-requirements= --instance-states= " +
  "--instance-status-filter= --instance-tenancy= --instance-type-filter= --instance-type= --instance-types= " +
  "--instances= --integrate-services= --integration-id= --integration-response-id= --interconnect-id= " +
  "--interleaved --internet-gateway-ids= --internet-key-exchange-version= --invocation-id= --ip-set-id= " +
  "--ipam-ids= --ipam-pool-allocation-id= --ipam-pool-id= --ipam-pool-ids= --ipam-scope-id= --ipam-scope-ids= " +
  "--job-definition-name= --job-definitions= --job-flow-ids= --job-flow-states= --job-id= --job-name= " +
  "--job-names= --job-queue= --job-queues= --job-status= --jobs= --key-group-id= --key-id= --key-marker= " +
  "--key-names= --key-pair-ids= --key= --kubernetes-version= --label-options= --lag-id= --language= " +
  "--later-time= --latest --launch-configuration-names= --launch-template-id= --launch-template-ids= " +
  "--launch-template-name= --launch-template-names= --launch-type= --layer-digest= --layer-name= --lease-id= " +
  "--legal-hold-id= --license-model= --lifecycle-hook-names= --limit= --list-supported-character-sets " +
  "--list-supported-timezones --listener-arn= --listener-arns= --loa-content-type= --load-balancer-arn= " +
  "--load-balancer-arns= --load-balancer-name= --load-balancer-names= --load-balancer-type= --local-gateway-ids= " +
  "--local-gateway-route-table-id= --local-gateway-route-table-ids= " +
  "--local-gateway-route-table-virtual-interface-group-association-ids= " +
  "--local-gateway-route-table-vpc-association-ids= --local-gateway-virtual-interface-group-ids= " +
  "--local-gateway-virtual-interface-ids= --locale= --location-name= --location-status= --location-type= " +
  "--location= --log-group-identifier= --log-group-name-pattern= --log-group-name-prefix= --log-group-name= " +
  "--log-record-pointer= --log-stream-name-prefix= --log-stream-name= --log-stream-names= --logical-resource-id= " +
  "--lookback-period-in-days= --lookup-attributes= --maintenance-track-name= --major-engine-version= " +
  "--map-run-arn= --mapping= --marker= --master-region= --max-contributor-count= --max-datapoints= " +
  "--max-duration= --max-instance-count= --max-items= --max-keys= --max-line-coverage-percentage= --max-parts= " +
  "--max-query-results= --max-records= --max-results= --max-slot-duration-in-hours= --max-uploads= " +
  "--max-version= --metadata= --metric-data-queries= --metric-name= --metric-namespace= --metric-widget= " +
  "--metric= --metrics= --migration-type= --min-duration= --min-line-coverage-percentage= " +
  "--min-slot-duration-in-hours= --min-version= --model-id= --model-name= --monitor-arn-list= --monitor-arn= " +
  "--mount-target-id= --multi-az --multi-node-job-id= --name-prefix= --name-query= --name= --named-query-id= " +
  "--named-query-ids= --names= --namespace= --nat-gateway-ids= --network-acl-ids= " +
  "--network-insights-access-scope-analysis-id= --network-insights-access-scope-analysis-ids= " +
  "--network-insights-access-scope-id= --network-insights-access-scope-ids= --network-insights-analysis-ids= " +
  "--network-insights-path-id= --network-insights-path-ids= --network-interface-id= --network-interface-ids= " +
  "--network-interface-permission-ids= --next-marker= --next-page-token= --next-token= --no-active " +
  "--no-aggregator --no-all-availability-zones --no-all-regions --no-auto-create --no-cluster-exists " +
  "--no-consistent-read --no-default-only --no-descending --no-details --no-dry-run --no-effective-settings " +
  "--no-exclude-column-schema --no-exclude-compliant-resources --no-fetch-owner --no-flatten " +
  "--no-forecast-statistics --no-grantee --no-hide-password --no-include-all --no-include-all-instances " +
  "--no-include-blueprint --no-include-communications --no-include-compliance-details --no-include-deleted " +
  "--no-include-deleted-groups --no-include-deleted-resources --no-include-deprecated " +
  "--no-include-execution-data --no-include-graph --no-include-linked-accounts --no-include-marketplace " +
  "--no-include-parameter-spec --no-include-public --no-include-public-key --no-include-resolved-cases " +
  "--no-include-shadow-trails --no-include-shared --no-include-value --no-include-values --no-interleaved " +
  "--no-latest --no-list-supported-character-sets --no-list-supported-timezones --no-multi-az " +
  "--no-only-associated --no-only-attached --no-predecessors-included --no-reverse-order --no-sampling " +
  "--no-show-cache-clusters-not-in-replication-groups --no-show-cache-node-info --no-show-member-info " +
  "--no-show-node-group-config --no-show-node-level-update-status --no-single-availability-zone " +
  "--no-start-from-head --no-sub-type --no-unmask --no-vpc --no-wake-up --no-without-settings --node-type= " +
  "--nodegroup-name= --notebook-execution-id= --notebook-id= --notification= --num-of-reports= --offering-class= " +
  "--offering-id= --offering-type= --only-associated --only-associated= --only-attached " +
  "--open-id-connect-provider-arn= --operating-system= --operation-id= --ops-item-arn= --ops-item-filters= " +
  "--ops-item-id= --ops-metadata-arn= --option-group-name= --options= --order-by= " +
  "--organization-config-rule-name= --organization-config-rule-names= --organization-conformance-pack-name= " +
  "--organization-conformance-pack-names= --organization-entity-filters= --organization-event-detail-filters= " +
  "--organizational-unit-id= --origin-request-policy-id= --output-format= --owner-account= --owner-ids= --owner= " +
  "--owners= --owning-account= --package-id= --page-size= --pagination-token= --parameter-filters= " +
  "--parameter-group-family= --parameter-group-name= --parameters= --parent-id= --parents-of-alarm-name= " +
  "--part-number-marker= --partition-values= --partitions-to-get= --partner-name= --patch-group= --patch-set= " +
  "--path-prefix= --path= --pattern= --payment-option= --period= --permission-type= --physical-resource-id= " +
  "--pipeline-execution-id= --pipeline-name= --platform-application-arn= --platform-arn= --platform= " +
  "--plugin-name= --policy-arn= --policy-id= --policy-input-list= --policy-name= --policy-names= " +
  "--policy-source-arn= --policy-type-names= --policy-type= --policy-types= --policy-usage-filter= --pool-id= " +
  "--pool-ids= --position= --predecessors-included --prediction-interval-level= --prefix-list-id= " +
  "--prefix-list-ids= --prefix= --prepared-statement-names= --principal-arn= --priority= --producer-arn= " +
  "--product-description= --product-descriptions= --project-name= --projection-expression= --property= " +
  "--proposal-id= --provider-name= --provider= --provisioning-type= --public-ips= --public-version-number= " +
  "--publisher-id= --publishers= --python-script= --qualifier= --query-as-of-time= " +
  "--query-definition-name-prefix= --query-execution-id= --query-execution-ids= --query-id= --query-name= " +
  "--query-status= --queue-name-prefix= --queue-name= --queue-owner-aws-account-id= --queue-url= --quota-code= " +
  "--realtime-log-config-arn= --realtime-log-config-name= --recently-active= --recommendation-ids= " +
  "--recovery-point-arn= --recurrence= --region-filter= --region-filters= --region-name= --region-names= " +
  "--registration-status-filter= --registration-status= --registration-token= --registry-id= --release-label= " +
  "--release-version= --replace-root-volume-task-ids= --replay-name= --replication-group-id= " +
  "--replication-group-ids= --replication-instance-arn= --replication-task-arn= --report-arn= --report-arns= " +
  "--report-group-arn= --report-group-arns= --report-id= --report-job-id= --report-plan-name= --repository-name= " +
  "--repository-names= --request-id= --request-items= --request-origin= --request-payer= --request-validator-id= " +
  "--reserved-cache-node-id= --reserved-cache-nodes-offering-id= --reserved-db-instance-id= " +
  "--reserved-db-instances-offering-id= --reserved-elasticsearch-instance-id= " +
  "--reserved-elasticsearch-instance-offering-id= --reserved-instance-id= --reserved-instance-ids= " +
  "--reserved-instance-offering-id= --reserved-instances-id= --reserved-instances-ids= " +
  "--reserved-instances-listing-id= --reserved-instances-modification-ids= --reserved-instances-offering-ids= " +
  "--reserved-node-exchange-request-id= --reserved-node-id= --reserved-node-offering-id= --resolver-endpoint-id= " +
  "--resolver-query-log-config-association-id= --resolver-query-log-config-id= --resolver-rule-association-id= " +
  "--resolver-rule-id= --resource-arn-list= --resource-arn= --resource-arns= --resource-evaluation-id= " +
  "--resource-id-list= --resource-id= --resource-identifier= --resource-identifiers= --resource-ids= " +
  "--resource-keys= --resource-name= --resource-owner= --resource-share-type= --resource-tag= " +
  "--resource-type-filters= --resource-type= --resource-types= --resource= --resources-per-page= --resources= " +
  "--response-headers-policy-id= --response-type= --rest-api-id= --restorable-by-user-ids= --restore-job-id= " +
  "--result-attributes= --result-id= --result-ids= --retention-configuration-names= --retiring-principal= " +
  "--return-consumed-capacity= --reverse-order --revision= --revisions= --role-name= --route-id= " +
  "--route-response-id= --route-table-ids= --router-type-identifier= --rule-arns= --rule-group-rule-name= " +
  "--rule-metric-name= --rule-name= --rule= --run-id= --s3-bucket= --s3-key-prefix= --saml-provider-arn= " +
  "--sampling --sampling-statistics-documents= --sampling-strategy= --savings-plans-type= --scalable-dimension= " +
  "--scan-by= --schedule-identifier= --scheduled-action-name= --scheduled-action-names= " +
  "--scheduled-instance-ids= --scheduling-strategy= --schema-definition= --schema-diff-type= --schema-id= " +
  "--schema-version-id= --schema-version-number= --scope= --sdk-type= --search-string= --search-text= " +
  "--second-schema-version-number= --secret-id= --security-group-rule-ids= --segment= --selection-id= " +
  "--serial-number= --server-certificate-name= --service-code-list= --service-code= --service-id= --service-ids= " +
  "--service-name= --service-names= --service-namespace= --service-namespaces= --service-principal= " +
  "--service-specification= --service-update-name= --service-update-status= --service-update-time-range= " +
  "--service= --services= --session-id= --setting-id= --severity= --shard-filter= --shard-id= " +
  "--shard-iterator-type= --shard-iterator= --show-cache-clusters-not-in-replication-groups " +
  "--show-cache-node-info --show-member-info --show-node-group-config --show-node-level-update-status " +
  "--single-availability-zone --sinks= --slot-start-time-range= --snapshot-arn= --snapshot-copy-grant-name= " +
  "--snapshot-id= --snapshot-identifier= --snapshot-ids= --snapshot-name= --snapshot-source= --snapshot-type= " +
  "--solution-stack-name= --sort-by= --sort-criteria= --sort-key= --sort-order= --sort= --sorting-entities= " +
  "--source-arn= --source-engine-name= --source-identifier= --source-type= --source= --spot-fleet-request-id= " +
  "--spot-fleet-request-ids= --spot-instance-request-ids= --sse-customer-algorithm= --sse-customer-key-md5= " +
  "--sse-customer-key= --ssh-public-key-id= --stack-drift-detection-id= --stack-instance-account= " +
  "--stack-instance-region= --stack-name= --stack-resource-drift-status-filters= --stack-set-name= " +
  "--stack-status-filter= --stage-name= --stage= --start-after= --start-continent-code= --start-country-code= " +
  "--start-date= --start-from-head --start-record-identifier= --start-record-name= --start-record-type= " +
  "--start-subdivision-code= --start-time= --started-by= --starting-sequence-number= --state-filter= " +
  "--state-machine-arn= --state-value= --state= --statement-name= --states= --statistic= --statistics= " +
  "--status-code= --status-filter= --status= --step-id= --step-ids= --step-states= --storage-type= " +
  "--storage-virtual-machine-ids= --stream-arn= --stream-creation-timestamp= --stream-name= --studio-id= " +
  "--sub-type --subdivision-code= --subnet-id= --subnet-ids= --subscription-arn-list= --subscription-arn= " +
  "--subscription-name= --supported-permission-types= --sync-name= --sync-type= --table-arn= --table-name= " +
  "--table-restore-request-id= --tag-filters= --tag-key-filters= --tag-key= --tag-keys= --tag-values= " +
  "--tags-per-page= --tags= --target-action-type= --target-arn= --target-capacity-unit-type= --target-capacity= " +
  "--target-configurations= --target-engine-name= --target-filters= --target-group-arn= --target-group-arns= " +
  "--target-group-name= --target-id-filters= --target-id= --target-ids= --target-type= --target-version= " +
  "--target= --targets= --task-definition= --task-id= --task-ids= --task-run-id= --task-sets= --tasks= " +
  "--template-body= --template-name= --template-stage= --term-in-years= --test-id= --threat-intel-set-id= " +
  "--time-period= --time-range-lower-bound= --time-range-type= --time-range-upper-bound= --time-window= --time= " +
  "--timestamp= --to= --topic-arn= --total-impact= --trace-ids= --traffic-mirror-filter-ids= " +
  "--traffic-mirror-session-ids= --traffic-mirror-target-ids= --traffic-policy-id-marker= --traffic-policy-id= " +
  "--traffic-policy-instance-name-marker= --traffic-policy-instance-type-marker= " +
  "--traffic-policy-version-marker= --traffic-policy-version= --traffic-source-type= --trail-name-list= " +
  "--trail-name= --transaction-id= --transform-id= --transit-gateway-attachment-id= " +
  "--transit-gateway-attachment-ids= --transit-gateway-connect-peer-ids= --transit-gateway-ids= " +
  "--transit-gateway-multicast-domain-id= --transit-gateway-multicast-domain-ids= " +
  "--transit-gateway-policy-table-id= --transit-gateway-policy-table-ids= " +
  "--transit-gateway-route-table-announcement-ids= --transit-gateway-route-table-id= " +
  "--transit-gateway-route-table-ids= --trend-field= --trigger-names= --type-arn= --type-name= --type= --types= " +
  "--unit= --unmask --update-action-status= --update-id= --update-status= --upload-id-marker= --upload-id= " +
  "--usage-criteria= --usage-limit-id= --usage-plan-id= --usage-statistic-type= --user-group-id= --user-id= " +
  "--user-name= --username= --uuid= --value= --vendor-name= --verified-access-endpoint-id= " +
  "--verified-access-endpoint-ids= --verified-access-group-id= --verified-access-group-ids= " +
  "--verified-access-instance-id= --verified-access-instance-ids= --verified-access-trust-provider-ids= " +
  "--version-id-marker= --version-id= --version-label= --version-labels= --version-name= --version-number= " +
  "--version= --versions= --virtual-gateway-id= --virtual-interface-id= --virtualization-types= --visibility= " +
  "--volume-id= --volume-ids= --vpc --vpc-endpoint-ids= --vpc-id= --vpc-ids= --vpc-link-id= " +
  "--vpc-peering-connection-ids= --vpc-region= --vpn-connection-device-type-id= --vpn-connection-id= " +
  "--vpn-connection-ids= --vpn-gateway-ids= --wake-up --web-acl-arn= --web-acl-id= --web-acl-name= " +
  "--window-execution-id= --window-id= --window-task-id= --without-settings --work-group= --worker-name= " +
  "--zone-ids= --zone-names=";
