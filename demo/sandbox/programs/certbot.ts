import { type Certificate, readPem, writePem } from "../certificate.ts";
import { day } from "../clock.ts";
import { fail, type Program, readArgs, say } from "../program.ts";

const live = "/etc/letsencrypt/live";
const rule = "- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -";
const renewWithin = 30 * day;

/** `certbot certificates | renew [--dry-run] [--cert-name N] [--force-renewal]`: writes the file; nginx still has to load it. */
export const certbot: Program = async (args, { machine, fs }) => {
  const { words, has, text } = readArgs(args, {
    "cert-name": { type: "string" },
    "dry-run": { type: "boolean" },
    "force-renewal": { type: "boolean" },
    "deploy-hook": { type: "string" },
    quiet: { type: "boolean", short: "q" },
  });
  const names = (await fs.exists(live)) ? await fs.readdir(live) : [];
  const now = machine.now();
  const load = async (name: string): Promise<Certificate | undefined> =>
    readPem(await fs.readFile(`${live}/${name}/fullchain.pem`).catch(() => ""));
  const daysLeft = (c: Certificate): number => Math.floor((c.notAfter.getTime() - now.getTime()) / day);
  if (words[0] === "certificates") {
    const blocks: string[] = [];
    for (const name of names) {
      const c = await load(name);
      if (c)
        blocks.push(
          `  Certificate Name: ${name}\n    Serial Number: ${c.serial}\n    Domains: ${c.names.join(" ")}\n    Expiry Date: ${c.notAfter.toISOString().slice(0, 19).replace("T", " ")}+00:00 (VALID: ${daysLeft(c)} days)\n    Certificate Path: ${live}/${name}/fullchain.pem\n    Private Key Path: ${live}/${name}/privkey.pem`,
        );
    }
    return say(`${rule}\nFound the following certs:\n${blocks.join("\n")}\n${rule}`);
  }
  if (words[0] !== "renew") return fail("certbot: error: unrecognized arguments");
  const wanted = text("cert-name");
  if (wanted !== undefined && !names.includes(wanted))
    return fail(`No certificate found with name ${wanted} (expected ${live}/${wanted}).`);
  const lines = ["Saving debug log to /var/log/letsencrypt/letsencrypt.log", ""];
  const renewed: string[] = [];
  for (const name of names.filter((n) => wanted === undefined || n === wanted)) {
    const c = await load(name);
    if (!c) continue;
    const due = c.notAfter.getTime() - now.getTime() < renewWithin || has("force-renewal") || has("dry-run");
    lines.push(rule, `Processing /etc/letsencrypt/renewal/${name}.conf`, rule);
    if (!due) {
      lines.push("Certificate not yet due for renewal");
      continue;
    }
    lines.push(
      `${has("dry-run") ? "Simulating renewal of an existing certificate" : "Renewing an existing certificate"} for ${c.names.join(" and ")}`,
    );
    renewed.push(`  ${live}/${name}/fullchain.pem (success)`);
    if (has("dry-run")) continue;
    const fresh: Certificate = {
      ...c,
      serial: `04${c.serial.slice(2, -2)}9d`,
      notBefore: now,
      notAfter: new Date(now.getTime() + 90 * day),
    };
    await fs.writeFile(`${live}/${name}/fullchain.pem`, writePem(fresh));
  }
  const summary =
    renewed.length > 0
      ? `Congratulations, all ${has("dry-run") ? "simulated " : ""}renewals succeeded:\n${renewed.join("\n")}`
      : "No renewals were attempted.";
  return say(has("quiet") ? "" : [...lines, rule, summary, rule].join("\n"));
};
