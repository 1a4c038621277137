// Six short sounds, made on the spot; the first tap on the page unlocks them. And the buzz of a phone.
import { settings } from "./settings";

export type Sound = "deal" | "draw" | "lay" | "discard" | "turn" | "canasta";

/** A tone, or a short rustle of noise: when it begins and how long it lasts (s), how high (Hz) and how loud (0–1). */
interface Part {
  readonly kind: "tone" | "noise";
  readonly at: number;
  readonly length: number;
  readonly frequency: number;
  readonly gain: number;
}

const rustle = (at: number, length: number, frequency: number, gain: number): Part => ({
  kind: "noise",
  at,
  length,
  frequency,
  gain,
});
const tone = (at: number, length: number, frequency: number, gain: number): Part => ({
  kind: "tone",
  at,
  length,
  frequency,
  gain,
});

const SOUNDS: Readonly<Record<Sound, readonly Part[]>> = {
  deal: [0, 0.07, 0.14, 0.21].map((at) => rustle(at, 0.05, 2600, 0.35)),
  draw: [rustle(0, 0.09, 2000, 0.4)],
  lay: [rustle(0, 0.06, 1400, 0.5), tone(0.01, 0.08, 180, 0.25)],
  discard: [rustle(0, 0.11, 1000, 0.5)],
  turn: [tone(0, 0.16, 587.33, 0.22), tone(0.12, 0.26, 880, 0.2)],
  canasta: [tone(0, 0.18, 523.25, 0.2), tone(0.1, 0.18, 659.25, 0.2), tone(0.2, 0.36, 783.99, 0.22)],
};

let audio: AudioContext | undefined;
let noise: AudioBuffer | undefined;

function unlock(): void {
  try {
    audio ??= new AudioContext();
    if (audio.state === "suspended") void audio.resume();
  } catch {
    audio = undefined;
  }
}

/** Make the first tap or key on the page unlock the sounds. Returns what takes that back. */
export function listenForUnlock(target: EventTarget = document): () => void {
  const events = ["pointerup", "keydown"] as const;
  const once = (): void => {
    // Escape gives no leave to sound: what is made then stays silent, and the browser complains.
    if (navigator.userActivation?.hasBeenActive === false) return;
    unlock();
    stop();
  };
  const stop = (): void => events.forEach((event) => target.removeEventListener(event, once, true));
  events.forEach((event) => target.addEventListener(event, once, true));
  return stop;
}

function noiseOf(context: AudioContext): AudioBuffer {
  if (noise === undefined) {
    noise = context.createBuffer(1, Math.ceil(context.sampleRate / 4), context.sampleRate);
    const samples = noise.getChannelData(0);
    for (let index = 0; index < samples.length; index += 1) samples[index] = Math.random() * 2 - 1;
  }
  return noise;
}

function start(context: AudioContext, part: Part, volume: number): void {
  const begin = context.currentTime + part.at;
  const end = begin + part.length;
  const gain = context.createGain();
  gain.gain.setValueAtTime(0, begin);
  gain.gain.linearRampToValueAtTime(part.gain * volume, begin + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, end);
  gain.connect(context.destination);
  if (part.kind === "tone") {
    const source = new OscillatorNode(context, { type: "sine", frequency: part.frequency });
    source.connect(gain);
    source.start(begin);
    source.stop(end);
    return;
  }
  const source = new AudioBufferSourceNode(context, { buffer: noiseOf(context) });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: part.frequency, Q: 0.9 });
  source.connect(filter).connect(gain);
  source.start(begin);
  source.stop(end);
}

/**
 * Ask for a sound. `document.documentElement.dataset.sound` keeps the names of the last eight that were asked for
 * and not muted, the newest last.
 */
export function play(sound: Sound): void {
  const { sound: on, volume } = settings.get();
  if (!on || volume === 0) return;
  const root = document.documentElement;
  root.dataset.sound = [...(root.dataset.sound ?? "").split(" ").filter(Boolean), sound].slice(-8).join(" ");
  if (audio?.state !== "running") return;
  for (const part of SOUNDS[sound]) start(audio, part, volume);
}

/** Let the phone buzz, where it can and the player likes it. */
export function vibrate(pattern: number | number[] = 60): void {
  if (!settings.get().vibration) return;
  try {
    navigator.vibrate?.(pattern);
  } catch {
    // Some browsers refuse before the first tap.
  }
}
