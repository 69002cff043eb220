import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../chain.ts';
import { signHead } from '../heads.ts';
import type { SignedHead } from '../heads.ts';
import { drawLog, rechain, venueKeys } from '../test-log.ts';
import { honestScenario, writeLines } from '../test-scenario.ts';
import type { Entry } from '../test-scenario.ts';
import { Random } from '../../../matching/sim/random.ts';
import { verifyLog } from './verify.ts';

const { entries, orders } = honestScenario();
const id = (name: keyof typeof orders): string => String(orders[name].orderId);

// Lines of the honest log, counted from 1.
const BEST_ADD = 5;
const TRADE_BEST = 8;
const TRADE_EARLY = 9;
const AMENDED = 10;
const TRADE_EARLY_REST = 12;
const TRADE_ICEBERG = 13;
const SLICE_USED_UP = 14;
const NEXT_SLICE = 15;
const BID_ADD = 16;
const REDUCED = 17;
const CHECKPOINT = 18;
const TRADE_LATE = 21;
const CANCEL = 23;
const RESUMED = 25;
const TRADE_BID = 26;
const REMAINDER = 27;

/** The entries with other values in the event of a line. */
function edit(line: number, values: Readonly<Record<string, string>>, from = entries): Entry[] {
  return from.map((entry, i) =>
    i + 1 === line ? ({ event: { ...entry.event, ...values } } as Entry) : entry,
  );
}
const drop = (...lines: number[]): Entry[] => entries.filter((_, i) => !lines.includes(i + 1));
const insert = (line: number, ...more: Entry[]): Entry[] => entries.toSpliced(line - 1, 0, ...more);
function swap(line: number, other: number): Entry[] {
  const copy = [...entries];
  [copy[line - 1], copy[other - 1]] = [copy[other - 1]!, copy[line - 1]!];
  return copy;
}
const check = (changed: readonly Entry[]) => verifyLog(writeLines(changed), { keys: venueKeys });

it('the honest log is accepted', () => {
  expect(check(entries)).toMatchObject({ ok: true, events: 24, trades: 7, heads: 3 });
});

