// The derived lines of trades against a twin: the fold that stored every line.
import { CompiledQuery } from 'kysely';
import type { MarketConfig, Outcome, Posting, Step, Trade } from '@rialto/matching';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Random } from '../../../../../packages/matching/sim/random.ts';
import { createTestContext, type TestContext } from '../../../testing/context.ts';
import { exampleMarket } from '../../../testing/example-market.ts';
import { auditProjections, startOfAudit } from '../audit.ts';
import { Fold } from '../fold.ts';
import { writeFold } from '../store.ts';
import { everyLineOf } from './derive.ts';
import { findBoundary, listLines, type LedgerLine, type LinesAsked } from './pages.ts';
import { listTotalsBefore } from './totals.ts';

let test: TestContext;
beforeEach(async () => {
  test = await createTestContext();
});
afterEach(() => test.close());

const MARKETS = [
  exampleMarket(),
  exampleMarket({ symbol: 'ethusdt', base: 'eth', basePrecision: 4 }),
  exampleMarket({ symbol: 'ethbtc', base: 'eth', quote: 'btc', basePrecision: 0 }),
];
const COINS = ['btc', 'eth', 'usdt'];
const ACCOUNTS = [1, 2, 3];
const START_MS = 1_760_000_000_000;
const RICH = 10n ** 30n;

interface StoredLine {
  accountId: number;
  entryId: number;
  coin: string;
  kind: string;
  direction: string;
  amount: bigint;
  before: bigint;
  after: bigint;
  tradeId: number;
  timeMs: number;
}

/** What the fold wrote when lines were stored, word for word. */
class Twin {
  readonly lines: StoredLine[] = [];
  lastEntryId: number;
  readonly #totals = new Map<string, bigint>();

  constructor(lastEntryId: number) {
    this.lastEntryId = lastEntryId;
    for (const account of ACCOUNTS) {
      for (const coin of COINS) this.#totals.set(`${account} ${coin}`, 2n * RICH);
    }
  }

  add({ time: timeMs }: Step, trade: Trade, { base, quote }: MarketConfig): void {
    const { buyer, seller, total, takerSide, rebate, tradeId } = trade;
    const volume = BigInt(trade.lots) * 10n ** BigInt(18 - trade.volumeDecimals);
    const maker = takerSide === 'buy' ? seller : buyer;
    const sums = new Map<string, bigint>();
    const enter = (accountId: number, coin: string, ...changes: [string, bigint][]): void => {
      if (
        rebate > 0n &&
        accountId === maker.account &&
        coin === (takerSide === 'buy' ? base : quote)
      ) {
        changes.push(['rebate', rebate]);
      }
      const key = `${accountId} ${coin}`;
      let before = this.#totals.get(key) ?? 0n;
      for (const [kind, change] of changes) {
        if (change === 0n) continue;
        const after = before + change;
        const amount = change > 0n ? change : -change;
        const direction = change > 0n ? 'in' : 'out';
        this.lastEntryId += 1;
        const { lastEntryId: entryId } = this;
        const line = { accountId, entryId, coin, kind, direction, amount, before, after };
        this.lines.push({ ...line, tradeId, timeMs });
        sums.set(key, (sums.get(key) ?? 0n) + change);
        before = after;
      }
    };
    enter(buyer.account, quote, ['trade', -total]);
    enter(buyer.account, base, ['trade', volume], ['trade_fee', -buyer.fee]);
    enter(seller.account, base, ['trade', -volume]);
    enter(seller.account, quote, ['trade', total], ['trade_fee', -seller.fee]);
    // The balances changed only after all lines of the double entry had been written.
    for (const [key, sum] of sums) this.#totals.set(key, (this.#totals.get(key) ?? 0n) + sum);
  }

  total(account: number, coin: string): bigint {
    return this.#totals.get(`${account} ${coin}`) ?? 0n;
  }
}

const NOTHING = {
  cause: 'command' as const,
  orders: [],
  trades: [],
  prevented: [],
  journals: [],
  books: [],
  phases: [],
  uncrosses: [],
  timers: [],
  withdrawals: [],
  reversals: [],
  accounts: [],
  markets: [],
};

