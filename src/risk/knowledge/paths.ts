import type { Risk } from "../../base/risk.ts";

/** Paths: what they are, and what it means to write there. */

/**
 * Path classes: what a path is. Patterns are globs over absolute paths (`*` within a part, `**`
 * across parts); `~` has become `/home/~`. `samples` are real paths of the class that a glob in a command is tried on.
 */
export interface ClassData {
  readonly patterns: string;
  readonly except?: string;
  readonly samples?: string;
}

export const pathClasses = {
  sink: { patterns: "/dev/null /dev/stdout /dev/stderr /dev/fd/* /dev/tty /dev/zero /dev/full /proc/self/fd/*" },
  temporary: { patterns: "/tmp/** /var/tmp/** /dev/shm/** /run/user/*/**" },
  root: {
    patterns:
      "/ /bin /sbin /lib /lib32 /lib64 /usr /etc /boot /dev /proc /sys /var /home /root /run /opt /srv " +
      "/bin/* /sbin/* /lib/* /lib64/* " +
      "/usr/bin /usr/sbin /usr/lib /usr/lib64 /usr/libexec /usr/share /usr/include /usr/local /usr/local/bin " +
      "/usr/local/lib /usr/local/sbin /usr/lib/** /usr/lib64/** /lib/*-linux-*/** /lib32/** /etc/ssh /etc/pam.d /etc/systemd /etc/security " +
      "/etc/passwd /etc/shadow /etc/group /etc/gshadow /etc/sudoers /etc/sudoers.d /etc/fstab /etc/ssl /etc/pki " +
      "/etc/kubernetes /etc/default /etc/init.d /etc/network /etc/netplan " +
      "/var/lib /var/log /var/spool /var/cache /var/www /var/run /var/backups /var/db /var/mail " +
      "/var/lib/dpkg /var/lib/rpm /var/lib/systemd /boot/* /boot/efi/** /home/* /proc/** /sys/** /.snapshots",
    samples:
      "/bin /sbin /lib /lib64 /usr /etc /boot /dev /var /home /root /run /opt /usr/bin /usr/lib /usr/sbin /usr/local /var/lib /var/log",
  },
  device: {
    patterns:
      "/dev/sd* /dev/hd* /dev/vd* /dev/xvd* /dev/nvme* /dev/mmcblk* /dev/md* /dev/dm-* /dev/mapper/* /dev/disk/** " +
      "/dev/loop* /dev/mem /dev/kmem /dev/port /dev/vg*/** /dev/drbd* /dev/zvol/** /dev/rbd* /dev/nbd* /dev/sr* /dev/zd* /dev/pmem* /dev/mtd* /dev/vg* /dev/cciss/** /dev/block/** /dev/ubuntu-vg/** /dev/bcache* /dev/sg[0-9]* /dev/bsg/**",
    samples: "/dev/sda /dev/sda1 /dev/nvme0n1 /dev/vda /dev/xvda /dev/mapper/vg-root /dev/md0 /dev/sdb",
  },
  // Opening or reading one does something: a watchdog starts to count, a tape moves, what comes from a line, a keyboard or another
  // process' pipe is gone for whom it was meant. Any device that is not known to stay as it is counts.
  consumed: {
    patterns:
      "/dev/** /run/initctl /run/systemd/initctl/fifo /**/*.fifo " +
      "/proc/kmsg /proc/acpi/event /proc/*/fd/* /proc/*/task/*/fd/* /sys/kernel/tracing/**trace_pipe* /sys/kernel/debug/tracing/**trace_pipe* " +
      "/sys/kernel/debug/usb/usbmon/* /sys/**/resource[0-9]* /sys/**/rom",
    except:
      "/proc/self/fd/* /dev/rtc /dev/tty /dev/null /dev/zero /dev/full /dev/urandom /dev/random /dev/hwrng /dev/kmsg /dev/stdin /dev/stdout /dev/stderr /dev/fd/* " +
      "/dev/shm/** /dev/mqueue/** /dev/hugepages/** /dev/log /dev/tcp/** /dev/udp/** /dev/[hsv]d* /dev/xvd* /dev/nvme* /dev/mmcblk* /dev/md* /dev/dm-* " +
      "/dev/mapper/* /dev/disk/** /dev/loop* /dev/sr* /dev/cdrom /dev/zram*",
  },
  secret: {
    patterns:
      "/etc/shadow /etc/shadow- /etc/shadow.* /etc/gshadow /etc/gshadow- /etc/security/opasswd /etc/master.passwd " +
      "/var/backups/shadow* /var/backups/gshadow* /**/.ssh/* /**/id_rsa /**/id_ed25519 /**/id_ecdsa /**/id_dsa " +
      "/etc/ssh/ssh_host_*_key /etc/ssl/private /etc/ssl/private/** /etc/pki/tls/private /etc/pki/tls/private/** /etc/pki/*/private/** /**/*.key /**/*.ppk " +
      "/**/privkey*.pem /**/*-key.pem /**/*_key.pem /**/key.pem /**/private.pem /**/*private*.pem /**/*.kdbx /dev/mem /dev/kmem /proc/kcore " +
      "/proc/*/mem /etc/krb5.keytab /**/*.keytab /**/.gnupg/** /etc/letsencrypt/live/*/privkey.pem " +
      "/etc/kubernetes/pki/*.key /**/.ssh /**/secring.gpg /etc/wireguard/*.conf /etc/ipsec.secrets /etc/ppp/chap-secrets /run/secrets/** /var/lib/samba/private/** /etc/sssd/*.keytab /etc/machine-key " +
      "/**/K*.+*.private /**/pki/private/** /etc/swanctl/private/** /etc/ipsec.d/private/** /etc/ppp/pap-secrets /etc/racoon/psk.txt /etc/pve/priv/** /etc/ceph/*.keyring /var/lib/ceph/**/keyring " +
      "/etc/corosync/authkey /var/lib/rancher/**/token /var/lib/rancher/**/node-token /var/lib/kubelet/pki/*-current.pem /etc/tor/**secret_key /var/lib/tor/**secret_key /etc/ldap.secret /etc/pam_ldap.secret /var/lib/tailscale/tailscaled.state " +
      "/etc/tinc/**/*.priv /**/.google_authenticator /etc/luks-keys/** /etc/cryptsetup-keys.d/** /**/sops/age/keys.txt /**/private_key.json /etc/samba/smbpasswd " +
      "/var/lib/sss/db/*.ldb /**/.local/share/keyrings/** /var/lib/docker/swarm/** /**/krb5cc_* /var/lib/vault/** /**/*.psk /**/ssl/private_keys/** " +
      "/**/.config/borg/keys/** /etc/libvirt/secrets/** /var/lib/libvirt/secrets/** /etc/docker/key.json /var/lib/kubelet/pods/**~secret/** " +
      "/etc/opendkim/keys/**.private /**/.vnc/passwd /etc/vncpasswd /var/lib/amazon/ssm/**RegistrationKey",
    except:
      "/**/*.pub /**/.ssh/config* /**/.ssh/authorized_keys* /**/.ssh/known_hosts* /**/.ssh/environment /**/.ssh/rc /**/authorized_keys /**/known_hosts /usr/share/** /etc/apt/**",
    samples:
      "/etc/shadow /etc/gshadow /etc/shadow- /root/.ssh/id_rsa /root/.ssh/id_ed25519 /home/u/.ssh/id_rsa " +
      "/home/u/.ssh/id_ed25519 /home/~/.ssh/id_rsa /etc/ssh/ssh_host_rsa_key /etc/ssh/ssh_host_ed25519_key " +
      "/etc/ssl/private/site.key /etc/kubernetes/pki/ca.key /etc/nginx/ssl/server.key",
  },
  credentials: {
    patterns:
      "/**/.aws/credentials /**/.pgpass /**/.my.cnf /**/.mylogin.cnf /**/.netrc /**/.docker/config.json /**/.kube/config /**/.env /**/.env.* " +
      "/**/.git-credentials /**/.vault-token /**/wp-config.php /proc/*/environ /etc/kubernetes/admin.conf " +
      "/etc/kubernetes/*.conf /etc/rancher/k3s/k3s.yaml /**/.npmrc /**/.pypirc /**/.htpasswd /**/.cargo/credentials /**/.cargo/credentials.toml /**/.m2/settings.xml /etc/wpa_supplicant/*.conf /**/.smbcredentials /**/smbcredentials /**/key4.db /**/logins.json /var/lib/cloud/instance/user-data.txt* /var/lib/cloud/instances/*/user-data.txt* /**/credentials.json " +
      "/**/.azure/** /**/.config/gcloud/** /**/*.p12 /**/*.pfx /**/*.jks /**/*.keystore /var/run/secrets/** /**/secrets.y*ml /**/secrets.json " +
      "/**/.bash_history /**/.zsh_history /**/.mysql_history /**/.psql_history /**/.rediscli_history /**/.s3cfg /**/rclone.conf /**/.boto " +
      "/**/.erlang.cookie /etc/salt/pki/**/*.pem /etc/chef/*.pem /**/master.key /**/credentials.xml /etc/mysql/debian.cnf /**/.config/gh/hosts.yml /**/.terraform.d/credentials* /**/service-account*.json /etc/sudoers /etc/exim4/passwd.client /etc/postfix/sasl_passwd /etc/cloudflared/*.json /etc/freeradius/**/clients.conf " +
      "/etc/NetworkManager/system-connections /etc/NetworkManager/system-connections/** /etc/openvpn/**/*.key /var/lib/docker/containers/*/config.v2.json " +
      "/etc/pgbouncer/userlist.txt /**/secrets/initialAdminPassword /var/lib/jenkins/secrets/** /var/lib/kubelet/config.json /**/containers/**auth.json " +
      "/**/.msmtprc /etc/msmtprc /**/.fetchmailrc /**/.lftprc /**/.lftp/bookmarks /**/tomcat-users.xml /**/.vault_pass* /**/.vault-pass* /**/.python_history " +
      "/**/.node_repl_history /**/.irb_history /var/lib/net-snmp/snmpd.conf /var/lib/snmp/snmpd.conf /etc/openldap/slapd.conf /etc/ldap/slapd.conf " +
      "/etc/ldap/slapd.d/** /etc/openldap/slapd.d/** /**/.subversion/auth/** /etc/nut/upsd.users /etc/ocserv/ocpasswd /etc/kubernetes/*encryption* " +
      "/**/config/database.yml /**/sites/*/settings.php /**/.config/doctl/config.yaml /**/.config/hcloud/cli.toml /**/.ivy2/.credentials /**/.sbt/.credentials " +
      "/**/anaconda-ks.cfg /var/lib/mysql/mysql/** /var/lib/mysql/mysql.ibd /var/lib/etcd/** /etc/hostapd/hostapd.conf /etc/wpa_supplicant.conf /etc/raddb/users " +
      "/etc/exim4/passwd /etc/dovecot/users /etc/dovecot/dovecot-sql* /etc/squid/passwd* /etc/vsftpd/login* /etc/stunnel/psk* /etc/icinga2/conf.d/api-users.conf " +
      "/etc/nagios/resource.cfg /etc/rancher/rke2/rke2.yaml /var/snap/microk8s/current/credentials/** /**/*.tfstate /**/*.tfstate.backup /**/*.tfvars " +
      "/**/app/etc/env.php /var/www/**/configuration.php /**/.aws/sso/cache/** /**/.aws/cli/cache/** /**/.terraformrc /**/.m2/settings-security.xml /**/.config/hub " +
      "/**/.config/glab-cli/config.yml /**/.Xauthority /**/cookies.sqlite /**/google-chrome/**/Cookies /var/lib/waagent/ovf-env.xml",
    except: "/**/.env.example /**/.env.sample /**/.env.template /usr/share/** /etc/sudoers",
    samples:
      "/root/.aws/credentials /root/.pgpass /root/.my.cnf /root/.netrc /root/.kube/config /srv/app/.env /proc/1/environ /root/.bash_history",
  },
  "core-log": {
    patterns:
      "/var/log /var/log/* /var/log/audit/** /var/log/journal /var/log/journal/** /var/run/utmp /run/utmp /run/log/journal/** /run/log/journal " +
      "/**/.bash_history /**/.zsh_history /**/.sh_history /**/.history /**/.ash_history",
    except:
      "/var/log/*.gz /var/log/*.[0-9] /var/log/*.old /var/log/*.xz /var/log/*.zst /var/log/*-[0-9]* /var/log/nginx /var/log/apache2 /var/log/app* /var/log/my* /var/log/post* /var/log/redis* /var/log/containers /var/log/pods /var/log/httpd /var/log/dpkg* /var/log/apt /var/log/alternatives*",
    samples:
      "/var/log/auth.log /var/log/syslog /var/log/messages /var/log/secure /var/log/wtmp /var/log/audit/audit.log",
  },
  history: {
    patterns: "/**/.*_history /**/.history",
    samples: "/root/.bash_history /home/u/.bash_history /root/.zsh_history /home/~/.bash_history",
  },
  login: {
    patterns:
      "/etc/passwd /etc/shadow /etc/group /etc/gshadow /etc/sudoers /etc/sudoers.d/** /**/.ssh/authorized_keys* /etc/ssh/** " +
      "/etc/pam.d/** /etc/security/** /etc/pam.conf /etc/nsswitch.conf /etc/login.defs /etc/sudo.conf /etc/doas.conf /etc/polkit-1/** /etc/securetty /etc/shells /etc/hosts.allow /etc/hosts.deny",
    samples: "/etc/passwd /etc/shadow /etc/sudoers /root/.ssh/authorized_keys",
  },
  startup: {
    patterns:
      "/etc/cron* /etc/cron*/** /var/spool/cron/** /etc/profile /etc/profile.d/** /etc/bash.bashrc /etc/bashrc /etc/environment " +
      "/**/.bashrc /**/.bash_profile /**/.profile /**/.zshrc /**/.bash_logout /**/.bash_aliases /etc/ld.so.preload /etc/ld.so.conf* /etc/ld.so.conf.d/** /etc/rc.local " +
      "/etc/init.d/** /etc/rc*.d/** /etc/inittab /etc/crontab /etc/anacrontab /etc/fstab /etc/crypttab /etc/default/grub /boot/** /etc/modules /etc/modprobe.d/** /etc/udev/** /**/.config/systemd/** /etc/xdg/autostart/** /**/.ssh/rc /etc/update-motd.d/** /etc/NetworkManager/dispatcher.d/** /usr/lib/systemd/** /lib/systemd/**",
  },
  kernel: { patterns: "/proc/** /sys/**" },
} as const satisfies Readonly<Record<string, ClassData>>;
export type PathClass = keyof typeof pathClasses;

