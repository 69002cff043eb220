// The whole state as bytes and back. Equal histories give equal bytes: nothing in them depends on
// where orders lie in memory or how large its buffers are. What can be derived (tables, trigger
// lists, heaps, counts) is left out and rebuilt.

import { assert } from './assert.ts';
import type { BookSide } from './book.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import type { MarketConfig } from './command.ts';
import {
  countMarkets,
  linkFinished,
  linkMine,
  shelveFinished,
  waitsForRise,
} from './core/finish.ts';
import { BUCKETS, GTD, PENDING, PHASES, STATUS_FILLED, isMarketKind, isTrailing } from './names.ts';
import * as rec from './record.ts';
import { CELLS, NONE } from './record.ts';
import { sha256, toHex } from './sha256.ts';
import {
  Account,
  DEFAULT_SWEEP_STEP,
  HASH_KEY_WORDS,
  Market,
  Tier,
  addAccount,
  createState,
  rowOf,
} from './state.ts';
import type { CoreConfig, State } from './state.ts';
import { readSweeps, writeSweeps } from './sweeps.ts';
import { CORE_VERSION, assertKnownVersion } from './version.ts';
import { LIMBS, isZero } from './wide.ts';

const MAGIC = 0x52_4d_43; // "RMC", Rialto's matching core
/** How the bytes are arranged, which may change from one version of the core to the next. */
const FORMAT = 5;
/** The oldest that is still read: an order's fields that have their usual value are left out. */
const OLDEST_FORMAT = 2;
/** Says by which rules the state lives, and with which key client ids are hashed. */
const FORMAT_WITH_RULES = 3;
/** Has the amendments that came with an id. */
const FORMAT_WITH_AMENDMENTS = 4;
/** Has finished orders as the words that they are in memory, and says first how many orders there are. */
const FORMAT_WITH_ENTRIES = 5;
/** Says how long a market's auction lasts after a halt. */
const FORMAT_WITH_AUCTIONS = 4;

const DOUBLES: readonly number[] = [
  ...Array.from({ length: rec.ASKED_VISIBLE + 1 }, (_, i) => i),
  rec.SHOWN,
  rec.TIMER_SEQ,
];
const AMOUNTS: readonly number[] = [rec.TOTAL, rec.HELD, rec.FILLED_TOTAL, rec.FEE, rec.REBATE];
/** Of an order's mask: its link is not zero. */
const LINK_BIT = 1 << (DOUBLES.length + AMOUNTS.length);
/** Words from ACCOUNT up to, and without, CLIENT. */
const SMALL = rec.CLIENT - rec.ACCOUNT;

/**
 * The usual value of a cell: that of an earlier cell, or else zero. A mask says which cells differ,
 * and only those are written. An untouched resting order has five.
 */
const USUAL = new Int32Array(rec.CELLS).fill(NONE);
USUAL[rec.REMAINING] = rec.VOLUME;
USUAL[rec.UPDATED] = rec.CREATED;
USUAL[rec.ASKED_PRICE] = rec.PRICE;
USUAL[rec.ASKED_STOP] = rec.STOP;
USUAL[rec.ASKED_VOLUME] = rec.VOLUME;
USUAL[rec.ASKED_VISIBLE] = rec.VISIBLE;
USUAL[rec.SHOWN] = rec.REMAINING;
/** Values that differ from the usual ones, between the cells and the bytes. */
const unusual = new Float64Array(DOUBLES.length);

/** Roughly what an order takes; a guess for sizing buffers, in both directions. */
const ORDER_BYTES = 80;
/** A guess at the rest, for a small venue. */
const ROOM = 1 << 16;

const CONFIG_NUMBERS = [
  'basePrecision',
  'quotePrecision',
  'maxMarketOrderAskLots',
  'minimumVolumeLots',
  'maximumVolumeLots',
  'minimumPriceTicks',
  'maximumPriceTicks',
  'listingPriceTicks',
  'priceBandPpm',
  'marketSlippagePpm',
  'haltPpm',
  'haltMinutes',
  'maxOpenOrders',
  'maxConditionalOrders',
  'icebergParts',
] as const satisfies readonly (keyof MarketConfig)[];

