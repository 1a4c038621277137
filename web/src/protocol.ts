// Written by `python -m buraco.server.types_ts`; do not change it by hand.
// docs/protocol.md describes the messages.

export const PROTOCOL_VERSION = 1;

export const SUBPROTOCOL = "buraco.1";

/** The longest line of chat, in characters (code points). */
export const CHAT_LENGTH_MAX = 300;

/** The least delay of spectators who see the hands, in milliseconds. */
export const OPEN_HANDS_DELAY_MS = 300000;

/** The preset phrases of the chat, by code. */
export const PHRASES = [
  "hello",
  "good_luck",
  "well_played",
  "thanks",
  "sorry",
  "your_turn",
  "one_moment",
  "good_game",
  "bye",
] as const;

/** Every code with which the server closes a socket, and why. */
export const CLOSE_CODES: Readonly<Record<number, string>> = {
  1002: "the frames of the socket were broken",
  1003: "a message was not text",
  1007: "a message was not JSON",
  1009: "a message was too long",
  1011: "a fault of the server; it has been noted",
  1012: "the server stops; come back soon",
  1013: "the database does not answer; come back soon",
  4000: "a message had no id to answer to, or the address of the socket is wrong",
  4001: "no token, or one that no longer holds",
  4003: "this person may not see the table, or is barred",
  4004: "there is no such table, or it is closed",
  4008: "the client reads too slowly",
  4028: "too many sockets are open",
  4029: "messages came too fast",
};

export type ClientMessage =
  | Act
  | Chat
  | ClaimForfeit
  | ClearSeat
  | CloseTable
  | Draw
  | Explain
  | Hint
  | Leave
  | Mute
  | Phrase
  | Probe
  | PutBot
  | Ready
  | Rematch
  | Resign
  | Resume
  | Seed
  | Sit
  | Stand
  | Start
  | TakeBack
  | Undo
  | Why;

export type ServerMessage =
  | Ack
  | Presence
  | Refused
  | Snapshot
  | Stopping
  | Update;

export type Event =
  | BotPut
  | BotTookOver
  | CardAdded
  | CardDrawn
  | ChatSaid
  | ClockChanged
  | CutMade
  | DealEnded
  | DealStarted
  | Discarded
  | Drew
  | FirstCardKept
  | FirstCardRejected
  | FirstDealerFound
  | HandDealt
  | MatchBegan
  | MatchEnded
  | MatchResult
  | MatchStarted
  | MeldLaid
  | MortoSeen
  | MortoTaken
  | MuteChanged
  | OfferChanged
  | OpeningFailed
  | PileRestSeen
  | PileTaken
  | ReadyChanged
  | SatDown
  | SeatTakenBack
  | SeedCommitted
  | SeedGiven
  | SeedRevealed
  | SeedsClosed
  | StockRefilled
  | StoodUp
  | TableClosed
  | TimedOut
  | TurnEnded
  | Undone;

/** The message was accepted, and is durable; ``version`` is the table's after it. A question has its ``result``. */
export interface Ack {
  readonly type: "ack";
  readonly id: string;
  readonly version: number;
  readonly result: ProbeResult | WhyResult | HintResult | ExplainResult | null;
}

/** Take an action of the own seat, by its id (docs/architecture.md). */
export interface Act {
  readonly type: "act";
  readonly id: string;
  readonly version: number;
  readonly action: number;
}

/** An action: its id, and how it is written. */
export interface ActionForm {
  readonly id: number;
  readonly text: string;
}

/**
 * A card that may be added to a meld of the own side now: at the ``high`` end (aces only), and where the wild lies
 * afterwards: ``low``, ``high`` or empty.
 */
export interface AddOption {
  readonly meld: number;
  readonly card: string;
  readonly high: boolean;
  readonly wild: string;
  readonly action: number;
}

/**
 * A bot account: the ``person`` that it is at tables, its name, when it was made and last there, whether it has a
 * token.
 */
export interface BotAccount {
  readonly person: string;
  readonly name: string;
  readonly created_ms: number;
  readonly seen_ms: number;
  readonly has_token: boolean;
}

/** The bot accounts of somebody, the oldest first, and the most that there may be. */
export interface BotAccounts {
  readonly bots: ReadonlyArray<BotAccount>;
  readonly most: number;
}

/** The name of a new bot account. */
export interface BotForm {
  readonly name: string;
}

/** A level of bots. */
export interface BotLevel {
  readonly name: string;
}

/** The levels of bots, the weakest first, and the one of a table that names none. */
export interface BotLevels {
  readonly levels: ReadonlyArray<BotLevel>;
  readonly usual: string;
}

/** A bot account with its new ``token``, which is shown this once and kept nowhere. */
export interface BotMade {
  readonly bot: BotAccount;
  readonly token: string;
}

/** A bot sits at a seat from now on. */
export interface BotPut {
  readonly event: "bot_put";
  readonly seat: number;
  readonly level: string;
}

/** A bot plays a person's seat from now on: ``away``, ``timeouts`` or ``left``. */
export interface BotTookOver {
  readonly event: "bot_took_over";
  readonly seat: number;
  readonly cause: string;
  readonly level: string;
}

/** A seat added a card to meld number ``meld`` of its side from 0; the slots of the run's wild before and after. */
export interface CardAdded {
  readonly event: "card_added";
  readonly number: number;
  readonly seat: number;
  readonly action: number;
  readonly meld: number;
  readonly card: string;
  readonly packed: Meld;
  readonly wild_from: number;
  readonly wild_to: number;
}

/** The card that a seat drew for the first dealer. */
export interface CardDraw {
  readonly seat: number;
  readonly card: string;
}

/** The card that the own seat drew. */
export interface CardDrawn {
  readonly event: "card_drawn";
  readonly number: number;
  readonly seat: number;
  readonly card: string;
}

/** Say something to the table. */
export interface Chat {
  readonly type: "chat";
  readonly id: string;
  readonly version: number;
  readonly text: string;
}

/**
 * A line of chat: what a member said, or the code of a preset phrase; ``apart``: said while a match was on by
 * somebody without a seat, and heard by nobody with one.
 */
export interface ChatLine {
  readonly version: number;
  readonly at_ms: number;
  readonly member: number;
  readonly name: string;
  readonly text: string;
  readonly phrase: string;
  readonly apart: boolean;
}

/** Someone said something. */
export interface ChatSaid {
  readonly event: "chat_said";
  readonly line: ChatLine;
}

/** Claim the match since every person of the other side has been gone for the stated time. */
export interface ClaimForfeit {
  readonly type: "claim_forfeit";
  readonly id: string;
  readonly version: number;
}

/** Remove the player or bot of a seat before the match; the owner's right. */
export interface ClearSeat {
  readonly type: "clear_seat";
  readonly id: string;
  readonly version: number;
  readonly seat: number;
}

