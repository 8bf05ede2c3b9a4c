import { stringify } from "yaml";

/** A value as a place writes it, between what stands before and behind it; undefined if the place cannot write that value. */
export type Written = readonly [before: string, value: string, after: string];
type Write = (name: string, value: string) => Written | undefined;

const json = (value: string): string => JSON.stringify(value).slice(1, -1);
/** Go writes `<`, `>` and `&` so that HTML may hold them. */
const goJson = (value: string): string =>
  json(value).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
const single = (value: string): string => value.replaceAll("'", "'\\''");
const doubled = (sign: string, value: string): string => value.replaceAll(sign, sign + sign);
const escaped = (signs: RegExp, value: string): string => value.replace(signs, "\\$&");
const xml = (value: string): string =>
  value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const url = (value: string): string =>
  encodeURIComponent(value).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
const form = (value: string): string => new URLSearchParams({ a: value }).toString().slice(2);

/** YAML in the quotes that its writer chooses. */
const inYaml = (value: string): Written => {
  const written = stringify(value, { lineWidth: 0 }).trimEnd();
  return /^(["']).*\1$/.test(written)
    ? [written.slice(0, 1), written.slice(1, -1), written.slice(-1)]
    : ["", written, ""];
};

const around = (before: string, [open, value, close]: Written, after: string): Written => [
  before + open,
  value,
  close + after,
];

/** Places where a name says what its value is, each with the quoting that its own writers use. */
export const contexts: Readonly<Record<string, Write>> = {
  "JSON on one line": (name, value) => [`{"user":"ann","${name}":"`, json(value), '","port":5432}'],
  "JSON over lines": (name, value) => [`{\n  "host": "db-1",\n  "${name}": "`, json(value), '",\n  "port": 5432\n}'],
  "JSON by Go": (name, value) => [`{"${name}":"`, goJson(value), '"}'],
  "JSON within JSON": (name, value) => [`{"log":"{\\"${name}\\":\\"`, json(json(value)), '\\",\\"port\\":1}"}'],
  YAML: (name, value) => around(`db:\n  ${name}: `, inYaml(value), "\n  port: 5432"),
  "YAML in double quotes": (name, value) => [`${name}: "`, json(value), '"\nport: 5432'],
  "YAML in single quotes": (name, value) => [`${name}: '`, doubled("'", value), "'\nport: 5432"],
  "YAML's list of variables": (name, value) =>
    around(`env:\n  - name: ${name}\n    value: `, inYaml(value), '\n  - name: PORT\n    value: "1"'),
  "YAML's list of settings": (name, value) => {
    const [open, written, close] = inYaml(`${name}=${value}`);
    return [`environment:\n  - ${open}${name}=`, written.slice(name.length + 1), `${close}\n  - PORT=1`];
  },
  "an environment": (name, value) => [`HOME=/root\n${name}=`, value, "\nPORT=5432"],
  "an environment in JSON": (name, value) => [`"Env": [\n  "${name}=`, json(value), '",\n  "PORT=1"\n]'],
  "a shell's single quotes": (name, value) => [`export ${name}='`, single(value), "'\nexport PORT=1"],
  "a shell's double quotes": (name, value) => [`${name}="`, escaped(/["\\$`]/g, value), '"\nPORT=1'],
  "a shell's backslashes": (name, value) => [`${name}=`, escaped(/[^\w@%+=:,./-]/g, value), "\nPORT=1"],
  "a command's option, quoted": (name, value) => [`sync --host db-1 --${name} '`, single(value), "' --verbose"],
  "a command's option with a sign, quoted": (name, value) => [`sync --${name}='`, single(value), "' --verbose"],
  "a command's option as ps shows it": (name, value) => [`app 311 sync --${name}=`, value, " --verbose"],
  "a command's option behind a blank as ps shows it": (name, value) =>
    value.startsWith("-") ? undefined : [`app 311 sync --${name} `, value, " --verbose"],
  "an INI file": (name, value) => [`[db]\nhost = db-1\n${name} = `, value, "\nport = 1"],
  "an INI file in quotes": (name, value) => [`[db]\n${name} = "`, escaped(/["\\]/g, value), '"\nport = 1'],
  "Java's properties": (name, value) => [`db.host=db-1\ndb.${name}=`, escaped(/[\\:=#!]/g, value), "\ndb.port=1"],
  TOML: (name, value) => [`[db]\n${name} = "`, json(value), '"\nport = 1'],
  "TOML's literals": (name, value) => (value.includes("'") ? undefined : [`${name} = '`, value, "'\nport = 1"]),
  "an XML element": (name, value) => [`<db>\n  <${name}>`, xml(value), `</${name}>\n  <port>1</port>\n</db>`],
  "an XML attribute": (name, value) => [`<db user="ann" ${name}="`, xml(value), '" port="1"/>'],
  "XML's property": (name, value) => [`<property name="${name}" value="`, xml(value), '"/>'],
  "a query": (name, value) => [`GET /x?user=ann&${name}=`, url(value), "&page=1 HTTP/1.1"],
  "a form": (name, value) => [`user=ann&${name}=`, form(value), "&page=1"],
  "a connection string": (name, value) =>
    /[;"'{}=]|^ /.test(value) ? undefined : [`Server=db-1;User Id=ann;${name}=`, value, ";Database=shop"],
  "a connection string in quotes": (name, value) => [`Server=db-1;${name}='`, doubled("'", value), "';Database=shop"],
  "libpq's settings": (name, value) => [`host=db-1 ${name}='`, escaped(/['\\]/g, value), "' port=1"],
  HCL: (name, value) => [`db {\n  ${name} = "`, json(value), '"\n  port = 1\n}'],
  "Python's dict": (name, value) =>
    value.includes("'") && !value.includes('"')
      ? [`{'user': 'ann', '${name}': "`, escaped(/\\/g, value), "\", 'port': 1}"]
      : [`{'user': 'ann', '${name}': '`, escaped(/['\\]/g, value), "', 'port': 1}"],
  "Ruby's hash": (name, value) => [`{:user=>"ann", :${name}=>"`, escaped(/["\\]|#(?=[{$@])/g, value), '", :port=>1}'],
  "PHP's constant": (name, value) => [`define('${name}', '`, escaped(/['\\]/g, value), "');"],
  JavaScript: (name, value) => [`const ${name} = '`, escaped(/['\\]/g, value), "';\nconst port = 1;"],
  PowerShell: (name, value) => [`$${name} = '`, doubled("'", value), "'\n$port = 1"],
  logfmt: (name, value) =>
    /[="\\]/.test(value)
      ? [`time=09:14 ${name}="`, json(value), '" port=1']
      : [`time=09:14 ${name}=`, value, " port=1"],
  CSV: (name, value) =>
    /[",]/.test(value)
      ? [`user,${name},port\nann,"`, doubled('"', value), '",1\n']
      : [`user,${name},port\nann,`, value, ",1\n"],
  TSV: (name, value) => [`user\t${name}\tport\nann\t`, value.replaceAll("\\", "\\\\"), "\t1\n"],
  "psql's table": (name, value) => [
    ` user | ${name.padEnd(16)} | port\n------+${"-".repeat(Math.max(16, name.length) + 2)}+------\n ann  | `,
    value,
    `${" ".repeat(Math.max(0, Math.max(16, name.length) - value.length))} |    1\n(1 row)\n`,
  ],
  "psql's record": (name, value) => [`-[ RECORD 1 ]-----\nuser     | ann\n${name} | `, value, "\nport     | 1\n"],
  "a Dockerfile": (name, value) => [`ENV ${name}="`, escaped(/["\\$]/g, value), '"\nENV PORT=1'],
};
