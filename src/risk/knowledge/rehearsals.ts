/**
 * Programs that know `--dry-run`. Any other may ignore it (`service x stop --dry-run`, `npm version --dry-run`), or take it for a name after it
 * has acted on the one before (`sv stop app --dry-run`).
 */
import { words } from "../engine/options.ts";

/** By their names, the sub-commands that know it; `*`: each. */
const dryRuns: Readonly<Record<string, string>> = {
  "apt apt-get aptitude nala dpkg apk opkg zypper pip pip3 uv poetry composer conda mamba pdm": "*",
  "npm pnpm": "install i add uninstall remove rm un update up upgrade dedupe ddp prune audit publish pack unpublish",
  "cabal opam": "*",
  git: "fetch pull push clean add commit rm mv prune remote reflog worktree notes send-email lfs svn",
  svn: "merge",
  "hg lerna wrangler": "*",
  "patch stow rsync rclone restic borg borgmatic kopia duplicity tarsnap s3cmd s5cmd azcopy mc": "*",
  "kubectl oc k3s-kubectl microk8s.kubectl k kubectl.exe kubecolor helm argocd argo flux istioctl cilium": "*",
  "kubeadm clusterctl talosctl rosa eksctl tkn velero werf okteto skaffold k3d kustomize minikube odo kn": "*",
  "docker docker.io podman nerdctl finch": "compose auto-update kube play buildx stack",
  "docker-compose podman-compose": "*",
  aws: "ec2 s3",
  "aliyun gcloud": "*",
  "ufw certbot growpart fstrim modprobe depmod partprobe sfdisk flatpak swupd systemd-repart systemd-tmpfiles": "*",
  udevadm: "trigger",
  "ceph cephadm": "orch apply shell bootstrap",
  "wp occ magento console symfony airflow dvc liquibase sqitch kafka-consumer-groups kafka-consumer-groups.sh": "*",
  "rabbitmq-queues rabbitmq-upgrade curator elasticdump tmpreaper nomad": "*",
  "rpm-ostree ostree bootc": "*",
};
const byName: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(dryRuns).flatMap(([names, subs]) => words(names).map((name) => [name, new Set(words(subs))] as const)),
);

/** Whether a program, called with such a first word, only says what it would do if it is given `--dry-run`. */
export function knowsDryRun(program: string, first: string | undefined): boolean {
  const subs = byName.get(program);
  return subs !== undefined && (subs.has("*") || (first !== undefined && subs.has(first)));
}
