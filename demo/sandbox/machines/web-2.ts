import { faultTime } from "../../fault-time.ts";
import { type Certificate, readPem, writePem } from "../certificate.ts";
import { day, hour, opensslTime } from "../clock.ts";
import { gib, mib } from "../disk.ts";
import { daemon, isActive, type Machine } from "../machine.ts";
import { fail, type Program, say } from "../program.ts";
import { certbot } from "../programs/certbot.ts";
import { servedPath } from "../programs/openssl.ts";
import { createMachine, journalFiles, rootVolume } from "./base.ts";

const host = "shop.acme.example";
const pemPath = `/etc/letsencrypt/live/${host}/fullchain.pem`;

const site = `server {
  listen 443 ssl;
  server_name ${host};
  ssl_certificate     ${pemPath};
  ssl_certificate_key /etc/letsencrypt/live/${host}/privkey.pem;
  location / { root /srv/shop; }
}
`;

/** `nginx -t`, `-T` and `-s reload`. */
const nginx: Program = async (args, { fs, run }) => {
  if (args.includes("-v")) return fail("nginx version: nginx/1.22.1", 0);
  if (args.includes("-s")) return run(["systemctl", args.at(-1) === "reload" ? "reload" : "stop", "nginx"]);
  if (!args.includes("-t") && !args.includes("-T"))
    return fail("nginx: [emerg] bind() to 0.0.0.0:443 failed (98: Address already in use)");
  if (!readPem(await fs.readFile(pemPath).catch(() => ""))) {
    return fail(
      `nginx: [emerg] cannot load certificate "${pemPath}"\nnginx: configuration file /etc/nginx/nginx.conf test failed`,
    );
  }
  const verdict =
    "nginx: the configuration file /etc/nginx/nginx.conf syntax is ok\nnginx: configuration file /etc/nginx/nginx.conf test is successful\n";
  return { ...say(args.includes("-T") ? await fs.readFile(`/etc/nginx/sites-enabled/${host}`) : ""), stderr: verdict };
};

/** web-2: the certificate of the shop ends tomorrow, because the timer that renews it was left switched off. */
export const createWeb2 = async (startedAt: Date): Promise<Machine> => {
  const fault = faultTime(startedAt);
  const notAfter = new Date(startedAt.getTime() + 21 * hour);
  const certificate: Certificate = {
    subject: `CN = ${host}`,
    issuer: "C = US, O = Let's Encrypt, CN = R11",
    serial: "03A1B2C3D4E5F60718293A4B5C6D7E8F9012",
    notBefore: new Date(notAfter.getTime() - 90 * day),
    notAfter,
    names: [host, `www.${host}`],
  };
  const timerStopped = new Date(startedAt.getTime() - 61 * day);
  const loadCertificate = async ({ disk }: Machine): Promise<void> =>
    disk.place({ path: servedPath, text: await disk.fs.readFile(pemPath).catch(() => "") });
  const machine = await createMachine({
    name: "web-2",
    address: "10.0.0.12",
    startedAt,
    upDays: 63,
    load: [0.22, 0.19, 0.2],
    volumes: [{ ...rootVolume, otherBytes: 7.4 * gib }],
    http: (own, url) => {
      const mine = ["localhost", "127.0.0.1", own.name, own.address, host, `www.${host}`].includes(url.hostname);
      if (!mine || !["", "443", "80"].includes(url.port) || !isActive(own, "nginx.service")) return undefined;
      return {
        status: 200,
        body: url.pathname.startsWith("/health") ? "ok\n" : "<!doctype html><title>acme shop</title>\n",
        type: "text/html",
      };
    },
    journal: [
      {
        at: timerStopped,
        unit: "certbot.timer",
        source: "systemd",
        pid: 1,
        severity: "info",
        text: "Stopped certbot.timer - Run certbot twice daily.",
      },
      {
        at: fault,
        unit: "blackbox-probe.service",
        source: "blackbox",
        pid: 733,
        severity: "warning",
        text: `probe_ssl_earliest_cert_expiry ${host}: ${opensslTime(notAfter)}`,
      },
    ],
    services: [
      daemon({
        unit: "nginx.service",
        description: "A high performance web server and a reverse proxy server",
        command: "nginx: master process /usr/sbin/nginx",
        pid: 702,
        since: new Date(startedAt.getTime() - 63 * day),
        ports: [80, 443],
        canReload: true,
        memoryBytes: 16 * mib,
        cpuSeconds: 4211,
        afterChange: async (own, change) => {
          if (change !== "stop") await loadCertificate(own);
          else await own.disk.fs.rm(servedPath, { force: true });
        },
      }),
      daemon({
        unit: "certbot.timer",
        description: "Run certbot twice daily",
        command: "",
        pid: 0,
        since: timerStopped,
        state: "inactive",
        enabled: false,
        kind: "timer",
      }),
    ],
    programs: { certbot, nginx },
  });
  await machine.disk.place({ path: pemPath, text: writePem(certificate), modifiedAt: certificate.notBefore });
  await machine.disk.place({ path: `/etc/letsencrypt/renewal/${host}.conf`, text: "authenticator = nginx\n" });
  await machine.disk.place({ path: `/etc/nginx/sites-enabled/${host}`, text: site });
  await machine.disk.place({ path: "/etc/nginx/nginx.conf", text: "include /etc/nginx/sites-enabled/*;\n" });
  await loadCertificate(machine);
  await journalFiles(machine);
  return machine;
};
