/** What kubectl and oc take and print (`programs/containers.ts`). */
import type { Options } from "../program.ts";

/** Every flag of the verbs that name objects. One that can stand without a value never takes the next word: it is a `flag`. */
// biome-ignore format: filled to the width
export const kubectlFlags: Options = {
  value:
    "-n --namespace -f --filename -k --kustomize -l --selector -o --output -c --container --containers -s --server -L --label-columns -p --patch -e --env " +
    "-v --v --template --context --kubeconfig --cluster --user --username --password --token --as --as-group --as-uid --as-user-extra --cache-dir " +
    "--certificate-authority --client-certificate --client-key --tls-server-name --request-timeout --profile --profile-output --log-flush-frequency " +
    "--vmodule --chunk-size --concurrency --current-replicas --docker-email --docker-password --docker-server --docker-username --field-manager " +
    "--field-selector --for --from --from-env-file --from-file --from-literal --grace-period --group --image --key --keys --cert --limit --limits " +
    "--max --min --name --overrides --patch-file --prefix --prune-allowlist --raw --replicas --requests --resource-version --serviceaccount --since " +
    "--since-time --sort-by --subresource --tail --timeout --to --type --types --cpu-percent --to-revision --revision --kuberc --append-path",
  flag:
    "-A --all-namespaces -R --recursive -i --interactive -t --tty -w --watch -h --help -q --quiet --all --allow-missing-template-keys --append-hash --cascade " +
    "--create-annotation --disable-compression --dry-run --edit --force --force-conflicts --ignore-not-found --insecure-skip-tls-verify --list --local " +
    "--match-server-version --no-headers --now --openapi-patch --output-patch --output-watch-events --overwrite --prune --resolve --save-config " +
    "--server-print --server-side --show-events --show-kind --show-labels --show-managed-fields --validate --wait --warnings-as-errors --watch-only " +
    "--windows-line-endings --confirm",
};

/** Verbs with an output of their own, which holds no object that they name. */
// biome-ignore format: filled to the width
export const silentVerbs =
  "logs log exec attach cp port-forward proxy rsh rsync run debug explain api-resources api-versions version cluster-info auth config completion options " +
  "plugin top drain cordon uncordon taint describe diff scale autoscale expose rollout delete events certificate adm policy whoami project projects status";

/** What may be seen of a secret: its name, kind, age and labels, and certificates, which are public. */
const publicField = String.raw`(?:\.items\[[*\d:]*\])?\.(?:metadata\.(?:name|namespace|creationTimestamp|labels[\w\\./-]*)|type|data\.(?:tls|ca)\\\.crt)`;

/** Each action of these templates is known: any other (`['data']`, a path without its dot) may show a secret. */
export const publicOutputs = new RegExp(
  String.raw`^(?:name|wide|jsonpath=(?=[\s\S]*\{)(?:[^{}\u0001]|\{ *(?:${publicField}|range \.items\[\*\]|end|"(?:[^"\\{}\u0001]|\\[^\u0001])*") *\})*|` +
    String.raw`custom-columns=[^:,{}\s\u0001]+:${publicField}(?:,[^:,{}\s\u0001]+:${publicField})*)$`,
);
