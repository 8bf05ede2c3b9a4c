import { describe, expect, test } from "vitest";
import { createEvaluator } from "../../src/risk/evaluate.ts";
import { whyAttended } from "../../src/risk/unattended.ts";

const evaluate = createEvaluator({ egress: ["localhost"] });
const judge = (command: string) => evaluate(command, { os: "linux", shell: "bash" });

/** Each prints all that something holds in which secrets stand by design. */
const prints = [
  "docker exec web env",
  "docker exec web sh -c 'cat /etc/hostname; env'",
  "docker compose exec web printenv",
  "kubectl exec api-0 -- /usr/bin/env",
  "lxc exec web -- printenv",
  "docker inspect web",
  "crictl inspect abc",
  "terraform output -json",
  "tofu show -json",
  "helm get values db --all",
  "vtysh -c 'show running-config'",
  "curl -s localhost:8080/actuator/env",
  "pm2 env 0",
  "rabbitmqctl list_parameters",
  "rabbitmqadmin list parameters",
  "wp config list",
];

describe("what prints secrets by design", () => {
  test.each(prints)("PA-7 %s is at least medium, and left to people", (command) => {
    const verdict = judge(command);
    expect(verdict.risk).not.toBe("low");
    expect(whyAttended(verdict)).toBeDefined();
  });

  test.each([
    "docker inspect web | jq '.[0].State'",
    "docker inspect web | jq -r '.[0].HostConfig.Memory'",
    "php -i | grep memory_limit",
    "vtysh -c 'show running-config' | grep -A5 'router bgp'",
    "kubectl exec web-0 -- env | grep -c JAVA",
  ])("PA-7 %s is low for people, as its filter picks what it names", (command) => {
    const verdict = judge(command);
    expect(verdict.risk).toBe("low");
    expect(whyAttended(verdict)).toBeDefined();
  });

  test.each([
    "| grep -i pass",
    "| grep ''",
    "| grep .",
    "| grep =",
    "| grep -E '.*'",
    "| grep -v HOME",
    "| grep -E 'HOME|TOKEN'",
    "| jq .",
    "| jq '.[0]'",
    "| jq '.[0].Config'",
    "| jq '.[0].Config.Env'",
    "| cat | grep HOME",
    "; echo | grep HOME",
  ])("PA-7 a filter that picks nothing, or a secret, is none: docker inspect web %s", (filter) => {
    expect(judge(`docker inspect web ${filter}`).risk).not.toBe("low");
  });

  test.each([
    "rabbitmqctl environment",
    "rabbitmq-diagnostics os_env",
    "barman diagnose",
    "pcs stonith config",
    "crm configure show",
    "cibadmin -Q",
    "drbdadm dump",
    "squidclient mgr:config",
    "php-fpm -i",
  ])("PA-7 %s is left to people", (command) => {
    expect(whyAttended(judge(command))).toBeDefined();
  });

  test.each(["env | sort", "redis-cli get job:1", "consul kv get app/config", "git config --get remote.origin.url"])(
    "PA-7 %s shows no more than other reads",
    (command) => {
      expect(judge(command).risk).toBe("low");
    },
  );
});
