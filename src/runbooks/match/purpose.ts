/** What a check is for, in at most five words: the runbook's own, else what its program is used for. Pure. */

import { shellBlocks } from "../sections.ts";

const maxWords = 5;

/** By command, the first words of the remark right above it in its code block. */
export function purposesOf(body: string): ReadonlyMap<string, string> {
  const purposes = new Map<string, string>();
  for (const { lines } of shellBlocks(body)) {
    for (const [index, command] of lines.entries()) {
      const remark = /^#+\s*(?!(?:expect(?:ed|s)?|check|undo)\s*:)(\S.*)$/i.exec(lines[index - 1] ?? "")?.[1];
      if (remark !== undefined && !command.startsWith("#")) purposes.set(command, inWords(remark));
    }
  }
  return purposes;
}

/** What the first program of a command is used for; undefined where that is not known. */
export function purposeOf(command: string): string | undefined {
  const plain = command.replace(/^sudo\s+(?:-\S+\s+)*/, "");
  for (const [pattern, words] of programs) {
    const match = pattern.exec(plain);
    if (match) return inWords(words.replace("$1", () => match[1] ?? "it"));
  }
  return undefined;
}

const inWords = (text: string): string => {
  const few = text.trim().split(/\s+/).slice(0, maxWords).join(" ");
  return (few.charAt(0).toUpperCase() + few.slice(1)).replace(/[\s.,:;]+$/, "");
};

const programs: readonly (readonly [RegExp, string])[] = [
  [/^systemctl\s+(?:status|is-active|is-failed|show)\s+(?:-\S+\s+)*([\w@.-]+)/, "Is $1 running"],
  [/^systemctl\b/, "Which units have failed"],
  [/^journalctl\b.*?(?:-u\s*|--unit[= ])([\w@.-]+)/, "What $1 logged"],
  [/^journalctl\b/, "What the system logged"],
  [/^df\b.*\s-\w*i/, "How many files still fit"],
  [/^df\b/, "How full the disks are"],
  [/^(?:du|ncdu)\b/, "What takes up the space"],
  [/^lsof\s+\+L1\b/, "Which deleted files stay open"],
  [/^(?:lsof|fuser)\b/, "Who has which files open"],
  [/^(?:free|vmstat|smem)\b/, "How much memory is free"],
  [/^(?:uptime|iostat|mpstat|sar)\b/, "How busy the server is"],
  [/^(?:ps|top|htop|pgrep|pidof)\b/, "What is running"],
  [/^(?:ss|netstat)\b/, "Who is connected"],
  [/^dmesg\b/, "What the kernel says"],
  [/^(?:curl|wget|nc)\b/, "Does it answer"],
  [/^(?:ping|mtr|traceroute)\b/, "Can it be reached"],
  [/^(?:dig|nslookup|host|getent)\b/, "What the name resolves to"],
  [/^(?:openssl\s+x509|certbot)\b/, "When the certificate ends"],
  [/^(?:echo\b[^|]*\|\s*)?openssl\s+s_client\b/, "Which certificate is served"],
  [/^(?:psql|mysql|mariadb|mongosh|sqlite3|pg_isready)\b/, "What the database says"],
  [/^redis-cli\b/, "What Redis says"],
  [/^(?:kubectl|oc)\s+logs\b/, "What the pod logged"],
  [/^(?:kubectl|oc|helm)\b/, "What the cluster says"],
  [/^(?:docker|podman|crictl)\s+logs\b/, "What the container logged"],
  [/^(?:docker|podman|crictl)\b/, "How the containers do"],
  [/^(?:nginx\s+-t|apachectl\s+configtest|haproxy\s+-c)/, "Is the configuration valid"],
  [/^(?:tail|zcat|zgrep)\b|^\w+\b.*\/var\/log\//, "What the log says"],
  [/^(?:cat|head|less|grep)\b/, "What the file says"],
  [/^(?:ls|find|stat)\b/, "Which files there are"],
];
