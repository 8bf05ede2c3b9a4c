import { inOtherLanguages } from "./languages.ts";

/**
 * What people on call say: in English here, in other languages in `vocabulary/`, one a file. The same situation in an alert's words, a log's and a tired
 * person's. Skills and incidents are read with the same table, so a Chinese issue finds an English runbook.
 *
 * Phrases are separated by commas. Words next to each other must stand next to each other; `a ~ b`: both within ten
 * words, in any order; `disk*`: any word that starts so, `*platte`: any that ends so. Accents are left out.
 */

const inEnglish: Readonly<Record<string, string>> = {
  "disk-full": `
    no space left, enospc, disk* ~ full, disk space, out of disk, filesystem* ~ full, file system ~ full, filesystem* ~ space, file system ~ space,
    root partition, partition ~ full, partition ~ end, partition ~ space, mount* ~ full, volume ~ full, volume is full, storage full, disk usage, disk ~ 100, disk ~ 9x,
    df ~ 100, df ~ 9x, available space, free space, space available, space ~ low, low ~ disk, running out of space, out of bytes, no room, root ~ full, var ~ full, var ~ 9x, root ~ 9x, home ~ full, tmp ~ full, log ~ fill*, logs ~ disk, hdd ~ full, ssd ~ full, 0 bytes free, disk ~ fill*, quota exceeded on device,
    errno 28, bytes free, nothing left ~ write, space left, cannot write ~ space, needs ~ space, eats ~ disk, logs ~ gb ~ var,
    espace libre,
    pathfull, free space in, boot ~ full, disk ~ out, logs ~ space, cannot ~ write ~ disk, write error ~ disk, disk quota, errno 28, storage ~ 9x, storage ~ 100, disk ~ exhausted, disk ~ almost, drive ~ full, drive ~ space, volume ~ 9x`,
  "memory-killed": `
    oom killer, oomkill*, oom kill*, oom_kill*, out of memory, killed process, exit code 137, exited 137, status 137, code 137, exit ~ 137, signal 9, sigkill, kernel ~ kill*, kernel ~ ends, kernel ~ shot, invoked oom, oom ~ kernel, oom reaper, memory cgroup,
    memory ~ exhausted, memory runs out, ran out of memory, out of ram, ram ~ full, ram ~ exhausted, memory ~ before it dies, memory ~ grow*, memory leak, eats ~ memory, eats ~ ram, cannot allocate memory, status 9 kill, code killed,
    gets shot, host oom, gets killed, was killed, shoots ~ process*, kills ~ process*, kernel ~ oom, memory ~ 9x, memory ~ 100,
    swap* ~ death, swap ~ full, swap ~ used, swap ~ exhausted, biggest process, memory ~ rises, memory ~ climbs, memory ~ until, dmesg ~ victim, ram ~ until, ram ~ climbs, ends with killed, prints killed, rss ~ killed, memory pressure, oom`,
  "connections-exhausted": `
    too many clients, too many connections, connection slots, connections slots, max_connections, max connections, 53300, connection ~ limit, connection pool ~ exhaust*, pool ~ exhausted, pool exhausted, no free connections, out of connections, remaining ~ slots,
    connections ~ 100 ~ max, idle in transaction, idle sessions, idle connections, every slot, slots ~ sessions, connections ~ used up, pgbouncer,
    connections ~ rejected, connections ~ refused ~ postgres, sessions ~ rejected, sessions ~ turned away, no more connections, no connections ~ available, connections ~ exhausted, connection is not available, pool ~ empty, max_client_conn, opened ~ sessions, hundreds of sessions, connection* ~ leak*, hikaripool, too_many_connections, db connections, database connections, conns ~ max`,
  "certificate-expired": `
    certificate* ~ expir*, cert ~ expir*, certs ~ expir*, cert ~ ran out, certificate ~ ran out, ssl ~ expir*, tls ~ expir*, x509, err_cert*, cert_date_invalid, cert_has_expired, cert date invalid, certbot, letsencrypt, let s encrypt, acme ~ renew*, renew ~ certificate*, certificate ~ renew*, connection is not private,
    not yet valid, certificate ~ valid*, not after, notafter, certificate ~ days, ssl certificate, tls certificate, handshake ~ certificate, certificate verify failed, browser* ~ certificate, padlock, not secure, site ~ insecure, browser warn*, https ~ expir*,
    certs ~ left, cert ~ left, cert ~ renew*, cert ~ days, expired cert*, expired_cert*, ssl_error*, warning page, browser ~ warning, chrome ~ warning, chrome ~ private, firefox ~ warning, security warning ~ site, validity ~ ended, cannot be trusted, untrusted ~ site, ran out ~ renewed, acme challenge`,
  "crash-loop": `
    crashloop*, crash loop*, back off restarting, restart count*, restarts ~ pod, restarting ~ pod, pod ~ restart*, container ~ restart*, keeps restarting ~ pod, container ~ exits, container ~ dies, pod ~ dies, pod ~ crash*, pods ~ crash*, kubectl ~ restart*, container ~ crash*, pod ~ exit*,
    kubectl ~ exit*,
    clbo, crashes right after, dies right after, dies after ~ seconds, exits ~ seconds, last state terminated, reason error, restarts over and over, started again ~ exits, never stays up, container ~ right after start, pod ~ boots`,
  "node-not-ready": `
    notready, not ready, node* ~ unready, unready, kubelet ~ stop*, kubelet ~ dead, kubelet ~ down, kubelet ~ post, kubelet ~ posts, kubelet ~ posting, kubelet ~ report*, kubelet ~ respon*, kubelet ~ answer*, kubelet ~ crash*, kubelet ~ lease, pleg, node ~ unreachable, node.kubernetes.io, node kubernetes io, node ~ evict*, node ~ taint*, nodes ~ kubectl, worker ~ cluster ~ out, machine ~ cluster ~ fell, node ~ dropped, node ~ cluster ~ left, node ~ lost ~ cluster, node ~ heartbeat, node status, worker node,
    nodestatusunknown, nodestatus, status unknown ~ node, worker ~ notready, worker ~ unreachable, worker ~ dropped, workers ~ dropped, pods ~ evicted, stuck in terminating, node ~ vanished, node ~ gone, node ~ offline ~ cluster, nodes ~ down, drained ~ node`,
  "volume-claim-full": `
    persistentvolume*, persistent volume*, pvc, pv ~ full, pv ~ space, volume claim, claim ~ full, claim ~ almost, statefulset ~ write, statefulset ~ volume, statefulset ~ disk, kubelet_volume_stats*, volumeclaim*, pvcs, storageclass,
    claim ~ used, claim ~ space, claimed volume, volume ~ readonly, volume ~ stateful*, persistent ~ full, persistent ~ space, kubelet volume stats, volume persistente`,
  "consumer-lag": `
    consumer* ~ lag*, consumer group*, lag ~ topic*, lag ~ group, offset ~ move*, offset* ~ behind, offset* ~ advance, current offset, log end offset, offsets ~ stuck, topic ~ behind, topic ~ backlog, topic ~ delay*, topic ~ late, messages behind, kafka ~ lag*, kafka ~ delay*, kafka ~ behind, kafka ~ backlog, kafka ~ stuck, rebalanc*, topic ~ offset*, partitions ~ lag, consumer* ~ behind, consumer* ~ topic, events ~ late ~ topic,
    lag ~ kafka,
    kafka_consumergroup*, records lag, commitfailed*, consumer ~ far behind, stream ~ behind, stream ~ keep up, committed offset, end offset, lag ~ million, lag ~ messages, head of the topic, kafka lag`,
  "queue-backlog": `
    queue ~ fill*, queue ~ grow*, queue* ~ consumers, messages ~ ready, ready messages, dead letter*, dlq, dlx, queue ~ backlog, queue ~ piling, queue ~ messages, amqp, too many messages, unacked, unacknowledged, queue depth, queue length, messages in queue, messages ~ pile*, queue ~ drain*, rabbit ~ consumers, rabbit ~ queue,
    file ~ messages,
    messages_ready, pile up ~ broker, broker ~ jobs, jobs ~ pile, jobs ~ piling, broker ~ messages, no consumers, consumers ~ 0, 0 consumers, zero consumers, mq ~ ready, queue ~ stuck, queue ~ k, messages ~ waiting, worker* ~ queue, dlx`,
  "service-failed": `
    failed state, failed with result, main process exited, start request repeated, start limit*, unit ~ failed, unit entered, service ~ failed, systemd ~ failed, systemctl ~ failed, result exit code, systemd ~ restart*, service ~ will not start, service ~ start*, service ~ come up, unit ~ come up, daemon ~ start*, unit ~ start*, status failed, active failed, restart counter, service ~ crash*, service ~ down, service ~ dead, service ~ stopped, inactive dead, code exited status,
    unit ~ failed, entered failed, dead after ~ reboot, inactive, does not come back after ~ reboot, daemon ~ dead, daemon ~ crash*, loaded failed, service ~ exit*, service ~ refuses to start, service ~ restart*, service ~ loop, startlimit*`,
  "scrape-failed": `
    scrape*, targetdown, target down, targets ~ down, target ~ missing, target ~ down, exporter ~ down, exporter ~ unreachable, exporter ~ reach*, no metrics, metrics ~ missing, metrics ~ gone, dashboard* ~ empty, dashboard* ~ no data, dashboard* ~ blank, up 0, graphs ~ empty, graphs ~ gap*, no data ~ grafana, metrics ~ stopped, no data points, panel* ~ no data, metrics endpoint, absent ~ metrics, exporter ~ refuse*,
    metrics ~ refused, metrics ~ timeout, metrics ~ 403, metrics ~ 401, exporter ~ answer*, exporter ~ silent, graphs ~ stop*, graph ~ gap*, no data ~ dashboard*, no data ~ since, monitoring ~ no data, monitoring ~ blind, prometheus ~ reach*, prometheus ~ target*, prometheus ~ timeout`,
  "notifications-failing": `
    failed to send ~ alert*, failed to send ~ notif*, notifications ~ fail*, notification* ~ deliver*, alert* ~ deliver*, nobody ~ paged, nobody ~ woken, no page*, not paged, no one ~ paged, nobody ~ alerted, nobody ~ notified, page ~ not ~ sent, page ~ went out, alert ~ nobody, alerts ~ not ~ sent, alerts ~ arrive, alert ~ never ~ arriv*, no notification*, notify retr*, notify ~ fail*, notify for alerts failed, alertmanager ~ fail*, alertmanager ~ send*, alertmanager ~ slack, alertmanager ~ mail, alertmanager ~ webhook, alerts ~ silent, on call ~ not ~ called, phone ~ silent, pager ~ silent, no alert ~ received, receiver ~ 401, receiver ~ 403, alert* ~ slack ~ stopped,
    learned ~ outage, hear* ~ outage, outage ~ from customers, outage ~ from a customer, outage ~ from users, customers told us, found out ~ customers, without a page, alert ~ never, alerts ~ never, no message ~ alert, no sms, no call, got no call, notifications_failed, alerts ~ slack ~ missing, alerts ~ lost, alert ~ was firing ~ no, pagerduty ~ no event, pagerduty ~ nothing, silent pager, no pages`,
  "no-leader": `
    no leader, has no leader, leader ~ lost, lost the leader, lost quorum, quorum ~ lost, quorum, insufficient members, leader election*, without leader, without a leader, lost ~ leader, leader ~ missing, no elected leader, etcd ~ members, etcdserver, elected leader, members ~ down ~ etcd, raft ~ leader,
    lost leader, losing leader, control plane ~ gone, control plane ~ down, control plane ~ frozen, control plane ~ lost, kubectl ~ hang*, kubectl ~ hangs, api ~ writes ~ hang, writes ~ hang, etcd ~ lost, etcd ~ unhealthy, etcd ~ quorum, etcd ~ timed out, etcd ~ health*, raft, election timeout`,
  "container-storage": `
    overlay2, docker ~ space, docker ~ disk, docker ~ full, var lib docker, image layers, docker images, build cache, builder cache, docker ~ prune, dangling images, old images, docker ~ images ~ disk, containerd ~ disk, docker ~ storage, docker ~ layers, docker ~ overlay, docker ~ gb, json log ~ container*, container* ~ logs ~ gb, docker system df, docker ~ volumes ~ space,
    docker ~ espace, images docker,
    docker ~ tmp, reclaimable, nobody prunes, images ~ prune*, image prune, layers ~ old, builder ~ full, builder ~ space, build* ~ cache ~ gb, images ~ gb, container* ~ json log*`,
  "shards-unassigned": `
    unassigned shard*, shard* ~ unassigned, unassigned ~ shards, primaries ~ assigned, primary shard*, shards ~ assigned, cluster red, cluster ~ red, status red, health ~ red, cluster health, _cluster, red health, index ~ red, elastic* ~ red, elastic* ~ shard*, shards ~ missing, search ~ partial, partial results, shards failed, all shards failed, missing primaries,
    cluster ~ rot, shards ~ assign*,
    noshardavailable*, shard* ~ available, primaries, shard ~ allocation ~ failed, index ~ missing ~ shard*, data node ~ search, search ~ half, search ~ misses, search ~ incomplete, es ~ red, es ~ unassigned, status ~ red ~ shard*`,
  "replication-broken": `
    replica* ~ stopped, replica* ~ not running, replica* ~ behind, replica* ~ lag*, replication, slave ~ running, slave ~ behind, slave ~ lag, slave ~ stopped, sql thread, io thread, sql_thread, relay log, relay_log, seconds_behind*, seconds behind, last_sql_err*, last_sql_error, duplicate entry, dupp_key, replica_sql_running*, replica_io_running*, show replica status, show slave status, binlog, gtid, read replica, standby ~ behind,
    slave ~ stopped, slaves, replica ~ stale, replica ~ old, reports ~ stale, stopped applying, second server ~ old data, stale reads, source ~ binary log, fatal error ~ binary log, replica ~ error, error 1062, 1236, 1594, io thread ~ connecting, replica ~ seconds`,
  "name-resolution": `
    name resolution, resolve host, resolve ~ names, resolve ~ name, resolv*, servfail, nxdomain, eai_again, enotfound, getaddrinfo, coredns, kube dns, dns ~ fail*, dns ~ timeout*, dns ~ time*, dns ~ error*, dns ~ broken, dns ~ slow, dns lookup*, lookup ~ no such host, no such host, host not found, by hostname, hostname* ~ fail*, names ~ fails, name lookup*, unknown host, by name ~ reach, nslookup, dig ~ times, dig ~ timeout, name or service not known, could not resolve, unbound, bind9, named ~ fails, dns server, 10.96.0.10,
    resolution dns,
    unknownhost*, dial tcp lookup, lookup ~ timeout, lookup ~ no such host, by name ~ not, by ip ~ name, by address ~ name, ping ~ name, name ~ not found ~ dns, resolver*, nameserver*, hosts ~ names ~ resolve, cannot find each other, host names`,
  "runners-offline": `
    runner* ~ offline, runner* ~ pick*, waiting for a runner, self hosted, actions runner*, runner ~ github, github actions, jobs ~ queued, workflow* ~ queued, workflow* ~ stuck, stuck in queued, stay* queued, runners ~ idle, runner ~ listener, runner ~ disconnected, runners ~ gone, runners, pipeline* ~ queued, ci jobs, ci ~ queued, jobs ~ waiting, builds ~ queued, runner ~ not ~ connect*,
    jobs ~ fila,
    runners online, runner ~ online, no runner*, runner ~ session, checks ~ never start, checks ~ wait*, checks ~ pending ~ runner*, build* ~ never start*, no build* ~ start*, ci ~ hang*, ci ~ stuck, pipeline* ~ stuck, pull request* ~ checks, jobs ~ not picked, self hosted ~ machines, actions ~ machines`,
  "cache-memory-limit": `
    maxmemory, used memory, command not allowed, evict* ~ cache, evict* ~ redis, redis ~ memory, redis ~ full, redis ~ oom, redis ~ evict*, evictions, evicting ~ keys, evicted keys, cache ~ full, cache ~ ceiling, cache ~ memory, memory store ~ evict*, in memory store, configured ceiling, memory ~ ceiling, valkey ~ memory, redis ~ limit,
    redis ~ lleg*,
    evicted_keys, used_memory, used_memory_human, evictions, keys ~ vanish*, keys ~ evicted, cache ~ evict*, cache ~ reject*, redis ~ mem, redis ~ 9x, oom command, noeviction, allkeys`,
  "upstream-failing": `
    502, 503, 504, 5xx, bad gateway, gateway time*, gateway timeout, service unavailable, upstream*, no live upstreams, reading response header, connecting to upstream, reverse proxy ~ error*, gateway error*, error page ~ proxy, proxy ~ slow*, proxy ~ 50x, behind the proxy, proxy ~ backend, backend ~ timing out, http ~ 5xx, 500s ~ edge, edge ~ errors, nginx ~ timeout*, nginx ~ refused, nginx ~ slow, nginx ~ latency, backend ~ refus*, load balancer ~ 5xx,
    nginx ~ responde,
    502s, 503s, 504s, 500s, http 5xx, upstream prematurely, prematurely closed, connect failed, error page ~ proxy, load balancer ~ 503, load balancer ~ 502, load balancer ~ errors, backend ~ down, backend ~ slow*, behind the load balancer, proxy ~ timeout*, p99 ~ 60s, edge ~ refused`,
  "cpu-saturated":
    "cpu ~ high, cpu ~ usage, cpu ~ throttl*, cpu ~ 100, high cpu, cpu load, load average, high load, cpu ~ steal, steal ~ neighbo*, cpu ~ elev*",
  "clock-skew":
    "clock skew, clock ~ drift*, clock ~ sync*, clock ~ behind, clock ~ ahead, clock ~ wrong, time ~ minutes off, time ~ seconds off, used before issued, issued in the future, ntp, ntpd, chrony*, time drift, time sync*",
  "backup-failed":
    "backup ~ fail*, backup ~ missing, backup ~ old, backups, snapshot ~ fail*, restore ~ fail*, pg_dump, dump ~ empty, dump ~ 0 bytes, restic, velero, pgbackrest, borg",
  "slow-queries":
    "slow quer*, slow log, query ~ slow, quer* ~ seconds, long running quer*, missing index, sequential scan",
  "lock-contention":
    "deadlock*, lock wait, lock timeout, lock* ~ waiting, waiting ~ lock*, blocked by process, blocking ~ quer*, blocked ~ quer*, blocks ~ writers, blocked ~ writers, sessions ~ wait*, sharelock, accessexclusive*, access exclusive, blocking pids, relation lock, sperre ~ wart*",
  "vacuum-behind": "autovacuum*, vacuum*, wraparound, bloat*, dead tuples, datfrozenxid, xid ~ age, transaction id*",
  "inodes-exhausted": "inode*, df i, almost out of files",
  "disk-failing":
    "smart ~ error*, smart ~ fail*, smartctl, smartd, raid ~ degrad*, raid ~ fail*, mdadm, degradedarray, degraded array, bad sector*, reallocated, disk failure, disk ~ dying, drive* ~ dying, drive ~ failed, i o error ~ dev, i o error ~ sector",
  "power-or-heat":
    "ecc error*, battery, ups, power supply, psu, fan ~ fail*, temperature, thermal, overheat*, bmc, ipmi, hardware error*, batterie",
  "network-loss":
    "packet loss, packets ~ dropped, bgp, link down, interface ~ down, network ~ unreachable, bond ~ slave ~ down, conntrack, nic, vpn, wireguard, ipsec, tunnel down, switch ~ down",
  "file-handles": "too many open files, emfile, enfile, file descriptor*, ulimit, open files, nofile, file handles",
  "image-pull":
    "imagepull*, image pull*, errimagepull, pull* image, pull ~ image, image ~ pull*, pull ~ unauthorized, pull ~ registry, pull rate limit, registry ~ 401, registry ~ 429, registry ~ unauthorized, toomanyrequests, manifest unknown, image ~ not found",
  "pods-pending":
    "pod* ~ pending, unschedul*, insufficient cpu, insufficient memory, failedscheduling, failed scheduling, no node ~ fit*, nodes are available, untolerated, taint*, quota ~ exceeded, job ~ failed ~ kube*, kubejob*",
  "autoscaler-limit":
    "hpa, horizontalpod*, horizontal pod autoscaler, maxed out, max replicas, maximum replicas, autoscal* ~ limit, autoscal* ~ maximum, autoscaling, autoscaler, does not scale, cannot scale",
  "rollout-stuck":
    "rollout ~ stuck, rollout ~ finish, rollout ~ hang*, progress deadline*, progressdeadline*, replicas mismatch, deployment ~ replicas, deployment ~ stuck, new replica* ~ ready, replicaset ~ ready, readiness ~ deploy*, old version ~ pods",
  "heap-pressure":
    "java heap, heap space, heap ~ full, heap ~ 9x, gc overhead, gc pause*, gc ~ long, full gc, garbage collect*, stop the world, old generation, old gen, metaspace",
  "secrets-sealed": "vault ~ seal*, unseal*, is sealed, sealed ~ secrets, secrets ~ sealed",
  "gitops-out-of-sync":
    "outofsync, out of sync ~ app*, comparisonerror, sync fail*, sync ~ gitops, gitops ~ fail*, manifest generation, service ~ not synced, argo* ~ sync*",
  "state-locked": "state lock, state ~ locked, tfstate, force unlock, lock ~ terraform",
  "payments-failing":
    "payment* ~ fail*, payment* ~ error*, card* ~ declin*, charge* ~ fail*, declined ~ card*, stripe ~ error*, adyen ~ error*, acceptance ~ fell",
  "function-throttled":
    "lambda ~ throttl*, lambda ~ concurren*, lambda ~ limit*, concurrent executions, concurrency limit, task timed out, toomanyrequestsexception, rate exceeded, function* ~ throttl*",
  "no-primary":
    "no primary, without primary, not primary, notprimary*, not master, notmaster*, primary ~ elect*, replica set ~ elect*, replset",
  "inserts-outrun-merges": "too many parts, too_many_parts, merges ~ inserts, inserts ~ merges, active parts",
  "traffic-flood":
    "ddos, request flood, requests ~ bots, bots ~ requests, crawler* ~ requests, cache hit rat*, hit ratio, origin ~ overload*, purge storm, rps ~ flood, http flood",
  "ssh-refused":
    "permission denied publickey, host key verification, ssh ~ refused, ssh ~ denied, ssh ~ locked out, port 22, sshd ~ down, sshd ~ refus*, ssh ~ timeout, ssh ~ refuse",
  "login-failing":
    "cannot log in, login ~ fail*, password ~ reset, sso, ldap, saml, oauth, mfa, 2fa, account locked, single sign on, sign in, oidc, openid, login_error, invalid_grant, invalid_redirect_uri",
  "mail-queue":
    "mail queue, postfix, exim, smtp, bounce*, spf, dkim, mailq, outgoing mail, status deferred, deferred ~ mail*, deferred messages, relay access denied, blocklist*, blacklist ~ mail, spamhaus, smarthost",
  security:
    "ransom*, malware, phishing, intrusion, cve*, vulnerab*, brute force, leaked ~ key, stolen, suspicious login, bitcoin, compromised, exploit",
  "data-wrong":
    "wrong currency, wrong price*, wrong total*, wrong amount*, rounding, duplicate orders, typo, translation, wrong language, wrong time zone, csv export, pdf, invoice layout, css, button, font*",
  facility:
    "badge, door, elevator, office, coffee, parking, printer*, projector, meeting room, laptop*, macbook, headset, monitor ~ desk, keyboard, desk, usb, mailbox*, air condition*",
};