/** The clocks stopped since nobody is there, or run again. */
export interface ClockChanged {
  readonly event: "clock_changed";
  readonly running: boolean;
}

/** The clock: none; ``turn_ms`` for every turn; or ``bank_ms`` for a deal with ``increment_ms`` after each turn. */
export interface ClockOptions {
  readonly kind?: "bank" | "none" | "turn";
  readonly turn_ms?: number;
  readonly bank_ms?: number;
  readonly increment_ms?: number;
}

/**
 * The clocks: ``deadline_ms`` is when the turn's time is up (None: no clock runs), ``banks_ms`` what each seat has
 * left beside the running turn (None without a bank).
 */
export interface ClockState {
  readonly seat: number | null;
  readonly deadline_ms: number | null;
  readonly banks_ms: ReadonlyArray<number> | null;
}

/** Close the table, before the match or after it; the owner's right. */
export interface CloseTable {
  readonly type: "close_table";
  readonly id: string;
  readonly version: number;
}

/** The options of a table, and the seat of the one who makes it (null: none). */
export interface CreateForm {
  readonly options?: TableOptions;
  readonly seat?: number | null;
}

/** The dealer's right lifted ``count`` cards; its side got ``points`` at once. */
export interface CutMade {
  readonly event: "cut_made";
  readonly number: number;
  readonly seat: number;
  readonly count: number;
  readonly points: number;
}

/** A deal ended; its hands, its score sheets, its scores without the cut bonus, and the totals after it. */
export interface DealEnded {
  readonly event: "deal_ended";
  readonly number: number;
  readonly deal: number;
  readonly end_kind: string;
  readonly out_seat: number;
  readonly hands: ReadonlyArray<ReadonlyArray<string>>;
  readonly sheets: ReadonlyArray<ScoreSheet>;
  readonly scores: readonly [number, number];
  readonly totals: readonly [number, number];
}

/** A finished deal of a record. */
export interface DealForm {
  readonly deal: number;
  readonly end_kind: string;
  readonly out_seat: number | null;
  readonly scores: readonly [number, number];
  readonly totals: readonly [number, number];
}

/** A deal began: its number from 1, the totals that it starts from, the up-card (None: none), the cards dealt. */
export interface DealStarted {
  readonly event: "deal_started";
  readonly number: number;
  readonly deal: number;
  readonly dealer: number;
  readonly seat: number;
  readonly totals: readonly [number, number];
  readonly up_card: string | null;
  readonly hand_counts: ReadonlyArray<number>;
  readonly stock_count: number;
}

/** A finished deal: how it ended, who went out, the score sheets, the scores, the points for the cut, the totals. */
export interface DealSummary {
  readonly deal: number;
  readonly dealer: number;
  readonly end_kind: string;
  readonly out_seat: number | null;
  readonly sheets: ReadonlyArray<ScoreSheet>;
  readonly scores: readonly [number, number];
  readonly cut_points: readonly [number, number];
  readonly totals: readonly [number, number];
}

/** A card that may be discarded now, and whether the seat goes out with it, so that the deal ends. */
export interface DiscardOption {
  readonly card: string;
  readonly action: number;
  readonly ends_deal: boolean;
}

/** A seat discarded a card. */
export interface Discarded {
  readonly event: "discarded";
  readonly number: number;
  readonly seat: number;
  readonly card: string;
}

/** Agree, or no longer, to a draw; it counts when all people at the seats agree. */
export interface Draw {
  readonly type: "draw";
  readonly id: string;
  readonly version: number;
  readonly agree?: boolean;
}

/** A seat drew from the stock, which now has ``stock_count`` cards; ``may_reject``: it may still reject the card. */
export interface Drew {
  readonly event: "drew";
  readonly number: number;
  readonly seat: number;
  readonly stock_count: number;
  readonly may_reject: boolean;
}

/** What the seat to act has to do, or may not do: a stable code, a sentence, and the card, meld or points meant. */
export interface Duty {
  readonly code: string;
  readonly text: string;
  readonly card: string | null;
  readonly meld: number | null;
  readonly points: number | null;
}

/**
 * Cards of an example that lie together, as the protocol writes them; ``wild`` is the place of the wild, or -1.
 *
 * ``role``: ``meld`` (on the table before), ``pile`` (bottom first), ``hand`` (the rest of the hand), ``played``,
 * ``after`` (what lies then; several where the player may choose), ``worth`` (cards, and what each is worth).
 * ``category`` and its words are those of a canasta, else empty; ``points`` those of it or of the cards, else null.
 */
export interface ExampleCards {
  readonly role: string;
  readonly cards: ReadonlyArray<string>;
  readonly wild: number;
  readonly category: string;
  readonly words: string;
  readonly points: number | null;
}

/** Ask why a bot took the action that made version ``at`` of the table. */
export interface Explain {
  readonly type: "explain";
  readonly id: string;
  readonly version: number;
  readonly at: number;
}

/** What the bot of a seat did, why, and what else it weighed, as in `HintResult`. */
export interface ExplainResult {
  readonly result: "explain";
  readonly seat: number;
  readonly level: string;
  readonly action: number;
  readonly text: string;
  readonly reasons: ReadonlyArray<ReasonText>;
  readonly evaluation: number | null;
  readonly alternatives: ReadonlyArray<Weighed>;
}

/** Everything that the server keeps about a person. */
export interface Export {
  readonly person: PersonInfo;
  readonly bots: ReadonlyArray<BotAccount>;
  readonly tables: ReadonlyArray<TableSummary>;
  readonly results: ReadonlyArray<ResultInfo>;
  readonly said: ReadonlyArray<string>;
}

/**
 * The shuffle of the coming or running deal: its commitment, the seats whose seeds are in, and until when they may
 * come (None once dealt); the seat that may say how many cards it cuts (None: nobody).
 */
export interface FairState {
  readonly deal: number;
  readonly commitment: string;
  readonly seeds_from: ReadonlyArray<number>;
  readonly until_ms: number | null;
  readonly cutter: number | null;
}

/** A seat kept the first stock card. */
export interface FirstCardKept {
  readonly event: "first_card_kept";
  readonly number: number;
  readonly seat: number;
}

/** A seat rejected the first stock card, which begins the pile; it draws another one. */
export interface FirstCardRejected {
  readonly event: "first_card_rejected";
  readonly number: number;
  readonly seat: number;
  readonly card: string;
}

/** The first dealer was found: each round of draws, none where it was drawn at random. */
export interface FirstDealerFound {
  readonly event: "first_dealer_found";
  readonly number: number;
  readonly rounds: ReadonlyArray<ReadonlyArray<CardDraw>>;
  readonly dealer: number;
}

/** A guest's name; ``bearer``: answer with the token itself instead of a cookie, for programs. */
export interface GuestForm {
  readonly name: string;
  readonly bearer?: boolean;
}

/** The cards that the own seat was dealt. */
export interface HandDealt {
  readonly event: "hand_dealt";
  readonly number: number;
  readonly seat: number;
  readonly cards: ReadonlyArray<string>;
}

