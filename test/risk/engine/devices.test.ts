import { describe, expect, it } from "vitest";
import { createEvaluator } from "../../../src/risk/evaluate.ts";
import { whyAttended } from "../../../src/risk/unattended.ts";

const evaluate = createEvaluator({ egress: ["*.internal"] });
const verdictOf = (command: string) => evaluate(command, { os: "linux", shell: "bash" });
const riskOf = (command: string) => verdictOf(command).risk;

describe("PA-7 what is read by opening it is taken from others, and a secret is one wherever it is kept", () => {
  it.each([
    "/dev/mcelog",
    "/dev/serial/by-id/usb-x",
    "/dev/virtio-ports/org.qemu.guest_agent.0",
    "/dev/vport1p1",
    "/dev/xconsole",
    "/dev/lirc0",
    "/sys/devices/pci0000:00/0000:00:1f.2/resource0",
    "/sys/class/net/eth0/device/rom",
  ])("reading %s is medium", (device) => expect(riskOf(`cat ${device}`)).toBe("medium"));
  it.each(["/dev/null", "/dev/shm/app.stat", "/sys/bus/pci/devices/0000:01:00.0/numa_node"])(
    "reading %s is low",
    (path) => expect(riskOf(`cat ${path}`)).toBe("low"),
  );
  it("lists an archive, but moves no tape for it", () => {
    expect(riskOf("tar tf /dev/nst0")).toBe("medium");
    expect(riskOf("tar tf /srv/x.tar")).toBe("low");
  });

  it.each([
    "/root/.ssh/deploy_key",
    "/home/bob/.ssh/work_rsa",
    "/etc/tinc/vpn/rsa_key.priv",
    "/root/.google_authenticator",
    "/etc/luks-keys/data",
    "/root/.config/sops/age/keys.txt",
    "/etc/letsencrypt/accounts/acme/directory/1/private_key.json",
    "/var/lib/sss/db/cache_x.ldb",
    "/tmp/krb5cc_0",
    "/var/lib/kubelet/pods/a/volumes/kubernetes.io~secret/b/value",
    "/etc/opendkim/keys/example.org/default.private",
    "/root/.vnc/passwd",
  ])("reading %s is blocked", (path) => expect(riskOf(`cat ${path}`)).toBe("block"));
  it.each([
    "/etc/pgbouncer/userlist.txt",
    "/var/lib/jenkins/secrets/initialAdminPassword",
    "/run/containers/0/auth.json",
    "/var/lib/kubelet/config.json",
    "/root/.msmtprc",
    "/opt/tomcat/conf/tomcat-users.xml",
    "/etc/ansible/.vault_pass",
    "/srv/app/config/database.yml",
    "/etc/openldap/slapd.conf",
    "/root/.subversion/auth/svn.simple/abc",
    "/var/lib/mysql/mysql/user.MYD",
    "/srv/app/terraform.tfstate",
    "/etc/dovecot/users",
    "/root/.aws/sso/cache/x.json",
  ])("reading %s is high", (path) => expect(riskOf(`cat ${path}`)).toBe("high"));
  it.each(["/root/.ssh/authorized_keys", "/root/.ssh/known_hosts", "/root/.ssh/config", "/home/bob/.ssh/id_rsa.pub"])(
    "reading %s is low",
    (path) => expect(riskOf(`cat ${path}`)).toBe("low"),
  );
});

describe("PA-7 a folder that is read with all below it is read with the secrets that are kept there", () => {
  it.each([
    "grep -r root /etc",
    "rg -uuu x /root",
    "diff -r /etc /srv/old",
    "tar cf - /etc/ssl",
    "grep -rh x /var/lib",
  ])("%s never runs unattended", (command) => expect(whyAttended(verdictOf(command))).toBeDefined());
  it.each([
    "grep -r root /etc/nginx",
    "rg x /srv/app",
    "grep -rl root /etc",
    "diff -r /srv/a /srv/b",
    "grep root /etc/hosts",
  ])("%s may", (command) => expect([riskOf(command), whyAttended(verdictOf(command))]).toEqual(["low", undefined]));
});
