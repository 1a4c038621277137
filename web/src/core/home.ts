// What the home page shows, and how it stays up to date.
import type { Lobby, TableSummary } from "../protocol";
import { api, Problem } from "./http";
import { Latest } from "./latest";
import { lookAgain } from "./looking";
import { people } from "./person";
import { offered, type Offered } from "./server-info";

export interface HomePicture {
  readonly offered: Offered;
  /** My unfinished tables. */
  readonly mine: readonly TableSummary[];
  /** Public tables: those that wait for players, and those that may be watched. */
  readonly lobby: readonly TableSummary[];
  /** The last look at the tables failed: what is shown may be old. */
  readonly stale: boolean;
}

/** Tables that wait for players first, in each kind the newest first. */
export function sortLobby(tables: readonly TableSummary[]): TableSummary[] {
  const late = (table: TableSummary): number => (table.phase === "open" ? 0 : 1);
  return [...tables].sort((one, other) => late(one) - late(other) || other.created_ms - one.created_ms);
}

/** My unfinished tables; none where nobody has played in this browser yet. */
export async function myTables(): Promise<readonly TableSummary[]> {
  const who = people.get() === undefined ? await people.load() : people.get();
  if (!who) return [];
  try {
    return (await api<Lobby>("GET", "/api/me/tables")).tables.filter((table) => table.phase !== "closed");
  } catch (error) {
    // A token that ended in the meantime: nobody has tables.
    if (error instanceof Problem && error.status === 401) {
      people.set(null);
      return [];
    }
    throw error;
  }
}

export interface Home {
  load(): Promise<HomePicture>;
  /** Tell each new picture after the first one, while the page is visible. Returns what ends that. */
  watch(tell: (picture: HomePicture) => void): () => void;
}

export function home(): Home {
  let picture: HomePicture | undefined;
  const latest = new Latest();
  const load = async (): Promise<HomePicture> => {
    const wanted = latest.begin();
    const [all, mine, lobby] = await Promise.all([offered(), myTables(), api<Lobby>("GET", "/api/tables")]);
    if (picture === undefined || wanted())
      picture = { offered: all, mine, lobby: sortLobby(lobby.tables), stale: false };
    return picture;
  };
  const look = async (tell: (picture: HomePicture) => void): Promise<void> => {
    if (picture === undefined) return;
    const wanted = latest.follow();
    try {
      const [mine, lobby] = await Promise.all([myTables(), api<Lobby>("GET", "/api/tables")]);
      // What was asked for anew in the meantime, in another language, is newer.
      if (!wanted()) return;
      // My own tables change only by what I do: those that are new here wait for the next visit, so nothing jumps.
      const shown = picture.mine.map(
        (one) => mine.find((now) => now.table === one.table) ?? { ...one, phase: "closed" },
      );
      picture = { ...picture, mine: shown, lobby: sortLobby(lobby.tables), stale: false };
    } catch {
      picture = { ...picture, stale: true };
    }
    tell(picture);
  };
  return {
    load,
    watch: (tell) => lookAgain(() => void look(tell)),
  };
}
