// A table as text: what the server tells is shown, what it says is legal can be done. No rule lives here.
import { api, button, element } from "./api.js";
import { TableSocket } from "./socket.js";
import { KINDS, cardElement, cardList, cardOrder, cardText, cardsElement, eventText, seatName } from "./words.js";

const byId = (id) => document.getElementById(id);
const LOG_MAX = 300;

let now = null; // What is shown: the socket and the last state, or null.

export async function showTable(name, say) {
  if (now) now.socket.close();
  if (now) clearInterval(now.ticking);
  now = null;
  if (name === null) return;
  byId("log").replaceChildren();
  now = { name, say, picked: new Set(), byRank: false, deals: [], presence: null, seeded: "", skew: 0, choices: [], invitation: "" };
  now.socket = new TableSocket(name, told, (state, text) => { byId("line").textContent = text; });
  now.ticking = setInterval(showTime, 1000);
}

// What the server tells.

function told(message) {
  if (message.type === "snapshot") {
    Object.assign(now, { table: message.table, you: message.you, view: message.view, deals: [...message.deals], members: message.members });
    message.chat.forEach(chatLine);
  } else if (message.type === "update") {
    if (!now.table) return;
    if (message.table) now.table = message.table;
    if (message.you) now.you = message.you;
    if (message.view) { now.view = message.view; now.choices = []; }
    message.events.forEach(happened);
  } else if (message.type === "presence") now.presence = message;
  else if (message.type === "stopping") byId("line").textContent = message.text;
  if (message.at_ms) now.skew = message.at_ms - Date.now();
  if (now.table) show();
}

function happened(event) {
  if (event.event === "deal_ended") now.deals.push(event);
  if (event.event === "match_began") now.deals = [];
  if (event.event === "card_drawn") now.fresh = event.card;
  if (event.event === "turn_ended") now.fresh = null;
  if (event.event === "chat_said") return chatLine(event.line);
  const text = eventText(event, now.table);
  if (text) logLine(text);
}

function chatLine(line) {
  logLine(`${line.name}: ${line.text || line.phrase.replaceAll("_", " ")}`);
}

function logLine(text) {
  const log = byId("log");
  log.append(element("li", { textContent: text }));
  while (log.childElementCount > LOG_MAX) log.firstElementChild.remove();
  log.scrollTop = log.scrollHeight;
}

// What I do.

async function ask(type, members = {}) {
  byId("answer").textContent = "";
  const reply = await now.socket.ask(type, members);
  if (reply.type === "refused") byId("answer").textContent = reply.citation ? `${reply.text} (${reply.citation})` : reply.text;
  return reply;
}

const act = (action) => ask("act", { action });

const picked = () => now.view.hands[now.view.seat].filter((_, index) => now.picked.has(index));

async function probe(meld) {
  const cards = picked();
  const reply = await ask("probe", meld === null ? { cards } : { cards, meld });
  if (reply.type !== "ack") return;
  const legal = reply.result.options.filter((one) => one.legal);
  const first = reply.result.options[0] || reply.result;
  if (!legal.length) byId("answer").textContent = first.citation ? `${first.text} (${first.citation})` : first.text;
  else if (legal.length === 1) await take(legal[0]);
  else {
    now.choices = legal.map((one) => ({ text: one.words.map(wordText).join(" "), take: () => take(one) }));
    showChoices();
  }
}

const wordText = (word) => (word.includes("=") ? `(${cardText(word.split("=")[0])}=${word.split("=")[1]})` : cardText(word));

async function take(option) {
  now.picked.clear();
  now.choices = [];
  for (const action of option.actions) {
    const reply = await act(action);
    if (reply.type !== "ack") break;
  }
  show();
}

async function hint() {
  const reply = await ask("hint");
  if (reply.type !== "ack") return;
  const reasons = reply.result.reasons.map((one) => one.text).join(" ");
  byId("answer").textContent = `${reply.result.level} would: ${reply.result.text}. ${reasons}`;
  now.choices = [{ text: `Do it: ${reply.result.text}`, take: () => act(reply.result.action) }];
  showChoices();
}

// The players' part of the shuffle; the server's own seed is committed to before.
function giveSeed() {
  const { fair, match } = now.table;
  if (!fair || fair.until_ms === null || now.you.seat === null || fair.seeds_from.includes(now.you.seat)) return;
  const key = `${match}.${fair.deal}.${fair.commitment}`;
  if (now.seeded === key) return;
  now.seeded = key;
  const seed = Array.from(crypto.getRandomValues(new Uint8Array(32)), (one) => one.toString(16).padStart(2, "0")).join("");
  now.socket.ask("seed", { deal: fair.deal, seed });
}