/** The chain and all signatures are made anew, so only the meaning gives the cheating away. */
const CHEATS: Array<[what: string, changed: Entry[], line: number, message: RegExp]> = [
  [
    'an order is served before one that came earlier',
    edit(TRADE_EARLY, { sellOrderId: id('late') }),
    TRADE_EARLY,
    /order 1 came before order 3 at the same price/,
  ],
  [
    'an order is served before one with a better price',
    edit(TRADE_BEST, { sellOrderId: id('early'), price: '101.0' }),
    TRADE_BEST,
    /order 2 at 100\.5 has the better price/,
  ],
  [
    'a trade at another price than the resting order has',
    edit(TRADE_BEST, { price: '100.6' }),
    TRADE_BEST,
    /at the price of the resting order 2, 100\.5/,
  ],
  [
    'a trade beyond what the order shows',
    edit(TRADE_ICEBERG, { volume: '0.03' }),
    TRADE_ICEBERG,
    /order 4 shows 0\.02/,
  ],
  ['an order is left out', drop(BEST_ADD), TRADE_BEST - 1, /order 2 does not rest/],
  [
    'two trades change places',
    swap(TRADE_BEST, TRADE_EARLY),
    TRADE_BEST,
    /must have the id 1, but this has 2/,
  ],
  [
    'an amendment that should lose its place keeps it',
    edit(AMENDED, { type: 'reduce', volume: '0.08' }, drop(AMENDED + 1)),
    AMENDED,
    /can only show less/,
  ],
  [
    'an amended order is served at its old place',
    edit(TRADE_EARLY_REST + 1, { sellOrderId: id('late') }),
    TRADE_ICEBERG,
    /order 4 came before order 3/,
  ],
  [
    'the next slice of an iceberg jumps the queue',
    edit(TRADE_LATE, { sellOrderId: id('iceberg'), volume: '0.02' }),
    TRADE_LATE,
    /order 3 came before order 4/,
  ],
  [
    'the next slice of an iceberg gets a better price',
    edit(NEXT_SLICE, { price: '100.9' }),
    NEXT_SLICE,
    /must join the level it left, to sell at 101\.0/,
  ],
  [
    'an iceberg goes on after its slice is used up',
    edit(SLICE_USED_UP, { volume: '0.02' }),
    SLICE_USED_UP,
    /order 4 shows 0\.01/,
  ],
  [
    'a trade in a halted market',
    swap(RESUMED, TRADE_BID),
    RESUMED,
    /phase halted, in which nothing trades/,
  ],
  [
    'an order joins a market that takes none',
    drop(RESUMED, TRADE_BID),
    RESUMED,
    /phase halted, and takes no orders/,
  ],
  [
    'a crossed book is left standing',
    drop(TRADE_BID),
    REMAINDER - 1,
    /the bid of order 8 at 99\.0 meets the ask of order 11 at 99\.0/,
  ],
  ['a trade is left out', drop(SLICE_USED_UP), SLICE_USED_UP, /order 4 rests already/],
  [
    'the id of a trade is used again',
    edit(TRADE_LATE, { tradeId: '5' }),
    TRADE_LATE,
    /must have the id 6, but this has 5/,
  ],
  [
    'an order comes back after it was canceled',
    insert(CANCEL + 1, {
      event: { ...entries[CANCEL - 2]!.event, engineSeq: '28' } as NonNullable<Entry['event']>,
    }),
    CANCEL + 1,
    /order 10 has left the book before/,
  ],
  [
    'an order trades at a worse price than its limit',
    edit(REMAINDER, { price: '99.5' }),
    REMAINDER,
    /order 11 rests at 99\.5, but traded at 99\.0/,
  ],
  [
    'a volume is raised at its place',
    edit(REDUCED, { volume: '0.05' }),
    REDUCED,
    /order 8 shows 0\.04: at its place it can only show less/,
  ],
  [
    'the same order joins twice',
    insert(BID_ADD + 1, entries[BID_ADD - 1]!),
    BID_ADD + 1,
    /order 8 rests already/,
  ],
  ['time runs back', edit(BID_ADD, { time: '1759999999999' }), BID_ADD, /time must not run back/],
  ['a step comes late', edit(BID_ADD, { engineSeq: '20' }), BID_ADD, /engineSeq must not fall/],
  [
    'two orders take in one step',
    edit(TRADE_EARLY, { buyOrderId: '77' }),
    TRADE_EARLY,
    /order 5 takes in this step, so order 77 cannot/,
  ],
  [
    'a resting order takes',
    edit(TRADE_LATE, { buyOrderId: id('bid') }),
    TRADE_LATE,
    /order 8 rests, so it cannot be the one that takes/,
  ],
  [
    'a market that was never listed',
    edit(BID_ADD, { symbol: 'ethusdt' }),
    BID_ADD,
    /market ethusdt was never listed/,
  ],
  [
    'a trade without a taker outside of an auction',
    edit(TRADE_LATE, { takerSide: '' }),
    TRADE_LATE,
    /must follow the uncross/,
  ],
];

describe('with the chain and the signatures made anew', () => {
  it.each(CHEATS)('%s', (_what, changed, line, message) => {
    const verdict = check(changed);
    expect(verdict).toMatchObject({ ok: false, line });
    expect(verdict.ok || verdict.message).toMatch(message);
  });
});

it('a checkpoint that hides an order is refused, although its books fit its hash', () => {
  const text = entries[CHECKPOINT]!.book!;
  const hidden = text.replace('["3","101.0","0.08"],', '');
  expect(hidden).not.toBe(text);
  const changed = edit(CHECKPOINT, { bookHash: sha256Hex(hidden) });
  changed[CHECKPOINT] = { book: hidden };
  const verdict = check(changed);
  expect(verdict).toMatchObject({ ok: false, line: CHECKPOINT });
  // Who begins with this checkpoint misses the order as soon as it trades.
  expect(verifyLog(writeLines(changed), { fromSeq: 10 })).toMatchObject({
    ok: false,
    line: TRADE_LATE,
    message: 'order 3 does not rest on the side to sell of btcusdt',
  });
});

