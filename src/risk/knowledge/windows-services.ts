/** Services by what their stop means. */

/** Those that log or guard: never stopped. */
export const auditServices =
  /^(\*?eventlog|windefend|win?defend\*?|sysmon\w*|wscsvc|mpssvc|sense|wdnissvc|securityhealthservice|splunkforwarder|winlogbeat|filebeat|eventsystem|wecsvc|wazuh\w*|ossec\w*|csfalconservice|carbonblack|cbdefense|sentinelagent|mssense|healthservice|nxlog|diagtrack|windows event log|windows defender.*)$/i;
/** Without those a server is cut off or its data stand still. */
export const vitalServices =
  /^(\*|dhcp|dnscache|lanmanserver|lanmanworkstation|netlogon|rpcss|winrm|sshd|termservice|w32time|dns|ntds|adws|kdc|samss|nsi|netman|ssh-agent|mssqlserver.*|mssql\$.*|clussvc|vmms|w3svc\*)$/i;
/** Registry keys that start programs or decide who may log in. */
export const startupKeys =
  /\\(run|runonce|winlogon|services|lsa|policies|image file execution options|appinit_dlls|session manager)\b/i;