// What is seen.

function show() {
  giveSeed();
  showState();
  showLobby();
  byId("board").hidden = !now.view;
  if (now.view) showBoard();
  showScores();
  showMatch();
  byId("chat").hidden = !now.you.may_chat;
}

function showState() {
  const { table, view } = now;
  const words = { open: "waits for players", shuffling: "the cards are shuffled", playing: "", between: "between deals", finished: "the match is over", closed: "closed" };
  let text = words[table.phase] ?? table.phase;
  const mine = view && view.turn_seat !== null && view.turn_seat === now.you.seat;
  if (table.phase === "playing" && view && view.turn_seat !== null) text = mine ? "your turn" : `${seatName(table, view.turn_seat)} is to play`;
  document.title = mine ? "● your turn – Buraco" : "Buraco";
  const totals = now.deals.length ? now.deals.at(-1).totals : view ? view.totals : [0, 0];
  byId("state").replaceChildren(
    element("p", {}, element("strong", { textContent: table.rules_title }), ` · ${text} `, element("span", { id: "time" })),
    element("p", { textContent: `Sides: ${sideName(0)} ${totals[0]} – ${totals[1]} ${sideName(1)}` }),
  );
  if (table.result) {
    const { kind, winner } = table.result;
    byId("state").append(element("p", {}, element("strong", { textContent: `${KINDS[kind] || kind}: ${winner === null ? "nobody wins" : `${sideName(winner)} wins`}` })));
  }
  showTime();
}

const sideName = (side) => now.table.seats.filter((one) => one.seat % 2 === side).map((one) => seatName(now.table, one.seat)).join(" + ");

function showTime() {
  const place = byId("time");
  if (!now || !now.table || !place) return;
  const until = now.table.clocks.deadline_ms ?? now.table.next_deal_at_ms;
  place.textContent = until ? `${Math.max(0, Math.ceil((until - Date.now() - now.skew) / 1000))} s` : "";
}

function showLobby() {
  const { table, you } = now;
  const box = byId("lobby-box");
  box.hidden = table.phase !== "open";
  if (box.hidden) return;
  const seats = table.seats.map((one) => {
    const line = element("li", {}, `Seat ${one.seat + 1} (side ${one.seat % 2 ? "B" : "A"}): ${one.kind === "empty" ? "free" : one.kind === "bot" ? `bot (${one.level})` : one.name}${one.ready ? ", ready" : ""} `);
    if (one.kind === "empty" && you.seat === null) line.append(button("Sit here", () => ask("sit", { seat: one.seat })));
    if (one.kind === "empty" && you.owner) line.append(button("Put a bot", () => ask("put_bot", { seat: one.seat })));
    if (one.kind !== "empty" && you.owner && one.seat !== you.seat) line.append(button("Remove", () => ask("clear_seat", { seat: one.seat })));
    return line;
  });
  const mine = you.seat === null ? null : table.seats[you.seat];
  const contract =
    `When somebody is away for ${table.away_ms / 1000} s, or out of time ${table.timeouts_max} turns running, a bot (${table.bot_level}) plays the seat; ` +
    `the owner takes it back at any moment. A side that is gone for ${table.forfeit_ms / 1000} s may lose the match. ` +
    `The next deal begins when all are ready, or after ${table.next_deal_ms / 1000} s.`;
  box.replaceChildren(
    element("p", { id: "invitation", textContent: `Others come with the code ${table.code} or the link ${location.origin}/t/${table.code}` }),
    element("ul", { className: "tables" }, ...seats),
    element("p", { textContent: contract }),
    element("div", { className: "row" },
      mine ? button(mine.ready ? "Not ready" : "Ready", () => ask("ready", { ready: !mine.ready })) : null,
      mine ? button("Stand up", () => ask("stand")) : null,
      you.owner ? button("Start (bots take the free seats)", () => ask("start"), { className: "main" }) : null,
      you.owner ? button("Close the table", () => ask("close_table")) : null),
  );
  showInvitation();
}

// The server knows the address that others can open, and says so where nobody can.
async function showInvitation() {
  if (!now.invitation) {
    const info = await api("GET", "/api/server").catch(() => null);
    if (!info || !now) return;
    now.invitation = `Others come with the code ${now.table.code} or the link ${info.address}/t/${now.table.code}. ${info.hint}`;
  }
  const place = byId("invitation");
  if (place) place.textContent = now.invitation;
}

