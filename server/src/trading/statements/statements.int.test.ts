// Statements of a live account, compared with a twin that adds the ledger up by hand.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../platform/observe/log.ts';
import { parseAmount, formatAmount } from '../amount.ts';
import type { LedgerEntry } from '../account/ledger.ts';
import type { Trader, TradingAnswer } from '../../testing/trader.ts';
import { codeOf, openDesk, resultOf, type Desk } from '../../testing/trading/desk.ts';
import type { Statement } from './statement.ts';

const MINUTE = 60_000;
/** Moved forward, so that what just happened is long ago. */
let aheadMs = 0;
const now = () => Date.now() + aheadMs;

let desk: Desk;
let trader: Trader;
let entries: LedgerEntry[];

beforeAll(async () => {
  desk = await openDesk(
    {
      clock: { now },
      log: createLog('silent', {}),
      settings: { TRADING_STATEMENT_ENTRIES_MAX: '20' },
    },
    { phase: 'continuous' },
  );
  trader = await desk.trader({ usdt: '100000', btc: '1', xrp: '3' });
  const other = await desk.trader();
  for (const price of ['64000.00', '64100.00', '63900.00']) {
    await desk.place(other, { side: 'sell', price });
    await desk.place(trader, { side: 'buy', price });
  }
  await desk.place(other, { side: 'buy', price: '63900.00' });
  await desk.place(trader, { side: 'sell', price: '63900.00' });
  const { items } = resultOf<{ items: LedgerEntry[] }>(
    await desk.get(trader, 'account/ledger', { sort: 'asc', limit: '500' }),
  );
  entries = items;
  aheadMs = 10 * MINUTE;
});
afterAll(() => desk.close());

const ask = (params: Record<string, string>, by = trader): Promise<TradingAnswer> =>
  by.call(`${desk.server.baseUrl}/private/account/statement`, { params, atMs: tick() });

let lastMs = 0;
const tick = () => (lastMs = Math.max(lastMs + 1, now()));

const statementOf = (answer: TradingAnswer): Statement => {
  if (answer.status !== 200) throw new Error(answer.text);
  return JSON.parse(answer.text) as Statement;
};

/** Totals before a time, by adding the whole ledger up. */
function twinTotals(untilMs: number): { coin: string; total: string }[] {
  const totals = new Map<string, bigint>();
  for (const { coin, direction, amount, time } of entries) {
    if (Number(time) >= untilMs) continue;
    const units = parseAmount(amount) ?? 0n;
    totals.set(coin, (totals.get(coin) ?? 0n) + (direction === 'in' ? units : -units));
  }
  return [...totals]
    .filter(([, total]) => total > 0n)
    .map(([coin, total]) => ({ coin, total: formatAmount(total) }))
    .sort((a, b) => (a.coin < b.coin ? -1 : 1));
}

