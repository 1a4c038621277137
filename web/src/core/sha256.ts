// SHA-256 and HMAC, since a page over plain http has no WebCrypto. FIPS 180-4, RFC 2104.

const PRIMES = ((): readonly number[] => {
  const found: number[] = [];
  for (let one = 2; found.length < 64; one += 1) if (found.every((prime) => one % prime !== 0)) found.push(one);
  return found;
})();
/** The first 32 bits of the part behind the point. */
const fraction = (value: number): number => ((value - Math.floor(value)) * 2 ** 32) | 0;
const ROUND = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const BEGIN = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const BLOCK = 64;

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function padded(message: Uint8Array): DataView {
  const bytes = new Uint8Array(Math.ceil((message.length + 9) / BLOCK) * BLOCK);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, Math.floor((message.length * 8) / 2 ** 32));
  view.setUint32(bytes.length - 4, (message.length * 8) >>> 0);
  return view;
}

/** The 32 bytes of SHA-256. */
export function sha256(message: Uint8Array): Uint8Array {
  const view = padded(message);
  const state = Int32Array.from(BEGIN);
  const words = new Int32Array(64);
  for (let at = 0; at < view.byteLength; at += BLOCK) {
    for (let i = 0; i < 64; i += 1) words[i] = i < 16 ? view.getInt32(at + 4 * i) : expanded(words, i);
    mix(state, words);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => digest.setInt32(4 * index, word));
  return new Uint8Array(digest.buffer);
}

function expanded(words: Int32Array, i: number): number {
  const a = words[i - 15]!;
  const b = words[i - 2]!;
  const first = turned(a, 7) ^ turned(a, 18) ^ (a >>> 3);
  const second = turned(b, 17) ^ turned(b, 19) ^ (b >>> 10);
  return (words[i - 16]! + first + words[i - 7]! + second) | 0;
}

function mix(state: Int32Array, words: Int32Array): void {
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i += 1) {
    const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const one = (h + high + ((e & f) ^ (~e & g)) + ROUND[i]! + words[i]!) | 0;
    const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const two = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => (state[index] = (state[index]! + word) | 0));
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The 32 bytes of HMAC-SHA-256. */
export function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  const inner = block.map((byte) => byte ^ 0x36);
  const outer = block.map((byte) => byte ^ 0x5c);
  return sha256(joined(outer, sha256(joined(inner, message))));
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The bytes of 64 hexadecimal digits in small letters; null for any other text. */
export function seedOf(hex: string): Uint8Array | null {
  if (!/^[0-9a-f]{64}$/.test(hex)) return null;
  return Uint8Array.from({ length: 32 }, (_, index) => Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16));
}
