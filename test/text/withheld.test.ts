import { expect, test } from "vitest";
import { withheldReason } from "../../src/text/withheld.ts";

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
