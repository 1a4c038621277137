// Whether there is a table of a code, for somebody who is nobody here yet: the server says so as it closes the socket.
import { early, socketAddress } from "../early/begin";
import { SUBPROTOCOL } from "../protocol";
import { catalogueOf, language } from "./i18n";

/** The close code for a table that does not exist or is closed. */
export const GONE = 4004;
const WAIT_MS = 3000;

/** Says `false` only where the server has said that there is none. */
export function isThere(name: string): Promise<boolean> {
  const address = socketAddress(location, name, catalogueOf(language.get()), null);
  const socket = early.takeSocket(address)?.socket ?? new WebSocket(address, SUBPROTOCOL);
  return new Promise((resolve) => {
    const done = (there: boolean): void => {
      clearTimeout(timer);
      resolve(there);
      if (socket.readyState <= WebSocket.OPEN) socket.close(1000);
    };
    const timer = setTimeout(() => done(true), WAIT_MS);
    socket.addEventListener("message", () => done(true));
    socket.addEventListener("close", (event) => done(event.code !== GONE));
  });
}