const COUNTERS = [
  'orderCount',
  'tradeCount',
  'engineSeq',
  'timerSeq',
  'time',
  'forgottenThrough',
  'causesForgottenThrough',
] as const satisfies readonly (keyof State)[];

/** The canonical bytes of a state. */
export function snapshot(s: State): Uint8Array<ArrayBuffer> {
  const live = s.ids.count - s.finishedCount;
  const w = new ByteWriter(live * ORDER_BYTES + s.finished.wordCount * 4 + ROOM);
  w.whole(MAGIC);
  w.whole(FORMAT);
  w.whole(CORE_VERSION);
  w.whole(s.config.shard);
  w.whole(s.config.memory);
  w.whole(s.rules);
  for (const word of s.hashKey) w.whole(word);
  w.whole(s.config.sweepStep);
  w.whole(live);
  w.whole(s.finishedCount);
  for (const counter of COUNTERS) w.whole(s[counter]);
  writeLedger(w, s);
  w.whole(s.markets.length);
  for (const market of s.markets) writeMarket(w, s, market);
  writeOrders(w, s);
  w.whole(s.withdrawals.size);
  for (const withdrawal of s.withdrawals.values()) {
    w.text(withdrawal.id);
    w.whole(withdrawal.account);
    w.whole(withdrawal.coin);
    w.text(withdrawal.network);
    w.big(withdrawal.amount);
    w.big(withdrawal.fee);
    w.text(withdrawal.status);
  }
  w.whole(s.causes.size);
  for (const [key, cause] of s.causes) {
    w.text(key);
    w.text(cause.terms);
    w.whole(cause.seq);
  }
  writeSweeps(w, s);
  w.text(s.money);
  writeBalances(w, s, s.capital);
  writeAmendments(w, s);
  return w.finish();
}

/** SHA-256 of the canonical bytes, in hexadecimal. */
export function stateHash(s: State): string {
  return toHex(sha256(snapshot(s)));
}

function writeLedger(w: ByteWriter, s: State): void {
  w.whole(s.coins.length);
  for (const { name, networks } of s.coins) {
    w.text(name);
    w.whole(networks.length);
    for (const network of networks) w.text(network);
  }
  w.whole(s.networks.length);
  for (const [n, network] of s.networks.entries()) {
    w.text(network);
    for (let coin = 0; coin < s.coins.length; coin++) w.big(s.custody[n]![coin] ?? 0n);
  }
  const tiers = [...s.tiers.values()].sort((a, b) => a.number - b.number);
  w.whole(tiers.length);
  for (const tier of tiers) {
    w.whole(tier.number);
    w.signed(tier.makerPpm);
    w.whole(tier.takerPpm);
  }
  w.whole(s.accounts.length);
  for (const account of s.accounts) {
    w.whole(account.id);
    w.whole(account.parent);
    w.whole(account.tier.number);
    w.byte(account.suspended ? 1 : 0);
    w.whole(s.deadMan.dueOf(account.index));
    w.whole(s.deadMan.seqOf(account.index));
  }
  for (const account of [s.fees, s.suspense, s.adjustments, ...s.accounts]) {
    writeBalances(w, s, account);
  }
}

// A row of zeros means the same as no row, so it is not written.
function writeBalances(w: ByteWriter, s: State, account: Account): void {
  const coins: number[] = [];
  for (const [coin, row] of account.rows.entries()) {
    const at = row * 3 * LIMBS;
    const isEmpty =
      row === 0 ||
      (isZero(s.rows, at) && isZero(s.rows, at + LIMBS) && isZero(s.rows, at + 2 * LIMBS));
    if (!isEmpty) coins.push(coin);
  }
  w.whole(coins.length);
  for (const coin of coins) {
    w.whole(coin);
    const at = account.rows[coin]! * 3 * LIMBS;
    for (let b = 0; b < BUCKETS.length; b++) w.wide(s.rows, at + b * LIMBS);
  }
}