/** What is wrong. Two texts that share one are probably about the same thing. */
export const situations: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(inEnglish).map(([name, said]) => [name, `${said}, ${inOtherLanguages(name)}`]),
);

/** Who is concerned. A product that the runbook does not know makes a match doubtful. */
export const products: Readonly<Record<string, string>> = {
  kubernetes:
    "kubernetes, k8s, kubectl, kubelet, pod, pods, namespace, kube*, statefulset, daemonset, deployment, eks, gke, aks",
  docker: "docker*, containerd, podman",
  linux: "linux, systemd, systemctl, journalctl, journald, kernel, ubuntu, debian, rhel, centos",
  postgres: "postgres*, postgresql*, psql, pg, pgbouncer, pg_*, sqlstate, patroni",
  mysql: "mysql*, mariadb*, innodb, percona, ha_err*, galera",
  redis: "redis*, valkey, replyerror, sentinel",
  kafka: "kafka*, topic, topics, consumer group, zookeeper, offset, offsets, producers",
  rabbitmq: "rabbit*, amqp, rabbitmq*",
  elasticsearch: "elastic*, opensearch, es data, lucene, kibana",
  etcd: "etcd*",
  nginx: "nginx*, ingress nginx, upstream, openresty",
  dns: "dns, coredns, unbound, servfail, nxdomain, route53",
  tls: "tls, ssl, x509, certificate*, certbot, https, zertifikat*, certificat*, certificad*, 证书, 証明書, сертификат*",
  prometheus: "prometheus*, exporter*, scrape*, grafana, node_exporter, node exporter, targets",
  alertmanager: "alertmanager*, pagerduty, opsgenie, pager duty, on call, receiver, notif*, alert router",
  "github-actions": "github actions, runner*, workflow, workflows, self hosted, actions runner, ci",
  jenkins: "jenkins*",
  gitlab: "gitlab*",
  argo: "argocd, argo cd, argo*, flux",
  thanos: "thanos*, cortex, mimir",
  loki: "loki*, promtail, fluentd, fluentbit, logstash, filebeat, vector",
  vault: "vault*, keycloak, okta",
  mongodb: "mongo*",
  cassandra: "cassandra*, scylla*",
  clickhouse: "clickhouse*",
  haproxy: "haproxy*, envoy, istio*, linkerd, traefik*, varnish",
  apache: "apache, httpd, tomcat, php fpm, phpfpm",
  ceph: "ceph*, glusterfs, nfs, minio*, zfs",
  terraform: "terraform, ansible, puppet, chef, helm",
  windows: "windows, iis, active directory, powershell, mssql, sql server, sqlserver*, hyperv",
  vmware: "vmware, vsphere, esxi, proxmox",
  consul: "consul*, nomad*",
  nats: "nats*, pulsar*, activemq*, sqs, celery",
  memcached: "memcached",
  oracle: "oracle*, db2, sap",
  salesforce: "salesforce, crm, hubspot, jira, confluence, zendesk",
  snmp: "snmp*, juniper, cisco, apcupsd, ups",
  cloud: "lambda, s3 bucket, cloudfront, rds, aurora, bigquery, snowflake, airflow, spark, dbt",
};