describe('without the chain made anew', () => {
  const lines = writeLines(entries);

  it('an altered event does not fit its hash', () => {
    const altered = lines.with(BID_ADD - 1, lines[BID_ADD - 1]!.replace('0.04', '0.40'));
    expect(verifyLog(altered)).toMatchObject({
      ok: false,
      line: BID_ADD,
      afterSeq: 13,
      message: expect.stringContaining('the hash of event 14 must be') as unknown,
    });
  });

  it('a dropped, a repeated and two swapped events break the numbering', () => {
    const missing = lines.toSpliced(BID_ADD - 1, 1);
    expect(verifyLog(missing)).toMatchObject({
      ok: false,
      line: BID_ADD,
      message: 'event 14 must come here, but this is 15',
    });
    const twice = lines.toSpliced(BID_ADD, 0, lines[BID_ADD - 1]!);
    expect(verifyLog(twice)).toMatchObject({ ok: false, line: BID_ADD + 1 });
    const swapped = lines.with(4, lines[5]!).with(5, lines[4]!);
    expect(verifyLog(swapped)).toMatchObject({ ok: false, line: 5 });
  });

  it('books that are not those of the checkpoint before them are refused', () => {
    const other = lines.with(CHECKPOINT, lines[1]!);
    expect(verifyLog(other)).toMatchObject({ ok: false, line: CHECKPOINT + 1 });
    const twice = lines.toSpliced(CHECKPOINT, 0, lines[CHECKPOINT]!);
    expect(verifyLog(twice)).toMatchObject({
      ok: false,
      line: CHECKPOINT + 2,
      message: 'books stand right after their checkpoint',
    });
  });
});

describe('signed heads', () => {
  const lines = writeLines(entries);
  const headOf = (line: string) => (JSON.parse(line) as { head: SignedHead }).head;
  const kept = headOf(lines[CHECKPOINT + 1]!);

  it('a history that is rewritten after a head does not lead to it, even if it is signed anew', () => {
    // Another honest history: the bid comes at another price, and everything after it agrees.
    const changed = edit(BID_ADD, { price: '98.9' });
    const rewritten = writeLines(changed.slice(0, REDUCED));
    expect(verifyLog(rewritten, { keys: venueKeys })).toMatchObject({ ok: true });
    const checkpointless = [...changed.slice(0, REDUCED), ...changed.slice(CANCEL - 2, CANCEL)];
    const anew = writeLines(checkpointless);
    expect(verifyLog(anew, { keys: venueKeys })).toMatchObject({ ok: true });
    expect(verifyLog(anew, { keys: venueKeys, heads: [kept] })).toMatchObject({
      ok: false,
      line: REDUCED + 1,
      message: expect.stringContaining('what came before was written anew') as unknown,
    });
    expect(verifyLog(rewritten, { keys: venueKeys, heads: [kept] })).toMatchObject({
      ok: false,
      message: expect.stringContaining('the log ends before event 16') as unknown,
    });
    expect(verifyLog(lines, { keys: venueKeys, heads: [kept] })).toMatchObject({ ok: true });
  });

  it('a head with a wrong signature, of another key, or at another place is refused', () => {
    const at = CHECKPOINT + 1;
    const withHead = (head: object) => lines.with(at, JSON.stringify({ head }));
    const stranger = generateKeyPairSync('ed25519').privateKey;
    expect(verifyLog(withHead({ ...kept, time: '1' }), { keys: venueKeys })).toMatchObject({
      ok: false,
      line: at + 1,
    });
    expect(verifyLog(withHead(signHead(kept, stranger)), { keys: venueKeys })).toMatchObject({
      ok: false,
      line: at + 1,
      message: expect.stringContaining('not among the keys given') as unknown,
    });
    expect(verifyLog(withHead({ ...kept, seq: '15' }))).toMatchObject({ ok: false, line: at + 1 });
    expect(verifyLog(withHead({ ...kept, hash: '0'.repeat(64) }))).toMatchObject({
      ok: false,
      line: at + 1,
    });
    expect(verifyLog(withHead({ ...kept, more: 'x' }))).toMatchObject({ ok: false, line: at + 1 });
  });
});

it('no event of a drawn log can be left out, and no price of a trade changed', () => {
  const lines = drawLog(2n, 1_200, 200);
  const last = lines.findLastIndex((line) => line.startsWith('{"book"')) - 1;
  const r = new Random(15n);
  const texts = lines.map((line) => (JSON.parse(line) as { text?: string }).text);
  let tried = 0;
  while (tried < 60) {
    const at = r.below(last);
    const event = JSON.parse(texts[at] ?? '{}') as Record<string, string>;
    const { type = '', price = '' } = event;
    if (!['add', 'remove', 'trade'].includes(type)) continue;
    tried += 1;
    const isPrice = type === 'trade' && r.chance(0.5);
    const other = price.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
    const text = JSON.stringify({ ...event, price: other });
    const changed = isPrice
      ? lines.with(at, JSON.stringify({ text, hash: '' }))
      : lines.toSpliced(at, 1);
    const verdict = verifyLog(rechain(changed));
    expect(verdict, texts[at]).toMatchObject(isPrice ? { ok: false, line: at + 1 } : { ok: false });
  }
});
