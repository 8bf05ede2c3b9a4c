/**
 * Prints the parameters of AWS' own reads for `src/risk/knowledge/reads/tools.ts`, from botocore's API model (the package, unpacked):
 * `node test/outside/aws-options.ts FOLDER/botocore/data`. Not printed: those of operations that reveal a secret, and what makes it fetch a file.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

interface Model {
  readonly operations: Readonly<Record<string, { readonly input?: { readonly shape: string } }>>;
  readonly shapes: Readonly<
    Record<string, { readonly type: string; readonly members?: Readonly<Record<string, { readonly shape: string }>> }>
  >;
}

const reads =
  /^(Describe|List|Lookup|Search|Filter|BatchGet(?!Secret))|^(Query|Scan|TestDNSAnswer|Head|Preview|Estimate|Simulate|Validate|Select)|^GetObject(Acl|Attributes|Tagging|LegalHold|Retention|LockConfiguration)|^GetItem$|^Get(?!SecretValue|Parameter|PasswordData|Object|AuthorizationToken|LoginCredentials|SessionToken|FederationToken|Random|DataKey)/;
const left = new Set(
  "--template-url --with-decryption --include-value --include-values --include-secret --wake-up --auto-create".split(
    " ",
  ),
);
/** Services that on-call people ask. */
const services = new Set(
  `
    accessanalyzer account acm acm-pca amp amplify apigateway apigatewayv2 appconfig application-autoscaling
    application-insights application-signals appmesh apprunner appsync arc-zonal-shift athena autoscaling
    autoscaling-plans backup batch bedrock ce cloudcontrol cloudformation cloudfront cloudhsmv2 cloudsearch
    cloudtrail cloudwatch codeartifact codebuild codecommit codedeploy codepipeline codestar-connections
    codeconnections cognito-identity cognito-idp compute-optimizer config controltower datasync dax detective
    devops-guru directconnect dlm dms docdb ds dynamodb dynamodbstreams ebs ec2 ecr ecr-public ecs efs eks
    elasticache elasticbeanstalk elb elbv2 emr emr-containers emr-serverless es events firehose fis fms fsx
    glacier globalaccelerator glue grafana guardduty health iam imagebuilder inspector2 internetmonitor iot kafka
    kafkaconnect keyspaces kinesis kinesisanalyticsv2 kms lakeformation lambda license-manager lightsail logs
    macie2 mediaconvert medialive memorydb mgn mq mwaa neptune network-firewall networkmanager networkmonitor oam
    opensearch opensearchserverless organizations osis outposts pi pinpoint pipes pricing ram rds redshift
    redshift-data redshift-serverless resiliencehub resource-explorer-2 resource-groups resourcegroupstaggingapi
    route53 route53-recovery-readiness route53domains route53resolver rum s3 s3control sagemaker savingsplans
    scheduler schemas secretsmanager securityhub service-quotas servicecatalog servicediscovery ses sesv2 shield
    sns sqs ssm ssm-contacts ssm-incidents sso-admin stepfunctions storagegateway sts support synthetics
    timestream-influxdb transfer trustedadvisor verifiedpermissions vpc-lattice waf waf-regional wafv2
    wellarchitected workspaces xray
  `
    .trim()
    .split(/\s+/),
);
const kebab = (name: string): string =>
  name
    .replace(/(.)([A-Z][a-z]+)/g, "$1-$2")
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase();

const [folder = ""] = process.argv.slice(2);
const found = new Set<string>();
for (const service of readdirSync(folder, { withFileTypes: true })) {
  if (!service.isDirectory() || !services.has(service.name)) continue;
  const version = readdirSync(join(folder, service.name)).sort().at(-1) ?? "";
  const [plain, packed] = ["service-2.json", "service-2.json.gz"].map((name) =>
    join(folder, service.name, version, name),
  );
  const bytes = [plain, packed].find((file) => file !== undefined && existsSync(file));
  if (bytes === undefined) continue;
  const text = bytes.endsWith(".gz") ? gunzipSync(readFileSync(bytes)) : readFileSync(bytes);
  const { operations, shapes } = JSON.parse(text.toString()) as Model;
  for (const [name, { input }] of Object.entries(operations)) {
    if (!input || !reads.test(name)) continue;
    for (const [member, { shape }] of Object.entries(shapes[input.shape]?.members ?? {})) {
      const option = `--${kebab(member)}`;
      if (left.has(option)) continue;
      if (shapes[shape]?.type === "boolean") found.add(option).add(`--no-${option.slice(2)}`);
      else found.add(`${option}=`);
    }
  }
}
console.log([...found].sort().join(" "));