function seatLine(one) {
  const { view, presence, you, table } = now;
  const marks = [];
  if (one.kind === "bot") marks.push(`level ${one.level}`);
  if (one.seat === you.seat) marks.push("you");
  if (one.played_by_bot) marks.push(`a bot plays (${one.played_by_bot})`);
  if (presence && presence.away_since_ms[one.seat]) marks.push("away");
  if (table.phase === "between" && one.ready) marks.push("ready");
  const count = view.hand_counts[one.seat];
  const line = element("li", { className: view.turn_seat === one.seat ? "turn" : "" }, element("strong", { textContent: seatName(table, one.seat) }), ` ${count} cards`);
  if (view.dealer === one.seat) marks.push("dealer");
  if (marks.length) line.append(element("br"), element("small", { textContent: marks.join(", ") }));
  if (view.known[one.seat]?.length && one.seat !== you.seat) line.append(element("br"), element("small", {}, "holds ", cardsElement(view.known[one.seat])));
  return line;
}

function meldLine(meld, own) {
  const bonus = meld.bonus ? ` ${meld.category.replaceAll("_", " ")} +${meld.bonus}` : "";
  const line = element("li", {}, `${meld.meld}. `, cardsElement(meld.cards, meld.wild), element("small", { textContent: `${meld.points}${bonus}` }));
  if (own && now.picked.size && mayAct()) line.append(button("Add here", () => probe(meld.meld)));
  return line;
}

const mayAct = () => now.view.legal !== null && !now.table.seats[now.you.seat]?.played_by_bot;

function showBoard() {
  const { view, you, table } = now;
  const side = you.seat === null ? 0 : you.seat % 2;
  byId("seats").replaceChildren(...table.seats.map(seatLine));
  byId("our-title").textContent = you.seat === null ? `Melds of ${sideName(0)}` : "Our melds";
  byId("their-title").textContent = you.seat === null ? `Melds of ${sideName(1)}` : "Their melds";
  const none = () => element("li", { textContent: "none" });
  const ours = view.melds[side].map((one) => meldLine(one, you.seat !== null));
  const theirs = view.melds[1 - side].map((one) => meldLine(one, false));
  byId("ours").replaceChildren(...(ours.length ? ours : [none()]));
  byId("theirs").replaceChildren(...(theirs.length ? theirs : [none()]));
  const mortos = view.mortos.map((one, index) => `morto ${index + 1}: ${one.state === "waiting" ? "waits" : one.state === "stock" ? "is the stock" : `taken by ${sideName(one.side)}`}`);
  byId("stock").textContent = `Stock: ${view.stock_count} · ${mortos.join(" · ")}`;
  const shown = view.pile.map((one) => one.card);
  byId("pile").replaceChildren(`Pile (${view.pile_count}${view.pile_closed ? ", closed" : ""}): `, cardsElement(shown));
  byId("duties").textContent = view.legal ? view.legal.duties.map((one) => one.text).join(" ") : "";
  showHand();
  showActions();
  showChoices();
}

function showHand() {
  const { view } = now;
  const hand = view.seat === null ? [] : view.hands[view.seat] || [];
  for (const index of now.picked) if (index >= hand.length) now.picked.delete(index);
  if (now.lastHand !== hand.join()) { now.picked.clear(); now.lastHand = hand.join(); }
  byId("hand-head").hidden = byId("hand").hidden = view.seat === null;
  byId("hand-count").textContent = `(${hand.length})`;
  byId("sort").textContent = now.byRank ? "Sort by suit" : "Sort by rank";
  byId("clear").disabled = !now.picked.size;
  const order = hand.map((card, index) => [card, index]).sort((a, b) => cardOrder(a[0], now.byRank) - cardOrder(b[0], now.byRank) || a[1] - b[1]);
  let fresh = now.fresh;
  byId("hand").replaceChildren(...order.map(([card, index]) => {
    const mark = fresh === card;
    if (mark) fresh = null;
    const one = button("", () => { now.picked.has(index) ? now.picked.delete(index) : now.picked.add(index); showBoard(); byId("hand").querySelector(`[data-index="${index}"]`)?.focus(); }, { className: mark ? "new" : "" });
    one.append(cardElement(card));
    one.dataset.card = card;
    one.dataset.index = index;
    one.setAttribute("aria-pressed", String(now.picked.has(index)));
    return one;
  }));
}

