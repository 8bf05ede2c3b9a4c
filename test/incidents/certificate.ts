import type { Incident } from "./engineer.ts";

const file = "openssl x509 -enddate -checkend 604800 -noout -in /etc/letsencrypt/live/shop.acme.example/fullchain.pem";
const served =
  "openssl s_client -connect localhost:443 -servername shop.acme.example </dev/null 2>/dev/null | openssl x509 -enddate -checkend 604800 -noout";
const timer = "systemctl status certbot.timer";
const tried = "journalctl -u certbot --since '30 days ago' | tail -5";
const renew = "certbot renew --cert-name shop.acme.example";
const reload = "systemctl reload nginx";
const enable = "systemctl enable --now certbot.timer";

/** The certificate has expired since the timer was switched off: renewed, loaded, and the timer on again. */
export const certificate: Incident = {
  name: "certificate",
  title: "shop.acme.example: browsers warn, the certificate has expired (web-2)",
  body: "BlackboxSslCertificateExpired on web-2: https://shop.acme.example, expired at 09:00Z. It should have been renewed weeks ago.",
  skill: {
    name: "tls-certificate-expiring",
    text: `---
name: tls-certificate-expiring
description: "Renew the TLS certificate of the shop. Use for alerts about a certificate that expires soon or has expired, browser warnings, and x509 \\"certificate has expired\\"."
metadata:
  service: "nginx"
  runbook: "https://runbooks.acme.example/tls-renewal"
  alerts: "BlackboxSslCertificateWillExpireSoon, BlackboxSslCertificateExpired"
---

# TLS certificate expiring

## Verify

\`\`\`sh
# does the file expire soon
${file}
# expect: Certificate will expire
# does nginx serve that file
${served}
# will it be renewed again
${timer}
\`\`\`

- \`${served}\` shows \`Certificate will expire\`: \`${reload}\`
- \`${timer}\` shows \`Active: inactive\`: \`${enable}\`

## Act (each needs an approval)

\`\`\`sh
# renew the certificate
${renew}
# check: ${file}
# undo: none needed; the old one stays in /etc/letsencrypt/archive
# have nginx load it
${reload}
# check: ${served}
# undo: none needed; a reload without a change does nothing
# switch the renewal on
${enable}
# check: ${timer}
# undo: systemctl disable --now certbot.timer
\`\`\`

## Escalation

The platform team, in the channel platform-oncall.

## Notes

A renewed file is useless until nginx has loaded it. If the timer is off, the certificate will run out again in 90 days.
`,
  },
  servers: { "web-2": "shop front end, nginx with TLS" },
  machines: (ran) => {
    const fresh = "notAfter=Feb 21 09:00:00 2027 GMT\nCertificate will not expire\n";
    const old = { exit: 1, out: "notAfter=Nov 23 09:00:00 2026 GMT\nCertificate will expire\n" };
    return {
      [file]: ran(renew) ? fresh : old,
      [served]: ran(renew, reload) ? fresh : old,
      [timer]: ran(enable)
        ? "● certbot.timer - Run certbot twice daily\n     Active: active (waiting) since Mon 10:20:11 UTC; 2s ago\n    Trigger: Mon 2026-11-23 22:11:40 UTC; 11h left\n"
        : {
            exit: 3,
            out: "○ certbot.timer - Run certbot twice daily\n     Loaded: loaded (/lib/systemd/system/certbot.timer; disabled)\n     Active: inactive (dead)\n",
          },
      [tried]: "-- No entries --\n",
      [renew]:
        "Renewing an existing certificate for shop.acme.example\nCongratulations, all renewals succeeded:\n  /etc/letsencrypt/live/shop.acme.example/fullchain.pem (success)\n",
      [reload]: "",
      [enable]: "Created symlink /etc/systemd/system/timers.target.wants/certbot.timer.\n",
    };
  },
  files: () => ({
    "/etc/letsencrypt/renewal/shop.acme.example.conf":
      "cert = /etc/letsencrypt/live/shop.acme.example/cert.pem\n[renewalparams]\nauthenticator = nginx\n",
    "/etc/nginx/sites-enabled/shop":
      "server {\n  listen 443 ssl;\n  server_name shop.acme.example;\n  ssl_certificate /etc/letsencrypt/live/shop.acme.example/fullchain.pem;\n}\n",
    "/etc/letsencrypt/live/README": "live\n",
    "/var/log/letsencrypt/letsencrypt.log": "",
  }),
  forms: (ran) => {
    const end = (isFresh: boolean) =>
      `notAfter=${isFresh ? "Feb 21 09:00:00 2027" : "Nov 23 09:00:00 2026"} GMT\nsubject=CN = shop.acme.example\n${isFresh ? "" : "expired\n"}`;
    const checked = (isFresh: boolean) =>
      isFresh
        ? `${end(true)}Certificate will not expire\n`
        : { exit: 1, out: `${end(false)}Certificate will expire\n` };
    return [
      [
        /^certbot renew.*--dry-run/,
        "Congratulations, all simulated renewals succeeded:\n  /etc/letsencrypt/live/shop.acme.example/fullchain.pem (success)\n",
      ],
      [/^certbot renew|^certbot certonly/, { as: renew }],
      [
        /^certbot certificates/,
        `Found the following certs:\n  Certificate Name: shop.acme.example\n    Expiry Date: ${ran(renew) ? "2027-02-21 (VALID: 89 days)" : "2026-11-23 09:00 (INVALID: EXPIRED)"}\n`,
      ],
      [/^(?:systemctl (?:reload|restart|reload-or-restart) nginx(?:\.service)?|nginx -s reload)$/, { as: reload }],
      [/^systemctl (?:enable|start) (?:--now )?certbot\.timer/, { as: enable }],
      [/^openssl s_client/, `CONNECTED(00000003)\n-----SERVED-----\n${end(ran(renew, reload))}`],
      [/^openssl x509.*-checkend.* -in |^openssl x509 .*-in .*-checkend/, checked(ran(renew))],
      [/^openssl x509.* -in /, end(ran(renew))],
      [/^openssl x509.*-checkend/, () => checked(ran(renew, reload))],
      [/^openssl x509/, (stdin) => (stdin.includes("SERVED") ? end(ran(renew, reload)) : end(ran(renew)))],
      [
        /^systemctl (?:status|show|is-active|is-enabled|list-timers).*certbot\.timer|^systemctl list-timers/,
        { as: timer },
      ],
      [/^systemctl (?:status|show).*certbot/, "○ certbot.service - Certbot\n     Active: inactive (dead)\n"],
      [/^systemctl cat .*certbot/, "[Timer]\nOnCalendar=*-*-* 00,12:00:00\nRandomizedDelaySec=43200\n"],
      [
        /^systemctl (?:status|show|is-active).*nginx/,
        `● nginx.service - nginx\n     Active: active (running) since ${ran(reload) ? "Mon 14:40:02" : "Mon 2026-08-24 09:01:10"} UTC\n`,
      ],
      [/^journalctl .*certbot/, "-- No entries --\n"],
      [/^journalctl .*nginx/, "-- No entries --\n"],
      [
        /^curl .*shop\.acme\.example|^curl .*localhost/,
        ran(renew, reload)
          ? "HTTP/2 200\n"
          : { exit: 60, out: "curl: (60) SSL certificate problem: certificate has expired\n" },
      ],
      [
        /^nginx -t/,
        "nginx: the configuration file /etc/nginx/nginx.conf syntax is ok\nnginx: configuration file /etc/nginx/nginx.conf test is successful\n",
      ],
      [/^nginx -T/, "ssl_certificate /etc/letsencrypt/live/shop.acme.example/fullchain.pem;\n"],
      [
        /^(?:ls|stat|find)\b.*letsencrypt/,
        `lrwxrwxrwx 1 root root 44 ${ran(renew) ? "Nov 23 14:39" : "Aug 25 08:59"} fullchain.pem -> ../../archive/shop.acme.example/fullchain${ran(renew) ? 4 : 3}.pem\n`,
      ],
      [/^(?:ls|cat|crontab)\b.*(?:cron)/, "# no certbot here\n"],
    ];
  },
  isSolved: (ran) => ran(renew, reload) && ran(enable),
  guess: "the certificate on web-2 was not renewed; either the renewal failed or it never ran.",
  steps: [
    {
      command: file,
      title: "End of the certificate",
      why: "Shows until when the certificate on the disk holds.",
      says: "until when the file holds",
    },
    {
      command: served,
      title: "End of what nginx serves",
      why: "Shows whether nginx serves that file or an older one.",
      says: "until when the certificate holds that nginx serves",
    },
    {
      command: timer,
      title: "State of the renewal",
      why: "Shows whether the renewal runs by itself.",
      says: "the state of the timer that renews",
    },
    {
      command: tried,
      title: "Renewals of the last 30 days",
      why: "Shows whether renewing was tried and failed, which a second try would too.",
      says: "that no renewal was tried in 30 days",
    },
    {
      after: "No entries",
      change: [
        {
          command: renew,
          title: "Renew the certificate",
          why: "Fetches a new certificate; the old one stays in the archive.",
          risk: "medium",
          says: "that the renewal succeeded",
        },
      ],
      check: {
        command: file,
        title: "End of the new certificate",
        why: "Shows whether the file is new.",
        says: "until when the file holds",
        shows: "Certificate will not expire",
      },
    },
    {
      after: "Certificate will not expire",
      change: [
        {
          command: reload,
          title: "Have nginx load it",
          why: "Loads the new certificate without dropping a connection.",
          risk: "medium",
        },
      ],
      check: {
        command: served,
        title: "End of what nginx serves now",
        why: "Shows whether nginx serves the new one.",
        says: "until when the certificate holds that nginx serves",
        shows: "Certificate will not expire",
      },
    },
    {
      after: "Active: inactive",
      change: [
        {
          command: enable,
          title: "Switch the renewal on",
          why: "Lets certbot renew by itself again; undo with systemctl disable --now certbot.timer.",
          risk: "medium",
          says: "that the timer is enabled",
        },
      ],
      check: {
        command: timer,
        title: "State of the renewal now",
        why: "Shows whether the timer waits for its next run.",
        says: "the state of the timer that renews",
        shows: "Active: active",
      },
    },
  ],
  cause: "certbot.timer was switched off",
};
