// What a table needs first is asked for before the code of the page has come: who plays here, what the table shows, its
// words and its code. The page takes over what was begun; where it wants something else it asks anew.
import { SUBPROTOCOL } from "../protocol";
import { CATALOGUES, catalogueOf, firstLanguage } from "./languages";

const TABLE = /^\/t\/([A-Za-z0-9_-]{1,64})$/;

/** The socket of a table as the server knows it by its address. */
export function socketAddress(place: Location, name: string, language: string, since: number | null): string {
  const scheme = place.protocol === "https:" ? "wss:" : "ws:";
  const query = new URLSearchParams({ language });
  if (since !== null) query.set("since", String(since));
  return `${scheme}//${place.host}/api/tables/${encodeURIComponent(name)}/socket?${query}`;
}

/** A socket that was opened early, with what it has said since and when. */
export interface EarlySocket {
  readonly socket: WebSocket;
  readonly said: readonly { readonly data: string; readonly atMs: number }[];
}

export class Early {
  private socket: WebSocket | null = null;
  private address = "";
  private said: { readonly data: string; readonly atMs: number }[] = [];
  private session: Promise<unknown> | null = null;
  private readonly listen = (event: MessageEvent<string>): void =>
    void this.said.push({ data: event.data, atMs: Date.now() });

  /** Ask for what the table of an address needs; for any other page nothing is begun. */
  begin(page: Window, chosen: string): void {
    const name = TABLE.exec(page.location.pathname)?.[1];
    if (name === undefined) return;
    const language = catalogueOf(firstLanguage(page.location.search, chosen, page.navigator.languages ?? []));
    void CATALOGUES[language]?.().catch(() => undefined);
    void import("../table/Table.svelte").catch(() => undefined);
    this.session = fetch(`/api/session?language=${language}`, { headers: { Accept: "application/json" } })
      .then((response) => (response.ok ? response.json() : null))
      .catch(() => null);
    this.address = socketAddress(page.location, name, language, null);
    this.socket = new WebSocket(this.address, SUBPROTOCOL);
    this.socket.addEventListener("message", this.listen);
  }

  /** Who plays here, as the server answered; null where it was not asked, or did not say. Once only. */
  async takeSession(): Promise<unknown> {
    const asked = this.session;
    this.session = null;
    return asked;
  }

  /** The socket of an address, if that was opened and still is; any other one is let go. Once only. */
  takeSocket(address: string): EarlySocket | null {
    const { socket, said } = this;
    if (socket === null) return null;
    this.socket = null;
    this.said = [];
    socket.removeEventListener("message", this.listen);
    if (address === this.address && socket.readyState <= WebSocket.OPEN) return { socket, said };
    socket.close(1000);
    return null;
  }
}

/** The language that was chosen in this browser, "" if none was. */
export function chosenLanguage(kept: string | null): string {
  return /"language":"([A-Za-z-]{2,5})"/.exec(kept ?? "")?.[1] ?? "";
}

function keptSettings(): string | null {
  try {
    return localStorage.getItem("buraco.settings");
  } catch {
    return null;
  }
}

export const early = new Early();
early.begin(window, chosenLanguage(keptSettings()));
