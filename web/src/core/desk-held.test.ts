import { describe, expect, it } from "vitest";
import type { Reply } from "./socket";
import { aView } from "./testing/fakes";
import { ACK, Stand, refusal, settle } from "./testing/stand";

/** A stand whose acts are answered when the test says so. */
function slow(): { stand: Stand; answer: (reply?: Reply) => Promise<void> } {
  const stand = new Stand();
  const waiting: ((reply: Reply) => void)[] = [];
  stand.answer = (type) => (type === "act" ? new Promise<Reply>((resolve) => void waiting.push(resolve)) : ACK);
  const answer = async (reply: Reply = { ...ACK, version: stand.picture.version }): Promise<void> => {
    waiting.shift()?.(reply);
    await settle();
  };
  return { stand, answer };
}

/** A stand with a discard under way and an undo held back behind it. */
async function undoHeldBack(): Promise<ReturnType<typeof slow>> {
  const slowly = slow();
  slowly.stand.step(aView({ can_undo: 1 }));
  slowly.stand.select("Kc");
  slowly.stand.desk.discard();
  slowly.stand.desk.undo();
  await settle();
  return slowly;
}

describe("a command while another is under way", () => {
  it("is held back and done after it", async () => {
    const { stand, answer } = await undoHeldBack();
    expect(stand.asked.map(([type]) => type)).toEqual(["act"]);
    await answer();
    expect(stand.asked.map(([type]) => type)).toEqual(["act", "undo"]);
    expect(stand.desk.get().acting).toBe(false);
  });

  it("is done once when it is the same one", async () => {
    const { stand, answer } = slow();
    stand.select("Kc");
    stand.desk.discard();
    stand.desk.discard();
    await settle();
    await answer();
    await answer();
    expect(stand.acts).toHaveLength(1);
    expect(stand.desk.get().notice).toBeNull();
  });

  it("gives way to a later one", async () => {
    const { stand, answer } = slow();
    stand.step(aView({ can_undo: 1 }));
    stand.select("Kc");
    stand.desk.discard();
    stand.desk.askHint();
    stand.desk.undo();
    await settle();
    await answer();
    expect(stand.asked.map(([type]) => type)).toEqual(["act", "undo"]);
  });

  it("is dropped when that one is refused, whose reason stays", async () => {
    const { stand, answer } = await undoHeldBack();
    await answer(refusal("card_barred"));
    expect(stand.asked.map(([type]) => type)).toEqual(["act"]);
    expect(stand.desk.get().notice?.text).toBe("No: card_barred.");
  });

  it("is dropped when the turn has ended with that one", async () => {
    const { stand, answer } = await undoHeldBack();
    stand.step(aView({ state_number: 2, legal: null }));
    await answer();
    expect(stand.asked.map(([type]) => type)).toEqual(["act"]);
    expect(stand.desk.get().notice).toBeNull();
  });

  it("is dropped by who thinks better of it", async () => {
    const { stand, answer } = slow();
    stand.step(aView({ can_undo: 1 }));
    stand.select("Kc");
    stand.desk.discard();
    stand.desk.undo();
    stand.desk.clear();
    await settle();
    await answer();
    expect(stand.asked.map(([type]) => type)).toEqual(["act"]);
  });

  it("is dropped when the turn came round again in the meantime", async () => {
    const { stand, answer } = await undoHeldBack();
    stand.step(aView({ state_number: 5, turn_count: 2, can_undo: 1 }));
    await answer();
    expect(stand.asked.map(([type]) => type)).toEqual(["act"]);
  });
});
