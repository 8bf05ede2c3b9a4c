/**
 * Sub-commands that only read, of tools with a tree of them (`az network nsg rule list`): words that may stand before, and words that may end the
 * path. The whole path decides: one word of it that stands in neither list, and nobody knows what the call does. What a word of the second list
 * does more than read behind some word of the first stands in the tool's record (`knowledge/cloud.ts`).
 */

// biome-ignore format: filled to the width
export const treeReads: Readonly<Record<string, readonly [before: string, last: string]>> = {
  aws: [
    "accessanalyzer account account-access acm acm-pca agent-registry agent-registry-control aiops amp amplify " +
    "amplifybackend amplifyuibuilder apigateway apigatewaymanagementapi apigatewayv2 appconfig appconfigdata " +
    "appfabric appflow appintegrations application-autoscaling application-insights application-signals " +
    "applicationcostprofiler appmesh apprunner appstream appsync arc-region-switch arc-zonal-shift artifact athena " +
    "auditmanager autoscaling autoscaling-plans b2bi backup backup-gateway backupsearch batch bcm-dashboards " +
    "bcm-data-exports bcm-pricing-calculator bcm-recommended-actions bedrock bedrock-agent bedrock-agent-runtime " +
    "bedrock-agentcore bedrock-agentcore-control bedrock-data-automation bedrock-data-automation-runtime " +
    "bedrock-runtime billing billingconductor braket budgets ce chatbot chime chime-sdk-identity " +
    "chime-sdk-media-pipelines chime-sdk-meetings chime-sdk-messaging chime-sdk-voice cleanrooms cleanroomsml cloud9 " +
    "cloudcontrol clouddirectory cloudformation cloudfront cloudfront-keyvaluestore cloudhsm cloudhsmv2 cloudsearch " +
    "cloudsearchdomain cloudtrail cloudtrail-data cloudwatch cloudwatchomni codeartifact codebuild codecatalyst " +
    "codecommit codeconnections codeguru-reviewer codeguru-security codeguruprofiler codepipeline " +
    "codestar-connections codestar-notifications cognito-identity cognito-idp cognito-sync comprehend " +
    "comprehendmedical compute-optimizer compute-optimizer-automation config configservice configure connect " +
    "connect-contact-lens connectcampaigns connectcampaignsv2 connectcases connecthealth connectparticipant " +
    "controlcatalog controltower cost-optimization-hub cur customer-profiles databrew dataexchange datapipeline " +
    "datasync datazone dax deadline deploy detective devicefarm devops-agent devops-guru directconnect discovery dlm " +
    "dms docdb docdb-elastic drs ds ds-data dsql dynamodb dynamodbstreams ebs ec2 ec2-instance-connect ecr ecr-public " +
    "ecs efs eks eks-auth elasticache elasticbeanstalk elb elbv2 elementalinference emr emr-containers emr-serverless " +
    "endusermessaging entityresolution es eventbridge eventbridgev2 events evs finspace finspace-data firehose fis " +
    "fms forecast forecastquery frauddetector freetier fsx gamelift gameliftstreams geo-maps geo-places geo-routes " +
    "glacier globalaccelerator glue grafana greengrass greengrassv2 groundstation guardduty health healthlake history " +
    "iam iam-toolbox identitystore imagebuilder importexport inspector inspector-scan inspector2 interconnect " +
    "internetmonitor invoicing iot iot-data iot-jobs-data iot-managed-integrations iotdeviceadvisor iotfleetwise " +
    "iotsecuretunneling iotsitewise iotthingsgraph iottwinmaker iotwireless ivs ivs-realtime ivschat kafka " +
    "kafkaconnect kendra kendra-ranking keyspaces keyspacesstreams kinesis kinesis-video-archived-media " +
    "kinesis-video-media kinesis-video-signaling kinesis-video-webrtc-storage kinesisanalytics kinesisanalyticsv2 " +
    "kinesisvideo kms lakeformation lambda lambda-core lambda-microvms lambda-web launch-wizard lex-models " +
    "lex-runtime lexv2-models lexv2-runtime license-manager license-manager-linux-subscriptions " +
    "license-manager-user-subscriptions lightsail location logs lookoutequipment m2 machinelearning macie2 " +
    "mailmanager managedblockchain managedblockchain-query marketplace-agreement marketplace-catalog " +
    "marketplace-deployment marketplace-discovery marketplace-entitlement marketplace-reporting " +
    "marketplacecommerceanalytics mediaconnect mediaconvert medialive mediapackage mediapackage-vod mediapackagev2 " +
    "mediastore mediastore-data mediatailor medical-imaging memorydb meteringmarketplace mgh mgn " +
    "migration-hub-refactor-spaces migrationhub-config migrationhuborchestrator migrationhubstrategy mpa mq mturk " +
    "mwaa mwaa-serverless neptune neptune-graph neptunedata network-firewall network-security-manager " +
    "networkflowmonitor networkmanager networkmonitor notifications notificationscontacts nova-act oam " +
    "observabilityadmin odb omics opensearch opensearchserverless organizations osis outposts partnercentral-account " +
    "partnercentral-benefits partnercentral-channel partnercentral-revenue-measurement partnercentral-selling " +
    "payment-cryptography payment-cryptography-data pca-connector-ad pca-connector-scep pcs personalize " +
    "personalize-events personalize-runtime pi pinpoint pinpoint-email pinpoint-sms-voice pinpoint-sms-voice-v2 pipes " +
    "polly pricing pricing-plan-manager proton qapps qbusiness qconnect quicksight ram rbin rds rds-data redshift " +
    "redshift-data redshift-serverless rekognition repostspace resiliencehub resiliencehubv2 resource-explorer-2 " +
    "resource-groups resourcegroupstaggingapi rolesanywhere route53 route53-recovery-cluster " +
    "route53-recovery-control-config route53-recovery-readiness route53domains route53globalresolver route53profiles " +
    "route53resolver rtbfabric rum s3 s3api s3control s3files s3outposts s3tables s3vectors sagemaker " +
    "sagemaker-a2i-runtime sagemaker-edge sagemaker-featurestore-runtime sagemaker-geospatial sagemaker-metrics " +
    "sagemaker-runtime sagemakerjobruntime savingsplans scheduler schemas sdb secretsmanager security-ir " +
    "securityagent securityhub securitylake serverlessrepo service-quotas servicecatalog servicecatalog-appregistry " +
    "servicediscovery ses sesv2 shield signer signer-data signin simpledbv2 sms-voice snow-device-management snowball " +
    "sns socialmessaging sqs ssm ssm-contacts ssm-guiconnect ssm-incidents ssm-quicksetup ssm-sap sso sso-admin " +
    "sso-oidc stepfunctions storagegateway sts supplychain support support-app supportauthz sustainability swf " +
    "synthetics taxsettings textract timestream-influxdb timestream-query timestream-write tnb transcribe transfer " +
    "translate trustedadvisor uxc verifiedpermissions voice-id vpc-lattice waf waf-regional wafv2 wellarchitected " +
    "wickr wisdom workdocs workmail workmailmessageflow workspaces workspaces-instances workspaces-thin-client " +
    "workspaces-web xray",
    "describe-* list-* get-* batch-get-* batch-describe-* search-* lookup-* head-* view-* filter-log-events ls list " +
    "tail scan query get simulate-* validate-* test-event-pattern preview-* estimate-* select-* transact-get-items " +
    "help",
  ],
  aliyun: [
    "ecs rds slb vpc oss cdn ram cms cs ess alidns kvstore dds polardb nas sls actiontrail resourcemanager sts",
    "Describe* List* Get* Query* ls stat du help",
  ],
  oci: [
    "compute instance image boot-volume-attachment volume-attachment vnic-attachment instance-pool cluster-network " +
    "dedicated-vm-host shape bv volume volume-group volume-backup boot-volume boot-volume-backup network vcn subnet " +
    "nsg rules security-list route-table internet-gateway nat-gateway service-gateway drg local-peering-gateway " +
    "public-ip private-ip vnic lb load-balancer backend backend-set backend-health backend-set-health " +
    "load-balancer-health listener certificate nlb network-load-balancer os bucket object ns db system database " +
    "autonomous-database node backup patch iam compartment user group policy region region-subscription " +
    "availability-domain fault-domain tag tag-namespace dynamic-group ce cluster node-pool work-request " +
    "work-request-error work-request-log-entry monitoring alarm alarm-status alarm-history metric metric-data audit " +
    "event logging log log-group log-analytics search resource announce announcements limits value quota fn " +
    "application function fs file-system mount-target export dns zone record zone-record streaming admin stream vault " +
    "key kms management secret artifacts container repository instance-configuration console-history bastion session " +
    "health-checks http-monitor ping-monitor network-firewall waf waas mysql db-system usage-api usage-summary",
    "list list-all get get-health structured-search free-text-search summarize-metrics-data list-* get-metadata " +
    "get-rule-set get-initialized-namespace head",
  ],
  gcloud: [
    "alpha beta compute instances disks images snapshots machine-types zones regions networks subnets firewall-rules " +
    "addresses routes routers forwarding-rules backend-services backend-buckets url-maps target-http-proxies " +
    "target-https-proxies target-pools target-instances target-vpn-gateways target-tcp-proxies target-ssl-proxies " +
    "ssl-certificates ssl-policies health-checks http-health-checks https-health-checks instance-groups managed " +
    "unmanaged instance-templates instance-configs operations project-info reservations commitments sole-tenancy " +
    "node-groups node-templates node-types security-policies rules vpn-gateways vpn-tunnels interconnects attachments " +
    "external-vpn-gateways network-endpoint-groups resource-policies os-config patch-jobs patch-deployments " +
    "accelerator-types disk-types shared-vpc peerings org-policies os-inventory diagnose tpus tpu-vm " +
    "packet-mirrorings public-delegated-prefixes os-login ssh-keys machine-images instant-snapshots storage-pools " +
    "future-reservations container clusters node-pools hub memberships fleet features binauthz attestors policy " +
    "attached aws azure bare-metal vmware subnetworks backup-restore backups backup-plans restores sql databases " +
    "users tiers flags ssl server-ca-certs client-certs run services revisions jobs executions tasks domain-mappings " +
    "configurations functions event-types logs runtimes app versions pubsub topics subscriptions schemas lite-topics " +
    "secrets locations iam service-accounts keys roles workload-identity-pools providers policies lint-condition " +
    "simulator kms keyrings cryptokeyversions import-jobs logging sinks metrics buckets views links exclusions " +
    "resource-descriptors settings monitoring dashboards channels channel-descriptors snoozes uptime builds triggers " +
    "worker-pools connections repositories artifacts docker packages tags files vulnerabilities apt yum dns " +
    "managed-zones record-sets dns-keys response-policies changes dataproc autoscaling-policies workflow-templates " +
    "batches sessions dataflow flex-template composer environments storage-folders config auth application-default " +
    "projects organizations folders billing accounts budgets endpoints api-keys asset feeds saved-queries components " +
    "redis memcache filestore bigtable app-profiles tables hot-tablets spanner rows ddl firestore indexes composite " +
    "fields datastore storage objects notifications hmac scheduler queues workflows eventarc google-channels deploy " +
    "delivery-pipelines releases rollouts targets job-runs deployment-manager deployments manifests resources types " +
    "active-directory domains access-context-manager levels perimeters identity groups org-security-policies " +
    "recommender recommendations insights insight-types network-connectivity spokes hubs network-management " +
    "connectivity-tests network-security network-services service-directory namespaces vertex ai models custom-jobs " +
    "notebooks workstations essential-contacts resource-manager values bindings liens quotas info preferences " +
    "certificate-manager certificates maps privateca pools roots subordinates ids source repos transfer agents " +
    "migration vms database-migration migration-jobs connection-profiles datastream streams alloydb batch healthcare " +
    "datasets edge-cloud media netapp volumes scc findings sources policy-intelligence policy-troubleshoot topic help",
    "list describe list-* get-iam-policy get-health get-value get read get-serial-port-output get-guest-attributes " +
    "get-server-config get-ancestors get-ancestors-iam-policy get-nat-mapping-info get-nat-ip-info get-status " +
    "list-instances list-errors list-managed-instances list-named-ports list-usable search-all-resources " +
    "search-all-iam-policies query analyze-iam-policy get-history list-tags log ls du hash info version help " +
    "get-shielded-identity get-screenshot dump validate lookup tail-serial-port-output describe-from-family " +
    "get-effective-firewalls get-diagnostics get-object-acls",
  ],
  gsutil: [
    "-m acl defacl iam lifecycle versioning logging web cors notification retention label requesterpays " +
    "bucketpolicyonly ubla pap kms rpo autoclass defstorageclass hmac",
    "ls du stat hash get list version help cat",
  ],
  bq: ["", "ls show head query version help get-iam-policy info"],
  az: [
    "account ad app user group member sp owner credential federated-credential administrative-unit signed-in-user " +
    "owned-objects advisor recommendation configuration aks nodepool addon snapshot mesh maintenanceconfiguration " +
    "machine trustedaccess rolebinding acr repository manifest metadata task run webhook replication scope-map token " +
    "connected-registry agentpool cache credential-set apim api product backend nv appconfig kv revision feature " +
    "appservice plan ase hybrid-connection vnet-integration webapp config appsettings connection-string ssl container " +
    "hostname backup deployment slot source github-actions log traffic-routing webjob continuous triggered " +
    "access-restriction auth identity cors functionapp function keys app-configuration staticwebapp environment users " +
    "vault item job policy protection recoverypoint protectable-item batch pool node file subtask application " +
    "certificate bicep billing invoice period profile property cdn endpoint custom-domain origin origin-group route " +
    "rule rule-set secret security-policy afd cloud cognitiveservices model consumption usage budget marketplace " +
    "pricesheet reservation containerapp env replica execution ingress logs dapr-component cosmosdb sql database role " +
    "definition assignment throughput mongodb collection gremlin graph cassandra keyspace table data-boundary " +
    "databoxedge dataprotection backup-instance backup-policy backup-vault recovery-point operation sub mg tenant " +
    "deployment-scripts demo disk disk-access disk-encryption-set encryption dls dms dns zone record-set a aaaa cname " +
    "mx ns txt srv ptr soa caa dt eventgrid topic domain event-subscription namespace topic-type system-topic " +
    "eventhubs eventhub consumer-group authorization-rule georecovery-alias cluster extension registration feedback " +
    "find grafana hdinsight hybrid-compute image builder version sharedgallery sig image-definition image-version " +
    "gallery-application iot hub device-identity dps device keyvault key storage managed-hsm network-rule " +
    "private-endpoint-connection kusto lab load lock logic workflow managedapp managed-cassandra management-group " +
    "subscription entities maps mariadb server mysql flexible-server parameter firewall-rule db server-logs postgres " +
    "migration monitor metrics alert alert-processing-rule autoscale activity-log diagnostic-settings " +
    "categories log-analytics workspace " +
    "saved-search linked-service data-export solution action-group app-insights component log-profiles " +
    "data-collection data-collection-rule data-collection-endpoint scheduled-query private-link-scope netappfiles " +
    "volume network vnet subnet nsg nic ip-config effective-nsg lb address-pool frontend-ip probe inbound-nat-rule " +
    "outbound-rule public-ip prefix application-gateway http-listener http-settings url-path-map waf-policy " +
    "waf-config rewrite-rule ssl-cert ssl-policy route-table route-filter express-route peering gateway vpn-gateway " +
    "vpn-connection vnet-gateway local-gateway firewall rule-collection-group application-rule nat-rule bastion " +
    "ddos-protection private-dns link private-endpoint private-link-service dns-zone-group private-link-resource " +
    "service-endpoint traffic-manager front-door watcher flow-log connection-monitor packet-capture cross-region-lb " +
    "asg nat virtual-appliance vhub vwan connection vrouter network-manager openshift pipelines agent runs artifact " +
    "variable variable-group build boards work-item iteration area repos pr ref devops project team security " +
    "permission wiki page set-definition state event exemption remediation ppg provider proximity redis relay hyco " +
    "wcfrelay reservations reservation-order resource resourcemanagement restore-point rest resources assessment " +
    "pricing setting contact auto-provisioning-setting search service admin-key datasource servicebus queue sf " +
    "managed-cluster signalr site-recovery ad-admin audit-policy elastic-pool failover-group mi midb instance-pool dw " +
    "vm virtual-cluster tde threat-policy vnet-rule long-term-retention-backup backup-short-term-retention ltr-backup " +
    "ltr-policy str-policy op stack blob directory entity fs logging message share share-rm management-policy " +
    "encryption-scope blob-service-properties file-service-properties object-replication or-policy local-user " +
    "blob-inventory-policy synapse spark tag ts unmanaged-disk vmss availability-set boot-diagnostics diagnostics " +
    "host run-command rolling-upgrade instances webpubsub configure",
    "list show exists list-* get-instance-view get-access-restriction show-* get-boot-log get-upgrades get-versions " +
    "get-log-profile get-os-options query version check-* validate test-connectivity show-topology show-next-hop " +
    "list-usages tail get-default-set get find help what-if test-ip-flow show-security-group-view " +
    "query-* get-entities get-*",
  ],
  doctl: [
    "account balance billing-history invoice invoices apps 1-click compute action domain records droplet firewall " +
    "image load-balancer region size snapshot ssh-key volume volume-snapshot certificate cdn reserved-ip floating-ip " +
    "tag plugin kubernetes k8s cluster node-pool options databases db user pool replica backups firewalls " +
    "configuration topics events maintenance-window monitoring alert uptime projects resources registry repository " +
    "garbage-collection vpcs peerings serverless functions activations auth version spaces keys",
    "list ls get show list-* get-* actions kernels neighbors backups snapshots droplets logs help versions regions " +
    "sizes summary",
  ],
  hcloud: [
    "server server-type volume network firewall load-balancer load-balancer-type floating-ip primary-ip image iso " +
    "datacenter location certificate placement-group ssh-key context all storage-box storage-box-type zone rrset",
    "list describe active version help metrics",
  ],
  ibmcloud: [
    "is ks oc cluster clusters worker workers worker-pool cr plugin resource iam cos account target regions app cf " +
    "cdb databases dl tg dns ce catalog sl vlan subnet zone versions ingress alb nlb secret",
    "ls list get instances instance vpcs vpc subnets subnet floating-ips load-balancers load-balancer security-groups " +
    "security-group volumes volume images image zones regions flavors groups group service-instances service-instance " +
    "clusters workers worker-pools target image-list namespace-list show version plugins repo-plugins users roles policies keys vpn-gateways snapshots",
  ],
  scw: [
    "account billing instance server volume snapshot image security-group ip placement-group private-nic k8s cluster " +
    "node pool rdb backup database user lb backend frontend certificate dns record zone registry namespace container " +
    "function vpc private-network baremetal iam config info help object bucket marketplace server-type version " +
    "cockpit redis lb-types",
    "list get list-* get-metric info version help dump",
  ],
  "linode-cli": [
    "account databases domains events firewalls images linodes lke longview nodebalancers object-storage profile " +
    "regions stackscripts tickets users volumes vlans vpcs tags kernels networking managed placement phone sshkeys",
    "list ls view list-* view-* types ips-list disks-list configs-list backups-list stats clusters-list pools-list " +
    "cluster-view nodes-list records-list mysql-list postgres-list rules-list devices-list kernels-list buckets-list " +
    "maintenance-list",
  ],
  openstack: [
    "access rule address address-group scope aggregate application credential authorization availability zone backup " +
    "baremetal node port allocation deploy template bgp bgpvpn block storage cluster volume attachment cleanup " +
    "command compute agent service configuration consistency group console log connection consumer container coe " +
    "nodegroup database instance default dns domain ec2 endpoint event extension federation firewall flavor floating " +
    "ip pool host hypervisor stats identity provider image member implied role inventory keypair l2gw limits listener " +
    "loadbalancer amphora healthmonitor l7policy l7rule quota status logging loggable resources mapping module " +
    "network detector profile meter onset qos policy segment range trunk subport notification object store account " +
    "orchestration password forwarding project property protocol ptr record recordset region registered limit request " +
    "resource reservation assignment router ndp proxy secret security compliance server migration topology share type " +
    "snapshot software config deployment stack hook output subnet task execution tld token trust user usage versions " +
    "message transfer export blacklist metric alarm alarm-history measures history placement trait",
    "list show stats status whoami",
  ],
  exo: [
    "compute instance instance-pool instance-template instance-type block-storage snapshot anti-affinity-group " +
    "deploy-target elastic-ip load-balancer nlb private-network security-group sks nodepool ssh-key dbaas dns iam " +
    "api-key role storage zones limits status version",
    "list show ls versions status limits zones version type types",
  ],
  civo: [
    "apikey database diskimage domain record firewall rule instance ip kubernetes applications k8s node-pool " +
    "loadbalancer network objectstore quota region size sshkey subnet team volume version volumetype",
    "ls list show version",
  ],
  "flyctl fly": [
    "apps app machine machines volumes volume vol snapshots ips ip secrets certs cert checks config image orgs org " +
    "platform postgres pg regions releases scale services status history logs doctor version dns-records domains " +
    "domain jobs redis storage tokens wireguard mpg litefs-cloud extensions",
    "list ls show status info checks regions vm-sizes get check display releases services logs history version doctor " +
    "view events",
  ],
  argocd: [
    "app cluster repo repocreds proj project cert gpg account context version admin appset role windows settings rbac",
    "list get history diff resources manifests logs version can-i get-user-info get-resource list-resources validate " +
    "list-windows list-certs list-orphaned list-allow list-deny",
  ],
  flux: [
    "get all kustomizations kustomization ks helmreleases helmrelease hr sources source git helm oci bucket chart " +
    "images image repository policy update alerts alert alert-providers receivers receiver export tree artifact " +
    "artifacts events logs stats check version diff trace list debug",
    "all kustomizations kustomization ks helmreleases helmrelease hr git helm oci bucket chart repository policy " +
    "update alerts alert alert-providers receivers receiver events logs stats check version trace list artifact " +
    "artifacts",
  ],
  linkerd: [
    "viz multicluster jaeger version check",
    "check version stat edges routes list gateways authz identity diagnostics proxy-metrics controller-metrics",
  ],
  "kn knative": [
    "service source sources ping apiserver container binding kafka revision route routes trigger broker channel " +
    "subscription eventtype domain plugin",
    "list describe list-types ls version",
  ],
  consul: [
    "catalog acl token policy role auth-method binding-rule operator raft autopilot kv config intention connect ca " +
    "services namespace partition peering snapshot keyring txn",
    "members info list read get monitor version validate rtt datacenters nodes services list-peers get-config state " +
    "check match inspect health usage exported-services verify export",
  ],
  boundary: [
    "accounts auth-methods auth-tokens credential-libraries credential-stores credentials groups host-catalogs " +
    "host-sets hosts managed-groups policies roles scopes session-recordings sessions storage-buckets targets users " +
    "workers aliases config search version",
    "list read version search",
  ],
  kops: [
    "get cluster clusters instancegroups ig instances secrets assets all validate version toolbox",
    "cluster clusters instancegroups ig instances assets all version addons",
  ],
  eksctl: [
    "get info version utils",
    "cluster clusters nodegroup nodegroups ng addon addons fargateprofile iamserviceaccount iamidentitymapping labels " +
    "identityprovider podidentityassociation accessentry info version describe-stacks nodegroup-health " +
    "describe-addon-versions",
  ],
  minikube: [
    "addons profile config cache image service node kubectl",
    "status list ls version ip logs view get kubectl options url",
  ],
  clusterctl: ["describe get config version", "cluster kubeconfig-path repositories version provider"],
  cilium: [
    "bpf ct endpoint identity service policy config node nodeid lb nat ipcache metrics recorder map fqdn cache " +
    "prefilter hubble clustermesh connectivity encrypt bgp peers routes status version kvstore statedb lrp ip prefix " +
    "encryption monitor-status tunnel auth ipam list debuginfo",
    "list get status version view log health trace peers routes ls info identity show selectors",
  ],
  hubble: [
    "observe list status version watch-peers config peers nodes namespaces",
    "status version list nodes namespaces observe view get",
  ],
  calicoctl: [
    "get ipam node version cluster datastore",
    "nodes bgppeers bgppeer bgpconfig bgpconfigurations felixconfig felixconfigurations ippool ippools ipreservation " +
    "wep workloadendpoint workloadendpoints hep hostendpoint networkpolicy networkpolicies globalnetworkpolicy gnp np " +
    "profile profiles networkset globalnetworkset kubecontrollersconfig felixconfiguration bgpconfiguration ipamconfiguration clusterinformation clusterinfo " +
    "blockaffinities status show check version",
  ],
  crossplane: ["beta xpkg version trace", "version trace top"],
  govc: [
    "",
    "about about.cert ls find tree info version vm.info vm.ip vm.network.info vm.target.info vm.check.info host.info " +
    "host.service.ls host.storage.info host.vnic.info host.vswitch.info host.portgroup.info host.date.info " +
    "host.option.ls datastore.info datastore.ls datastore.cluster.info datastore.disk.info datastore.maintenance.info " +
    "cluster.usage cluster.group.ls cluster.rule.ls cluster.override.info pool.info folder.info datacenter.info " +
    "network.info dvs.portgroup.info events tasks snapshot.tree device.ls device.info device.model.tree metric.ls " +
    "metric.sample metric.info metric.interval.info license.ls license.assigned.ls permissions.ls role.ls session.ls " +
    "tags.ls tags.info tags.category.ls library.ls library.info vapp.info alarms alarm.info disk.ls volume.ls " +
    "sso.user.ls sso.group.ls storage.policy.ls storage.policy.info object.collect option.ls logs.ls",
  ],
  esxcli: [
    "system hardware network storage vm process software vsan iscsi sched fcoe graphics device esxcli version " +
    "hostname ntp settings kernel advanced module parameters core nic vswitch standard dvs portgroup ip interface " +
    "ipv4 ipv6 connection neighbor route dns server search firewall ruleset rule stats diag port filter san fc sas " +
    "adapter path filesystem nmp psp satp claimrule vmfs extent vflash vib profile vaai nfs nfs41 cpu memory pci " +
    "trustedboot clock platform coredump file partition syslog config logger snmp account permission role " +
    "maintenanceMode uptime installtime welcomemsg boot cluster health debug object disk policy sources baseimage " +
    "component image vmware lacp multicast bootdevice global uuid wbem time",
    "list get status version stats",
  ],
  heroku: [
    "",
    "apps apps:info info ps releases releases:info releases:output logs addons addons:info addons:services " +
    "addons:plans domains domains:info certs certs:info pg pg:info pg:ps pg:locks pg:blocking pg:diagnose pg:backups " +
    "pg:backups:info pg:backups:schedules pg:bloat pg:cache-hit pg:index-usage pg:long-running-queries pg:outliers " +
    "pg:table-size pg:total-table-size pg:vacuum-stats pg:settings pg:maintenance redis redis:info redis:maintenance " +
    "status regions stacks stack buildpacks buildpacks:info buildpacks:search features features:info labs labs:info " +
    "maintenance members orgs teams pipelines pipelines:info pipelines:diff drains webhooks webhooks:info " +
    "webhooks:deliveries webhooks:events access auth:whoami whoami keys notifications plugins version help builds " +
    "builds:info builds:output spaces spaces:info spaces:ps spaces:topology container ci ci:info kafka:topics " +
    "kafka:info kafka:consumer-groups sessions usage:addons local:version dashboard",
  ],
  vercel: [
    "project projects domains dns certs teams alias env target integration",
    "ls list inspect whoami logs log help version",
  ],
  mc: [
    "admin info cluster health heal-status policy user svcacct group service-status trace-status ilm rule tier event " +
    "tag retention legalhold version encrypt replicate quota anonymous idp support license alias bucket-remote " +
    "config-history",
    "ls list info tree find stat du diff head ping ready version status list-remote share-list",
  ],
  azcopy: ["jobs env", "list show env doc version help"],
  borg: ["key", "list info diff check version help"],
  borgmatic: ["config", "list rlist info rinfo repo-list repo-info version validate help"],
  duplicity: ["", "collection-status list-current-files verify"],
  duplicacy: ["", "list info help"],
  kopia: [
    "snapshot repository policy content blob index manifest maintenance cache server diff acl user",
    "list ls status info show stats estimate help",
  ],
  tarsnap: ["", ""],
  snapper: ["", "list list-configs ls status get-config"],
  timeshift: ["", ""],
  bup: ["", "ls meta-list help version"],
  attic: ["", "list info help"],
  kubeadm: ["certs config images upgrade token", "version check-expiration list plan diff view"],
  k3s: ["kubectl etcd-snapshot certificate secrets-encrypt", "check-config ls list check status kubectl"],
  k0s: ["kubectl etcd config kc", "status version member-list validate kubectl kc"],
  microk8s: ["kubectl addons", "status version kubectl ctr-list"],
  kind: ["get version", "clusters nodes version"],
  etcdctl: [
    "endpoint member alarm snapshot lease role user auth move-leader-status check",
    "status health hashkv list get version timetolive",
  ],
  etcdutl: ["snapshot", "status version hashkv"],
  kubescape: ["list download version", "frameworks controls exceptions version list"],
  grype: ["db", "status list version check providers explain"],
  kompose: ["", "version"],
  cosign: ["tree", "verify verify-attestation verify-blob verify-blob-attestation version triangulate tree"],
  kustomize: ["cfg", "build version tree count grep cat"],
  dapr: ["", "list status version components configurations logs"],
  dokku: [
    "",
    "apps:list apps:exists apps:locked ps:report logs logs:failed nginx:access-logs nginx:error-logs nginx:report " +
    "nginx:show-config domains:report certs:report checks:report proxy:report ports:list ports:report storage:list " +
    "storage:report network:list network:report network:exists git:report plugin:list version cron:list " +
    "resource:report scheduler:report builder:report buildpacks:list buildpacks:report postgres:list postgres:exists " +
    "redis:list mysql:list letsencrypt:list tags docker-options:report events:list events ssh-keys:list " +
    "registry:report",
  ],
  k9s: ["", "version info help"],
  conftest: ["", "test parse version help"],
  "kube-bench popeye syft dive kubeseal kubent goldilocks": ["", "version help"],
  "lxd portainer garden": ["", "version"],
  bao: [
    "token secrets auth audit operator raft policy lease plugin namespace kv metadata version-history",
    "status version list lookup list-peers diagnose members capabilities state get-config path-help key-status",
  ],
  doppler: ["configs environments projects", "list version"],
  infisical: ["", "version"],
  "chamber berglas": ["", "version list list-services"],
  cfssl: ["", "version"],
  gopass: ["", "ls list version"],
  "ha-manager": ["groupconfig rules", "status config list"],
  colima: ["", "list ls status version help"],
  "virt-xml": ["", ""],
  cbsd: ["", "version"],
  kaf: ["topic topics group groups node nodes config", "ls describe topics groups nodes lag version current-context"],
  kcctl: [
    "get describe config info",
    "connectors plugins clusters config connector info get-contexts current-context loggers tasks",
  ],
  activemq: ["", "dstat bstat query list status version --version"],
  "camunda arangosh ksql proxysql-admin mysqlrouter-ctl": ["", "version --version"],
  artemis: ["queue address", "stat show version help"],
  maxctrl: [
    "show list api",
    "servers server services service monitors monitor sessions session filters filter listeners listener modules " +
    "module threads thread users user maxscale commands logging qc_cache dbusers connections queries",
  ],
  flink: ["", "list"],
  hbase: ["", "version"],
  doveadm: [
    "auth mailbox quota log replicator instance penalty proxy stats dict-status service index-status director acl " +
    "fts-status",
    "who list status get errors find version lookup penalty",
  ],
  "keycloak kcadm.sh kcadm": [
    "get get-roles config",
    "realms users groups clients roles events serverinfo authentication sessions client-scopes components " +
    "identity-provider",
  ],
  cmk: ["", "version"],
  "gitlab-ctl": ["", "status service-list version help get-redis-master patroni-members pg-status"],
  "gitlab-runner": ["", "status list verify version help"],
  "gitea forgejo": ["admin user auth repo", "list version help"],
  mattermost: ["", "version"],
  "kopano-admin": ["", ""],
  "discourse honcho circusctl authelia ghost": ["", "version status list ls stats numprocesses numwatchers help"],
  "qmgr qconf": ["", ""],
  airflow: [
    "dags tasks jobs config connections-status pools roles users providers db info plugins variables-status version " +
    "cheat-sheet datasets assets backfill-status",
    "list show details list-runs list-jobs list-import-errors next-execution state states-for-dag-run check version " +
    "info failed-deps report widgets hooks triggers links list-loggers check-migrations",
  ],
  "dagster luigi dask": ["", "version"],
  dvc: [
    "remote cache stage exp experiments plots-status params metrics",
    "config status diff list ls show version doctor dag",
  ],
  knotc: ["", "status zone-status zone-check zone-read conf-check zone-stats stats"],
  headscale: [
    "nodes node machines users user namespaces routes policy preauthkeys apikeys configtest version",
    "list ls list-routes version configtest get",
  ],
  easyrsa: [
    "",
    "show-ca show-cert show-crl show-req show-expire show-revoke show-renew verify verify-cert version display-dn",
  ],
  gobgp: [
    "global neighbor rib summary policy as-path community prefix vrf rpki server table validation adj-in adj-out " +
    "local",
    "neighbor rib summary vrf rpki version adj-in adj-out prefix",
  ],
  bgpctl: ["show", "summary neighbor rib interfaces nexthop tables sets metrics rtr terse mem"],
  lldpcli: [
    "show",
    "neighbors neighbor statistics chassis configuration interfaces running-configuration summary details",
  ],
  devlink: [
    "dev port sb occupancy tc health region resource dpipe trap linecard param rate group policer info eswitch pool reporter table " +
    "header",
    "show info list",
  ],
  dcb: ["pfc ets app buffer maxrate dcbx rewr apptrust", "show"],
  resolvconf: ["", ""],
  connmanctl: ["", "state technologies services clock peers version"],
  iwctl: ["station adapter device known-networks ap wsc", "list show get-hidden-access-points"],
  bluetoothctl: ["", "list show devices paired-devices info version"],
  mstpctl: [
    "",
    "showbridge showport showportdetail showtree showtreeport showvid2fid showfid2mstid showmstilist showmstconfid",
  ],
  lpass: ["", "status ls"],
  bw: ["", "status"],
  lbu: ["", "status st diff list_backup lb"],
  ipa: [
    "",
    "user-find user-show group-find group-show host-find host-show hostgroup-find hostgroup-show service-find " +
    "service-show netgroup-find netgroup-show sudorule-find sudorule-show sudocmd-find sudocmd-show hbacrule-find " +
    "hbacrule-show hbacsvc-find hbacsvc-show dnszone-find dnszone-show dnsrecord-find dnsrecord-show cert-find " +
    "cert-show certprofile-find certprofile-show ca-find ca-show role-find role-show permission-find permission-show " +
    "privilege-find privilege-show pwpolicy-find pwpolicy-show topologysegment-find topologysegment-show " +
    "topologysuffix-find topologysuffix-show server-find server-show trust-find trust-show idrange-find idrange-show " +
    "automember-find automember-show delegation-find delegation-show stageuser-find stageuser-show location-find " +
    "location-show config-show dnsconfig-show krbtpolicy-show ping env hbactest whoami server-role-find " +
    "server-state-show ca-is-enabled dns-is-enabled",
  ],
  ipactl: ["", "status"],
  "ipa-replica-manage": ["", "list list-ruv dnarange-show"],
  adcli: ["", "info testjoin"],
  "dsctl dsconf dsidm": [
    "localhost slapd-* ldap* monitor backend suffix replication plugin config schema attributetypes objectclasses " +
    "index user group role organizationalunit service",
    "status healthcheck server list get monitor dbmon ldbm disk list-suffixes get-ruv status-all list-attributes",
  ],
  "kadmin kadmin.local": [
    "",
    "listprincs list_principals get_principals getprincs getprinc get_principal listpols list_policies get_policies " +
    "getpol get_policy getprivs get_privs",
  ],
  kdb5_util: ["", "list_mkeys"],
  "pdbedit crm_node greenbone-feed-sync cupsctl tfswitch dotnet-symbol": ["", ""],
  fwupdmgr: [
    "",
    "get-devices get-updates get-upgrades get-history get-releases get-remotes get-topology get-details get-results " +
    "get-plugins get-approved-firmware get-blocked-firmware check-reboot-needed security hwids version",
  ],
  bootc: ["", "status"],
  homectl: ["", "list inspect"],
  importctl: ["", "list-transfers list-images"],
  authselect: ["", "current list list-features show requirements check test"],
  "composer-cli": [
    "blueprints compose sources projects modules distros status providers",
    "list show info depsolve types status freeze diff changes",
  ],
  asdf: ["plugin", "list current where which latest info version help list-all all"],
  mise: ["plugins settings config cache", "ls list current where which doctor version outdated ls-remote latest path"],
  fnm: ["", "list ls list-remote ls-remote current"],
  "jenv goenv": ["", "versions version which whence"],
  ghcup: ["", "list whereis"],
  cabal: ["", "list info"],
  nimble: ["", "list search path"],
  hatch: ["", "status"],
  conan: ["profile remote config", "list show path home version search"],
  flyway: ["", "version"],
  dbmate: ["", "status version"],
  goose: ["", ""],
  "dotnet-counters dotnet-trace dotnet-dump dotnet-gcdump": ["", "ps list list-profiles"],
  "dotnet-stack": ["", "ps report"],
  expo: ["", "whoami"],
};