/** What writing there means, more than to a file. */
export interface WriteRule {
  readonly id: string;
  readonly risk: Risk;
  /** What follows the path in the finding. */
  readonly why?: string;
  readonly class?: PathClass;
  readonly path?: RegExp;
  /** Only for these ways of writing. */
  readonly how?: string;
}

/** The first that fits counts. */
// biome-ignore format: a rule a line
export const writeRules: readonly WriteRule[] = [
  { id: "path.device", risk: "block", why: ", a raw disk", class: "device" },
  { id: "path.socket", risk: "high", why: " over the network", path: /^\/dev\/(tcp|udp)\// },
  { id: "path.kernel", risk: "high", why: ", which acts on the kernel",
    path: /^\/proc\/(sysrq-trigger|sys\/kernel\/(core_pattern|modprobe))$/ },
  { id: "path.log", risk: "block", why: ", a log that must stay", class: "core-log", how: "overwrite replace" },
  { id: "path.startup", risk: "block", why: ": code in every program", path: /^\/etc\/ld\.so\.preload$/ },
  { id: "path.login", risk: "high", why: ", which decides who may log in", class: "login" },
  { id: "path.guard", risk: "high", why: ", which guards this machine",
    path: /^\/etc\/(audit|audisp|selinux|apparmor(\.d)?|security|fail2ban|aide|tripwire|crowdsec)\b/ },
  { id: "path.kernel", risk: "high", why: ", which takes a device away",
    path: /^\/sys\/.+\/(delete|remove|unbind|reset|offline|power\/control|state)$/ },
  { id: "path.startup", risk: "high", why: ", which runs by itself", class: "startup" },
  { id: "path.kernel", risk: "medium", why: ", a setting of the kernel", class: "kernel" },
  { id: "path.temporary", risk: "medium", why: ", a temporary file", class: "temporary" },
  { id: "path.program", risk: "high", why: ", a program", path: /^\/(usr\/)?(local\/)?s?bin\// },
  { id: "path.overwrite", risk: "high", how: "overwrite" },
  { id: "path.write", risk: "medium" },
];

/** What a glob in a command is completed to, besides the samples. */
export const commonFolders: readonly string[] =
  "/bin /sbin /lib /lib64 /usr /etc /boot /dev /proc /sys /var /home /root /run /opt /srv /tmp /usr/local /usr/share /usr/lib /usr/bin /usr/sbin /etc/ssh /etc/ssl /etc/pam.d /etc/passwd /var/lib /var/log /var/log/audit /var/spool /var/www /root/.ssh".split(
    " ",
  );

/** Files that hold nothing but secrets: naming one to nearly any program is reading it. */
export const hardSecrets =
  /^\/etc\/(g?shadow-?|security\/opasswd|ssh\/ssh_host_\w+_key|ssl\/private\/.+)$|\/\.ssh(\/id_[a-z0-9]+)?$|\/id_(rsa|ed25519|ecdsa|dsa)$|^\/proc\/kcore$|^\/dev\/k?mem$/;

/** Addresses at which a cloud hands an instance the keys of its role, by path: the host can be written in many ways. */
export const instanceKeys =
  /\/(iam|ram)\/security-credentials\/[^/?#\s]|\/service-accounts\/[^/]+\/(token|identity)\b|\/identity\/oauth2\/token\b|\/\/?169\.254\.170\.2(3?)\b|^169\.254\.170\.23?\b/i;

/** Options by what they mean to nearly any program, for those that the rules do not list. */
export const anyOptions = {
  output:
    /^(-o|-w|-W|-O|-oN|-oX|-oG|-oA|-filename|--?([\w-]+-)?(out|output|outfile|write|dump-bin|log-?file|log|html|report-path|junit-xml|outFile|logfile|dest|destination|target)(-?(file|path|to|dir))?)$/,
  command:
    /^(--?on-[\w-]+|-sf|-exec|--?([\w-]+-)?(exec|execute|command|cmd|hook|pager|editor|rsh|wrapper|filter|pipe|eval|up|down|rshcmd|script))$/,
  library: /^--?([\w-]+-)?(engine|plugin|plugins|module|modules|lib|library|provider|load|preload|auth|agent|D)$|^-D$/,
  reveals:
    /^--?([a-z]+-)*(show|reveal|dump|print|export|include|display)-?(secrets?|credentials?|passwords?|passphrases?|tokens?|decryption|sensitive|((private|master|volume|secret|access|account)-?)keys?)$|^--?(reveal|unmask|with-?(decryption|secrets?|sensitive))$/i,
  /** A host follows, in any program. */
  host: /^--?([\w-]+[-.])?(host|hostname|server|addr|address|endpoints?|url|uri|proxy|registry|brokers?|broker-list|bootstrap-servers?)$/i,
  /** A file follows that says whom a program talks to and what it runs. */
  settings:
    /^--?([\w-]+[-.])?(kubeconfig|config|conf|cfg|config-?(file|path|dir)|configuration|defaults-(extra-)?file|rcfile|init-?file|inventory|(properties|options|settings)-?file|service-?file|custom-dir|external-dir)$/i,
  key: /^--?(i|o|[\w-]*(key|cert|identity|pem|ssl|tls|privkey)[\w-]*)$/i,
} as const;
