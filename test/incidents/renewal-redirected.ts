import type { Incident } from "./engineer.ts";

const file = "openssl x509 -enddate -checkend 604800 -noout -in /etc/letsencrypt/live/www.acme.example/fullchain.pem";
const tried = "journalctl -u certbot --since '3 days ago' | tail -8";
const timer = "systemctl status certbot.timer";
const challenge = "curl -sI http://localhost/.well-known/acme-challenge/test -H 'Host: www.acme.example'";
const changed = "diff /var/backups/etc/nginx/conf.d/www.conf /etc/nginx/conf.d/www.conf";
const back = "cp -a /var/backups/etc/nginx/conf.d/www.conf /etc/nginx/conf.d/www.conf";
const valid = "nginx -t";
const reload = "systemctl reload nginx";
const renew = "certbot renew --cert-name www.acme.example";

const good =
  "server {\n  listen 80;\n  server_name www.acme.example;\n  location ^~ /.well-known/acme-challenge/ { root /var/www/acme; }\n  location / { return 301 https://$host$request_uri; }\n}\n";
const bad =
  "server {\n  listen 80;\n  server_name www.acme.example;\n  return 301 https://campaign.acme.example$request_uri;\n}\n";
const failed =
  "Nov 23 03:12:07 web-3 certbot[4120]: Certbot failed to authenticate some domains (authenticator: webroot).\nNov 23 03:12:07 web-3 certbot[4120]:   Domain: www.acme.example  Type: unauthorized\nNov 23 03:12:07 web-3 certbot[4120]:   Detail: Invalid response from https://campaign.acme.example/.well-known/acme-challenge/Xk2: 404\nNov 23 03:12:07 web-3 systemd[1]: certbot.service: Failed with result 'exit-code'.\n";

