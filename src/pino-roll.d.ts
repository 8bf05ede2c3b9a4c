/** pino-roll ships no types; these are the parts we use. */
declare module "pino-roll" {
  interface RollOptions {
    readonly file: string;
    readonly size?: string | number;
    readonly frequency?: "daily" | "hourly" | number;
    readonly dateFormat?: string;
    readonly mode?: number;
  }
  export default function roll(options: RollOptions): Promise<NodeJS.WritableStream>;
}
