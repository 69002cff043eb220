// Clients choose their ids. These are chosen against the hash of the first release, which had no
// key and could be inverted.
import { describe, expect, test } from 'vitest';
import { Venue } from '../../sim/example.ts';
import { applyTo, CORE_VERSION, findOrder, restore, snapshot, stateHash, Tape } from '../index.ts';
import type { Place, State } from '../index.ts';
import { CELLS, CLIENT, CLIENT_HASH, CLIENT_WORDS, ACCOUNT, NONE, OrderPool } from '../record.ts';
import { ClientKey, clientText } from '../client-key.ts';
import { ClientTable } from '../tables.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:/-';
const MULTIPLIER = 0x9e3779b1;
/** The inverse of the multiplier modulo 2^32, by Newton's method: each turn doubles the bits that are right. */
let inverse = MULTIPLIER;
for (let bits = 3; bits < 32; bits *= 2) {
  inverse = Math.imul(inverse, 2 - Math.imul(MULTIPLIER, inverse));
}
const ACCOUNT_INDEX = 0;
/** Words of a crafted id: two free ones and the one that makes the hash what is wanted. */
const FREE_WORDS = 2;

/** One word of the old hash. */
function oldStep(before: number, word: number): number {
  const h = Math.imul(before ^ word, MULTIPLIER);
  return h ^ (h >>> 15);
}

/** The hash of the first release. */
function oldHash(account: number, words: Uint32Array, length: number): number {
  let h = account | 0;
  for (let i = 0; i * 4 < length; i++) h = oldStep(h, words[i]!);
  h = Math.imul(h, 0x85ebca6b);
  return h ^ (h >>> 13);
}

/** The value that turns the state before the last word into the state after it. */
function invertStep(after: number): number {
  // Undoing h ^= h >>> 15 takes a second shift, for the two lowest bits.
  return Math.imul(after ^ (after >>> 15) ^ (after >>> 30), inverse);
}

function randomWord(random: () => number): number {
  let word = 0;
  for (let i = 0; i < 4; i++) {
    word |= ALPHABET.charCodeAt(Math.floor(random() * ALPHABET.length)) << (i * 8);
  }
  return word;
}

const PERMITTED = new Set(Array.from(ALPHABET, (c) => c.charCodeAt(0)));
const isPermitted = (word: number): boolean =>
  PERMITTED.has(word & 0xff) &&
  PERMITTED.has((word >>> 8) & 0xff) &&
  PERMITTED.has((word >>> 16) & 0xff) &&
  PERMITTED.has(word >>> 24);

