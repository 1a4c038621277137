import { beforeAll, describe, expect, it } from "vitest";
import { setLanguage } from "../core/i18n";
import { seatsOf, tableOf, viewOf, youOf } from "../panels/testing";
import { seatInfo } from "./seats";

beforeAll(() => setLanguage("en"));

describe("what a seat shows", () => {
  const table = tableOf({
    seats: [
      seatsOf.person(0, "Ana"),
      seatsOf.person(1, "Robo", { bot_of: "Lúcia" }),
      seatsOf.person(2, "Rita"),
      seatsOf.bot(3),
    ],
  });
  const info = (seat: number) => seatInfo(seat, table, youOf(0), viewOf({}), null);

  it("a bot account is marked as a bot, and says whose it is", () => {
    expect([0, 1, 2, 3].map((seat) => info(seat).bot)).toEqual([false, true, false, true]);
    expect(info(1).name).toBe("Robo");
    expect(info(1).label).toContain("bot of Lúcia");
    expect(info(2).label).not.toContain("bot of");
  });
});
