/** Two hours of what a shop measures, up to now, with everything that goes wrong in them; in OpenMetrics. */

const minute = 60;
const minutes = 120;

type Shape = (at: number) => number | undefined;

interface Metric {
  readonly name: string;
  readonly type: "gauge" | "counter";
  readonly series: readonly (readonly [labels: string, value: Shape])[];
}

const constant =
  (value: number): Shape =>
  () =>
    value;
/** From one value to another in the last half hour. */
const lately =
  (before: number, after: number): Shape =>
  (at) =>
    at < minutes - 30 ? before : before + ((after - before) * (at - (minutes - 30))) / 30;
/** A counter that grows each minute, faster in the last half hour. */
const growing =
  (slow: number, fast: number): Shape =>
  (at) =>
    slow * at + (fast - slow) * Math.max(0, at - (minutes - 30));

const gauge = (name: string, series: Metric["series"]): Metric => ({ name, type: "gauge", series });
const counter = (name: string, series: Metric["series"]): Metric => ({ name, type: "counter", series });

const metrics: readonly Metric[] = [
  gauge("up", [
    ['job="web",instance="web-1:9100"', constant(1)],
    ['job="web",instance="web-2:9100"', lately(1, 0)],
    ['job="db",instance="db-1:9187"', (at) => (at > minutes - 10 ? 0 : 1)],
  ]),
  gauge("node_filesystem_avail_bytes", [
    ['instance="web-1:9100",mountpoint="/"', constant(40e9)],
    ['instance="db-1:9100",mountpoint="/var/lib/pg"', lately(60e9, 2e9)],
  ]),
  gauge("node_filesystem_size_bytes", [
    ['instance="web-1:9100",mountpoint="/"', constant(80e9)],
    ['instance="db-1:9100",mountpoint="/var/lib/pg"', constant(100e9)],
  ]),
  gauge("node_load5", [
    ['instance="web-1:9100"', lately(0.5, 0.75)],
    ['instance="web-2:9100"', lately(1, 31)],
  ]),
  gauge("node_memory_MemAvailable_bytes", [
    ['instance="web-1:9100"', constant(3e9)],
    ['instance="web-2:9100"', lately(3e9, 1e8)],
  ]),
  counter("http_requests", [
    ['service="shop",code="200"', growing(600, 540)],
    ['service="shop",code="500"', growing(0, 60)],
    ['service="cart",code="200"', growing(300, 300)],
  ]),
  counter("http_request_duration_seconds_bucket", [
    ['service="shop",le="0.1"', growing(500, 100)],
    ['service="shop",le="1"', growing(590, 300)],
    ['service="shop",le="+Inf"', growing(600, 600)],
  ]),
  counter("kube_pod_container_status_restarts", [
    ['namespace="shop",pod="web-7d9f"', growing(0, 1)],
    ['namespace="shop",pod="web-a1b2"', constant(0)],
  ]),
  gauge("kube_deployment_status_replicas_unavailable", [
    ['deployment="web"', lately(0, 3)],
    ['deployment="cart"', constant(0)],
  ]),
  gauge("pg_stat_activity_count", [
    ['state="active"', lately(12, 190)],
    ['state="idle in transaction"', lately(0, 45)],
  ]),
  gauge("pg_settings_max_connections", [['instance="db-1:9187"', constant(200)]]),
  gauge("pg_replication_lag_seconds", [['instance="db-2:9187"', lately(0, 900)]]),
  gauge("probe_ssl_earliest_cert_expiry", [['instance="shop.acme.example"', constant(Date.now() / 1000 + 3 * 86_400)]]),
  gauge("probe_success", [['instance="shop.acme.example"', constant(1)]]),
  gauge("rabbitmq_queue_messages", [
    ['queue="orders"', lately(10, 50_000)],
    ['queue="mail"', constant(5)],
  ]),
  gauge("kafka_consumergroup_lag", [['consumergroup="billing",topic="orders"', lately(0, 120_000)]]),
  counter("node_network_receive_errs", [['instance="web-2:9100",device="eth0"', growing(0, 40)]]),
  gauge("etcd_server_has_leader", [
    ['instance="etcd-1"', constant(1)],
    ['instance="etcd-2"', constant(0)],
  ]),
  gauge("redis_memory_used_bytes", [['instance="redis-1"', lately(1e9, 3.9e9)]]),
  counter("container_oom_events", [['pod="web-7d9f"', growing(0, 1)]]),
  gauge("node_timex_offset_seconds", [['instance="web-2:9100"', constant(4.5)]]),
  gauge(
    "crowd",
    Array.from({ length: 200 }, (_, at) => [`member="m${at}",half="${at % 2}"`, constant(at)] as const),
  ),
];

const lineOf = ({ name, type }: Metric): string => (type === "counter" ? `${name}_total` : name);

/** The samples up to `now`. */
export function seed(now: Date): string {
  const end = Math.floor(now.getTime() / 1000);
  const text = metrics.flatMap((metric) => [
    `# TYPE ${metric.name} ${metric.type}`,
    ...metric.series.flatMap(([labels, value]) =>
      Array.from({ length: minutes + 1 }, (_, at) => {
        const measured = value(at);
        return measured === undefined
          ? ""
          : `${lineOf(metric)}{${labels}} ${measured} ${end - (minutes - at) * minute}`;
      }).filter((line) => line !== ""),
    ),
  ]);
  return `${text.join("\n")}\n# EOF\n`;
}
