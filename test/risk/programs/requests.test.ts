import { describe, expect, test } from "vitest";
import { createEvaluator } from "../../../src/risk/evaluate.ts";

const evaluate = createEvaluator();
const riskOf = (command: string): string => evaluate(command, { os: "linux", shell: "bash" }).risk;

describe("a text sent to a port or socket", () => {
  test.each([
    ["echo stats | nc localhost 11211", "low"],
    ["echo srvr | nc zk 2181", "low"],
    ["printf 'GET /health HTTP/1.1\\r\\nHost: app\\r\\nConnection: close\\r\\n\\r\\n' | nc web1 80", "low"],
    ["printf 'EHLO x\\r\\nQUIT\\r\\n' | nc -w3 mail 25", "low"],
    ["echo 'show info;show stat' | socat stdio /run/haproxy/admin.sock", "low"],
    ["echo > /dev/tcp/db01/5432", "low"],
    ["echo -e 'PING\\r\\n' > /dev/tcp/cache/6379", "low"],
    ["echo 'disable server be/app1' | nc -U /run/haproxy/admin.sock", "medium"],
    ["echo 'CONFIG SET maxmemory 4gb' | nc cache 6379", "medium"],
    ["echo hello > /dev/tcp/app/514", "medium"],
    ["echo FLUSHALL | nc cache 6379", "high"],
    ["printf '*1\\r\\n$8\\r\\nFLUSHALL\\r\\n' | nc cache 6379", "high"],
    ["echo flush_all | ncat localhost 11211", "high"],
    ["printf 'DELETE /logs HTTP/1.0\\r\\n\\r\\n' | nc es1 9200", "high"],
    ["printf 'GET / HTTP/1.1\\r\\n\\r\\nDELETE /logs HTTP/1.1\\r\\n\\r\\n' | nc es1 9200", "high"],
    ["echo FLUSHALL > /dev/tcp/cache/6379", "high"],
    ["echo shutdown | nc localhost 8005", "high"],
  ])("PA-7 %s is %s", (command, risk) => {
    expect(riskOf(command)).toBe(risk);
  });

  test("PA-7 what is sent is told in one line", () => {
    const { findings } = evaluate("printf '*1\\r\\n$8\\r\\nFLUSHALL\\r\\n' | nc cache 6379", {
      os: "linux",
      shell: "bash",
    });
    expect(findings[0]?.text).toBe("nc sends *1 $8 FLUSHALL");
  });
});

describe("an option that only talks makes nothing harmless", () => {
  test.each([
    ["parted -s /dev/sdb rm 1", "high"],
    ["parted /dev/sdb 'mkpart primary 0% 100%'", "high"],
    ["parted -s /dev/sdb mklabel gpt", "block"],
    ["rmmod -v ixgbe", "high"],
    ["telinit -w 0", "high"],
    ["chpasswd -c SHA512 < /tmp/list", "high"],
    ["quotacheck -avugm", "medium"],
    ["ldapmodify -v -f change.ldif", "medium"],
    ["nginx -q -s reload", "medium"],
    ["envoy -c /etc/envoy.yaml", "medium"],
    ["firewall-cmd --add-port=80/tcp --list-all", "medium"],
    ["git stash push -m list", "medium"],
    ["lvextend -l +100%FREE vg/data", "medium"],
    ["mail -s status ops@x.example < /tmp/report", "high"],
    ["iscsiadm -m session --rescan", "medium"],
    ["npm uninstall list", "high"],
    ["npm run list", "medium"],
    ["git checkout status", "medium"],
    ["auditctl -a never,task -l", "high"],
    ["semanage fcontext -d -l /x", "high"],
    ["mongorestore --drop -l", "high"],
    ["apt-key del list", "high"],
    ["blockdev --setro /dev/sdb --getro", "high"],
    ["iscsiadm -m node -T x -l", "medium"],
    ["zabbix_sender -z h -k status -o 1", "medium"],
    ["dmsetup info -c -o name", "low"],
    ["parted -s /dev/sdb unit s print", "low"],
    ["fdisk -s /dev/sda1", "low"],
    ["haproxy -c -f /etc/haproxy/haproxy.cfg", "low"],
    ["visudo -c", "low"],
  ])("PA-7 %s is %s", (command, risk) => {
    expect(riskOf(command)).toBe(risk);
  });
});