/** Ask what a bot would do in the own seat. */
export interface Hint {
  readonly type: "hint";
  readonly id: string;
  readonly version: number;
}

/**
 * What a bot of this level would do, as an action id and as text, why, and what it expects to gain in points; the
 * other actions that it weighed, the best first.
 */
export interface HintResult {
  readonly result: "hint";
  readonly action: number;
  readonly text: string;
  readonly level: string;
  readonly reasons: ReadonlyArray<ReasonText>;
  readonly evaluation: number | null;
  readonly alternatives: ReadonlyArray<Weighed>;
}

/**
 * A table and how others come to it: the short ``code``, and the ``link``, which gives nobody a seat by itself.
 *
 * ``local_only`` and ``hint`` as in the server's information.
 */
export interface Invitation {
  readonly table: string;
  readonly code: string;
  readonly link: string;
  readonly local_only: boolean;
  readonly hint: string;
}

/** The seat to take; null takes the first free one. */
export interface JoinForm {
  readonly seat?: number | null;
}

/** A position as text or JSON (docs/notation.md), and an action as text to be judged; without it, what is legal. */
export interface JudgeForm {
  readonly position: string | Readonly<Record<string, unknown>>;
  readonly action?: string | null;
}

/** The seat to act, its phase; all legal actions, or the judgements of the action asked about. */
export interface Judged {
  readonly seat: number;
  readonly phase: string;
  readonly legal: ReadonlyArray<ActionForm> | null;
  readonly judgements: ReadonlyArray<JudgementForm> | null;
}

/**
 * What the referee says of an action: of a refusal the code, a sentence and the rule; of a legal action the
 * position after it (null where even its public part depends on hidden cards).
 */
export interface JudgementForm {
  readonly action: ActionForm | null;
  readonly legal: boolean;
  readonly code: string;
  readonly text: string;
  readonly citation: string;
  readonly position: Readonly<Record<string, unknown>> | null;
  readonly rule?: RulePlace | null;
}

/** Leave the seat for good: before the match it is free, during the match a bot plays it on. */
export interface Leave {
  readonly type: "leave";
  readonly id: string;
  readonly version: number;
}

/**
 * What the own seat may do now: every action id, ascending, and the same by kinds. ``melds`` counts the new melds
 * that may be laid; `Probe` tells which cards are one.
 */
export interface Legal {
  readonly actions: ReadonlyArray<number>;
  readonly draw: boolean;
  readonly pile: boolean;
  readonly keep: boolean;
  readonly reject: boolean;
  readonly discards: ReadonlyArray<DiscardOption>;
  readonly adds: ReadonlyArray<AddOption>;
  readonly melds: number;
  readonly duties: ReadonlyArray<Duty>;
}

/** The name of the lesson to begin: that of its rules. */
export interface LessonForm {
  readonly lesson: string;
}

/**
 * A lesson: its name and title, those of its rules; what it is ``about``; how many ``steps`` it has.
 *
 * ``code`` is that of the table at which the one who asks is in it (null: none), ``step`` is the one that they have
 * come to there (0: none), ``over``: they have come to the end.
 */
export interface LessonInfo {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly steps: number;
  readonly code: string | null;
  readonly step: number;
  readonly over: boolean;
}

/**
 * How far a lesson has come, in the reader's language.
 *
 * ``step`` of ``steps`` is the one that ``text`` tells of; it is to be taken now if there are ``actions``: the ids
 * that do it, one after the other. They use ``cards`` of the hand and ``zones``: ``stock``, ``pile``, ``new-meld``,
 * ``meld-N``, or ``keep`` for a choice. ``over``: it has come to its end. ``lost``: the deal went another way, and
 * is played without it.
 */
export interface LessonState {
  readonly name: string;
  readonly step: number;
  readonly steps: number;
  readonly text: string;
  readonly actions: ReadonlyArray<number>;
  readonly cards: ReadonlyArray<string>;
  readonly zones: ReadonlyArray<string>;
  readonly over: boolean;
  readonly lost: boolean;
}

/** The lessons. */
export interface Lessons {
  readonly lessons: ReadonlyArray<LessonInfo>;
}

/** Tables, the newest first. */
export interface Lobby {
  readonly tables: ReadonlyArray<TableSummary>;
}

/** A match of this table begins, by number from 1; members with seats and bots stay. */
export interface MatchBegan {
  readonly event: "match_began";
  readonly match: number;
}

/** The match was played to its end: the side that won, or None for a draw. */
export interface MatchEnded {
  readonly event: "match_ended";
  readonly number: number;
  readonly winner: number | null;
  readonly totals: readonly [number, number];
}

/** The match is over, for whatever reason. */
export interface MatchResult {
  readonly event: "match_result";
  readonly result: Result;
}

/** A match began under these rules; 0 stands for no target, or no fixed number of deals. */
export interface MatchStarted {
  readonly event: "match_started";
  readonly number: number;
  readonly rules_name: string;
  readonly players: number;
  readonly target_points: number;
  readonly deal_count: number;
}

/** A meld: its cards as they lie, the lowest slot of a run (1 the low ace, None: a set), the index of its wild. */
export interface Meld {
  readonly kind: "run" | "set";
  readonly cards: ReadonlyArray<string>;
  readonly low: number | null;
  readonly wild: number | null;
}

/** A seat laid a new meld, number ``meld`` of its side from 0. */
export interface MeldLaid {
  readonly event: "meld_laid";
  readonly number: number;
  readonly seat: number;
  readonly action: number;
  readonly meld: number;
  readonly packed: Meld;
}

/**
 * A person at the table: a number that means them here, and their name. ``bot_of`` marks a bot account: it is the
 * name of its owner, None for people.
 */
export interface Member {
  readonly member: number;
  readonly name: string;
  readonly bot_of: string | null;
}

/** A morto: ``waiting``, ``side`` (``side`` took it) or ``stock`` (it became the stock). */
export interface Morto {
  readonly state: "side" | "stock" | "waiting";
  readonly side: number | null;
}

/** The cards of the morto that the own seat took. */
export interface MortoSeen {
  readonly event: "morto_seen";
  readonly number: number;
  readonly seat: number;
  readonly cards: ReadonlyArray<string>;
}

/** A seat took the morto of this number from 0, directly (by melding) or by its discard. */
export interface MortoTaken {
  readonly event: "morto_taken";
  readonly number: number;
  readonly seat: number;
  readonly morto: number;
  readonly direct: boolean;
  readonly count: number;
}

/** Hear a member of the table no longer, or again. */
export interface Mute {
  readonly type: "mute";
  readonly id: string;
  readonly version: number;
  readonly member: number;
  readonly muted?: boolean;
}

/** The receiver has muted a member, or hears them again. */
export interface MuteChanged {
  readonly event: "mute_changed";
  readonly member: number;
  readonly muted: boolean;
}