function writeMarket(w: ByteWriter, s: State, market: Market): void {
  const { config } = market;
  w.text(config.symbol);
  w.text(config.base);
  w.text(config.quote);
  for (const name of CONFIG_NUMBERS) w.whole(config[name]);
  w.whole(config.auctionSeconds ?? 0);
  w.big(config.minimumQuoteSize);
  w.big(config.maxMarketOrderBid);
  w.text(config.defaultStpMode);
  w.whole(PHASES.indexOf(market.phase));
  w.whole(PHASES.indexOf(market.nextPhase));
  w.whole(s.phaseEnds.dueOf(market.index));
  w.whole(s.phaseEnds.seqOf(market.index));
  w.whole(market.updateId);
  w.whole(market.lastPrice);
  w.whole(market.historyCount);
  for (const [second, price] of market.history()) {
    w.whole(second);
    w.whole(price);
  }
}

function writeOrders(w: ByteWriter, s: State): void {
  // Ids are sorted as plain numbers and looked up again: several times faster than sorting slots by
  // a function that reads their ids.
  const ids = new Float64Array(s.ids.count - s.finishedCount);
  const { f64, i32 } = s.pool;
  let live = 0;
  for (const account of s.accounts) {
    let slot = account.head;
    for (; slot !== NONE; slot = i32[slot * CELLS * 2 + rec.MINE_NEXT]!) {
      ids[live++] = f64[slot * CELLS + rec.ID]!;
    }
  }
  assert(live === ids.length, 'the accounts have other orders than are known by id');
  ids.sort();
  w.whole(live);
  // Of a trailing stop in a group, only the group knows the extreme.
  const extremes = new Map<number, number>();
  for (const market of s.markets) {
    if (market.trails.count === 0) continue;
    for (const [slot, extreme] of market.trails.extremes()) extremes.set(slot, extreme);
  }
  for (const id of ids) {
    const slot = s.ids.find(id);
    writeOrder(w, s, slot, extremes.get(slot) ?? f64[slot * CELLS + rec.SHOWN]!);
  }
  for (const market of s.markets) {
    writeResting(w, s, market.bids);
    writeResting(w, s, market.asks);
  }
  w.whole(s.finishedCount);
  w.pieces(s.finished.pieces(), s.finished.wordCount);
}

/** Ids of the resting orders, best level first, each level in the order of its queue. */
function writeResting(w: ByteWriter, s: State, book: BookSide): void {
  const { f64, i32 } = s.pool;
  const ids: number[] = [];
  for (let i = book.count - 1; i >= 0; i--) {
    let slot = book.headOf(book.levelAt(i));
    for (; slot !== NONE; slot = i32[slot * CELLS * 2 + rec.NEXT]!) {
      ids.push(f64[slot * CELLS + rec.ID]!);
    }
  }
  w.whole(ids.length);
  for (const id of ids) w.whole(id);
}

function writeOrder(w: ByteWriter, s: State, slot: number, shown: number): void {
  const { f64, u32 } = s.pool;
  const cell = slot * CELLS;
  let mask = 0;
  let count = 0;
  let bit = 1;
  for (let i = 0; i < DOUBLES.length; i++, bit <<= 1) {
    const field = DOUBLES[i]!;
    const like = USUAL[field]!;
    const value = field === rec.SHOWN ? shown : f64[cell + field]!;
    if (value === (like === NONE ? 0 : f64[cell + like])) continue;
    mask |= bit;
    unusual[count++] = value;
  }
  for (let i = 0; i < AMOUNTS.length; i++, bit <<= 1) {
    if (!isZero(f64, cell + AMOUNTS[i]!)) mask |= bit;
  }
  const link = u32[cell * 2 + rec.LINK]!;
  if (link !== 0) mask |= LINK_BIT;
  w.whole(mask);
  w.doubles(unusual, count);
  bit = 1 << DOUBLES.length;
  for (let i = 0; i < AMOUNTS.length; i++, bit <<= 1) {
    if ((mask & bit) !== 0) w.wide(f64, cell + AMOUNTS[i]!);
  }
  if (link !== 0) w.whole(link);
  w.words(u32, cell * 2 + rec.ACCOUNT, SMALL);
  w.packed(u32, cell * 2 + rec.CLIENT, rec.CLIENT_WORDS);
}

