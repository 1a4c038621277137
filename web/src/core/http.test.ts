import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { api, Problem, problemText } from "./http";
import { setLanguage } from "./i18n";

beforeAll(() => setLanguage("en"));
afterEach(() => vi.unstubAllGlobals());

function answer(status: number, body: string): ReturnType<typeof vi.fn> {
  const fetched = vi.fn(() => Promise.resolve(new Response(status === 204 ? null : body, { status })));
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

async function caught(work: Promise<unknown>): Promise<Problem> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Problem);
  return error as Problem;
}

describe("a request", () => {
  it("names the language of the page and sends JSON", async () => {
    const fetched = answer(200, '{"tables": []}');
    expect(await api("POST", "/api/tables", { seat: 0 })).toEqual({ tables: [] });
    const [path, asked] = fetched.mock.calls[0] as [string, RequestInit];
    expect(path).toBe("/api/tables?language=en");
    expect(asked).toMatchObject({ method: "POST", body: '{"seat":0}', credentials: "same-origin" });
  });

  it("keeps what the address asks already, and has no body where none is given", async () => {
    const fetched = answer(200, "{}");
    await api("GET", "/api/results?limit=5");
    const [path, asked] = fetched.mock.calls[0] as [string, RequestInit];
    expect(path).toBe("/api/results?limit=5&language=en");
    expect(asked.body).toBeUndefined();
  });

  it("that is done has nothing to say", async () => {
    answer(204, "");
    expect(await api("DELETE", "/api/me")).toBeUndefined();
  });

  it("that is refused tells the code, the text and the reasons", async () => {
    answer(422, '{"code": "options", "detail": "It cannot be.", "reasons": ["one", "two", 3]}');
    const problem = await caught(api("POST", "/api/tables", {}));
    expect(problem).toMatchObject({ code: "options", detail: "It cannot be.", reasons: ["one", "two"], status: 422 });
  });

  it.each([
    [502, "<html>"],
    [500, "null"],
    [400, "7"],
  ])("that gets a strange answer (%s, %s) says so", async (status, body) => {
    answer(status, body);
    const problem = await caught(api("GET", "/api/server"));
    expect(problem.code).toBe(`http_${status}`);
    expect(problem.detail).toContain(String(status));
  });

  it("that does not reach the server says so", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("failed")));
    const problem = await caught(api("GET", "/api/server"));
    expect(problem.code).toBe("offline");
    expect(problem.detail).toContain("cannot be reached");
  });
});

describe("what is shown of an error", () => {
  it("is the text of a problem with its reasons once, and a plain sentence of anything else", () => {
    expect(problemText(new Problem("options", "It cannot be.", ["One.", "Two."]))).toBe("It cannot be. One. Two.");
    expect(problemText(new Problem("no_token", "Sign in.", ["Sign in."]))).toBe("Sign in.");
    expect(problemText(new Problem("options", "It cannot be. One.", ["One.", "Two."]))).toBe("It cannot be. One. Two.");
    expect(problemText(new TypeError("x is undefined"))).toContain("Something went wrong");
  });
});
