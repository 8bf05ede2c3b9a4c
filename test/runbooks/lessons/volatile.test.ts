import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placesForVolatile, withoutVolatile } from "../../../src/runbooks/lessons.ts";

describe("issue 24.5 what belongs to one incident alone is a place in a runbook", () => {
  it.each([
    ["kubectl logs checkout-7d9f8b6c5-x2x4z -n shop", "kubectl logs <pod> -n shop"],
    ["kubectl -n shop delete pod/backup-28391234-k8zqz", "kubectl -n shop delete pod/<pod>"],
    ["kubectl describe pod fluentd-bcdfg", "kubectl describe pod <pod>"],
    ["kubectl describe rs checkout-7d9f8b6c5", "kubectl describe rs <replicaset>"],
    [
      "kubectl rollout undo deploy/checkout --to-revision=12",
      "kubectl rollout undo deploy/checkout --to-revision=<revision>",
    ],
    ["helm rollback checkout 41", "helm rollback checkout <revision>"],
    ["git -C /srv/app checkout deadbee", "git -C /srv/app checkout <revision>"],
    ["docker logs 4f5a6b7c8d9e", "docker logs <container>"],
    ["docker pull acme/app:3f2a9c1d", "docker pull acme/app:<revision>"],
    ["sudo kill -9 21733 21734", "sudo kill -9 <pid>"],
    ["strace -f -p 4242 | head -5", "strace -f -p <pid> | head -5"],
    ["cat /proc/4242/status", "cat /proc/<pid>/status"],
    ["curl -s http://10.0.3.4:9100/metrics", "curl -s http://<host>:9100/metrics"],
    ["ping -c 1 2001:db8::7", "ping -c 1 <host>"],
    ['journalctl -u app --since "2026-11-24 03:12"', "journalctl -u app --since <time>"],
    ["ls /backup/dump-20261124.sql", "ls /backup/dump-<time>.sql"],
    ["grep 0191d5a8-1f2e-7c3d-8e4f-5a6b7c8d9e0f app.log", "grep <id> app.log"],
    // What comes again stays.
    ["kubectl logs web-0 -n shop --tail=200", "kubectl logs web-0 -n shop --tail=200"],
    ["kubectl rollout restart deploy/checkout-api", "kubectl rollout restart deploy/checkout-api"],
    ["ssh-keygen -t ed25519 -f /etc/ssh/key", "ssh-keygen -t ed25519 -f /etc/ssh/key"],
    ["curl http://127.0.0.1:8080/health", "curl http://127.0.0.1:8080/health"],
    ["ssh -p 2222 db-1 uptime", "ssh -p 2222 db-1 uptime"],
    ["head -c 1048576 /var/log/app.log", "head -c 1048576 /var/log/app.log"],
    ["systemctl restart postgresql-15", "systemctl restart postgresql-15"],
    ["kubectl -n <namespace> logs <pod>", "kubectl -n <namespace> logs <pod>"],
  ])("%s", (command, expected) => {
    expect(placesForVolatile(command)).toBe(expected);
    expect(placesForVolatile(expected)).toBe(expected);
  });

  const safe = fc.constantFrom(..."bcdfghjklmnpqrstvwxz2456789");
  const random = (minLength: number, maxLength = minLength) => fc.string({ unit: safe, minLength, maxLength });
  const hex = (length: number) =>
    fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: length, maxLength: length });
  const workload = fc.stringMatching(/^[a-z]{3,9}(-[a-z]{2,6})?$/);
  const values = {
    pod: fc.tuple(workload, random(6, 10), random(5)).map((parts) => parts.join("-")),
    id: fc.uuid(),
    commit: hex(40),
    time: fc
      .date({ min: new Date("2020-01-01"), max: new Date("2039-12-31"), noInvalidDate: true })
      .map((at) => at.toISOString()),
    address: fc.ipV4().filter((one) => !/^(?:127\.|0\.0\.0\.0$)/.test(one)),
    address6: fc.ipV6().filter((one) => !/^::1?$/.test(one) && !one.includes(".")),
    pid: fc.integer({ min: 2, max: 4_194_304 }).map(String),
  };
  it.each([
    ["pod", (value: string) => `kubectl -n shop logs ${value} --tail=50`],
    ["pod", (value: string) => `kubectl exec -it pod/${value} -- ps aux`],
    ["id", (value: string) => `grep ${value} /var/log/app.log`],
    ["commit", (value: string) => `git -C /srv/app revert ${value}`],
    ["commit", (value: string) => `docker pull acme/app:${value}`],
    ["time", (value: string) => `journalctl --since ${value}`],
    ["address", (value: string) => `curl http://${value}:9100/metrics`],
    ["address6", (value: string) => `ping -c 1 ${value}`],
    ["pid", (value: string) => `kill -TERM ${value}`],
    ["pid", (value: string) => `cat /proc/${value}/limits`],
  ] as const)("no %s of whatever form is left in it, nor in a sentence", (kind, commandOf) => {
    fc.assert(
      fc.property(values[kind], (value) => {
        const command = placesForVolatile(commandOf(value));
        expect(command).not.toContain(value);
        expect(command).toMatch(/<(?:pod|id|revision|time|host|pid)>/);
        if (kind !== "pid") expect(withoutVolatile(`Since noon ${value} is slow`)).not.toContain(value);
      }),
    );
  });

  it.each([
    ["checkout-7d9f8b6c5-x2x4z is OOMKilled", "checkout is OOMKilled"],
    ["PID 4242 on 10.0.3.4 eats memory (since 2026-11-24T03:12Z)", "PID on eats memory (since)"],
    ["Rollback to 3f2a9c1d failed", "Rollback to failed"],
    ["HostOutOfDiskSpace", "HostOutOfDiskSpace"],
  ])("%s", (title, expected) => {
    expect(withoutVolatile(title)).toBe(expected);
  });
});
