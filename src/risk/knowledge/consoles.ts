/** What only reads in consoles that take a command a line, by the program. */

export interface ConsoleReads {
  /** Fits a whole line that only reads. */
  readonly reads: RegExp;
  /** Fits a line that destroys something or stops a service. */
  readonly destroys?: RegExp;
  /** Operands that say as whom to sign in. */
  readonly signIn?: RegExp;
  /** True if a text of several lines is one. */
  readonly isWhole?: boolean;
  /** True if its operands are a command. */
  readonly takesWords: boolean;
  /** Fits a line that gives a command to a shell. */
  readonly toShell?: RegExp;
}

/** Fits lines of these forms alone, in any case. */
const lines = (...forms: readonly string[]): RegExp => new RegExp(`^(?:${forms.join("|")})$`, "i");
const name = "[\\w\"'$#.]+";

export const consoleReads: Readonly<Record<string, ConsoleReads>> = {
  bconsole: {
    // `list nextvol` may recycle a volume, `messages` takes them away.
    reads: lines(
      'l?list( (?!nextvol)[\\w=.,:"-]+)+',
      "status (dir(ector)?|client|storage|schedule[dr]?|all|network|subscriptions)(=[\\w.-]+)?( [\\w=.,-]+)*",
      "version|time|help( \\w+)?|quit|exit",
    ),
    destroys: /^(delete|purge|prune|truncate|cancel|stop|disable|restore)\b/i,
    takesWords: false,
    toShell: /^@(?:exec|tee|\|)\s*"?(.+?)"?$/,
  },
  influx: {
    // Flux that imports nothing and writes nothing.
    reads: /^(from\(bucket|buckets\()(?!.*(?<![\w.])(to|import|wideTo|option|builtin|package)(?!\w))/,
    isWhole: true,
    takesWords: true,
  },
  rman: {
    reads: lines(
      "(list|report) (?!.*\\b(delete|catalog start)\\b)[\\w ='\":,.()-]+",
      "show (all|[a-z ]+)|exit|quit|set echo (on|off)",
    ),
    destroys: /^(delete|drop|restore|recover|duplicate|shutdown|flashback|reset|unregister|switch|change)\b/i,
    signIn: /^(target|\/|nocatalog)$/i,
    takesWords: false,
    toShell: /^host\s*['"](.+?)['"]$/i,
  },
  adrci: {
    reads: lines(
      "(exec=)?['\"]?(show (home|homes|homepath|base|problem|incident|incdir|alert( -tail \\d+( -term)?| -term)|control|" +
        "tracefile|version)( -(mode \\w+|last \\d+|all))*|set homepath [\\w./-]+; ?show (problem|incident))['\"]?",
      "exit|quit",
    ),
    destroys: /^(exec=)?['"]?(purge|delete|ips|migrate)\b/i,
    takesWords: true,
    toShell: /^(?:exec=['"]?)?host\s*['"](.+?)['"]$/i,
  },
  dgmgrl: {
    reads: lines(
      `show configuration( (verbose|lag( verbose)?|when primary is ${name}))?`,
      `show (database|instance|far_sync|recovery_appliance|member)( verbose)? ${name}( ${name})?`,
      `show (fast_start failover|observers?( for ${name})?|all( members)?|resource( verbose)? ${name})`,
      `validate (database|far_sync)( verbose)? ${name}`,
      "help( \\w+)*|exit|quit",
    ),
    destroys: /^(failover|switchover|remove|disable|shutdown|convert|reinstate|stop)\b/i,
    signIn: /^(\/|sys|sysdg|\/@[\w.]+)$/i,
    takesWords: true,
    toShell: /^(?:host|!)\s*(.+)$/i,
  },
};