describe("brackets in paths", () => {
  test.each([
    ["cat /etc/[s]hadow", "block"],
    ["rm -rf /[e]tc", "block"],
    [
      "echo 'deb [signed-by=/usr/share/keyrings/x.gpg] https://x.example main' > /etc/apt/sources.list.d/x.list",
      "high",
    ],
  ])("PA-7 %s is %s", (command, risk) => {
    expect(riskOf(command)).toBe(risk);
  });
});

describe("a file system", () => {
  test.each([
    ["mkswap /swapfile", "high"],
    ["mkfs.ext4 -F /srv/disk.img", "high"],
    ["mkfs.xfs -f -L /srv /dev/sdb1", "block"],
    ["cd /dev && mkfs.ext4 ./sda", "block"],
    ["ln -s /dev/sda /tmp/x; mkfs.ext4 /tmp/x", "block"],
    ["mkfs.ext4 UUID=1234", "block"],
    ['mkfs.ext4 "$DEV"', "block"],
    ["blkdiscard /srv/disk.img", "high"],
    ["wipefs -a /mnt/sysroot/dev/sda", "block"],
    ["wipefs -a /var/lib/ceph/osd/ceph-0/block", "block"],
    ["mkfs.xfs -f -l logdev=/dev/sdb,size=1g /var/img", "block"],
    ["scrub -r /dev/sda /tmp/x", "block"],
    ["parted /tmp/x.img select /dev/sda mklabel gpt", "block"],
    ["wipefs -a /tmp/x.img", "high"],
    ["sgdisk -Z ./disk.img", "high"],
    ["parted /tmp/x.img mklabel gpt", "high"],
    ["cryptsetup luksFormat /srv/vault.img", "high"],
    ["badblocks -w /tmp/x.img", "high"],
    ["mkfs.ext4 /tmp/../dev/sda", "block"],
    ["mkfs.ext4 /tmp/x.img /dev/sdb", "block"],
    ["mkfs.ext4 -L /tmp/x sdb", "block"],
    ["wipefs -a /tmp/x.img /dev/sdb", "block"],
    ["lsblk -no NAME | xargs mkfs.ext4", "block"],
    ["mkfs.ext4 /tmp/$X", "block"],
    ["mkfs.ext4 /var/log/auth.log", "block"],
    ["mkswap /home", "block"],
    ["kubectl exec web -- kill -9 1", "high"],
    ["kill -9 1", "block"],
  ])("PA-7 %s is %s", (command, risk) => {
    expect(riskOf(command)).toBe(risk);
  });
});

describe("what may be seen of a secret", () => {
  test.each([
    [String.raw`kubectl get secret tls -o jsonpath='{.data.tls\.crt}'`, "low"],
    ["kubectl get secrets -A -o custom-columns=NS:.metadata.namespace,NAME:.metadata.name,TYPE:.type", "low"],
    ["kubectl get secrets -o=jsonpath='{range .items[*]}{.metadata.name}{end}'", "low"],
    [String.raw`kubectl get secret tls -o jsonpath='{.data.tls\.crt}{.data.tls\.key}'`, "high"],
    [String.raw`kubectl get secret tls -o jsonpath='{.data.tls\.crt}' -o yaml`, "high"],
    ["kubectl get secrets -o jsonpath='{.items[*]}'", "high"],
    ["kubectl get secret x -o jsonpath='{.metadata.annotations}'", "high"],
    ["kubectl get secret x -o jsonpath='{@}'", "high"],
    ["kubectl get secret x -o jsonpath='{..data}'", "high"],
  ])("PA-7 %s is %s", (command, risk) => {
    expect(riskOf(command)).toBe(risk);
  });
});
