/** The parameters of AWS' own reads (Describe, Get, List …), from its API model (botocore 1.43 and 1.29) by `test/outside/aws-options.ts`. */

// biome-ignore format: filled to the width
export const awsParameters =
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