function writeAmendments(w: ByteWriter, s: State): void {
  w.whole(s.amendments.size);
  for (const [order, entries] of s.amendments) {
    w.text(order);
    w.whole(entries.length);
    for (const entry of entries) w.text(entry);
  }
}

function readAmendments(r: ByteReader, s: State): void {
  const orders = r.whole();
  for (let i = 0; i < orders; i++) {
    const order = r.text();
    const entries = Array.from({ length: r.whole() }, () => r.text());
    assert(s.ids.find(Number(order)) !== NONE, 'an unknown order was amended');
    s.amendments.set(order, entries);
  }
}

/**
 * A state equal to the one the bytes were made of. `tuning` may change how much room is made, which
 * is no part of the state.
 */
export function restore(
  bytes: Uint8Array,
  tuning: Partial<Pick<CoreConfig, 'capacity'>> = {},
): State {
  const r = new ByteReader(bytes);
  assert(r.whole() === MAGIC, 'these bytes are no snapshot');
  const format = r.whole();
  // Every release writes its version right after its format, so a newer one can be named.
  if (format >= FORMAT_WITH_RULES) assertKnownVersion('This snapshot', r.whole());
  assert(
    format >= OLDEST_FORMAT && format <= FORMAT,
    `this snapshot has format ${format}, and formats ${OLDEST_FORMAT} to ${FORMAT} are read: take it ` +
      'away and let the journal be replayed from its beginning',
  );
  const shard = r.whole();
  const memory = r.whole();
  const rules = format >= FORMAT_WITH_RULES ? r.whole() : 1;
  const hashKey =
    format >= FORMAT_WITH_RULES ? Array.from({ length: HASH_KEY_WORDS }, () => r.whole()) : [];
  const sweepStep = format >= FORMAT_WITH_RULES ? r.whole() : DEFAULT_SWEEP_STEP;
  // Makes room for every order at once: growing on the way would copy and rehash again and again.
  const guess = Math.ceil((bytes.length * 2) / ORDER_BYTES);
  const live = format >= FORMAT_WITH_ENTRIES ? r.whole() : guess;
  const known = format >= FORMAT_WITH_ENTRIES ? live + r.whole() : guess;
  assert(known <= guess, 'a snapshot holds more orders than it has bytes for');
  const capacity = Math.max(tuning.capacity ?? 0, live);
  const s = createState({ shard, memory, capacity, rules, sweepStep }, known);
  s.hashKey.set(hashKey);
  for (const counter of COUNTERS) s[counter] = r.whole();
  readLedger(r, s);
  const markets = r.whole();
  for (let i = 0; i < markets; i++) readMarket(r, s, format);
  readOrders(r, s, format);
  const withdrawals = r.whole();
  for (let i = 0; i < withdrawals; i++) {
    const id = r.text();
    s.withdrawals.set(id, {
      id,
      account: r.whole(),
      coin: r.whole(),
      network: r.text(),
      amount: r.big(),
      fee: r.big(),
      status: r.text() as 'pending' | 'settled' | 'canceled',
    });
  }
  const causes = r.whole();
  for (let i = 0; i < causes; i++) s.causes.set(r.text(), { terms: r.text(), seq: r.whole() });
  if (format >= FORMAT_WITH_RULES) readSweeps(r, s);
  if (format >= FORMAT_WITH_RULES) {
    s.money = r.text() as State['money'];
    readBalances(r, s, s.capital);
  }
  if (format >= FORMAT_WITH_AMENDMENTS) readAmendments(r, s);
  assert(r.isAtEnd, 'the snapshot goes on after its end');
  return s;
}