/** Draws steps of one to five trades: an account may be in all of them, and on both sides of one. */
class Drawn {
  readonly twin: Twin;
  readonly outcomes: Outcome[] = [];
  readonly #random: Random;
  #tradeId = 0;
  #seq = 0;
  #time = START_MS;

  constructor(seed: bigint, { steps, lastEntryId, isSelf }: DrawnOptions) {
    this.#random = new Random(seed);
    this.twin = new Twin(lastEntryId);
    this.#add({ ...this.#step(), markets: MARKETS });
    for (let n = 0; n < steps; n += 1) this.#addTrades(isSelf);
  }

  #add(step: Step): void {
    this.outcomes.push({ steps: [step], result: { kind: 'done' } });
  }

  #step(): Step {
    this.#seq += 1;
    // Often several in one millisecond, and sometimes none for hours.
    if (this.#random.chance(0.6)) this.#time += this.#random.logBetween(1, 20_000_000);
    return { ...NOTHING, engineSeq: this.#seq, time: this.#time };
  }

  #addTrades(isSelf: boolean): void {
    const step = this.#step();
    const trades: Trade[] = [];
    const journals: Step['journals'] = [];
    for (let n = this.#random.between(1, 5); n > 0; n -= 1) {
      const market = this.#random.pick(MARKETS);
      const trade = this.#trade(market, isSelf);
      trades.push(trade);
      this.twin.add(step, trade, market);
      const { buyer, seller } = trade;
      // The fold sees balances: everything beyond a fixed hold is available.
      const after = (owner: number, coin: string): Posting => ({
        owner,
        coin,
        bucket: 'available',
        amount: 1n,
        after: this.twin.total(owner, coin) - RICH,
      });
      const given = { owner: seller.account, coin: market.base, bucket: 'hold' as const };
      const postings = [
        { ...given, amount: -1n, after: RICH },
        ...[buyer.account, seller.account].flatMap((owner) => [
          after(owner, market.base),
          after(owner, market.quote),
        ]),
      ];
      journals.push({ kind: 'trade', reference: trade.tradeId, postings });
    }
    this.#add({ ...step, trades, journals });
  }

  #trade({ symbol, basePrecision, quotePrecision }: MarketConfig, isSelf: boolean): Trade {
    const random = this.#random;
    const buyer = random.pick(ACCOUNTS);
    const seller = random.pick(isSelf ? ACCOUNTS : ACCOUNTS.filter((one) => one !== buyer));
    const fee = () => (random.chance(0.4) ? 0n : BigInt(random.logBetween(1, 1_000_000)));
    const side = (account: number) => ({ account, orderId: account, feePpm: 0, fee: fee() });
    this.#tradeId += 1;
    return {
      tradeId: this.#tradeId,
      symbol,
      priceTicks: random.between(1, 1000),
      lots: random.between(1, 1000),
      priceDecimals: quotePrecision,
      volumeDecimals: basePrecision,
      total: BigInt(random.logBetween(1, 1_000_000_000)) * (random.chance(0.5) ? 1n : 10n ** 12n),
      takerSide: random.pick(['buy', 'sell']),
      buyer: side(buyer),
      seller: side(seller),
      rebate: random.chance(0.5) ? 0n : BigInt(random.between(1, 50)),
    };
  }
}

interface DrawnOptions {
  readonly steps: number;
  readonly lastEntryId: number;
  /** Whether an account may be both sides of a trade; the core never lets it. */
  readonly isSelf: boolean;
}

async function write(seed: bigint, options: DrawnOptions): Promise<{ twin: Twin; fold: Fold }> {
  const { twin, outcomes } = new Drawn(seed, options);
  const rich = { available: RICH, hold: RICH, pendingWithdraw: 0n, updatedMs: 1 };
  const before = ACCOUNTS.flatMap((account) => COINS.map((coin) => ({ account, coin, ...rich })));
  const fold = new Fold({ lastOrderId: 0, lastEntryId: options.lastEntryId }, before);
  fold.add({ outcomes, asked: new Map() });
  const client = await test.ctx.database.pool.connect();
  try {
    await writeFold(client, fold);
    await client.query('UPDATE projection_checkpoints SET last_entry_id = $1', [
      fold.counters.lastEntryId,
    ]);
  } finally {
    client.release();
  }
  return { twin, fold };
}

