// The yardstick of benchmarks/server.py: a boardgame.io server in memory with a small card game of like size. Four hands
// of eleven, two reserves, a stock, an open pile, runs on the table for two sides; each player gets a view of their own,
// and who is to act the list of what is legal. `node server.cjs PORT`; it writes a line when it answers.
const { Server } = require('boardgame.io/server');

const PLAYERS = 4;
const HAND = 11;
const RANKS = 13;

const suitOf = card => Math.floor(card / RANKS);
const side = player => Number(player) % 2;

function deal(random) {
  const pack = [];
  for (let copy = 0; copy < 2; copy += 1) for (let card = 0; card < 4 * RANKS; card += 1) pack.push(card);
  const stock = random.Shuffle(pack);
  const hands = [];
  for (let seat = 0; seat < PLAYERS; seat += 1) hands.push(stock.splice(0, HAND));
  const reserves = [stock.splice(0, HAND), stock.splice(0, HAND)];
  return { hands, reserves, stock, pile: [], melds: [[], []], drawn: false, deals: 1 };
}

/** The places in a hand of cards that make a run with each other. */
function runs(hand) {
  const place = new Map(hand.map((card, index) => [card, index]));
  const found = [];
  for (const card of place.keys()) {
    if ((card % RANKS) + 2 < RANKS && place.has(card + 1) && place.has(card + 2)) {
      found.push([place.get(card), place.get(card + 1), place.get(card + 2)]);
    }
  }
  return found;
}

const fits = (meld, card) =>
  suitOf(card) === suitOf(meld[0]) && (card === meld[0] - 1 || card === meld[meld.length - 1] + 1);

function legal(G, player) {
  if (!G.drawn) return G.pile.length ? [['draw'], ['take']] : [['draw']];
  const hand = G.hands[player];
  const found = hand.map((_, index) => ['discard', index]);
  if (hand.length > 4) for (const places of runs(hand)) found.push(['lay', ...places]);
  if (hand.length > 1) {
    G.melds[side(player)].forEach((meld, number) => {
      hand.forEach((card, index) => {
        if (fits(meld, card)) found.push(['add', index, number]);
      });
    });
  }
  return found;
}

const remove = (hand, places) => [...places].sort((a, b) => b - a).map(index => hand.splice(index, 1)[0]).reverse();

const moves = {
  draw({ G, playerID }) {
    if (G.drawn) return 'INVALID_MOVE';
    G.hands[playerID].push(G.stock.pop());
    G.drawn = true;
  },
  take({ G, playerID }) {
    if (G.drawn || !G.pile.length) return 'INVALID_MOVE';
    G.hands[playerID].push(...G.pile);
    G.pile = [];
    G.drawn = true;
  },
  lay({ G, playerID }, ...places) {
    const hand = G.hands[playerID];
    const cards = places.map(index => hand[index]);
    const isRun = cards.every((card, at) => card === cards[0] + at && suitOf(card) === suitOf(cards[0]));
    if (!G.drawn || cards.length !== 3 || !isRun) return 'INVALID_MOVE';
    G.melds[side(playerID)].push(remove(hand, places));
  },
  add({ G, playerID }, index, number) {
    const hand = G.hands[playerID];
    const meld = G.melds[side(playerID)][number];
    if (!G.drawn || !meld || !fits(meld, hand[index])) return 'INVALID_MOVE';
    const [card] = remove(hand, [index]);
    if (card < meld[0]) meld.unshift(card);
    else meld.push(card);
  },
  discard({ G, playerID, events, random }, index) {
    const hand = G.hands[playerID];
    if (!G.drawn || !(index < hand.length)) return 'INVALID_MOVE';
    G.pile.push(...remove(hand, [index]));
    G.drawn = false;
    if (!hand.length && G.reserves.length) hand.push(...G.reserves.pop());
    if (!hand.length || !G.stock.length) Object.assign(G, deal(random), { deals: G.deals + 1 });
    events.endTurn();
  },
};

const game = {
  name: 'yardstick',
  setup: ({ random }) => deal(random),
  moves,
  playerView: ({ G, ctx, playerID }) => ({
    hand: G.hands[playerID],
    counts: G.hands.map(hand => hand.length),
    reserves: G.reserves.length,
    stock: G.stock.length,
    pile: G.pile,
    melds: G.melds,
    drawn: G.drawn,
    deals: G.deals,
    legal: ctx.currentPlayer === playerID ? legal(G, playerID) : [],
  }),
};

const server = Server({ games: [game], origins: [/127\.0\.0\.1/] });
// Its own console lines for every request are no part of what is measured.
console.info = () => {};
server.run({ port: Number(process.argv[2]), callback: () => process.stdout.write('ready\n') });
