import { isSurelyDrawn } from "./redact/decide.ts";

const readers =
  "(?:cat|bat|batcat|tac|nl|less|more|most|head|tail|strings|xxd|od|hexdump|base64|base32|grep|egrep|fgrep|zgrep|rg|ag|awk|gawk|sed|cut|sort|uniq|tee|diff|cp|scp|rsync|curl|type|gc|Get-Content|Select-String|findstr|openssl|ssh-keygen|jq|yq|dd|vim?|nano|view|python3?|perl|tar|zip|gpg)";

const secretFiles = [
  String.raw`[\w./~*$-]*\bid_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?![\w.-]*\.pub\b)`,
  String.raw`\S*\.ssh/(?!known_hosts|authorized_keys|config\b|\S*\.pub\b)\S+`,
  String.raw`\S*(?:/|\b)ssh_host_\w+_key(?!\.pub)\b`,
  String.raw`\S*\.(?:key|p12|pfx|jks|keystore|ppk|kdbx|asc|gpg)\b`,
  String.raw`\S*(?:privkey|private[-_]?key|server-key|client-key)\S*\.pem\b`,
  String.raw`/etc/(?:g?shadow|master\.passwd|krb5\.keytab|sudoers\.d/\S*pass\S*)-?`,
  String.raw`/proc/[^\s/]+/(?:environ|mem)\b`,
  String.raw`(?:/run|/var/run)/secrets/\S+`,
  String.raw`\S*(?:^|/)\.(?:env(?!\.example|\.sample|\.template)[\w.-]*|netrc|pgpass|my\.cnf|git-credentials|npmrc|pypirc|htpasswd|vault-token|dockercfg|s3cfg|boto)\b`,
  String.raw`(?:\S*/)?(?:\.env|\.netrc|\.pgpass|\.git-credentials|_netrc)\b(?!\.example|\.sample|\.template)`,
  String.raw`\S*\.aws/credentials\b`,
  String.raw`\S*\.kube/config\b|/etc/kubernetes/(?:admin|super-admin|controller-manager|scheduler|kubelet)\.conf\b`,
  String.raw`\S*\.docker/config\.json\b`,
  String.raw`\S*application_default_credentials\.json\b`,
].join("|");

/** A command's start: of the line, or after a pipe, list operator, shell's -c or wrapper. */
const start = String.raw`(?:^|[|;&(\n{]|\$\(|\x60|\b(?:sudo(?:\s+-\S+(?:\s+\w+)?)*|exec|time|nohup|nice|command|builtin|xargs|do|then|--|(?:ba|z|da|k)?sh\s+-l?c)\s)\s*["']?\s*(?:[A-Za-z_]\w*=\S*\s+)*(?:/\S*/)?`;

const startsWith = (body: string): RegExp => new RegExp(start + body, "i");

