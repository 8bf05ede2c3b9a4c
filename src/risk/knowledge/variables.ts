/** Variables of the environment with which a program only reads. Set to anything else, one makes a call medium at least. */

/** They change how something is shown, or which account, database or port is meant; a `*` at the end stands for any rest. */
export const readingVariables =
  "ANSIBLE_FORCE_COLOR ANSIBLE_NOCOLOR AWS_DEFAULT_OUTPUT AWS_DEFAULT_PROFILE AWS_DEFAULT_REGION AWS_MAX_ATTEMPTS " +
  "AWS_PROFILE AWS_REGION AWS_RETRY_MODE BLOCKSIZE BLOCK_SIZE CLICOLOR CLICOLOR_FORCE CLOUDSDK_CORE_DISABLE_PROMPTS " +
  "COLUMNS DEBIAN_FRONTEND DF_BLOCK_SIZE DU_BLOCK_SIZE ETCDCTL_API FORCE_COLOR GIT_OPTIONAL_LOCKS GIT_TERMINAL_PROMPT " +
  "GREP_COLORS HISTTIMEFORMAT LANG LC_* LINES LS_BLOCK_SIZE LS_COLORS NO_COLOR PGAPPNAME PGCONNECT_TIMEOUT PGDATABASE " +
  "PGPORT PGTZ PGUSER POSIXLY_CORRECT QUOTING_STYLE S_COLORS S_TIME_FORMAT SYSTEMD_COLORS SYSTEMD_URLIFY TERM " +
  "TIMEFORMAT TIME_STYLE TZ";

/** A word, a name, a number: no path that is looked up elsewhere, no option, no text of a language. */
export const readingValue = /^$|^(?!.*\.\.)[\w%@.,;+=*][\w%@.,:;+=* /-]*$/;

/** What the shell itself uses to part words. */
export const partingVariables = "IFS";

/** A password or a key that a client uses and does not show. */
export const secretVariables = "MYSQL_PWD PGPASSWORD REDISCLI_AUTH VAULT_TOKEN";

/** Settings and programs, that only who administers the server keeps where these may point. */
export const keptSettings = "JAVA_HOME KUBECONFIG";

/** The host that a client asks; one that `policy.egress` does not list is medium by that. */
export const hostVariables =
  "CONSUL_HTTP_ADDR DOCKER_HOST ETCDCTL_ENDPOINTS MYSQL_HOST NOMAD_ADDR PGHOST PGHOSTADDR VAULT_ADDR";

/** Whether a variable's name says that it holds a secret: `DB_PASSWORD`, `GITHUB_TOKEN`, `MYSQL_PWD`. */
export const namesSecret = (name: string): boolean =>
  /(^|_)(PASS(W(OR)?D|PHRASE)?|SECRETS?|TOKENS?|CREDENTIALS?|PAT|(API|ACCESS|PRIVATE|SECRET|SIGNING|ENCRYPTION|MASTER|ACCOUNT)_?KEYS?)(_|$)|PASSWORD$|[A-Z]_PWD$/i.test(
    name,
  );

/** Whether it usually holds an address with a login: `DATABASE_URL`, `CELERY_BROKER_URL`, `SENTRY_DSN`. */
export const holdsLogin = (name: string): boolean =>
  /(^|_)(DATABASE|DB|REDIS|MONGO(DB)?|POSTGRES(QL)?|PG|MYSQL|MARIADB|AMQP|RABBITMQ|BROKER|QUEUE|ELASTIC(SEARCH)?|SMTP|MAILER|LDAP|SENTRY)_?(URL|URI|DSN)$|(^|_)(DSN|CONN(ECTION)?_?STR(ING)?|WEBHOOK_URL)$/i.test(
    name,
  );

/** The variable that an expression of any language reads: `env.X`, `$ENV.X`, `ENVIRON["X"]`, `env(X)`, `getenv('X')`, `$ENV{X}`. */
const readVariable =
  /(?:\bENVIRON\s*\[|\$?\bENV\s*[[{]|\benv\s*\[|\benviron(?:\.get)?\s*[[(]|\bgetenv\s*\(|(?<![\w.])(?:str)?env\s*\(|\$ENV\.|(?<![\w.$])env\.)\s*["']?([A-Za-z_]\w*)(?!\w|\s*=[^=])/g;

export const variablesReadIn = (expression: string): readonly string[] =>
  [...expression.matchAll(readVariable)].map(([, name = ""]) => name);
