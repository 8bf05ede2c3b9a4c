import { type Certificate, readPem, writePem } from "../certificate.ts";
import { opensslTime } from "../clock.ts";
import type { Machine } from "../machine.ts";
import { fail, type Outcome, type Program, readArgs, say } from "../program.ts";

const describe = (certificate: Certificate, args: readonly string[], now: Date): Outcome => {
  const has = (name: string): boolean => args.includes(`-${name}`) || args.includes(`--${name}`);
  const lines: string[] = [];
  if (has("serial")) lines.push(`serial=${certificate.serial}`);
  if (has("issuer")) lines.push(`issuer=${certificate.issuer}`);
  if (has("dates") || has("startdate")) lines.push(`notBefore=${opensslTime(certificate.notBefore)}`);
  if (has("dates") || has("enddate")) lines.push(`notAfter=${opensslTime(certificate.notAfter)}`);
  if (has("subject")) lines.push(`subject=${certificate.subject}`);
  if (has("ext"))
    lines.push("X509v3 Subject Alternative Name: ", `    ${certificate.names.map((n) => `DNS:${n}`).join(", ")}`);
  if (has("text")) {
    lines.push(
      "Certificate:",
      "    Data:",
      `        Issuer: ${certificate.issuer}`,
      "        Validity",
      `            Not Before: ${opensslTime(certificate.notBefore)}`,
      `            Not After : ${opensslTime(certificate.notAfter)}`,
      `        Subject: ${certificate.subject}`,
    );
  }
  const horizon = args[args.indexOf("-checkend") + 1];
  if (has("checkend")) {
    const expires = certificate.notAfter.getTime() - now.getTime() < Number(horizon) * 1000;
    return {
      ...say([...lines, `Certificate will ${expires ? "" : "not "}expire`].join("\n")),
      exitCode: expires ? 1 : 0,
    };
  }
  if (!has("noout")) lines.push(writePem(certificate).trimEnd());
  return say(lines.join("\n"));
};

/** What the web server presents: read from a file that holds the certificate nginx loaded last. */
export const servedPath = "/run/nginx/served.pem";

const served = async (machine: Machine): Promise<Certificate | undefined> =>
  readPem(await machine.disk.fs.readFile(servedPath).catch(() => ""));

/** `openssl x509` on a file or stdin, `openssl s_client` to the machine itself, `openssl version`. */
export const openssl: Program = async (args, { machine, fs, cwd, stdin }) => {
  const [verb, ...rest] = args;
  if (verb === "version") return say("OpenSSL 3.0.16 11 Feb 2025 (Library: OpenSSL 3.0.16 11 Feb 2025)");
  if (verb === "x509") {
    const file = rest.includes("-in") ? rest[rest.indexOf("-in") + 1] : undefined;
    const path = fs.resolvePath(cwd, file ?? "");
    if (file !== undefined && !(await fs.exists(path)))
      return fail(`Could not open file or uri for loading certificate from ${file}\nNo such file or directory`);
    const certificate = readPem(file === undefined ? stdin : await fs.readFile(path));
    return certificate
      ? describe(certificate, rest, machine.now())
      : fail(`Could not read certificate from ${file ?? "<stdin>"}\nUnable to load certificate`);
  }
  if (verb === "s_client") {
    const { text } = readArgs(
      rest.map((a) => (/^-[a-z_]{2,}$/.test(a) ? `-${a}` : a)),
      { connect: { type: "string" }, servername: { type: "string" } },
    );
    const certificate = await served(machine);
    if (!certificate)
      return fail(`connect:errno=111\nsocket: Connection refused (${text("connect") ?? "localhost:443"})`);
    return say(
      `CONNECTED(00000003)\n---\nCertificate chain\n 0 s:${certificate.subject}\n   i:${certificate.issuer}\n---\nServer certificate\n${writePem(certificate)}subject=${certificate.subject}\nissuer=${certificate.issuer}\n---\nVerify return code: 0 (ok)\n---\nDONE`,
    );
  }
  return fail(`Invalid command '${verb ?? ""}'; type "help" for a list.`);
};
