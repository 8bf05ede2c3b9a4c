import type { Peer } from "./peer.ts";

/** The block list of regular expressions that most bots of this kind carry, as one writes it in an afternoon. */
const patterns: readonly RegExp[] = [
  /\brm\s+(-[a-z]+\s+)*-[a-z]*(rf|fr|r)[a-z]*\s+(\/|~|\*)/i,
  /\brm\s+--recursive/i,
  /\bmkfs(\.\w+)?\b/i,
  /\bdd\s+if=.*\bof=\/dev\//i,
  />\s*\/dev\/(sd|nvme|hd|vd)/i,
  /\bwipefs\b/i,
  /:\(\)\s*\{.*\};\s*:/,
  /\b(curl|wget)\b.*\|\s*(sudo\s+)?(ba|z)?sh\b/i,
  /\bchmod\s+-R\s+777\s+\//i,
  /\bchown\s+-R\b.*\s\/(\s|$)/i,
  /\/etc\/shadow\b/i,
  /\b(nc|ncat|netcat)\b.*\s-e\b/i,
  /\/dev\/tcp\//i,
  /\b(shutdown|reboot|halt|poweroff)\b/i,
  /\bDROP\s+(TABLE|DATABASE)\b/i,
  /\bhistory\s+-c\b/i,
  /\bRemove-Item\b.*-Recurse\b.*\b[A-Z]:\\/i,
  /\b(Format-Volume|Clear-Disk|diskpart)\b/i,
  /\bformat\s+[a-z]:/i,
  /\b(del|rd|rmdir)\b.*\/s\b.*\b[a-z]:\\/i,
  /\b(iex|Invoke-Expression)\b/i,
];

export const blockList: Peer = {
  name: "block list of regular expressions",
  judge: ({ command }) => (patterns.some((pattern) => pattern.test(command)) ? "block" : "low"),
};
