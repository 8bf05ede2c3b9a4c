import { Socket } from "node:net";

/**
 * A socket that ends when nothing has come or gone on it for so long. A query whose server has vanished would otherwise wait until
 * the system gives its bytes up, which takes a quarter of an hour. A timeout of the query alone would hand the dead connection to
 * the next one.
 */
export function impatientSocket(mostSilentMs: number): Socket {
  const socket = new Socket();
  socket.setTimeout(mostSilentMs, () =>
    socket.destroy(new Error(`the server has not answered for ${Math.round(mostSilentMs / 1_000)} s`)),
  );
  return socket;
}