const everyLine = async (): Promise<StoredLine[]> =>
  (
    await test.ctx.database.pool.query<Record<string, string>>(
      `SELECT account_id, entry_id, coin, kind, direction, amount, balance_before, balance_after, reference_id,
              time_ms FROM ${everyLineOf('public')} AS l WHERE reference_type = 'trade' AND network = ''
        ORDER BY entry_id`,
    )
  ).rows.map((row) => ({
    accountId: Number(row['account_id']),
    entryId: Number(row['entry_id']),
    coin: row['coin'] ?? '',
    kind: row['kind'] ?? '',
    direction: row['direction'] ?? '',
    amount: BigInt(row['amount'] ?? ''),
    before: BigInt(row['balance_before'] ?? ''),
    after: BigInt(row['balance_after'] ?? ''),
    tradeId: Number(row['reference_id']),
    timeMs: Number(row['time_ms']),
  }));

const toRead = (line: StoredLine): LedgerLine => ({
  entryId: BigInt(line.entryId),
  coin: line.coin,
  kind: line.kind,
  direction: line.direction,
  amount: line.amount,
  balanceBefore: line.before,
  balanceAfter: line.after,
  referenceType: 'trade',
  referenceId: String(line.tradeId),
  timeMs: BigInt(line.timeMs),
});

/** As an older release left them: the lines of the trades up to one are stored. */
async function storeLines(throughTradeId: number): Promise<void> {
  await test.owner.query(
    `INSERT INTO ledger_entries SELECT * FROM ${everyLineOf('public')} AS l
      WHERE reference_type = 'trade' AND reference_id::bigint <= $1`,
    [throughTradeId],
  );
  await test.owner.query(
    `UPDATE trading_trades SET first_entry_id = 0, buyer_quote_after = 0, buyer_base_after = 0,
            seller_base_after = 0, seller_quote_after = 0 WHERE trade_id <= $1`,
    [throughTradeId],
  );
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}

const derivationsIn = (node: PlanNode): number =>
  (node['Node Type'] === 'Values Scan' ? node['Actual Loops'] : 0) +
  (node.Plans ?? []).reduce((sum, part) => sum + derivationsIn(part), 0);

/** Reads a page, and counts the trades whose lines were derived for it. */
async function countDerived(accountId: bigint, asked: LinesAsked): Promise<number> {
  const { db } = test.ctx;
  const execute = db.executeQuery.bind(db);
  let derived = 0;
  const spied = vi.spyOn(db, 'executeQuery').mockImplementation(async (query) => {
    const { sql, parameters } = query as CompiledQuery;
    const explained = CompiledQuery.raw(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, [...parameters]);
    const { rows } = await execute<Record<string, [{ Plan: PlanNode }]>>(explained);
    for (const [plan] of rows.flatMap((row) => Object.values(row))) {
      derived += derivationsIn(plan.Plan);
    }
    return execute(query as CompiledQuery<never>);
  });
  const found = await listLines(test.ctx, accountId, asked);
  spied.mockRestore();
  expect(found).toHaveLength(asked.limit);
  return derived;
}

describe('a page of the lines of a busy day', () => {
  it.each([{}, { kind: 'trade' }, { coin: 'btc' }, { coin: 'usdt', kind: 'trade' }])(
    'derives those of few trades: %j',
    async (filter) => {
      await write(9n, { steps: 3, lastEntryId: 5, isSelf: false });
      await test.owner.query(
        `INSERT INTO trading_trades
         SELECT (jsonb_populate_record(NULL::trading_trades, to_jsonb(t) || jsonb_build_object('trade_id', 1000 + n, 'first_entry_id', 1000 + n * 10,
                 'symbol', 'btcusdt', 'buyer_account_id', 1, 'seller_account_id', 2, 'total', 5, 'time_ms', d.day_ms + n))).*
           FROM (SELECT * FROM trading_trades ORDER BY trade_id DESC LIMIT 1) AS t,
                (SELECT max(day_ms) AS day_ms FROM account_volumes WHERE account_id = 1) AS d, generate_series(1, 3000) AS n`,
      );
      await test.ctx.database.pool.query(
        'UPDATE projection_checkpoints SET last_entry_id = 1000000',
      );
      for (const sort of ['asc', 'desc'] as const) {
        const page = { ...filter, sort, limit: 100 };
        expect(await countDerived(1n, page)).toBeLessThan(130);
        // What is counted grows with the page.
        expect(await countDerived(1n, { ...page, limit: 1000 })).toBeGreaterThan(400);
      }
    },
  );
});

