import { beforeEach, describe, expect, it, vi } from "vitest";
import { TableSocket, type Told } from "../core/socket";
import { FakeSocket, aSnapshot } from "../core/testing/fakes";
import { Early, chosenLanguage, early, socketAddress } from "./begin";

vi.mock("../table/Table.svelte", () => ({ default: null }));

const page = (path: string, language = "it"): Window =>
  ({
    location: { protocol: "https:", host: "here", pathname: path, search: "" },
    navigator: { languages: [language] },
  }) as unknown as Window;

const asked: string[] = [];

beforeEach(() => {
  FakeSocket.all = [];
  asked.length = 0;
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", (address: string) => {
    asked.push(address);
    return Promise.resolve({ ok: true, json: () => Promise.resolve({ person: null }) });
  });
  return () => vi.unstubAllGlobals();
});

describe("what begins before the page", () => {
  it("is the session and the socket of the table in the address, in the language of the browser", async () => {
    const begun = new Early();
    begun.begin(page("/t/ABC"), "");
    expect(asked).toEqual(["/api/session?language=it"]);
    expect(FakeSocket.last.url).toBe("wss://here/api/tables/ABC/socket?language=it");
    expect(await begun.takeSession()).toEqual({ person: null });
    expect(await begun.takeSession()).toBeNull();
  });

  it.each(["/", "/settings", "/rules/aberto", "/t/", "/t/a b"])("is nothing at %s", async (path) => {
    const begun = new Early();
    begun.begin(page(path), "");
    expect([asked, FakeSocket.all]).toEqual([[], []]);
    expect(await begun.takeSession()).toBeNull();
    expect(begun.takeSocket("wss://here")).toBeNull();
  });

  it("is let go where another table or language is wanted, or where it has ended", () => {
    const other = new Early();
    other.begin(page("/t/ABC"), "ru");
    expect(other.takeSocket("wss://here/api/tables/ABC/socket?language=it")).toBeNull();
    expect(FakeSocket.last.readyState).toBe(FakeSocket.CLOSED);
    const ended = new Early();
    ended.begin(page("/t/ABC"), "ru");
    FakeSocket.last.readyState = FakeSocket.CLOSED;
    expect(ended.takeSocket(FakeSocket.last.url)).toBeNull();
  });
});

it("is told to the page as if it had come after it, with how late it is heard", async () => {
  vi.useFakeTimers();
  const here = { ...window.location, pathname: "/t/ABC", host: location.host, protocol: location.protocol, search: "" };
  early.begin({ location: here, navigator: { languages: ["en"] } } as unknown as Window, "");
  FakeSocket.last.accept();
  FakeSocket.last.tell(aSnapshot({ version: 7 }));
  vi.advanceTimersByTime(300);
  const told: [Told["type"], number][] = [];
  const lines: string[] = [];
  const host = {
    told: (message: Told, lateMs: number): void => void told.push([message.type, lateMs]),
    line: ({ line }: { readonly line: string }): void => void lines.push(line),
  };
  const socket = new TableSocket("ABC", host, () => "en");
  socket.open();
  expect(told).toEqual([]);
  await vi.advanceTimersByTimeAsync(0);
  expect(told).toEqual([["snapshot", 300]]);
  expect(lines).toEqual(["connecting", "open"]);
  expect(FakeSocket.all.length).toBe(1);
  socket.close();
  vi.useRealTimers();
});

it.each([
  ['{"language":"pt-BR","sound":true}', "pt-BR"],
  ['{"language":""}', ""],
  ["no settings", ""],
  [null, ""],
])("the language chosen in %j is %j", (kept, language) => {
  expect(chosenLanguage(kept)).toBe(language);
});

it("the address of a socket says where to go on", () => {
  const place = { protocol: "http:", host: "h:1" } as Location;
  expect(socketAddress(place, "A-1", "es", 12)).toBe("ws://h:1/api/tables/A-1/socket?language=es&since=12");
});
