import { describe, expect, it } from "vitest";
import type { PersonInfo } from "../protocol";
import type { api, Method } from "./http";
import { createPeople } from "./person";

const ana: PersonInfo = { person: "p1", name: "Ana", login: null, created_ms: 0, bot_of: null };

/** A server that answers the calls in order. */
function server(...answers: unknown[]): { ask: typeof api; calls: unknown[][] } {
  const calls: unknown[][] = [];
  const ask = ((method: Method, path: string, body?: unknown) => {
    calls.push(body === undefined ? [method, path] : [method, path, body]);
    return Promise.resolve(answers.shift());
  }) as typeof api;
  return { ask, calls };
}

describe("who plays", () => {
  it("is not known before the server was asked", async () => {
    const { ask } = server({ person: ana });
    const people = createPeople(ask);
    const heard: unknown[] = [];
    people.subscribe((who) => heard.push(who));
    await people.load();
    expect(heard).toEqual([undefined, ana]);
  });

  it("is asked for once at a time, and again after a failure", async () => {
    let calls = 0;
    const people = createPeople((() => {
      calls += 1;
      return calls === 1 ? Promise.reject(new Error("lost")) : Promise.resolve({ person: ana });
    }) as typeof api);
    await expect(Promise.all([people.load(), people.load()])).rejects.toThrow("lost");
    expect(await Promise.all([people.load(), people.load()])).toEqual([ana, ana]);
    expect(calls).toBe(2);
  });

  it("becomes a guest of the wished name where it is nobody", async () => {
    const { ask, calls } = server({ person: null }, { person: ana });
    expect(await createPeople(ask).ensure(" Ana ")).toEqual(ana);
    expect(calls).toEqual([
      ["GET", "/api/session"],
      ["POST", "/api/guests", { name: "Ana" }],
    ]);
  });

  it.each(["", "Ana", " Ana "])("stays who it is under the same name (%j)", async (name) => {
    const { ask, calls } = server({ person: ana });
    expect(await createPeople(ask).ensure(name)).toEqual(ana);
    expect(calls).toHaveLength(1);
  });

  it("is renamed and stays the same person", async () => {
    const renamed = { ...ana, name: "Bia" };
    const { ask, calls } = server({ person: ana }, renamed);
    const people = createPeople(ask);
    await people.ensure("Bia");
    expect(calls[1]).toEqual(["PATCH", "/api/me", { name: "Bia" }]);
    expect(people.get()).toEqual(renamed);
  });
});
