import { beforeEach, describe, expect, it, vi } from "vitest";
import { settings } from "./settings";
import { listenForUnlock, play, vibrate } from "./sound";

const asked = (): string | undefined => document.documentElement.dataset.sound;

beforeEach(() => {
  delete document.documentElement.dataset.sound;
  settings.set({ sound: true, volume: 0.5, vibration: true });
});

describe("sounds", () => {
  it("that were asked for stand on the root element, the last eight, the newest last", () => {
    for (let number = 0; number < 8; number += 1) play("draw");
    play("turn");
    expect(asked()?.split(" ")).toEqual([...Array<string>(7).fill("draw"), "turn"]);
  });

  it.each([{ sound: false }, { volume: 0 }])("are not asked for when muted by %o", (muted) => {
    settings.set(muted);
    play("canasta");
    expect(asked()).toBeUndefined();
  });

  it("are played once a tap has unlocked them, and the tap is heard once", () => {
    const started: string[] = [];
    class Param {
      setValueAtTime(): void {}
      linearRampToValueAtTime(): void {}
      exponentialRampToValueAtTime(): void {}
    }
    class Node {
      gain = new Param();
      connect(next: unknown): unknown {
        return next;
      }
      start(): void {
        started.push(this.constructor.name);
      }
      stop(): void {}
    }
    class Oscillator extends Node {}
    class Buffer extends Node {}
    let contexts = 0;
    class Context {
      state = "running";
      currentTime = 0;
      sampleRate = 8000;
      destination = {};
      constructor() {
        contexts += 1;
      }
      createGain(): Node {
        return new Node();
      }
      createBuffer(): unknown {
        return { getChannelData: () => new Float32Array(4) };
      }
    }
    vi.stubGlobal("AudioContext", Context);
    vi.stubGlobal("OscillatorNode", Oscillator);
    vi.stubGlobal("AudioBufferSourceNode", Buffer);
    vi.stubGlobal("BiquadFilterNode", Node);
    const target = new EventTarget();
    listenForUnlock(target);
    play("turn");
    expect(started).toEqual([]);
    target.dispatchEvent(new Event("pointerup"));
    target.dispatchEvent(new Event("keydown"));
    play("turn");
    play("discard");
    expect(contexts).toBe(1);
    expect(started).toEqual(["Oscillator", "Oscillator", "Buffer"]);
    vi.unstubAllGlobals();
  });
});

describe("the unlocking of sounds", () => {
  it("waits for a key or tap that the browser takes for a wish", () => {
    const made = vi.fn();
    vi.stubGlobal("AudioContext", made);
    const activation = { hasBeenActive: false };
    vi.stubGlobal("navigator", { userActivation: activation });
    const target = new EventTarget();
    const stop = listenForUnlock(target);
    const heard = vi.spyOn(target, "removeEventListener");
    target.dispatchEvent(new Event("keydown"));
    expect(heard).not.toHaveBeenCalled();
    activation.hasBeenActive = true;
    target.dispatchEvent(new Event("keydown"));
    expect(heard).toHaveBeenCalled();
    stop();
    vi.unstubAllGlobals();
  });
});

describe("vibration", () => {
  it("comes where it is wanted, and never breaks where it cannot be", () => {
    const buzz = vi.fn();
    vi.stubGlobal("navigator", { vibrate: buzz });
    vibrate(50);
    settings.set({ vibration: false });
    vibrate(50);
    expect(buzz.mock.calls).toEqual([[50]]);
    settings.set({ vibration: true });
    vi.stubGlobal("navigator", {});
    expect(() => vibrate()).not.toThrow();
    vi.unstubAllGlobals();
  });
});
