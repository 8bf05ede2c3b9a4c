import net from "node:net";

/**
 * To be loaded before the program (`--import`): the n-th listening of the process fails, as where the system gives no port.
 * `COUNTERSIGN_LISTEN_FAULT` is n.
 */

// biome-ignore lint/style/noProcessEnv: stands before the program, not in it
let left = Number(process.env.COUNTERSIGN_LISTEN_FAULT);
const { listen } = net.Server.prototype;
net.Server.prototype.listen = function (this: net.Server, ...args: unknown[]) {
  left--;
  if (left !== 0) return Reflect.apply(listen, this, args);
  const error = Object.assign(new Error("listen EMFILE: too many open files"), { code: "EMFILE" });
  process.nextTick(() => this.emit("error", error));
  return this;
};
