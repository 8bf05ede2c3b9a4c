const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Milliseconds of "90s", "5m", "2h" or "14d"; otherwise undefined. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,6})(ms|s|m|h|d)$/.exec(text.trim());
  const unit = match?.[2];
  return match && unit !== undefined && unit in unitMs
    ? Number(match[1]) * unitMs[unit as keyof typeof unitMs]
    : undefined;
}
