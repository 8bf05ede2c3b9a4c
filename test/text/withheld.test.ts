import { expect, test } from "vitest";
import { createRedactor } from "../../src/text/redact.ts";
import { createDrawnShare, withheldReason } from "../../src/text/withheld.ts";

test.each(
  [
    ["env", "sudo env | sort", "printenv", "printenv DB_PASSWORD", "export -p", "Get-ChildItem env:"],
    ["cat /home/deploy/.ssh/id_rsa", "sudo head -5 ~/.ssh/id_ed25519", "cat /etc/shadow"],
    ["cat /proc/812/environ | tr '\\0' '\\n'", "cat /run/secrets/db_password", "grep -r . /srv/app/.env"],
    ["cat .env", "cat ~/.aws/credentials", "kubectl get secret shop-db -o yaml"],
    ["kubectl -n prod get secrets -o jsonpath='{.data}'", "kubectl config view --raw"],
    ["kubectl exec shop-1 -- env", "docker exec shop printenv", "vault kv get secret/shop"],
    ["aws secretsmanager get-secret-value --secret-id x", "gcloud secrets versions access latest --secret=x"],
    ["gh auth token", "bash -c 'env'", "true; env"],
  ].flat(),
)("SR-45 the output of %j is withheld", (command) => expect(withheldReason(command)).toMatch(/^it /));

test.each(
  [
    ["env FOO=1 systemctl status shop", "systemctl status shop", "kubectl get secrets"],
    ["kubectl get pods -o yaml", "cat /etc/nginx/nginx.conf", "cat ~/.ssh/id_rsa.pub", "cat ~/.ssh/known_hosts"],
    ["printenv PATH", "journalctl -u shop --since 14:00", "set -e; df -h", "ls -l /run/secrets"],
    ["grep environment /etc/app.conf", "docker ps", "cat .env.example"],
  ].flat(),
)("SR-45 the output of %j is redacted only", (command) => expect(withheldReason(command)).toBeUndefined());

const isMostlyDrawn = (...pieces: readonly string[]): boolean => {
  const share = createDrawnShare();
  for (const piece of pieces) share.push(piece);
  return share.isMost();
};

const key = ["gR8kd02LmQzTr5", "WvYx1N9sQa3Lf7"].join("");

test("SR-45 an output that is mostly what looks drawn at random is no output to show", () => {
  expect(isMostlyDrawn(`${key}\n${key}x\nnode-1\n`)).toBe(true);
  expect(isMostlyDrawn(`${key}\n`, `${key}x\n`)).toBe(true);
});

test.each([
  ["one key in a sentence", `the key ${key} was found on the second of three nodes of the cluster\n`],
  ["hashes of files", `${"0f3c9a12".repeat(8)}  a.tar\n${"9a120f3c".repeat(8)}  b.tar\n`],
  ["a certificate", `-----BEGIN CERTIFICATE-----\n${key}${key}\n${key}${key}\n-----END CERTIFICATE-----\n`],
  ["public keys", `ssh-rsa AAAA${key}${key}${key} ann@web-1\n`],
  ["nothing", ""],
])("SR-45 %s is shown", (_, text) => expect(isMostlyDrawn(text)).toBe(false));

test.each([
  ["headscale preauthkeys create --user ops", "4f1c9a2b77e05d31c8a4\n", "[REDACTED]\n"],
  ["az redis list-keys -n cache --query primaryKey -o tsv", `${key}\n`, "[REDACTED]\n"],
  ["cat /srv/app/admin.password", "lagoon42\n", "[REDACTED]\n"],
  ["vault kv get -field=password kv/erp", "mOo(s 7 + x\n", "[REDACTED]\n"],
  ["vault kv get -field=password kv/erp", "Error: no value found\n", "Error: no value found\n"],
  ["cat /etc/exim4/passwd.client", "mx.example.org:relay:Farn/{kraut\n", "mx.example.org:relay:[REDACTED]\n"],
  ["cat /etc/passwd", "root:x:0:0:root:/root:/bin/sh\n", "root:x:0:0:root:/root:/bin/sh\n"],
  ["systemctl status shop", "lagoon42\n", "lagoon42\n"],
])("SR-45 what %s was asked for is hidden where it stands bare", (command, output, shown) => {
  expect(createRedactor()(output, { command })).toMatchObject({ ok: true, text: shown });
});