function showActions() {
  const { view, you, table } = now;
  const legal = view.legal;
  const bar = [];
  const seat = you.seat === null ? null : table.seats[you.seat];
  if (seat?.played_by_bot) bar.push(button("Take my seat back", () => ask("take_back"), { className: "main" }));
  else if (legal) {
    const cards = picked();
    const discard = cards.length === 1 ? legal.discards.find((one) => one.card === cards[0]) : null;
    bar.push(
      button("Draw", () => act(0), { disabled: !legal.draw, className: legal.draw ? "main" : "" }),
      button("Take the pile", () => act(1), { disabled: !legal.pile }),
    );
    if (legal.keep || legal.reject) bar.push(button("Keep it", () => act(2), { disabled: !legal.keep }), button("Reject it", () => act(3), { disabled: !legal.reject }));
    bar.push(
      button(`Lay ${cards.length || ""}`, () => probe(null), { disabled: cards.length < 3 }),
      button(cards.length === 1 ? `Discard ${cardText(cards[0])}` : "Discard", () => (discard ? act(discard.action) : why(cards[0])), { disabled: cards.length !== 1 }),
      button(`Undo${view.can_undo ? ` (${view.can_undo})` : ""}`, () => ask("undo", { count: 1 }), { disabled: !view.can_undo }),
    );
    if (you.may_hint) bar.push(button("Hint", hint));
  }
  if (table.phase === "between" && seat && !seat.ready) bar.push(button("Next deal", () => ask("ready"), { className: "main" }));
  byId("actions").replaceChildren(...bar);
}

// Ask why a card may not be discarded: its action is 4 and the card's number (docs/architecture.md).
function why(card) {
  const number = card === "X" ? 52 : "cdhs".indexOf(card[1]) * 13 + "A23456789TJQK".indexOf(card[0]);
  return ask("why", { action: 4 + number }).then((reply) => {
    if (reply.type === "ack" && !reply.result.legal) byId("answer").textContent = `${reply.result.text} ${reply.result.citation ? `(${reply.result.citation})` : ""}`;
  });
}

function showChoices() {
  byId("choices").replaceChildren(...now.choices.map((one) => button(one.text, () => { now.choices = []; showChoices(); one.take(); })));
}

function showScores() {
  const box = byId("scores");
  if (!now.deals.length) {
    box.textContent = "No deal is finished yet.";
    return;
  }
  const rows = now.deals.map((one) => element("tr", {},
    element("td", { textContent: one.deal }), element("td", { className: "number", textContent: one.scores[0] }), element("td", { className: "number", textContent: one.scores[1] }),
    element("td", { className: "number", textContent: one.totals[0] }), element("td", { className: "number", textContent: one.totals[1] })));
  const head = element("tr", {}, ...["Deal", sideName(0), sideName(1), "Total", "Total"].map((text) => element("th", { textContent: text })));
  const last = now.deals.at(-1);
  const sheets = last.sheets.map((sheet) => element("details", {}, element("summary", { textContent: `Deal ${last.deal}, ${sideName(sheet.side)}: ${sheet.total}` }),
    element("ul", {}, ...sheet.lines.map((line) => element("li", { textContent: `${line.points} ${line.kind.replaceAll("_", " ")} ${line.category.replaceAll("_", " ")} ${cardList(line.cards)}` })))));
  box.replaceChildren(element("table", {}, head, ...rows), ...sheets);
}

function showMatch() {
  const { table, you } = now;
  const bar = [element("a", { href: "/", textContent: "Home" })];
  const agrees = (offer) => table.offers[offer].includes(you.seat);
  if (you.seat !== null && ["playing", "between", "shuffling"].includes(table.phase)) {
    bar.push(
      button(agrees("draw") ? "No draw" : "Offer a draw", () => ask("draw", { agree: !agrees("draw") })),
      button(agrees("resign") ? "Do not give up" : "Give up", () => (agrees("resign") || confirm("Give the match up?")) && ask("resign", { agree: !agrees("resign") })),
      button("Claim the match", () => ask("claim_forfeit")),
      button("Leave for good", () => confirm("A bot plays your seat on. Leave?") && ask("leave")),
    );
  }
  if (table.phase === "finished") {
    if (you.seat !== null) bar.push(button(agrees("rematch") ? "No rematch" : "Rematch", () => ask("rematch", { agree: !agrees("rematch") }), { className: "main" }));
    bar.push(element("a", { href: `/api/tables/${table.table}/records/${table.match}`, textContent: "Record of the match" }));
  }
  byId("match-actions").replaceChildren(...bar);
}

byId("sort").addEventListener("click", () => { now.byRank = !now.byRank; showHand(); });
byId("clear").addEventListener("click", () => { now.picked.clear(); showBoard(); });
byId("chat").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = byId("chat-text").value.trim();
  byId("chat-text").value = "";
  if (text) ask("chat", { text });
});
