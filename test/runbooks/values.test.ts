import { describe, expect, test } from "vitest";
import type { NamedValue } from "../../src/base/action.ts";
import { placesIn } from "../../src/runbooks/places.ts";
import { serverNamedBy } from "../../src/runbooks/target.ts";
import { fillPlaces, misfitOf } from "../../src/runbooks/values.ts";

const alert = (labels: Readonly<Record<string, string>>): readonly NamedValue[] =>
  Object.entries(labels).map(([name, value]) => ({ source: "alert", name, value }));
const labels = alert({
  namespace: "shop",
  pod: "cart-7f9",
  instance: "web-1:9100",
  mountpoint: "/var/log",
  pid: "311",
});
const filled = (command: string, values = labels) => fillPlaces(command, values, { shells: ["bash"], isRunbook: true });
const names = (command: string, isRunbook = true) => placesIn(command, { isRunbook }).map(({ name }) => name);

describe("WF-3 what is a free place of a command", () => {
  test.each([
    ["kubectl -n <namespace> logs <pod-name>", ["namespace", "pod_name"]],
    ["kubectl delete pod [pod-name] -n [namespace] --force", ["pod_name", "namespace"]],
    ['kubectl -n "[namespace]" get pod/[pod] --context=[cluster name]', ["namespace", "pod", "cluster_name"]],
    ["systemctl status [service]; ssh [user]@[host] df", ["service", "user", "host"]],
    ["aws s3 ls s3://YOUR_BUCKET/your-folder --profile 'YOUR_PROFILE'", ["your_bucket", "your_folder", "your_profile"]],
    ["kubectl -n {{namespace}} logs {{ pod }}", ["namespace", "pod"]],
    ['kubectl -n "<alert namespace label>" get pods', ["alert_namespace_label"]],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's.
    ["kubectl -n $NAMESPACE logs ${pod}", ["namespace", "pod"]],
    ["kubectl logs {{ $labels.pod }} -n {{ .CommonLabels.namespace }}", ["pod", "namespace"]],
    [
      "oc debug node/<node> -- df <value of mountpoint label from alert>",
      ["node", "value_of_mountpoint_label_from_alert"],
    ],
    ["oc process -p NAMESPACE=$NAMESPACE", ["namespace"]],
    ['kubectl -n "$NS" get pod', ["ns"]],
    ["grep '<pod>' \"<namespace>\" {{ .Labels.pod }}", ["pod", "namespace", "pod"]],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's.
    ["echo ${POD%-*}", ["pod"]],
  ])("WF-3 %s", (command, wanted) => expect(names(command)).toEqual(wanted));

  test.each([
    ["what the script sets itself", "POD=$(oc get pod -o name | head -1) && oc delete $POD"],
    ["what a loop sets", "for POD in a b; do oc logs $POD; done"],
    ["what is read", "oc get pod -o name | while read -r POD; do oc logs $POD; done"],
    ["what is set behind another, or by export", "NS=shop APP=cart; oc delete $APP; export A=1 POD=x; oc logs $POD"],
    [
      "what a condition sets",
      "if ! POD=$(oc get pod -o name); then oc logs $POD; fi; while X=1 NS=$(x); do x $NS; done",
    ],
    ["what an array is read into", "mapfile -t POD < pods; oc delete $POD; select NODE in a b; do drain $NODE; done"],
    ["what has a default", `: ${"$"}{NS:=shop}; oc get pod -n $NS`],
    ["what a server's environment has", "ls $JAVA_HOME $PGDATA $XDG_DATA_HOME $LD_LIBRARY_PATH $AWS_REGION"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's.
    ["what every shell has", "ls $HOME $PATH ${USER} $KUBECONFIG"],
    ["arguments and codes", "echo $1 $? $# $@"],
    ["awk's fields", "oc get pod | awk '{print $1, $NF}'"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's.
    ["what stands in single quotes", "sh -c 'echo $POD ${POD}'"],
    ["what is escaped", "echo \\$POD"],
    ["a variable that is no label's name", "echo $retries"],
    ["redirections", "sort <in >out"],
    ["what programs print", "oc get <none> <pending> <unknown> <invalid> <nil> <title> <in> <out>"],
    ["an unknown name in quotes", "grep '<error>' a; grep \"<some text>\" a; echo '{{reason}}'"],
    [
      "a container's own label",
      "docker ps --format '{{.Names}} {{.Labels.pod}}'; docker inspect -f \"{{.Labels.pod}}\" a",
    ],
    ["a test of the shell", "[ -f x ] && [[ -n $1 ]] && ls"],
    ["a glob", "ls /var/log/[a-z]* [abc] file[0-9] [a-zA-Z_] x/[!a]/y && ps | grep [n]ginx"],
    ["a section's name that a program looks for", "grep -A3 '[Service]' a; sed -n '/[Unit]/p' a; grep [Service] b"],
    ["a list or an index in quotes", "jq '.[name]' a; oc get pod -o jsonpath='{.items[0].name}'; x \"[service]s\""],
    ["an address in brackets", "curl http://[fe80::1]:80/ [::1]:22"],
    ["a type of PowerShell", "[int]$n; [System.IO.File]::Exists('a')"],
    ["a variable of that name", "YOUR_POD=a ls"],
    ["a template's own words", "kubectl get pods -o go-template='{{range .items}}{{.metadata.name}}{{end}}'"],
  ])("WF-3 %s is none", (_, command) => expect(names(command)).toEqual([]));

  test("WF-3 who writes a command for this incident means the shell's variable, and what is quoted as it stands", () => {
    expect(names("echo $POD '<pod>' \"<pod>\" <pod> {{ $labels.pod }} {{name}} {{.Labels.pod}}", false)).toEqual([
      "pod",
      "pod",
    ]);
  });
});

describe("WF-3 a secret", () => {
  const secrets = ["<token>", "$DB_PASSWORD", "<your api key>", "{{ $labels.secret }}", "<private_key>", "<PASS>"];
  test.each([...secrets, "<db-passwd>", "$SECRET_KEY", "<unseal key>", "<credentials>"])(
    "WF-3 %s is asked of nobody",
    (place) => {
      const { open, fillable, command } = filled(`login ${place}`, []);
      expect(command).toBe(`login ${place}`);
      expect(fillable).toBe(false);
      expect(open).toMatchObject([{ why: "a secret is read on the server, and is not given here" }]);
      expect(names(`login ${place}`, false)).toEqual([]);
      expect(misfitOf(open[0]?.name ?? "", "hunter2")).toContain("a secret is read on the server");
    },
  );

  test.each(["<secret-name>", "<key>", "<node>", "<token-file>"])("WF-3 %s is none", (place) =>
    expect(filled(`x ${place}`, []).fillable).toBe(true),
  );
});

describe("WF-3 a place is filled", () => {
  test("WF-3 where exactly one value has its name, and it is said who gave it", () => {
    expect(filled('kubectl -n "<alert namespace label>" get pods').command).toBe('kubectl -n "shop" get pods');
    expect(filled("kubectl -n $NS delete pod <pod-name>")).toEqual({
      command: "kubectl -n shop delete pod cart-7f9",
      filled: [
        { source: "alert", name: "ns", value: "shop" },
        { source: "alert", name: "pod_name", value: "cart-7f9" },
      ],
      open: [],
      fillable: true,
    });
  });

  test.each([
    ["a host without its port", "ssh <node> uptime", "ssh web-1 uptime"],
    ["an address of the newer kind without its port", "ping <host>", "ping fe80::1", { instance: "[fe80::1]:9100" }],
    ["a path", "du -sh <path>", "du -sh /", { path: "/" }],
    [
      "a Job by its own label before the scraper's",
      "oc logs job/<job>",
      "oc logs job/backup",
      { job: "ksm", job_name: "backup" },
    ],
    ["in quotes", 'oc get pod -l "app=$POD"', 'oc get pod -l "app=cart-7f9"'],
    ["the name as it is asked for before another of the same thing", "x <node>", "x a", { node: "a", instance: "b:1" }],
  ] as const)("WF-3 with %s", (_, command, wanted, own?: Readonly<Record<string, string>>) =>
    expect(filled(command, own ? alert(own) : labels)).toMatchObject({ command: wanted, open: [] }),
  );

  test.each([
    ["nothing has the name", "oc delete pvc <pvc>", {}, undefined],
    [
      "two values have it",
      "ping <host>",
      { node: "a", instance: "b:9100" },
      "several different values are known; give the right one",
    ],
    ["it is no name", "oc delete pod <pod>", { pod: "a b" }, "the alert's value is not a name"],
    ["it would be an option", "oc delete pod <pod>", { pod: "--all" }, "the alert's value is not a name"],
    ["it is no number", "kill <pid>", { pid: "1; id" }, "the alert's value is not a number"],
    ["it leaves its folder", "rm /tmp/<file>", { file: "../etc/passwd" }, "the alert's value is not a path"],
    [
      "it would name the program",
      "<tool> status",
      { tool: "reboot" },
      "the bot won't fill in a program or an option; give it yourself",
    ],
    [
      "it would name an option",
      "kill -<signal> 1",
      { signal: "KILL" },
      "the bot won't fill in a program or an option; give it yourself",
    ],
    ["it means a secret", "login --as <admin-token>", { admin_token: "abc" }, "a secret is read on the server"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's.
    ["the shell is to work it out", "oc logs ${POD%-*}", { pod: "a-b" }, undefined],
  ] as const)("WF-3 not where %s: it stays open, with the reason", (_, command, own, why) => {
    const { command: text, open } = filled(command, alert(own));
    expect(text).toBe(command);
    expect(open).toHaveLength(1);
    expect(open[0]?.why?.startsWith(why ?? "-") ?? false).toBe(why !== undefined);
  });

  test("WF-3 not where the alert and the form disagree; where a person has said it, their word goes", () => {
    const form: NamedValue = { source: "form", name: "ns", value: "other" };
    const both = [...alert({ ns: "shop" }), form];
    expect(filled("x $NS", both)).toMatchObject({
      command: "x $NS",
      open: [{ why: "several different values are known; give the right one" }],
    });
    expect(filled("x $NS", [...both, { source: "person", name: "ns", value: "mine" }])).toMatchObject({
      command: "x mine",
      filled: [{ source: "person" }],
    });
    expect(filled("x $NS", [...alert({ ns: "shop" }), { ...form, value: "shop" }]).open).toEqual([]);
  });

  test("WF-3 not where the servers' shells would read it in different ways", () => {
    const text: NamedValue = { source: "person", name: "why", value: "two words" };
    const on = (...shells: readonly ("bash" | "cmd")[]) => fillPlaces("log <why>", [text], { shells, isRunbook: true });
    expect(on("bash").command).toBe("log 'two words'");
    expect(on("bash", "cmd").open).toMatchObject([{ name: "why" }]);
  });
});

test("WF-3 the server that an alert names by instance or node, by its name or address, where it is exactly one", () => {
  const servers = [
    { name: "web-1", host: "10.0.3.4" },
    { name: "web-2", host: "10.0.3.5" },
  ];
  const named = (own: Readonly<Record<string, string>>) => serverNamedBy(alert(own), servers);
  expect(named({ instance: "10.0.3.5:9100" })).toBe("web-2");
  expect(named({ node: "WEB-1" })).toBe("web-1");
  expect(named({ node: "web-1", instance: "10.0.3.5:9100" })).toBeUndefined();
  expect(named({ pod: "web-1" })).toBeUndefined();
  expect(named({ node: "web-1", instance: "10.0.3.4:9100" })).toBe("web-1");
  expect(named({ node: "web-1", instance: "10.9.9.9:9100" })).toBeUndefined();
  expect(named({ node: "web-1", instance: "a b" })).toBeUndefined();
});

test("WF-3 a form chooses no server, a person does, and none is this machine itself", () => {
  const servers = [
    { name: "web-1", host: "127.0.0.1" },
    { name: "localhost", host: "::1" },
    { name: "web-2", host: "0.0.0.0" },
  ];
  const said = (source: NamedValue["source"], value: string): NamedValue => ({ source, name: "host", value });
  expect(serverNamedBy([said("form", "web-1")], servers)).toBeUndefined();
  expect(serverNamedBy([said("alert", "web-1"), said("form", "web-2")], servers)).toBe("web-1");
  expect(serverNamedBy([said("alert", "web-1"), said("person", "web-2")], servers)).toBe("web-2");
  for (const host of ["localhost", "LOCALHOST", "127.0.0.1", "127.0.0.1:9100", "::1", "[::1]:9100", "0.0.0.0:80"])
    expect(serverNamedBy([said("alert", host)], servers), host).toBeUndefined();
});