/** A generator of 32 bits that is the same in every run. */
function createRandom(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const toText = (words: readonly number[]): string => {
  const packed = new Uint32Array(CLIENT_WORDS);
  packed.set(words);
  return clientText(packed, 0);
};

/** Ids of an account that all have one hash. */
function craftIds(count: number): string[] {
  const random = createRandom(7);
  const wanted = invertStep(0x1234_5678);
  const ids = new Set<string>();
  while (ids.size < count) {
    const free = [randomWord(random), randomWord(random)];
    const last = (free.reduce(oldStep, ACCOUNT_INDEX) ^ wanted) >>> 0;
    if (isPermitted(last)) ids.add(toText([...free, last]));
  }
  return [...ids];
}

function drawIds(count: number): string[] {
  const random = createRandom(8);
  const ids = new Set<string>();
  while (ids.size < count) {
    ids.add(toText(Array.from({ length: FREE_WORDS + 1 }, () => randomWord(random))));
  }
  return [...ids];
}

function spentMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

const openVenue = (): Venue =>
  new Venue({ market: { maxOpenOrders: 1_000_000 }, core: { capacity: 131_072 } });

function placer(state: State, time: number): (id: string) => void {
  const tape = new Tape();
  const command: Place = {
    type: 'place',
    time,
    account: 1,
    order: {
      symbol: 'btcusdt',
      side: 'buy',
      type: 'limit',
      price: 900,
      priceDecimals: 1,
      volume: 1,
      volumeDecimals: 2,
      clientOrderId: '',
    },
  };
  return (id) => {
    command.order.clientOrderId = id;
    tape.clear();
    applyTo(state, command, tape);
  };
}

describe('60,000 ids that were crafted to share a place', () => {
  const COUNT = 60_000;
  const CHUNK = 2_000;
  const crafted = craftIds(COUNT);
  const drawn = drawIds(COUNT);

  test('have one hash without a key, and looking one up walked over all of them', () => {
    const some = 10_000;
    const words = new ClientKey();
    const hashes = new Set(
      crafted.map((id) => {
        words.set(ACCOUNT_INDEX, id);
        return oldHash(ACCOUNT_INDEX, words.words, id.length);
      }),
    );
    expect(hashes.size).toBe(1);

    const fill = (ids: readonly string[]): void => {
      const pool = new OrderPool(some);
      const table = new ClientTable(pool, some);
      const key = new ClientKey();
      for (const id of ids.slice(0, some)) {
        key.set(ACCOUNT_INDEX, id);
        key.hash = oldHash(ACCOUNT_INDEX, key.words, id.length);
        if (table.find(ACCOUNT_INDEX, key) !== NONE) throw new Error('an id was drawn twice');
        const slot = pool.take();
        pool.u32[slot * CELLS * 2 + ACCOUNT] = ACCOUNT_INDEX;
        pool.u32.set(key.words, slot * CELLS * 2 + CLIENT);
        pool.i32[slot * CELLS * 2 + CLIENT_HASH] = key.hash;
        table.insert(slot);
      }
    };
    fill(drawn);
    const usualMs = spentMs(() => fill(drawn));
    const craftedMs = spentMs(() => fill(crafted));
    expect(craftedMs / usualMs).toBeGreaterThan(20);
  });

  test('cost what random ones cost', { timeout: 600_000 }, () => {
    const attacked = openVenue();
    const usual = openVenue();
    const placeCrafted = placer(attacked.state, attacked.time);
    const placeDrawn = placer(usual.state, usual.time);
    let craftedMs = 0;
    let usualMs = 0;
    // In turns, so that other load on the machine affects both.
    for (let from = 0; from < COUNT; from += CHUNK) {
      craftedMs += spentMs(() => crafted.slice(from, from + CHUNK).forEach(placeCrafted));
      usualMs += spentMs(() => drawn.slice(from, from + CHUNK).forEach(placeDrawn));
      // Once it is this slow, the rest need not be measured.
      if (craftedMs > usualMs * 50) break;
    }
    expect(attacked.state.clients.count).toBe(COUNT);
    expect(craftedMs / usualMs).toBeLessThan(1.5);
  });
});

describe('the key of the client ids', () => {
  const ids = drawIds(500);
  const hashKey = '00112233445566778899aabbccddeeff';

  function filled(): Venue {
    const venue = openVenue();
    ids.forEach(placer(venue.state, venue.time));
    for (const clientOrderId of ids.slice(0, 250)) {
      venue.do({ type: 'cancel', account: 1, clientOrderId });
    }
    return venue;
  }

  const known = (state: State): number =>
    ids.filter((clientOrderId) => findOrder(state, 1, { clientOrderId })?.clientOrderId).length;

  test('can be changed: live and remembered orders are found as before', () => {
    const venue = filled();
    const before = new Set(hashesOf(venue.state));
    venue.do({ type: 'upgrade', version: CORE_VERSION, hashKey });
    expect(known(venue.state)).toBe(ids.length);
    expect(venue.state.clients.count).toBe(ids.length);
    expect(hashesOf(venue.state).filter((hash) => before.has(hash)).length).toBeLessThan(3);
    venue.do({ type: 'upgrade', version: CORE_VERSION, hashKey });
    expect(venue.state.clients.count).toBe(ids.length);
  });

  test('is kept in a snapshot, and decides the places after it', () => {
    const venue = filled();
    venue.do({ type: 'upgrade', version: CORE_VERSION, hashKey });
    const copy = restore(snapshot(venue.state));
    expect(known(copy)).toBe(ids.length);
    expect(new Set(hashesOf(copy))).toEqual(new Set(hashesOf(venue.state)));
    expect(stateHash(copy)).toBe(stateHash(venue.state));
  });

  test('decides in every bit which ids share a place', () => {
    const hashWith = (bit: number): number[] => {
      const secret = new Uint32Array(4);
      if (bit >= 0) secret[bit >> 5]! ^= 1 << (bit & 31);
      const key = new ClientKey(secret);
      return ids.map((id) => (key.set(ACCOUNT_INDEX, id) ? key.hash : 0));
    };
    const plain = hashWith(-1);
    for (let bit = 0; bit < 128; bit++) {
      let changed = 0;
      for (const [i, hash] of hashWith(bit).entries()) {
        for (let rest = hash ^ plain[i]!; rest !== 0; rest &= rest - 1) changed += 1;
      }
      // Half of the 32 bits, give or take what chance does to 16,000 of them.
      expect(Math.abs(changed / ids.length - 16)).toBeLessThan(1);
    }
  });
});

/** The hash of every client id that is known. */
function hashesOf(state: State): number[] {
  const { i32 } = state.pool;
  return ids(state).map((slot) => i32[slot * CELLS * 2 + CLIENT_HASH]!);
}

function ids(state: State): number[] {
  return Array.from({ length: state.orderCount }, (_, i) => state.ids.find(i + 1));
}