/** Another name to be shown. */
export interface NameForm {
  readonly name: string;
}

/** A seat agrees, or no longer, to ``resign``, ``draw`` or ``rematch``. */
export interface OfferChanged {
  readonly event: "offer_changed";
  readonly offer: "draw" | "rematch" | "resign";
  readonly seat: number;
  readonly agree: boolean;
}

/**
 * The seats whose people agree: to give up, to a draw, to another match; and those whose word counts.
 *
 * ``resign_asked`` has those of each side, since a side gives up by itself. Nobody is asked for what cannot be agreed
 * in this phase.
 */
export interface Offers {
  readonly resign: ReadonlyArray<number>;
  readonly draw: ReadonlyArray<number>;
  readonly rematch: ReadonlyArray<number>;
  readonly resign_asked: readonly [ReadonlyArray<number>, ReadonlyArray<number>];
  readonly draw_asked: ReadonlyArray<number>;
  readonly rematch_asked: ReadonlyArray<number>;
}

/** A turn's melds did not reach the opening minimum: the cards went back, the minimum is now ``need`` points. */
export interface OpeningFailed {
  readonly event: "opening_failed";
  readonly number: number;
  readonly seat: number;
  readonly cards: ReadonlyArray<string>;
  readonly need: number;
}

/** The old password and the new one. */
export interface PasswordForm {
  readonly old: string;
  readonly new: string;
}

/**
 * Somebody: ``login`` is the name of the account, null for a guest. ``bot_of`` is the name of the owner of a bot
 * account, null for people.
 */
export interface PersonInfo {
  readonly person: string;
  readonly name: string;
  readonly login: string | null;
  readonly created_ms: number;
  readonly bot_of: string | null;
}

/** Say one of the preset phrases, by its code; each reads it in their own language. */
export interface Phrase {
  readonly type: "phrase";
  readonly id: string;
  readonly version: number;
  readonly phrase: string;
}

/** A card of the pile, who discarded it (-1: nobody), and in which turn (-1: none). */
export interface PileCard {
  readonly card: string;
  readonly seat: number;
  readonly turn: number;
}

/** A card of the pile that everyone may see, who discarded it (None: nobody) and in which turn (None: none). */
export interface PileEntry {
  readonly card: string;
  readonly seat: number | null;
  readonly turn: number | null;
}

/** The rest of the closed pile that the own seat took. */
export interface PileRestSeen {
  readonly event: "pile_rest_seen";
  readonly number: number;
  readonly seat: number;
  readonly pile: ReadonlyArray<PileCard>;
}

/** A seat took the pile of ``count`` cards: all of an open one are shown, of a closed one the top card only. */
export interface PileTaken {
  readonly event: "pile_taken";
  readonly number: number;
  readonly seat: number;
  readonly count: number;
  readonly pile: ReadonlyArray<PileCard>;
}

/** The options of a table at which bots take all other seats at once. */
export interface PlayNowForm {
  readonly options?: TableOptions;
}

/**
 * The deal in play or just finished as its receiver may see it: the ``version`` of the table, the receiver's
 * ``seat`` (null: none), the ``position`` in its JSON form (docs/notation.md) and as ``text``, and the receiver's
 * ``legal`` actions, none while it is not their turn.
 */
export interface PositionInfo {
  readonly version: number;
  readonly seat: number | null;
  readonly position: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly legal: ReadonlyArray<ActionForm>;
}

/**
 * A position as text (docs/notation.md), ready for the referee; ``asked``: what the bot that took the step, asked
 * again, would do there and why. It need not be what it did: a record keeps no reasons. Null where no bot took it, or
 * where its hand is not seen.
 */
export interface PositionText {
  readonly position: string;
  readonly asked: ExplainResult | null;
}

/**
 * Who is connected now: the members, since when each person at a seat is away (in the order of the seats, None:
 * here, or no person), when a bot takes each such seat over, and how many others watch. It has no version.
 */
export interface Presence {
  readonly type: "presence";
  readonly at_ms: number;
  readonly here: ReadonlyArray<number>;
  readonly away_since_ms: ReadonlyArray<number | null>;
  readonly bot_at_ms: ReadonlyArray<number | null>;
  readonly spectators: number;
}

/** Ask what cards of the own hand would be: a new meld, or additions to meld number ``meld`` of the own side. */
export interface Probe {
  readonly type: "probe";
  readonly id: string;
  readonly version: number;
  readonly cards: ReadonlyArray<string>;
  readonly meld?: number | null;
}

/**
 * One way in which the probed cards lie: the actions that bring them there in order, the meld that results.
 *
 * ``points`` are the values of the probed cards, ``bonus`` that of the resulting meld; ``legal`` says whether the
 * actions may be taken now, else ``code``, ``text``, ``citation`` and ``rule`` say why not; ``ends_deal`` whether the
 * seat goes out with them, so that the deal ends.
 */
export interface ProbeOption {
  readonly actions: ReadonlyArray<number>;
  readonly kind: "run" | "set";
  readonly words: ReadonlyArray<string>;
  readonly clean: boolean;
  readonly category: string;
  readonly points: number;
  readonly bonus: number;
  readonly legal: boolean;
  readonly ends_deal: boolean;
  readonly code: string;
  readonly text: string;
  readonly citation: string;
  readonly rule: RulePlace | null;
}

/** What the cards would be: every way, those that are legal now first; none with the reason of the refusal. */
export interface ProbeResult {
  readonly result: "probe";
  readonly options: ReadonlyArray<ProbeOption>;
  readonly code: string;
  readonly text: string;
  readonly citation: string;
  readonly rule: RulePlace | null;
}

/** Put a bot of a level in an empty seat before the match; the owner's right. */
export interface PutBot {
  readonly type: "put_bot";
  readonly id: string;
  readonly version: number;
  readonly seat: number;
  readonly level?: string | null;
}

/** Be ready, or not, for the match or for the next deal. */
export interface Ready {
  readonly type: "ready";
  readonly id: string;
  readonly version: number;
  readonly ready?: boolean;
}

/** A seat is ready, or no longer. */
export interface ReadyChanged {
  readonly event: "ready_changed";
  readonly seat: number;
  readonly ready: boolean;
}

/** A reason of a bot: its code, the values of its text, and the text in the reader's language. */
export interface ReasonText {
  readonly code: string;
  readonly values: Readonly<Record<string, number | string>>;
  readonly text: string;
}

/**
 * Where a record stops to hold: ``deal`` (null: before the first, or after the last), ``step`` counted from 0 as in
 * the list of steps, the turn, the seat and the action there, as it is written (empty: none) and by its number (null:
 * none, or an undo, of the last ``undone`` actions); and why.
 */
export interface RecordFault {
  readonly deal: number | null;
  readonly step: number;
  readonly turn: number | null;
  readonly seat: number | null;
  readonly action: string;
  readonly number: number | null;
  readonly undone: number;
  readonly code: string;
  readonly text: string;
  readonly citation: string;
  readonly rule: RulePlace | null;
}