describe('a statement', () => {
  it('of every stretch between two entries is what the twin adds up', async () => {
    expect(entries.length).toBeGreaterThan(10);
    const times = [...new Set(entries.map(({ time }) => Number(time)))];
    const bounds = [times[0]! - 1, ...times, times.at(-1)! + 1];
    for (const from of bounds) {
      for (const to of bounds.filter((bound) => bound > from)) {
        const statement = statementOf(await ask({ from: String(from), to: String(to) }));
        expect(statement.opening).toEqual(twinTotals(from));
        expect(statement.closing).toEqual(twinTotals(to));
        expect(statement.entries.map(({ localTime: _own, ...entry }) => entry)).toEqual(
          entries.filter(({ time }) => Number(time) >= from && Number(time) < to),
        );
      }
    }
  });

  it('has the same bytes and the same hash each time, and the hash is that of the file', async () => {
    const stretch = { from: entries[0]!.time, to: String(now() - 5 * MINUTE) };
    for (const format of ['json', 'csv']) {
      const [first, second] = [
        await ask({ ...stretch, format }),
        await ask({ ...stretch, format }),
      ];
      expect(second.text).toBe(first.text);
      expect(first.headers.get('x-svc-content-sha256')).toBe(
        createHash('sha256').update(first.text).digest('hex'),
      );
      expect(first.headers.get('content-type')).toMatch(
        format === 'csv' ? /^text\/csv/ : /^application\/json/,
      );
      expect(first.headers.get('content-disposition')).toBe(
        `attachment; filename="statement-${trader.accountId}-${stretch.from}-${stretch.to}.${format}"`,
      );
      expect(first.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('before the account had anything is empty', async () => {
    const statement = statementOf(await ask({ from: '1700000000000', to: '1700000001000' }));
    expect(statement).toMatchObject({ opening: [], entries: [], closing: [] });
  });

  it('is the caller’s own: there is no parameter for another account', async () => {
    const { body } = await ask({ from: '1', to: '2', accountId: '1' });
    expect(body.error?.code).toBe('2004');
  });

  it.each([
    ['an end before its beginning', { from: '1700000001000', to: '1700000000000' }, '2003'],
    ['no length', { from: '1700000000000', to: '1700000000000' }, '2003'],
    ['more than a year', { from: '1600000000000', to: '1700000000000' }, '2003'],
    ['an unknown zone', { from: '1', to: '2', timezone: 'Mars/Base' }, '2002'],
    ['a zone with a line feed', { from: '1', to: '2', timezone: 'UTC\r\nX: y' }, '2002'],
    ['an unknown format', { from: '1', to: '2', format: 'pdf' }, '2002'],
    ['no beginning', { to: '2' }, '2001'],
  ])('of %s is refused', async (_name, params, code) => {
    expect(codeOf(await ask(params as Record<string, string>))).toBe(code);
  });

  it('that reaches into the present is refused, because more could come', async () => {
    const { body } = await ask({ from: String(now() - MINUTE), to: String(now()) });
    expect(body.error).toMatchObject({ code: '2003', details: { parameter: 'to' } });
    const maximum = String(body.error?.details['maximum']);
    expect(codeOf(await ask({ from: String(now() - MINUTE), to: maximum }))).toBe('');
  });

  it('with too many entries is refused, and says how far one goes; in pieces all are there', async () => {
    const busy = await desk.trader({ usdt: '1' });
    for (let n = 0; n < 45; n += 1) await desk.venue.fund(busy.accountId, { usdt: '1' });
    resultOf(await busy.call(`${desk.server.baseUrl}/private/account/ledger`, { atMs: tick() }));
    aheadMs += 10 * MINUTE;
    const end = String(now() - MINUTE);
    let from = String(now() - 60 * MINUTE);
    let seen = 0;
    for (let pieces = 0; from !== end && pieces < 10; pieces += 1) {
      let to = end;
      let answer = await ask({ from, to }, busy);
      if (codeOf(answer) === '2003') {
        expect(answer.body.error?.details).toMatchObject({ entriesMax: '20' });
        to = String(answer.body.error?.details['suggestedTo']);
        answer = await ask({ from, to }, busy);
      }
      seen += statementOf(answer).entries.length;
      from = to;
    }
    expect(seen).toBe(46);
  });

  it('that does not add up is not given out, and raises an alarm', async () => {
    const victim = await desk.trader({ usdt: '10' });
    await desk.venue.fund(victim.accountId, { usdt: '5' });
    resultOf(await victim.call(`${desk.server.baseUrl}/private/account/ledger`, { atMs: tick() }));
    aheadMs += 10 * MINUTE;
    const stretch = { from: String(now() - 60 * MINUTE), to: String(now() - MINUTE) };
    expect(statementOf(await ask(stretch, victim)).closing).toEqual([
      { coin: 'usdt', total: '15' },
    ]);
    await desk.server.owner.query(
      'UPDATE ledger_entries SET amount = amount + 1 WHERE account_id = $1 AND balance_before > 0',
      [victim.accountId],
    );
    const answer = await ask(stretch, victim);
    expect([answer.status, codeOf(answer)]).toEqual([500, '1000']);
    const { body } = await desk.server.ctx.metrics.render();
    expect(body).toMatch(/rialto_audit_violations_total\{rule="a statement adds up".*\} 1\n/);
  });
});
