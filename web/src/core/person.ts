// Who plays in this browser: nobody yet, a guest, or an account. The server keeps who that is in a cookie.
import { early } from "../early/begin";
import type { PersonInfo, Session } from "../protocol";
import { api, Problem } from "./http";

/** `undefined` until the server was asked. */
type Who = PersonInfo | null | undefined;

export interface People {
  get(): Who;
  subscribe(run: (who: Who) => void): () => void;
  /** Ask the server who it is; asked twice at once, it is one question. */
  load(): Promise<PersonInfo | null>;
  /** Be somebody: a guest of this name where it is nobody yet, else the same person under this name. */
  ensure(name: string): Promise<PersonInfo>;
  /** Say who it is now, after signing in or out. */
  set(who: PersonInfo | null): void;
}

/** Ask the server, or take its answer where it was asked before this page came. */
const askSession = async (ask: typeof api): Promise<Session> =>
  ((await early.takeSession()) as Session | null) ?? ask<Session>("GET", "/api/session");

/** Become a guest of a name. */
async function askGuest(ask: typeof api, name: string): Promise<PersonInfo> {
  const { person } = await ask<Session>("POST", "/api/guests", { name });
  if (person === null) throw new Problem("no_token", "");
  return person;
}

/** `ask` is how the server is asked. */
export function createPeople(ask: typeof api = api): People {
  let who: Who;
  const listeners = new Set<(who: Who) => void>();
  const set = (next: PersonInfo | null): void => {
    who = next;
    for (const run of listeners) run(who);
  };
  let asking: Promise<PersonInfo | null> | undefined;
  const question = async (): Promise<PersonInfo | null> => {
    try {
      const { person } = await askSession(ask);
      set(person);
      return person;
    } finally {
      asking = undefined;
    }
  };
  const load = (): Promise<PersonInfo | null> => (asking ??= question());
  const be = (person: PersonInfo): PersonInfo => {
    set(person);
    return person;
  };
  return {
    get: () => who,
    subscribe(run) {
      listeners.add(run);
      run(who);
      return () => listeners.delete(run);
    },
    load,
    set,
    async ensure(name) {
      const known = who === undefined ? await load() : who;
      const wished = name.trim();
      if (known === null) return be(await askGuest(ask, wished));
      if (wished === "" || wished === known.name) return known;
      return be(await ask<PersonInfo>("PATCH", "/api/me", { name: wished }));
    },
  };
}

/** Who plays in this browser. */
export const people = createPeople();