/** A world of its own: its full disk and its expired certificate are other people's, unless the runbook names it too. */
export const worldsApart = {
  situations: ["facility"],
  products: ["windows", "vmware", "salesforce", "snmp"],
} as const satisfies Readonly<Record<string, readonly (keyof typeof situations | keyof typeof products)[]>>;

/** What a text says that asks for something rather than reports a fault: nothing to run, however many words match. */
export const requests = `${inOtherLanguages("requests")},
    would be nice, feature request, nice to have, roadmap, next quarter, next sprint, next year, next month, backlog item, we should ~ schedule, we should add, we should write, should we, could we, please add, please update ~ docs, add support, allow users, upgrade ~ to, migrate ~ to, migrating ~ to, migration plan, release notes, wishlist, enhancement, proposal,
    who owns, who is responsible, how do i, how do we, how can i, question about, which team, where can i find, is there a way, documentation, readme, tutorial, onboarding, refactor*, tech debt, dark mode, typo in,
    too noisy, is noisy, for nothing, false alarm*, false positive*, alert fatigue, alert threshold*, agree on, naming convention, all green, nothing broken, no downtime, nothing to do, no action needed, no action required, end of life, takes over,
    test issue, please ignore, just testing, just checking, hello world, lorem ipsum, postmortem, post mortem, retrospective, lessons learned, game day, fire drill, dry run, license renewal, job posting, thank you, workshop, webinar, training course,
    dependency bump, quarterly review, capacity planning, let s discuss, curious, evaluate ~ alternative*, compare ~ alternative*, learn more, would like to, i d like`;

