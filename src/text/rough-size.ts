/** Too coarse to reveal a secret's length (SR-49). */
export const roughSize = (bytes: number): string =>
  bytes < 1_000 ? "under 1 kB" : `about ${Math.round(bytes / 1_000).toLocaleString("en-US")} kB`;