describe('the lines of trades', () => {
  it.each([
    { seed: 1n, isSelf: false, lastEntryId: 0 },
    { seed: 2n, isSelf: true, lastEntryId: 41 },
    { seed: 3n, isSelf: true, lastEntryId: 1_000_000_000_000_000 },
  ])('of draw $seed are those that were stored before', async ({ seed, ...options }) => {
    const { twin, fold } = await write(seed, { steps: 150, ...options });
    expect(fold.entries).toEqual([]);
    expect(fold.counters.lastEntryId).toBe(twin.lastEntryId);
    expect(twin.lines.some(({ kind }) => kind === 'rebate')).toBe(true);
    expect(await everyLine()).toEqual(twin.lines);
  });

  it.each(['derived', 'stored by an older release', 'half of each'])(
    'are read alike by any filter, page and stretch: %s',
    async (how) => {
      const { twin, fold } = await write(7n, { steps: 80, lastEntryId: 5, isSelf: false });
      const last = fold.trades.at(-1)?.trade.tradeId ?? 0;
      if (how !== 'derived') await storeLines(how === 'half of each' ? last >> 1 : last);
      const { ctx } = test;
      const random = new Random(8n);
      const times = twin.lines.map(({ timeMs }) => BigInt(timeMs));
      const ids = twin.lines.map(({ entryId }) => BigInt(entryId));
      const maybe = <T>(list: readonly T[]) => (random.chance(0.3) ? random.pick(list) : undefined);
      for (let n = 0; n < 150; n += 1) {
        const account = random.pick(ACCOUNTS);
        const asked: LinesAsked = {
          coin: maybe([...COINS, 'doge']),
          kind: maybe(['trade', 'trade_fee', 'rebate', 'deposit']),
          fromMs: maybe(times),
          toMs: maybe(times),
          fromId: maybe(ids),
          toId: maybe(ids),
          sort: random.pick(['asc', 'desc']),
          limit: random.logBetween(1, 500),
        };
        const fits = twin.lines.filter(
          ({ accountId, entryId, coin, kind, timeMs }) =>
            accountId === account &&
            coin === (asked.coin ?? coin) &&
            kind === (asked.kind ?? kind) &&
            timeMs >= (asked.fromMs ?? 0n) &&
            timeMs < (asked.toMs ?? 1n << 60n) &&
            entryId >= (asked.fromId ?? 0n) &&
            entryId < (asked.toId ?? 1n << 60n),
        );
        const sorted = asked.sort === 'asc' ? fits : fits.toReversed();
        const found = await listLines(ctx, BigInt(account), asked);
        expect(
          found,
          JSON.stringify(asked, (_, v: unknown) => String(v)),
        ).toEqual(sorted.slice(0, asked.limit).map(toRead));
      }
      for (let n = 0; n < 40; n += 1) {
        const account = random.pick(ACCOUNTS);
        const ms = random.pick(times) + BigInt(random.between(-1, 1));
        const own = twin.lines.filter(({ accountId }) => accountId === account);
        const earlier = own.filter(({ timeMs }) => timeMs < ms);
        const boundary = await findBoundary(ctx, BigInt(account), ms);
        expect(own.filter(({ entryId }) => entryId < boundary)).toEqual(earlier);
        const totals = COINS.flatMap((coin) => {
          const total = earlier.findLast((line) => line.coin === coin)?.after;
          return total === undefined ? [] : [{ coin, total }];
        });
        const range = { toMs: ms, toId: boundary };
        expect(await listTotalsBefore(ctx, BigInt(account), range)).toEqual(totals);
      }
      // The last line of each coin is its balance; the lines of nobody are none.
      const rules = (await auditProjections(test.ctx, startOfAudit())).map(({ rule }) => rule);
      expect(rules).not.toContain('the ledger ends at the balance');
      expect(await listLines(ctx, 99n, { sort: 'asc', limit: 10 })).toEqual([]);
      expect(await findBoundary(ctx, 99n, BigInt(START_MS))).toBe(0n);
      expect(await everyLine()).toEqual(twin.lines);
    },
  );
});