/** The renewal runs and fails: its challenge is redirected to a host that does not answer it, since last week's campaign. */
export const renewalRedirected: Incident = {
  name: "renewal redirected",
  title: "BlackboxSslCertificateWillExpireSoon: www.acme.example on web-3, 2 days left",
  body: "The certificate of www.acme.example on web-3 expires in 2 days. Renewals are automatic (certbot.timer) and used to happen 30 days before. Somebody has tried `certbot renew` by hand, it fails.",
  skill: {
    name: "tls-renewal-fails",
    text: `---
name: tls-renewal-fails
description: "The renewal of a TLS certificate on web-3 fails. Use when BlackboxSslCertificateWillExpireSoon fires although certbot.timer runs, or certbot says \\"unauthorized\\"."
metadata:
  service: "nginx"
  runbook: "https://runbooks.acme.example/tls-renewal-fails"
  alerts: "BlackboxSslCertificateWillExpireSoon"
---

# A renewal fails

## Verify

\`\`\`sh
# until when the file holds
${file}
# what the last renewals said
${tried}
# does the timer run
${timer}
\`\`\`

## Act (each needs an approval)

\`\`\`sh
# have nginx load its configuration
${reload}
# check: ${challenge}
# undo: none needed; a reload without a change does nothing
# renew; its hook has nginx load the new certificate
${renew}
# check: ${file}
# undo: none needed; the old one stays in the archive
\`\`\`

## Notes

Five failed renewals an hour are the most that the authority allows: find out first why it fails. It asks \`http://www.acme.example/.well-known/acme-challenge/…\` and follows redirects; the files are in \`/var/www/acme\`.
`,
  },
  servers: { "web-3": "www.acme.example, nginx with TLS" },
  machines: (ran) => ({
    [file]: ran(back, reload, renew)
      ? "notAfter=Feb 21 09:00:00 2027 GMT\nCertificate will not expire\n"
      : { exit: 1, out: "notAfter=Nov 25 09:00:00 2026 GMT\nCertificate will expire\n" },
    [tried]: failed,
    [timer]:
      "● certbot.timer - Run certbot twice daily\n     Active: active (waiting) since Mon 2026-11-02 10:20:11 UTC; 3 weeks ago\n",
    [challenge]: ran(back, reload)
      ? "HTTP/1.1 404 Not Found\nServer: nginx\n"
      : "HTTP/1.1 301 Moved Permanently\nServer: nginx\nLocation: https://campaign.acme.example/.well-known/acme-challenge/test\n",
    [changed]: ran(back)
      ? ""
      : {
          exit: 1,
          out: "4,5c4\n<   location ^~ /.well-known/acme-challenge/ { root /var/www/acme; }\n<   location / { return 301 https://$host$request_uri; }\n---\n>   return 301 https://campaign.acme.example$request_uri;\n",
        },
    [back]: "",
    [valid]:
      "nginx: the configuration file /etc/nginx/nginx.conf syntax is ok\nnginx: configuration file /etc/nginx/nginx.conf test is successful\n",
    [reload]: "",
    [renew]: ran(back, reload)
      ? "Renewing an existing certificate for www.acme.example\nCongratulations, all renewals succeeded:\n  /etc/letsencrypt/live/www.acme.example/fullchain.pem (success)\nHook 'deploy-hook' ran: systemctl reload nginx\n"
      : {
          exit: 1,
          out: "Failed to renew certificate www.acme.example with error: Some challenges have failed.\n  Detail: Invalid response from https://campaign.acme.example/.well-known/acme-challenge/Xk2: 404\n",
        },
  }),
  files: (ran) => ({
    "/etc/nginx/conf.d/www.conf": ran(back) ? good : bad,
    "/var/backups/etc/nginx/conf.d/www.conf": good,
    "/etc/nginx/nginx.conf": "http {\n  include /etc/nginx/conf.d/*.conf;\n}\n",
    "/etc/letsencrypt/renewal/www.acme.example.conf":
      "cert = /etc/letsencrypt/live/www.acme.example/cert.pem\n[renewalparams]\nauthenticator = webroot\nwebroot_path = /var/www/acme,\nrenew_hook = systemctl reload nginx\n",
    "/var/log/letsencrypt/letsencrypt.log": failed,
    "/var/www/acme/index.html": "acme\n",
  }),
  forms: (ran) => {
    const isFresh = ran(back, reload, renew);
    const end = isFresh ? "notAfter=Feb 21 09:00:00 2027 GMT\n" : "notAfter=Nov 25 09:00:00 2026 GMT\n";
    return [
      [/^(?:cp|install|rsync) .*\/var\/backups\/etc\/nginx\/conf\.d\/www\.conf /, { as: back }],
      [/^sed -i.*(?:acme-challenge|campaign).*www\.conf/, { as: back }],
      [/^(?:systemctl (?:reload|restart|reload-or-restart) nginx(?:\.service)?|nginx -s reload)$/, { as: reload }],
      [
        /^certbot renew.*--dry-run/,
        ran(back, reload) ? "Congratulations, all simulated renewals succeeded\n" : { exit: 1, out: failed },
      ],
      [/^certbot (?:renew|certonly)/, { as: renew }],
      [
        /^certbot certificates/,
        `Found the following certs:\n  Certificate Name: www.acme.example\n    Expiry Date: ${isFresh ? "2027-02-21" : "2026-11-25"}\n`,
      ],
      [/^openssl x509.*-checkend/, { as: file }],
      [/^openssl x509/, end],
      [/^openssl s_client/, `CONNECTED(00000003)\nsubject=CN = www.acme.example\n${end}`],
      [/^journalctl .*certbot/, { as: tried }],
      [
        /^systemctl (?:status|show|is-active|is-enabled|list-timers).*certbot\.timer|^systemctl list-timers/,
        { as: timer },
      ],
      [
        /^systemctl (?:status|show).*certbot/,
        {
          exit: 3,
          out: `× certbot.service - Certbot\n     Active: failed (Result: exit-code) since Mon 03:12:07 UTC\n${failed}`,
        },
      ],
      [/^systemctl (?:status|show|is-active).*nginx/, "● nginx.service\n     Active: active (running)\n"],
      [/^curl .*acme-challenge/, { as: challenge }],
      [
        /^curl .*http:\/\//,
        ran(back, reload)
          ? "HTTP/1.1 301 Moved Permanently\nLocation: https://www.acme.example/\n"
          : "HTTP/1.1 301 Moved Permanently\nLocation: https://campaign.acme.example/\n",
      ],
      [/^diff .*nginx/, { as: changed }],
      [/^nginx -T/, `# configuration file /etc/nginx/conf.d/www.conf:\n${ran(back) ? good : bad}`],
      [/^nginx -t/, { as: valid }],
      [/^ls .*\/etc\/nginx\/conf\.d/, "-rw-r--r-- 1 root root 131 Oct 24 11:40 www.conf\n"],
      [/^stat .*www\.conf/, "  File: /etc/nginx/conf.d/www.conf\nModify: 2026-10-24 11:40:12\n"],
      [/^ls .*\/var\/www\/acme/, "index.html\n"],
      [/^git .*(?:log|show|diff)/, "commit 4be1a02 (Oct 24): redirect www to the campaign\n"],
    ];
  },
  isSolved: (ran) => ran(back, reload, renew),
  guess: "the certificate on web-3 runs out because its renewal fails; what the renewal says is not known yet.",
  steps: [
    {
      command: file,
      title: "End of the certificate",
      why: "Shows how much time is left.",
      says: "until when the file holds",
    },
    {
      command: tried,
      title: "What the last renewals said",
      why: "Shows why the renewal fails.",
      says: "that the authority was sent to campaign.acme.example and got 404 there",
    },
    {
      command: timer,
      title: "State of the timer",
      why: "Shows whether the renewal is tried at all.",
      says: "that the timer runs",
    },
    {
      after: "campaign.acme.example",
      command: challenge,
      title: "Where the challenge is sent",
      why: "Shows whether this server redirects the path that the authority asks for.",
      says: "where the challenge's path leads",
    },
    {
      after: "campaign.acme.example",
      command: changed,
      title: "What changed in nginx",
      why: "Compares the file with its backup, so that what goes with it is known.",
      says: "that the campaign's redirect replaced the location of the challenge",
    },
    {
      after: ">   return 301 https://campaign",
      change: [
        {
          command: back,
          title: "Put the old file back",
          why: "Brings the challenge's location back; the campaign's redirect goes with it, and stays in git.",
          risk: "medium",
        },
        {
          command: reload,
          title: "Have nginx load it",
          why: "Loads the file that was put back without dropping a connection.",
          risk: "medium",
        },
      ],
      check: {
        command: challenge,
        title: "Where the challenge is sent now",
        why: "Shows whether the path is answered here; 404 for a file that is not there is right.",
        says: "that the path is answered here",
        shows: "404 Not Found",
      },
    },
    {
      after: "404 Not Found",
      change: [
        {
          command: renew,
          title: "Renew the certificate",
          why: "Fetches a new certificate; its hook has nginx load it.",
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
  ],
  cause: "the campaign's redirect took the challenge to another host",
};