/** Commands whose whole output is secret, without a recognizable shape. */
const secretCommands: readonly { readonly reason: string; readonly pattern: RegExp }[] = [
  { reason: "prints the whole environment", pattern: startsWith(String.raw`env(?:\s+-\S+)*\s*(?:$|[|;&>)"'\n])`) },
  {
    reason: "prints the environment",
    pattern: startsWith(String.raw`printenv\b(?!\s+(?:PATH|HOME|USER|SHELL|LANG|PWD|TZ|TERM|HOSTNAME)\s*$)`),
  },
  {
    reason: "prints every variable of the shell",
    pattern: startsWith(
      String.raw`(?:set|export|export\s+-p|declare|declare\s+-\w*[px]\w*|typeset(?:\s+-\w+)?|compgen\s+-v|ls\s+env:|(?:dir|gci|get-childitem|get-item|gi)\s+(?:-path\s+)?["']?env:\S*)\s*(?:$|[|;&>)"'\n])`,
    ),
  },
  {
    reason: "prints the environment of processes",
    pattern: startsWith(String.raw`ps\s+(?:-?[a-z]*e[a-z]*ww?[a-z]*|-?(?:ax|aux|ww)[a-z]*e[a-z]*|eww\S*|e)\b(?!\s*-)`),
  },
  {
    reason: "prints a file of secrets",
    pattern: startsWith(String.raw`${readers}\b[^|;&\n]*?(?:[\s"'<=@:])(?:${secretFiles})`),
  },
  { reason: "prints a file of secrets", pattern: new RegExp(String.raw`<\s*(?:${secretFiles})`, "i") },
  {
    reason: "prints Kubernetes secrets",
    pattern: startsWith(
      String.raw`(?:kubectl|oc|k|k3s\s+kubectl|microk8s\s+kubectl)\s[^|;&\n]*?\b(?:get|view-secret)\s[^|;&\n]*?\bsecrets?\b[^|;&\n]*?(?:-o\s*=?|--output[ =]|--template|-ojson|-oyaml|-ogo)(?!\s*(?:wide|name)\b)`,
    ),
  },
  {
    reason: "extracts Kubernetes secrets",
    pattern: startsWith(
      String.raw`(?:kubectl|oc)\s[^|;&\n]*?\b(?:view-secret|extract\s+secret|config\s+view\b[^|;&\n]*--raw|create\s+token|whoami\s+(?:-t|--show-token))`,
    ),
  },
  {
    reason: "prints a join token",
    pattern: startsWith(
      String.raw`(?:kubeadm\s+(?:token|certs\s+certificate-key|config\s+view)|docker\s+swarm\s+(?:join-token|unlock-key))\b`,
    ),
  },
  {
    reason: "reads a vault",
    pattern: startsWith(
      String.raw`vault\s+(?:[^|;&\n]*?\s)?(?:read|kv\s+get|token\s+create|print\s+token|unwrap|operator\s+(?:init|unseal|generate-root))\b`,
    ),
  },
  {
    reason: "reads a secret store",
    pattern: startsWith(
      String.raw`aws\s[^|;&\n]*?\b(?:get-secret-value|get-session-token|assume-role\S*|export-credentials|get-login-password|get-authorization-token|create-access-key|generate-db-auth-token|batch-get-secret-value|get-parameters?(?:-by-path)?\b[^|;&\n]*--with-decryption|kms\s+decrypt)`,
    ),
  },
  {
    reason: "reads a secret store",
    pattern: startsWith(
      String.raw`(?:gcloud\s[^|;&\n]*?(?:secrets\s+versions\s+access|print-(?:access|identity)-token|service-accounts\s+keys\s+create)|az\s[^|;&\n]*?(?:keyvault\s+secret\s+(?:show|download)|get-access-token|keys?\s+list|list-keys|show-connection-string|list-connection-strings|acr\s+credential|create-for-rbac)|gh\s+auth\s+token|glab\s+auth\s+token|heroku\s+(?:config|auth:token)|doppler\s+(?:secrets|run)|op\s+(?:read|item\s+get)|bw\s+get|pass\s+(?:show\s+)?\S*\w+/|lpass\s+show|chamber\s+(?:read|export|env)|sops\s+(?:-d|--decrypt|decrypt|exec)|ansible-vault\s+(?:view|decrypt)|security\s+(?:find-(?:generic|internet)-password|dump-keychain)|secret-tool\s+lookup|keyring\s+get|fly(?:ctl)?\s+auth\s+token|consul\s+(?:kv\s+get|acl)|terraform\s+(?:output|state\s+pull)|pulumi\s+[^|;&\n]*--show-secrets|systemd-creds\s+(?:cat|decrypt))`,
    ),
  },
  {
    reason: "prints a private key",
    pattern: startsWith(
      String.raw`(?:gpg2?\s[^|;&\n]*?--export-secret-(?:sub)?keys|openssl\s+(?:genrsa|genpkey|rsa|ec|pkey|pkcs8|pkcs12|rand)\b(?![^|;&\n]*(?:-pubout|-pubin|-noout|-check|\s-out\s))|wg\s+(?:genkey|genpsk|showconf|show\s+\S+\s+(?:private-key|preshared-keys|dump))|age-keygen|ssh-keygen\s+-y\b|pwgen|apg|getent\s+g?shadow|mimikatz|secretsdump|unshadow|keytool\s[^|;&\n]*-export)`,
    ),
  },
  {
    reason: "prints the environment of a container",
    pattern: startsWith(
      String.raw`(?:docker|podman|nerdctl|crictl)\s[^|;&\n]*?\b(?:exec|run|inspect)\b[^|;&\n]*?(?:\s(?:printenv|env)\s*(?:$|[|;&>)"'\n])|\.Config\.Env)`,
    ),
  },
  {
    reason: "prints the environment of a container",
    pattern: startsWith(
      String.raw`(?:kubectl|oc)\s[^|;&\n]*?\b(?:exec|run)\b[^|;&\n]*?\s(?:printenv|env)\s*(?:$|[|;&>)"'\n])`,
    ),
  },
  {
    reason: "prints the environment of a service",
    pattern: startsWith(
      String.raw`systemctl\s[^|;&\n]*?\b(?:show-environment|show\b[^|;&\n]*(?:-p|--property)[ =]?\S*Environment)`,
    ),
  },
  {
    reason: "prints cached credentials",
    pattern: startsWith(
      String.raw`(?:git\s+credential\s+fill|git\s+credential-\w+\s+get|cmdkey\s+/list|Get-Credential|Get-StoredCredential|Get-AzKeyVaultSecret|Get-SECSecretValue|vaultcmd|netsh\s+wlan\s+[^|;&\n]*key=clear|reg\s+(?:save|export)\s+hklm\\(?:sam|security|system)|klist\s[^|;&\n]*-K)`,
    ),
  },
];

/** Longer commands cannot be proposed (SR-34). */
const longestCommand = 4000;

/** Undefined if the redactor is enough. */
export function withheldReason(command: string): string | undefined {
  const text = command.slice(0, longestCommand).trim();
  const found = secretCommands.find(({ pattern }) => pattern.test(text));
  return found && `it ${found.reason}`;
}

/** So much of an output tells what it is made of. */
const mostLooked = 64 * 1024;

/** An output this small with a word or two is what `answers.ts` judges. */
const leastDrawn = 40;

/** Certificates and public keys look drawn, and anybody may read them. */
const isPublished = /BEGIN (?:CERTIFICATE|PUBLIC|PGP PUBLIC|X509|TRUSTED)|(?:ssh-\S+|ecdsa-\S+) AAAA/;

/** Whether a redacted output is mostly what still looks drawn at random: keys without names. */
export function createDrawnShare(): { readonly push: (text: string) => void; readonly isMost: () => boolean } {
  let looked = 0;
  let all = 0;
  let drawn = 0;
  let isPublic = false;
  return {
    push: (text) => {
      if (looked >= mostLooked || isPublic) return;
      const sample = text.slice(0, mostLooked - looked);
      looked += sample.length;
      isPublic = isPublished.test(sample);
      for (const [word] of sample.matchAll(/\S{1,512}/g)) {
        all += word.length;
        if (word.length >= 16 && isSurelyDrawn(word)) drawn += word.length;
      }
    },
    isMost: () => !isPublic && drawn >= leastDrawn && drawn * 2 > all,
  };
}