/** The label in front of a title that says the same: `Plan: …`, `[RFC] …`, `Question: …`. */
export const requestTitle =
  /^\W*(?:plan(?:ning|ung)?|request|feature|feat|question|idea|proposal|rfc|docs?|documentation|chore|discussion|wish|todo|task|epic|story|spike|meeting|reminder|announcement|training|workshop|webinar|course|survey|poll|invitation|invite|agenda|minutes|fyi|release|bump|upgrade|frage|wunsch|vorschlag|idee|aufgabe|propuesta|pregunta|tarea|proposition|tache|pregunta|建议|计划|问题咨询|需求|提案|質問)\b[^:\]]{0,20}[:\]：]/iu;

/** The title of a notice that it is over: there may have been a fault, and nothing is to be run for it now. */
export const resolvedTitle =
  /^\W*(?:re\s*:\s*)?(?:resolved|recovered|recovery|ok|closed|cleared|solved|fixed|behoben|gelost|resolu|resuelto|resolvido|risolto|opgelost|已恢复|已解决|復旧|решено)(?=\W*(?:$|[\]:：)-]))/iu;

/** A title that orders work, which may or may not be about a fault: listed at most, nothing proposed. */
export const taskTitle =
  /^\W*(?:rename|retire|upgrade|bump|add|introduce|document|improve|refactor|reduce|migrate|move|decommission|deprecate|evaluate|consider|order|support|allow|remove|delete|write|automate|weekly|monthly|quarterly|update|create|enable|disable|tune|adjust|lower|raise|reword|translate|archive|publish|review|prepare|schedule|switch|replace|silence|mute|test|install|set up|umbenennen|hinzufugen|erstellen|planen|ajouter|ameliorer|creer|renommer|anadir|agregar|mejorar|crear|renombrar|升级|增加|添加|优化|新增|修改|迁移)(?![\p{L}-])/iu;
