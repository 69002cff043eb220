import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerLine } from '../projections/access.ts';
import { isTimeZone, localTimes } from './local-time.ts';
import {
  checkStatement,
  renderCsv,
  renderJson,
  StatementBroken,
  toField,
  type StatementRows,
} from './statement.ts';

interface Change {
  readonly coin: string;
  /** Below zero it goes out. */
  readonly amount: bigint;
}

/** A statement by the slow way: a table of totals that every change is added to. */
function statementOf(
  opening: Readonly<Record<string, bigint>>,
  changes: readonly Change[],
): StatementRows {
  const totals: Record<string, bigint> = { ...opening };
  const entries: LedgerLine[] = [];
  for (const [index, { coin, amount }] of changes.entries()) {
    const balanceBefore = totals[coin] ?? 0n;
    // Nobody goes below zero.
    if (amount === 0n || balanceBefore + amount < 0n) continue;
    totals[coin] = balanceBefore + amount;
    entries.push({
      entryId: BigInt(index + 7),
      coin,
      kind: 'trade',
      direction: amount > 0n ? 'in' : 'out',
      amount: amount > 0n ? amount : -amount,
      balanceBefore,
      balanceAfter: totals[coin],
      referenceType: 'trade',
      referenceId: String(index),
      timeMs: BigInt(1000 + index),
    });
  }
  const list = (of: Readonly<Record<string, bigint>>) =>
    Object.entries(of)
      .filter(([, total]) => total > 0n)
      .map(([coin, total]) => ({ coin, total }))
      .sort((a, b) => (a.coin < b.coin ? -1 : 1));
  return {
    accountId: 4n,
    fromMs: 1000,
    toMs: 100_000,
    opening: list(opening),
    entries,
    closing: list(totals),
  };
}

const coin = fc.constantFrom('btc', 'usdt', 'irt');
const history = fc.record({
  opening: fc.dictionary(coin, fc.bigInt({ min: 0n, max: 10n ** 30n }), { noNullPrototype: true }),
  changes: fc.array(
    fc.record({ coin, amount: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }) }),
    { maxLength: 40 },
  ),
});

describe('a statement', () => {
  it('that adds up is let through', () => {
    fc.assert(
      fc.property(history, ({ opening, changes }) => {
        expect(() => checkStatement(statementOf(opening, changes))).not.toThrow();
      }),
    );
  });

  it('with any one number changed is not', () => {
    const spoilt = fc.tuple(
      history,
      fc.nat(),
      fc.constantFrom(
        'amount',
        'balanceBefore',
        'balanceAfter',
        'direction',
        'closing',
        'opening',
        'lost',
        'outside',
      ),
    );
    fc.assert(
      fc.property(spoilt, ([{ opening, changes }, at, what]) => {
        const rows = statementOf(opening, changes);
        fc.pre(rows.entries.length > 0);
        const index = at % rows.entries.length;
        const entry = rows.entries[index] as LedgerLine;
        const entries = rows.entries.map((one, n) => (n === index ? spoil(one, what) : one));
        const wrong: StatementRows = {
          ...rows,
          entries: what === 'lost' ? rows.entries.filter((one) => one !== entry) : entries,
          ...(what === 'closing'
            ? { closing: [...rows.closing, { coin: 'doge', total: 1n }] }
            : {}),
          ...(what === 'opening'
            ? { opening: [...rows.opening, { coin: 'doge', total: 1n }] }
            : {}),
        };
        expect(() => checkStatement(wrong)).toThrow(StatementBroken);
      }),
    );
  });

  it('has the same bytes each time, and numbers as they are', () => {
    const rows = statementOf({ usdt: 5n * 10n ** 17n }, [
      { coin: 'usdt', amount: 10n ** 18n },
      { coin: 'btc', amount: 1n },
      { coin: 'usdt', amount: -(15n * 10n ** 17n) },
    ]);
    expect(renderJson(rows, 'UTC')).toBe(renderJson(structuredClone(rows), 'UTC'));
    expect(JSON.parse(renderJson(rows, 'UTC'))).toMatchObject({
      opening: [{ coin: 'usdt', total: '0.5' }],
      closing: [{ coin: 'btc', total: '0.000000000000000001' }],
    });
    expect(renderCsv(rows, 'Asia/Tehran')).toBe(
      [
        'record,accountId,time,localTime,coin,kind,direction,amount,balanceBefore,balanceAfter,entryId,referenceType,referenceId',
        'opening,4,1000,1970-01-01T03:30:01.000+03:30,usdt,,,,,0.5,,,',
        'entry,4,1000,1970-01-01T03:30:01.000+03:30,usdt,trade,in,1,0.5,1.5,7,trade,0',
        'entry,4,1001,1970-01-01T03:30:01.001+03:30,btc,trade,in,0.000000000000000001,0,0.000000000000000001,8,trade,1',
        'entry,4,1002,1970-01-01T03:30:01.002+03:30,usdt,trade,out,1.5,1.5,0,9,trade,2',
        'closing,4,100000,1970-01-01T03:31:40.000+03:30,btc,,,,,0.000000000000000001,,,',
        '',
      ].join('\r\n'),
    );
  });
});

function spoil(entry: LedgerLine, what: string): LedgerLine {
  switch (what) {
    case 'amount':
    case 'balanceBefore':
    case 'balanceAfter':
      return { ...entry, [what]: entry[what] + 1n };
    case 'direction':
      return { ...entry, direction: entry.direction === 'in' ? 'out' : 'in' };
    case 'outside':
      return { ...entry, timeMs: 100_000n };
    default:
      return entry;
  }
}

describe('a field of the table', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '|cmd'])('is no formula: %j', (text) => {
    expect(toField(text).replace(/^"/, '')).toMatch(/^'/);
  });
  it('with quotes, commas and line ends stays one field', () => {
    expect(toField('a"b,c\r\nd')).toBe('"a""b,c\r\nd"');
    expect(toField('T17')).toBe('T17');
  });
});

describe('a local time', () => {
  it('has the offset that the zone has then', () => {
    const berlin = localTimes('Europe/Berlin');
    expect(berlin(Date.UTC(2026, 0, 1))).toBe('2026-01-01T01:00:00.000+01:00');
    expect(berlin(Date.UTC(2026, 6, 1))).toBe('2026-07-01T02:00:00.000+02:00');
    expect(localTimes('America/St_Johns')(Date.UTC(2026, 0, 1))).toBe(
      '2025-12-31T20:30:00.000-03:30',
    );
    expect(localTimes('UTC')(0)).toBe('1970-01-01T00:00:00.000+00:00');
  });
  it('reads back as the same moment', () => {
    const zones = ['UTC', 'Asia/Tehran', 'Pacific/Chatham', 'America/Caracas'];
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 4e12 }), (zone, ms) => {
        expect(Date.parse(localTimes(zone)(ms))).toBe(ms);
      }),
    );
  });
  it('knows which zones there are', () => {
    expect([isTimeZone('Asia/Tehran'), isTimeZone('Mars/Base')]).toEqual([true, false]);
  });
});