function readLedger(r: ByteReader, s: State): void {
  const coins = r.whole();
  for (let i = 0; i < coins; i++) {
    const name = r.text();
    const networks = Array.from({ length: r.whole() }, () => r.text());
    s.coins.push({ name, networks });
    s.coinIndex.set(name, i);
  }
  const networks = r.whole();
  for (let i = 0; i < networks; i++) {
    s.networks.push(r.text());
    s.custody.push(Array.from({ length: coins }, () => r.big()));
  }
  const tiers = r.whole();
  for (let i = 0; i < tiers; i++) {
    const number = r.whole();
    const tier = s.tiers.get(number) ?? new Tier(number);
    tier.makerPpm = r.signed();
    tier.takerPpm = r.whole();
    s.tiers.set(number, tier);
  }
  const accounts = r.whole();
  for (let index = 0; index < accounts; index++) {
    const id = r.whole();
    const parent = r.whole();
    const tier = s.tiers.get(r.whole());
    assert(tier !== undefined, 'an account has an unknown fee tier');
    const account = new Account(index, id, '', parent, tier);
    account.suspended = r.byte() === 1;
    const due = r.whole();
    const seq = r.whole();
    if (due > 0) s.deadMan.set(index, due, seq);
    addAccount(s, account);
  }
  for (const account of [s.fees, s.suspense, s.adjustments, ...s.accounts]) {
    readBalances(r, s, account);
  }
}

function readBalances(r: ByteReader, s: State, account: Account): void {
  const count = r.whole();
  for (let i = 0; i < count; i++) {
    const at = rowOf(s, account, r.whole());
    for (let b = 0; b < BUCKETS.length; b++) r.wide(s.rows, at + b * LIMBS);
  }
}

function readMarket(r: ByteReader, s: State, format: number): void {
  const symbol = r.text();
  const base = r.text();
  const quote = r.text();
  const numbers: Partial<Record<(typeof CONFIG_NUMBERS)[number], number>> = {};
  for (const name of CONFIG_NUMBERS) numbers[name] = r.whole();
  const auctionSeconds = format >= FORMAT_WITH_AUCTIONS ? r.whole() : 0;
  const config = {
    symbol,
    base,
    quote,
    ...numbers,
    ...(auctionSeconds > 0 ? { auctionSeconds } : {}),
    minimumQuoteSize: r.big(),
    maxMarketOrderBid: r.big(),
    defaultStpMode: r.text(),
  } as MarketConfig;
  const index = s.markets.length;
  const [baseIndex, quoteIndex] = [s.coinIndex.get(base), s.coinIndex.get(quote)];
  assert(baseIndex !== undefined && quoteIndex !== undefined, 'a market has an unknown coin');
  const market = new Market(index, config, baseIndex, quoteIndex, s.pool);
  market.phase = PHASES[r.whole()] ?? 'halted';
  market.nextPhase = PHASES[r.whole()] ?? 'halted';
  const due = r.whole();
  const seq = r.whole();
  if (due > 0) s.phaseEnds.set(index, due, seq);
  market.updateId = r.whole();
  market.lastPrice = r.whole();
  const history = r.whole();
  for (let i = 0; i < history; i++) market.recordPrice(r.whole(), r.whole());
  s.markets.push(market);
  s.marketIndex.set(symbol, index);
}