/** A game record, as text or JSON (docs/notation.md). */
export interface RecordForm {
  readonly record: string | Readonly<Record<string, unknown>>;
}

/** The name of an account, its recovery code, and the new password. */
export interface RecoverForm {
  readonly login: string;
  readonly code: string;
  readonly password: string;
}

/**
 * The message was refused and changed nothing: a stable code, a sentence, and the rule that says so (or empty), as
 * words and as the place of a link.
 */
export interface Refused {
  readonly type: "refused";
  readonly id: string;
  readonly version: number;
  readonly code: string;
  readonly text: string;
  readonly citation: string;
  readonly rule: RulePlace | null;
}

/** The name and password of a new account. */
export interface RegisterForm {
  readonly login: string;
  readonly password: string;
}

/** A new account, or a new password: ``recovery_code`` is shown this once and kept nowhere. */
export interface Registered {
  readonly person: PersonInfo;
  readonly recovery_code: string;
}

/** Agree, or no longer, to another match at this table. */
export interface Rematch {
  readonly type: "rematch";
  readonly id: string;
  readonly version: number;
  readonly agree?: boolean;
}

/**
 * A game record, as text or JSON (docs/notation.md), and which of its deals is to be seen step by step; ``seat``:
 * as that seat saw it, null: with every hand open.
 */
export interface ReplayForm {
  readonly record: string | Readonly<Record<string, unknown>>;
  readonly deal?: number;
  readonly seat?: number | null;
}

/**
 * A game record and a moment in it: after which step of which deal (0: when it was dealt). ``seat``: as that seat
 * saw it, null: every card.
 */
export interface ReplayPositionForm {
  readonly record: string | Readonly<Record<string, unknown>>;
  readonly deal?: number;
  readonly step?: number;
  readonly seat?: number | null;
}

/** Who sat at a seat of a recorded match: a name, and the level of the bot that had it, else empty. */
export interface ReplaySeat {
  readonly name: string;
  readonly bot: string;
}

/**
 * A step of a deal: its beginning, an action or an undo. ``action`` is how it is written, empty for the beginning;
 * ``at_ms`` the time since the deal began, where it is known. Then what happened and how the deal stood after it.
 */
export interface ReplayStep {
  readonly turn: number | null;
  readonly seat: number | null;
  readonly action: string;
  readonly at_ms: number | null;
  readonly events: ReadonlyArray<MatchStarted | FirstDealerFound | CutMade | DealStarted | HandDealt | Drew | CardDrawn | FirstCardKept | FirstCardRejected | PileTaken | PileRestSeen | MeldLaid | CardAdded | Discarded | MortoTaken | MortoSeen | OpeningFailed | StockRefilled | TurnEnded | Undone | DealEnded | MatchEnded>;
  readonly view: View;
}

/** A record that holds: its deals, how many actions it has, who won (empty while the match goes on). */
export interface Replayed {
  readonly deals: ReadonlyArray<DealForm>;
  readonly actions: number;
  readonly winner: string;
}

/**
 * A recorded match and the steps of one of its deals, up to the first thing that does not hold, the ``fault``.
 *
 * ``deals`` are those that ended, ``deal_count`` is how many the record has; ``winner`` as in a record.
 */
export interface ReplayedDeal {
  readonly name: string;
  readonly rules_name: string;
  readonly rules_title: string;
  readonly rules: Readonly<Record<string, unknown>>;
  readonly players: number;
  readonly seats: ReadonlyArray<ReplaySeat>;
  readonly tags: Readonly<Record<string, string>>;
  readonly winner: string;
  readonly deals: ReadonlyArray<DealSummary>;
  readonly deal_count: number;
  readonly deal: number;
  readonly steps: ReadonlyArray<ReplayStep>;
  readonly fault: RecordFault | null;
}

/** Agree, or no longer, that the own side gives the match up; it counts when all people of the side agree. */
export interface Resign {
  readonly type: "resign";
  readonly id: string;
  readonly version: number;
  readonly agree?: boolean;
}

/**
 * The end of a match: ``played``, ``resigned``, ``forfeited``, ``agreed`` (a draw) or ``abandoned``; the side that
 * won, None for a draw or where nobody wins; the totals.
 */
export interface Result {
  readonly match: number;
  readonly kind: string;
  readonly winner: number | null;
  readonly totals: readonly [number, number];
}

/**
 * A finished match: the table, the match there (from 1), when it ended, by which rules, how, who won, who played.
 *
 * ``names`` are those of the seats; ``bots`` the levels of the bots, empty where a person sat. ``own_seat`` is the
 * seat of the person whose history it is, null elsewhere.
 */
export interface ResultInfo {
  readonly table: string;
  readonly match: number;
  readonly ended_ms: number;
  readonly rules_name: string;
  readonly rules_title: string;
  readonly kind: string;
  readonly winner: number | null;
  readonly totals: readonly [number, number];
  readonly names: ReadonlyArray<string>;
  readonly bots: ReadonlyArray<string>;
  readonly own_seat: number | null;
}

/** Finished matches, the newest first. */
export interface Results {
  readonly results: ReadonlyArray<ResultInfo>;
}

/** Ask for everything after version ``since``: the updates, or a snapshot where they are no longer at hand. */
export interface Resume {
  readonly type: "resume";
  readonly id: string;
  readonly version: number;
  readonly since: number;
}

/** A value that a field may have, with its words. */
export interface RuleChoice {
  readonly value: unknown;
  readonly text: string;
}

/** A field in which two rule sets differ, its value in each in words. */
export interface RuleDifference {
  readonly field: string;
  readonly label: string;
  readonly left: string;
  readonly right: string;
}

/**
 * An example of a rule as the engine judged it: ``caption`` says what is seen.
 *
 * ``verdict``: ``legal``, ``refused`` (then ``code`` and ``text`` say why, ``citation`` and ``rule`` where that is
 * written), ``returned`` (legal, but the cards come back), or ``none`` where nothing is played.
 */
export interface RuleExample {
  readonly name: string;
  readonly topic: string;
  readonly caption: string;
  readonly groups: ReadonlyArray<ExampleCards>;
  readonly verdict: string;
  readonly code: string;
  readonly text: string;
  readonly citation: string;
  readonly rule: RulePlace | null;
}

/**
 * Why rules cannot be: the fields concerned, the sentence with their labels, and where the first of these fields is
 * written in the rule set that the rules rest on (none where there is no such rule set).
 */
export interface RuleFault {
  readonly code: string;
  readonly fields: ReadonlyArray<string>;
  readonly text: string;
  readonly citation: string;
  readonly rule: RulePlace | null;
}

/** A field on a rules page: its value in words, and where that comes from. */
export interface RuleField {
  readonly field: string;
  readonly label: string;
  readonly value: string;
  readonly source: string;
}

