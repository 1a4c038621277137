// Chat: what is unread, what is too long.
import { CHAT_LENGTH_MAX, type ChatLine, type You } from "../protocol";

/** The lines of those whom one wants to hear. */
export function heard(chat: readonly ChatLine[], you: You | null): readonly ChatLine[] {
  const muted = you?.muted ?? [];
  return muted.length === 0 ? chat : chat.filter((line) => !muted.includes(line.member));
}

/** The version of the last line; what has a greater one is unread. */
export function lastVersion(chat: readonly ChatLine[]): number {
  return chat.at(-1)?.version ?? 0;
}

/** How many lines of others came after the version that was read last. */
export function unreadCount(chat: readonly ChatLine[], readVersion: number, you: You | null): number {
  return heard(chat, you).filter((line) => line.version > readVersion && line.member !== you?.member).length;
}

/** How many characters are left; below 0 the line is too long. Characters are code points, as the server counts. */
export function charactersLeft(text: string): number {
  return CHAT_LENGTH_MAX - [...text.trim()].length;
}
