/** The size of what may not be read, so coarse that the length of a secret in it cannot be worked out (SR-49). */
export const roughSize = (bytes: number): string =>
  bytes < 1_000 ? "under 1 kB" : `about ${Math.round(bytes / 1_000).toLocaleString("en-US")} kB`;