/** The fields of a section of the rules page. */
export interface RuleFieldGroup {
  readonly section: string;
  readonly heading: string;
  readonly fields: ReadonlyArray<RuleFieldSpec>;
}

/**
 * What a field of house rules may be, and what it means.
 *
 * ``kind``: ``text``, ``suits``, ``ranks``, ``counts``, ``integer``, ``optional_integer`` (may be null), ``boolean``,
 * ``choice``. ``low`` and ``high`` bound a number, or the length of a text; ``unit`` is what a number counts, or
 * empty. ``absent`` says null in words.
 */
export interface RuleFieldSpec {
  readonly field: string;
  readonly section: string;
  readonly kind: string;
  readonly label: string;
  readonly text: string;
  readonly unit: string;
  readonly low: number;
  readonly high: number;
  readonly choices: ReadonlyArray<RuleChoice>;
  readonly absent: string;
}

/** Every field of house rules, by section. */
export interface RuleFieldSpecs {
  readonly groups: ReadonlyArray<RuleFieldGroup>;
}

/**
 * What a rules page says at its end: of a decision what it concerns and its reason, of a source its number and
 * what it is.
 */
export interface RuleNote {
  readonly topic: string;
  readonly text: string;
}

/**
 * Where a rule is written, for a link: the name of the rule set, the section of its page (``pile``, ``melds`` ...)
 * with its number there from 1, and the topic in it, a field or a rule that all share.
 */
export interface RulePlace {
  readonly rule_set: string;
  readonly section: string;
  readonly number: number;
  readonly topic: string;
}

/** A section of a rules page; ``name`` and ``number`` are those of a citation. */
export interface RuleSection {
  readonly name: string;
  readonly number: number;
  readonly heading: string;
  readonly statements: ReadonlyArray<RuleStatement>;
}

/** A rule set: its name, what people call it, for how many. */
export interface RuleSetInfo {
  readonly name: string;
  readonly title: string;
  readonly players: ReadonlyArray<number>;
}

/**
 * A rule set in full: every field, the page for people (Markdown, and in its parts), TOML to begin house rules
 * with.
 */
export interface RuleSetPage {
  readonly name: string;
  readonly title: string;
  readonly players: ReadonlyArray<number>;
  readonly rules: Readonly<Record<string, unknown>>;
  readonly page: string;
  readonly toml: string;
  readonly document: RulesDocument;
}

/** The rule sets. */
export interface RuleSets {
  readonly rule_sets: ReadonlyArray<RuleSetInfo>;
}

/** A statement of a rules page: the topics (fields or shared rules) that it states, their sources in words. */
export interface RuleStatement {
  readonly text: string;
  readonly topics: ReadonlyArray<string>;
  readonly sources: string;
  readonly examples: ReadonlyArray<RuleExample>;
}

/**
 * A rules page in its parts, in the reader's language. ``base`` is the rule set that house rules rest on, else
 * empty; ``headings`` are those of ``fields``, ``decisions`` and ``sources``.
 */
export interface RulesDocument {
  readonly title: string;
  readonly base: string;
  readonly notes: ReadonlyArray<string>;
  readonly sections: ReadonlyArray<RuleSection>;
  readonly headings: Readonly<Record<string, string>>;
  readonly fields: ReadonlyArray<RuleField>;
  readonly decisions: ReadonlyArray<RuleNote>;
  readonly sources: ReadonlyArray<RuleNote>;
}

/** House rules: as TOML, or as JSON (docs/notation.md); ``document``: their page in its parts is wanted too. */
export interface RulesForm {
  readonly toml?: string | null;
  readonly rules?: string | Readonly<Record<string, unknown>> | null;
  readonly document?: boolean;
}

/**
 * Whether rules can be played: every field of them and their page for people, or every fault.
 *
 * ``reasons`` are all of it as sentences; ``faults`` those that concern fields. Of possible rules: their title,
 * the rule set ``base`` that they rest on, what ``differences`` there are from it, and TOML that makes them again;
 * ``document`` where it was asked for.
 */
export interface RulesReport {
  readonly possible: boolean;
  readonly rules: Readonly<Record<string, unknown>> | null;
  readonly reasons: ReadonlyArray<string>;
  readonly page: string;
  readonly title: string;
  readonly base: string;
  readonly toml: string;
  readonly faults: ReadonlyArray<RuleFault>;
  readonly differences: ReadonlyArray<RuleDifference>;
  readonly document: RulesDocument | null;
}

/** A member took a seat; ``bot_of`` is the name of the owner of a bot account, None for people. */
export interface SatDown {
  readonly event: "sat_down";
  readonly seat: number;
  readonly member: number;
  readonly name: string;
  readonly bot_of: string | null;
}

/** One item of a score sheet (see `buraco.engine.ScoreLine`). */
export interface ScoreLine {
  readonly kind: string;
  readonly points: number;
  readonly cards: ReadonlyArray<string>;
  readonly seat: number;
  readonly meld: number;
  readonly category: string;
}

/** The score of a side for a deal, line by line. */
export interface ScoreSheet {
  readonly side: number;
  readonly total: number;
  readonly lines: ReadonlyArray<ScoreLine>;
}

/**
 * A seat: who holds it and who plays it.
 *
 * ``kind``: ``empty``, ``person`` or ``bot``. ``member`` and ``name`` are the person's, ``level`` is that of a bot,
 * also of one that plays for a person. ``played_by_bot`` says why a bot plays a person's seat: ``away``,
 * ``timeouts``, ``left``, or empty. A bot account holds a seat as a person does; ``bot_of`` is then the name of its
 * owner, else None.
 */
export interface SeatState {
  readonly seat: number;
  readonly kind: "bot" | "empty" | "person";
  readonly member: number | null;
  readonly name: string;
  readonly level: string;
  readonly ready: boolean;
  readonly played_by_bot: string;
  readonly bot_of: string | null;
}

/** A person plays their seat again. */
export interface SeatTakenBack {
  readonly event: "seat_taken_back";
  readonly seat: number;
  readonly member: number;
}

/**
 * Give the own part of the shuffle of the deal whose commitment was published: 32 random bytes in hexadecimal.
 *
 * Where the rules pay for the cut, the seat that cuts may say with ``cut_aim`` how many cards it tries to lift.
 */
export interface Seed {
  readonly type: "seed";
  readonly id: string;
  readonly version: number;
  readonly deal: number;
  readonly seed: string;
  readonly cut_aim?: number | null;
}

/** The server drew its seed of a deal; players' seeds are taken until ``until_ms``. */
export interface SeedCommitted {
  readonly event: "seed_committed";
  readonly deal: number;
  readonly commitment: string;
  readonly until_ms: number;
}

/** The seed of a seat is in. */
export interface SeedGiven {
  readonly event: "seed_given";
  readonly deal: number;
  readonly seat: number;
}