function readOrders(r: ByteReader, s: State, format: number): void {
  const live = r.whole();
  const waiting = s.markets.map(() => ({
    rising: [] as number[],
    falling: [] as number[],
    trailing: [] as number[],
  }));
  for (let i = 0; i < live; i++) {
    const slot = readOrder(r, s);
    const { f64, u32 } = s.pool;
    const cell = slot * CELLS;
    const word = cell * 2;
    const market = s.markets[u32[word + rec.MARKET]!]!;
    const account = s.accounts[u32[word + rec.ACCOUNT]!]!;
    const type = u32[word + rec.TYPE]!;
    const side = u32[word + rec.SIDE]!;
    const isDormant = (u32[word + rec.FLAGS]! & rec.FLAG_DORMANT) !== 0;
    assert(u32[word + rec.STATUS]! < STATUS_FILLED, 'a live order is final');
    linkMine(s, account, slot);
    countMarkets(account, market);
    if (u32[word + rec.STATUS] === PENDING) {
      account.pending[market.index]! += 1;
      const list = waitsForRise(type, side) ? 'rising' : 'falling';
      if (!isDormant) waiting[market.index]![isTrailing(type) ? 'trailing' : list].push(slot);
    } else account.open[market.index]! += 1;
    if (!isMarketKind(type) && !isDormant) market.openLots[side]! += f64[cell + rec.REMAINING]!;
    if (u32[word + rec.TIF] === GTD) {
      s.gtd.set(slot, f64[cell + rec.EXPIRE]!, f64[cell + rec.TIMER_SEQ]!);
    }
  }
  for (const [index, market] of s.markets.entries()) {
    market.rising.load(Int32Array.from(waiting[index]!.rising));
    market.falling.load(Int32Array.from(waiting[index]!.falling));
    market.trails.load(waiting[index]!.trailing);
    readResting(r, s, market.bids);
    readResting(r, s, market.asks);
  }
  const finished = r.whole();
  // From rules 2 on, a memory that was made smaller shrinks gradually.
  assert(s.rules >= 2 || finished <= s.config.memory, 'a snapshot holds more than its memory');
  if (format >= FORMAT_WITH_ENTRIES) readFinished(s, finished, r.pieces());
  else {
    for (let i = 0; i < finished; i++) {
      linkFinished(s, readOrder(r, s));
      shelveFinished(s);
    }
  }
}

function readFinished(s: State, count: number, entries: Uint32Array): void {
  let at = 0;
  for (let i = 0; i < count; i++) {
    const place = s.finished.load(entries, at);
    at += s.finished.lengthOf(place);
    s.ids.insertFinished(place);
    if (s.finished.hasClient(place)) s.clients.insertFinished(place);
  }
  assert(at === entries.length, 'there are more finished orders than there should be');
  s.finishedCount = count;
}

function readResting(r: ByteReader, s: State, book: BookSide): void {
  const count = r.whole();
  assert(count <= s.ids.count, 'the book has more orders than there are');
  const slots = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    const slot = s.ids.find(r.whole());
    assert(slot !== NONE, 'the book names an unknown order');
    slots[i] = slot;
  }
  book.load(slots);
}

function readOrder(r: ByteReader, s: State): number {
  const slot = s.pool.take();
  const { f64, u32, i32 } = s.pool;
  const cell = slot * CELLS;
  // A finished order may have been read into it before.
  f64.fill(0, cell, cell + CELLS);
  const word = cell * 2;
  const mask = r.whole();
  let count = 0;
  for (let i = 0; i < DOUBLES.length; i++) count += (mask >>> i) & 1;
  r.doubles(unusual, count);
  count = 0;
  let bit = 1;
  for (let i = 0; i < DOUBLES.length; i++, bit <<= 1) {
    const field = DOUBLES[i]!;
    const like = USUAL[field]!;
    if ((mask & bit) !== 0) f64[cell + field] = unusual[count++]!;
    else if (like !== NONE) f64[cell + field] = f64[cell + like]!;
  }
  for (let i = 0; i < AMOUNTS.length; i++, bit <<= 1) {
    if ((mask & bit) !== 0) r.wide(f64, cell + AMOUNTS[i]!);
  }
  if ((mask & LINK_BIT) !== 0) u32[word + rec.LINK] = r.whole();
  r.words(u32, word + rec.ACCOUNT, SMALL);
  i32[word + rec.LEVEL] = NONE;
  const length = r.packed(u32, word + rec.CLIENT, rec.CLIENT_WORDS);
  if (length > 0) s.clients.enter(slot, s.hashKey);
  s.ids.insert(slot);
  return slot;
}