/** The deal is over: the server's seed and the seats' seeds, from which every card follows. */
export interface SeedRevealed {
  readonly event: "seed_revealed";
  readonly deal: number;
  readonly commitment: string;
  readonly seed: string;
  readonly player_seeds: ReadonlyArray<string>;
}

/**
 * The cards are being dealt: the seeds of the seats that the deal is drawn with, empty where a seat gave none, and
 * the aim of the cutter where they said one.
 */
export interface SeedsClosed {
  readonly event: "seeds_closed";
  readonly deal: number;
  readonly player_seeds: ReadonlyArray<string>;
  readonly cut_aim: number | null;
}

/**
 * What runs here: versions, and how others reach it.
 *
 * ``local_only``: nobody but this computer can open ``address``; ``hint`` says how to change that, else it is empty.
 */
export interface ServerInfo {
  readonly version: string;
  readonly engine: string;
  readonly protocol: number;
  readonly address: string;
  readonly local_only: boolean;
  readonly hint: string;
}

/** Who is signed in (null: nobody); ``token`` is there only where it was asked for. */
export interface Session {
  readonly person: PersonInfo | null;
  readonly token: string | null;
}

/** The name and password of an account; ``bearer`` as for a guest. */
export interface SignInForm {
  readonly login: string;
  readonly password: string;
  readonly bearer?: boolean;
}

/** Take a free seat before the match. */
export interface Sit {
  readonly type: "sit";
  readonly id: string;
  readonly version: number;
  readonly seat: number;
}

/** Everything that the receiver may see at ``version``; updates go on from there. */
export interface Snapshot {
  readonly type: "snapshot";
  readonly protocol: number;
  readonly version: number;
  readonly at_ms: number;
  readonly table: TableState;
  readonly you: You;
  readonly members: ReadonlyArray<Member>;
  readonly view: View | null;
  readonly deals: ReadonlyArray<DealSummary>;
  readonly chat: ReadonlyArray<ChatLine>;
}

/** Give the own seat up before the match. */
export interface Stand {
  readonly type: "stand";
  readonly id: string;
  readonly version: number;
}

/** Start the match, with bots in the empty seats where the table has them; the owner's right. */
export interface Start {
  readonly type: "start";
  readonly id: string;
  readonly version: number;
}

/** The morto of this number from 0 became the stock. */
export interface StockRefilled {
  readonly event: "stock_refilled";
  readonly number: number;
  readonly morto: number;
  readonly count: number;
}

/** A seat is free again: its holder stood up, or the owner cleared it. */
export interface StoodUp {
  readonly event: "stood_up";
  readonly seat: number;
  readonly by_owner: boolean;
}

/** The server stops; the table is safe, and goes on when it is back. */
export interface Stopping {
  readonly type: "stopping";
  readonly code: string;
  readonly text: string;
}

/** The table is closed: by its ``owner``, ``abandoned``, or by an ``admin``. */
export interface TableClosed {
  readonly event: "table_closed";
  readonly cause: string;
}

/**
 * A meld as it lies: its number from 1, its cards in order, the lowest slot of a run (1 the low ace, None for a
 * set), the index of its wild or None; its category, the values of its cards and the bonus of a canasta, in points.
 */
export interface TableMeld {
  readonly meld: number;
  readonly kind: "run" | "set";
  readonly cards: ReadonlyArray<string>;
  readonly words: ReadonlyArray<string>;
  readonly low: number | null;
  readonly wild: number | null;
  readonly category: string;
  readonly clean: boolean;
  readonly points: number;
  readonly bonus: number;
}

/**
 * What the one who makes a table chooses.
 *
 * - ``rules``: the name of a rule set, or the JSON form of house rules (docs/notation.md); or ``rules_toml``.
 * - ``players``; ``target_points`` (0: no target) and ``deal_count`` (0: to the target) replace those of the rules.
 * - ``clock``; ``bot_level``: of the bots that fill seats and play for whoever is away (None: the server's usual one);
 *   ``fill_with_bots``: the owner's start puts bots in the empty seats.
 * - ``public``: listed in the lobby (else by link or code only); ``spectators`` may watch, by ``spectator_delay_ms``
 *   later; ``spectator_chat``: they may chat; ``open_hands``: they see every hand, a deal when it is over at the table
 *   and at least ``OPEN_HANDS_DELAY_MS`` later.
 * - ``chat``; ``undo`` inside the turn; ``hints``: None allows them while all other seats are bots.
 */
export interface TableOptions {
  readonly rules?: string | Readonly<Record<string, unknown>> | null;
  readonly rules_toml?: string | null;
  readonly players?: 2 | 4;
  readonly target_points?: number | null;
  readonly deal_count?: number | null;
  readonly clock?: ClockOptions;
  readonly bot_level?: string | null;
  readonly fill_with_bots?: boolean;
  readonly public?: boolean;
  readonly spectators?: boolean;
  readonly spectator_delay_ms?: number;
  readonly spectator_chat?: boolean;
  readonly open_hands?: boolean;
  readonly chat?: boolean;
  readonly undo?: boolean;
  readonly hints?: boolean | null;
}

/**
 * The table itself, the same for everyone.
 *
 * ``phase``: ``open``, ``shuffling``, ``playing``, ``between`` (deals), ``finished`` (the match) or ``closed``.
 * ``rules`` has every field of the rule set. The times say what the disconnection contract states: a bot plays for who
 * is away after ``away_ms``, a side may claim the match after ``forfeit_ms``, the next deal begins by ready or after
 * ``next_deal_ms``. ``next_deal_at_ms`` is that moment while it waits. ``cut_max`` is how many cards whoever cuts may
 * try to lift at most, None where the rules pay for no cut. ``open_hands``: spectators who never had a seat see every
 * hand, a deal once it is over at the table. ``lesson`` is there at the table of a lesson.
 */
export interface TableState {
  readonly table: string;
  readonly code: string;
  readonly phase: string;
  readonly match: number;
  readonly owner: number;
  readonly rules_name: string;
  readonly rules_title: string;
  readonly rules: Readonly<Record<string, unknown>>;
  readonly players: number;
  readonly clock: ClockOptions;
  readonly bot_level: string;
  readonly fill_with_bots: boolean;
  readonly public: boolean;
  readonly spectators: boolean;
  readonly spectator_delay_ms: number;
  readonly spectator_chat: boolean;
  readonly open_hands: boolean;
  readonly chat: boolean;
  readonly undo: boolean;
  readonly hints: boolean | null;
  readonly away_ms: number;
  readonly forfeit_ms: number;
  readonly next_deal_ms: number;
  readonly timeouts_max: number;
  readonly seats: ReadonlyArray<SeatState>;
  readonly offers: Offers;
  readonly cut_max: number | null;
  readonly fair: FairState | null;
  readonly clocks: ClockState;
  readonly next_deal_at_ms: number | null;
  readonly result: Result | null;
  readonly lesson: LessonState | null;
}

/** A line of a list of tables; ``open_hands``: who watches sees the hands; ``lesson``: its deal is taught. */
export interface TableSummary {
  readonly table: string;
  readonly code: string;
  readonly phase: string;
  readonly rules_name: string;
  readonly rules_title: string;
  readonly players: number;
  readonly seats: ReadonlyArray<SeatState>;
  readonly clock: ClockOptions;
  readonly spectators: boolean;
  readonly spectator_delay_ms: number;
  readonly open_hands: boolean;
  readonly spectator_count: number;
  readonly created_ms: number;
  readonly totals: readonly [number, number];
  readonly lesson: boolean;
}

/** Take the own seat back from the bot that plays it. */
export interface TakeBack {
  readonly type: "take_back";
  readonly id: string;
  readonly version: number;
}

/** Results by rules, those of the most matches first. */
export interface Tallies {
  readonly tallies: ReadonlyArray<TallyInfo>;
}

/**
 * What somebody has done under the rules of a name: how many matches, how many of them won and lost (the others
 * have no winner), the points of the own side and of the other one.
 */
export interface TallyInfo {
  readonly rules_name: string;
  readonly rules_title: string;
  readonly played: number;
  readonly won: number;
  readonly lost: number;
  readonly points: number;
  readonly points_against: number;
}

/** The time of a seat was up, and the action that follows is the table's. */
export interface TimedOut {
  readonly event: "timed_out";
  readonly seat: number;
}

/** A seat's turn ended, number ``turn`` from 0; ``next_seat`` is to act, or -1 when the deal is over. */
export interface TurnEnded {
  readonly event: "turn_ended";
  readonly number: number;
  readonly seat: number;
  readonly turn: number;
  readonly next_seat: number;
}

/** Take back the last ``count`` actions of the own turn, by default as many as possible. */
export interface Undo {
  readonly type: "undo";
  readonly id: string;
  readonly version: number;
  readonly count?: number | null;
}

/** A seat took back its last ``count`` actions. */
export interface Undone {
  readonly event: "undone";
  readonly number: number;
  readonly seat: number;
  readonly count: number;
}

/**
 * What one change of the table made happen, in order: ``version`` is that change, one more than the last.
 *
 * ``table`` is there when it differs from the last one sent, ``view`` when the deal changed (in a series of updates
 * that are sent again after a resume only with the last), ``you`` when it differs.
 */
export interface Update {
  readonly type: "update";
  readonly version: number;
  readonly at_ms: number;
  readonly events: ReadonlyArray<BotPut | SatDown | StoodUp | ReadyChanged | SeedCommitted | SeedGiven | SeedsClosed | SeedRevealed | TimedOut | BotTookOver | SeatTakenBack | OfferChanged | MatchResult | MatchBegan | ClockChanged | ChatSaid | MuteChanged | TableClosed | MatchStarted | FirstDealerFound | CutMade | DealStarted | HandDealt | Drew | CardDrawn | FirstCardKept | FirstCardRejected | PileTaken | PileRestSeen | MeldLaid | CardAdded | Discarded | MortoTaken | MortoSeen | OpeningFailed | StockRefilled | TurnEnded | Undone | DealEnded | MatchEnded>;
  readonly table: TableState | null;
  readonly view: View | null;
  readonly you: You | null;
}

/**
 * Whether the shuffles of a record hold, its number of deals, and each finding as `buraco verify --json` writes it:
 * ``code``, ``deal``, ``seat``, ``card``, whether it is a ``fault``, the ``text``, and values by the code.
 */
export interface Verified {
  readonly holds: boolean;
  readonly deals: number;
  readonly findings: ReadonlyArray<Readonly<Record<string, unknown>>>;
}

/**
 * A game record whose shuffles are to be verified, as text or JSON (docs/notation.md), and what players kept of the
 * match (docs/fair-shuffle.md), if anything.
 */
export interface VerifyForm {
  readonly record: string | Readonly<Record<string, unknown>>;
  readonly witnesses?: ReadonlyArray<string | Readonly<Record<string, unknown>>>;
}

/**
 * The deal in play or just finished, as its receiver may see it.
 *
 * ``seat`` is the receiver's, None for a spectator; ``turn_seat`` is to act, None when the deal is over. ``hands`` are
 * None where hidden (spectators see them at a table with ``open_hands``), ``known`` the cards of each hand that
 * everyone knows. Of a closed pile ``pile`` holds the top only (all of what is face up), ``pile_count`` always holds.
 * ``totals`` are the match points before this deal, the cut bonus included. ``legal`` is there when the receiver is to
 * act.
 */
export interface View {
  readonly deal: number;
  readonly state_number: number;
  readonly seat: number | null;
  readonly dealer: number;
  readonly turn_seat: number | null;
  readonly phase: string;
  readonly turn_count: number;
  readonly totals: readonly [number, number];
  readonly hands: ReadonlyArray<ReadonlyArray<string> | null>;
  readonly hand_counts: ReadonlyArray<number>;
  readonly known: ReadonlyArray<ReadonlyArray<string>>;
  readonly melds: readonly [ReadonlyArray<TableMeld>, ReadonlyArray<TableMeld>];
  readonly pile: ReadonlyArray<PileEntry>;
  readonly pile_count: number;
  readonly pile_closed: boolean;
  readonly stock_count: number;
  readonly mortos: ReadonlyArray<Morto>;
  readonly unplayed: ReadonlyArray<boolean>;
  readonly opening_need: readonly [number, number];
  readonly opened: readonly [boolean, boolean];
  readonly laid_points: number;
  readonly top_card: string | null;
  readonly top_meld: number | null;
  readonly rest_waits: boolean;
  readonly barred_card: string | null;
  readonly drawn_card: string | null;
  readonly quiet_turns: number;
  readonly end_kind: string;
  readonly out_seat: number | null;
  readonly can_undo: number;
  readonly legal: Legal | null;
}

/** Another action that a bot weighed, and what it expects of it, in points on the scale of its choice. */
export interface Weighed {
  readonly action: number;
  readonly text: string;
  readonly evaluation: number;
}

/** Ask why an action of the own seat would be refused now. */
export interface Why {
  readonly type: "why";
  readonly id: string;
  readonly version: number;
  readonly action: number;
}

/** Why the action would be refused now; ``legal`` with nothing else if it would not. */
export interface WhyResult {
  readonly result: "why";
  readonly legal: boolean;
  readonly code: string;
  readonly text: string;
  readonly citation: string;
  readonly rule: RulePlace | null;
}

/**
 * Who the receiver is at this table: their member number and seat (None: none), whether they own the table, whom
 * they have muted, whether they may chat and ask for hints now.
 */
export interface You {
  readonly member: number | null;
  readonly seat: number | null;
  readonly owner: boolean;
  readonly muted: ReadonlyArray<number>;
  readonly may_chat: boolean;
  readonly may_hint: boolean;
}
