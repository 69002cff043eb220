// The kind of money a venue deals in: it is set once, and every part enforces it, the engine last.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyAuditLog } from '../../accounts/audit/access.ts';
import type { Operator } from '../../accounts/operators/operator.ts';
import { ROLE } from '../../accounts/roles.ts';
import { asOperator } from '../../ops/operator.ts';
import { checkMoneyKind } from '../../ops/doctor/audit.ts';
import { connectOnce } from '../../ops/database.ts';
import { explain } from '../../ops/trouble.ts';
import { createContext } from '../../platform/context.ts';
import { bindMoney, findMoney } from '../../platform/money.ts';
import { loadConfig } from '../../platform/config/load.ts';
import { createTestContext, testEnvironment, type TestContext } from '../../testing/context.ts';
import { type Person } from '../../testing/example.ts';
import { liveVenue, type LiveVenue } from '../../testing/live-venue.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { exampleTrader, type Trader } from '../../testing/trader.ts';
import { exampleOperator } from '../../testing/operators.ts';
import { encodeCommand, type NewCommand } from '../engine/command.ts';
import { approveCommand, awaitCommand, requestAct } from '../operators/actions.ts';
import { adjustLedger, contributeCapital, withdrawCapital } from '../operators/acts.ts';
import type { Act, CommandRow } from '../operators/command-row.ts';
import { describeCommand } from '../operators/explain.ts';
import { awaitProjection } from '../projections/access.ts';
import { listUnbacked } from '../audit/solvency.ts';
import { bookCapital, simulateDeposit } from './actions.ts';
import { depositSimulated } from './simulated.ts';

const WAIT_MS = 20_000;
const MILLION = '1000000000000000000000000';

describe('a venue with real money', () => {
  let server: TestServer;
  let venue: LiveVenue;
  let second: Person & Operator;
  beforeAll(async () => {
    server = await startTestServer({ withEngine: true, settings: { MONEY: 'real' } });
    venue = await liveVenue(server);
    second = await exampleOperator(server.ctx, { role: ROLE.administrator });
  });
  afterAll(() => server.close());

  const environment = (money: string) => testEnvironment(server.databaseUrl, { MONEY: money });

  /** Requests it, has the second operator approve it, and returns the result. */
  async function both(act: Act): Promise<CommandRow> {
    const id = await requestAct(server.ctx, venue.operator, act);
    expect((await awaitCommand(server.ctx, id, WAIT_MS)).status).toBe('awaiting_approval');
    await approveCommand(server.ctx, second, id);
    return awaitCommand(server.ctx, id, WAIT_MS);
  }

  async function ask(command: NewCommand): Promise<CommandRow> {
    const { id } = await server.ctx.db
      .insertInto('operatorCommands')
      .values({ command: encodeCommand(command), requestedBy: 'somebody' })
      .returning('id')
      .executeTakeFirstOrThrow();
    return awaitCommand(server.ctx, id, WAIT_MS);
  }

  async function owned(owner: string, coin: string): Promise<string> {
    await awaitProjection(server.ctx, { patienceMs: WAIT_MS });
    const row = await server.ctx.db
      .selectFrom('venueBalances')
      .select('amount')
      .where('owner', '=', owner)
      .where('coin', '=', coin)
      .executeTakeFirst();
    return row?.amount ?? '0';
  }

  const contribution = (changes: Partial<Parameters<typeof contributeCapital>[0]> = {}) =>
    contributeCapital({
      id: 'tx-1',
      coin: 'usdt',
      network: 'ETH',
      amount: '1000000',
      reason: 'Seed of the owners, transaction tx-1.',
      ...changes,
    });

  it('takes no simulated deposit, whatever the setting of the command line says', async () => {
    const before = await server.ctx.db.selectFrom('operatorCommands').select('id').execute();
    const deposit = asOperator(environment('simulated'), (ctx) =>
      simulateDeposit(ctx, venue.operator, { to: 'adjustments', coin: 'usdt', amount: '5' }),
    );
    const error = await deposit.catch((thrown: unknown) => thrown);
    expect(explain(error)).toContain('belongs to a venue with real money, and MONEY=simulated');
    expect(await server.ctx.db.selectFrom('operatorCommands').select('id').execute()).toEqual(
      before,
    );
    // The same, past the check of the command line.
    const config = loadConfig(environment('simulated'));
    const other = { ...server.ctx, config };
    const past = depositSimulated(other, [{ to: 1, coin: 'usdt', amount: 5n }]);
    await expect(past).rejects.toThrow('belongs to a venue with real money');
  });

  it('no process starts on its database with the other setting, and the doctor says why', async () => {
    const config = loadConfig(environment('simulated'));
    await expect(createContext(config, { onFatal: () => {} })).rejects.toThrow(
      'Set MONEY=real, or use another database for a venue with simulated money.',
    );
    const client = await connectOnce(server.databaseUrl);
    try {
      expect(await checkMoneyKind(client, 'simulated')).toMatchObject({ status: 'broken' });
      expect(await checkMoneyKind(client, 'real')).toMatchObject({ status: 'ok' });
    } finally {
      await client.end();
    }
    const change = server.ctx.db.updateTable('venue').set({ money: 'simulated' }).execute();
    await expect(change).rejects.toThrow('permission denied');
    const byOwner = server.owner.query("UPDATE venue SET money = 'simulated'");
    await expect(byOwner).rejects.toThrow('never changed');
  });

  it('its engine refuses simulated money, no matter who wrote the row', async () => {
    const listed = await ask({ type: 'list_coin', coin: 'usdt', networks: ['SIMULATED'] });
    const credited = await ask({
      type: 'credit_deposit',
      depositId: 'forged',
      network: 'SIMULATED',
      coin: 'usdt',
      to: 'adjustments',
      amount: 10n ** 18n,
    });
    for (const command of [listed, credited]) {
      expect(command.status).toBe('refused');
      expect(describeCommand(command)).toContain('This venue has real money');
    }
    const changed = await ask({ type: 'set_money', money: 'simulated' });
    expect(changed).toMatchObject({ status: 'refused', result: { rejection: { code: 2009 } } });
    expect(await owned('custody:SIMULATED', 'usdt')).toBe('0');
  });

  it('is funded by two people, and a trader can trade with what they credit', async () => {
    const { ctx, baseUrl } = server;
    const id = await requestAct(ctx, venue.operator, contribution());
    await expect(approveCommand(ctx, venue.operator, id)).rejects.toThrow('cannot approve it too');
    await approveCommand(ctx, second, id);
    expect(await awaitCommand(ctx, id, WAIT_MS)).toMatchObject({
      status: 'done',
      result: { kind: 'moved', replay: false },
    });
    expect(await owned('capital', 'usdt')).toBe(MILLION);
    expect(await owned('custody:ETH', 'usdt')).toBe(`-${MILLION}`);
    const story = await ctx.db
      .selectFrom('auditLog')
      .select(['operator', 'act', 'outcome'])
      .where('commandId', '=', id)
      .orderBy('seq')
      .execute();
    expect(story.map(({ operator, outcome }) => `${operator} ${outcome}`)).toEqual([
      `${venue.operator.email} awaiting_approval`,
      `${second.email} approved`,
      `${venue.operator.email} done`,
    ]);
    const seed = { coin: 'btc', network: 'BTC', amount: '2', id: 'tx-2' };
    expect(await both(contribution(seed))).toMatchObject({ status: 'done' });

    const credit = async (trader: Trader, coin: string, amount: string) => {
      const terms = { from: 'capital', to: Number(trader.accountId), coin, amount } as const;
      const done = await both(
        adjustLedger({ ...terms, id: `seed-${coin}`, reason: 'Market maker.' }),
      );
      expect(describeCommand(done)).toBe('Done.');
    };
    const [buyer, seller] = [await exampleTrader(ctx), await exampleTrader(ctx)];
    await credit(buyer, 'usdt', '1000');
    await credit(seller, 'btc', '1');
    const place = async (trader: Trader, side: string) => {
      const params = { symbol: 'btcusdt', side, type: 'limit', price: '64000', volume: '0.01' };
      const answer = await trader.call(`${baseUrl}/private/order/create`, {
        method: 'POST',
        params,
      });
      return (answer.body.result as { status?: string } | undefined)?.status ?? answer.text;
    };
    expect(await place(seller, 'sell')).toBe('open');
    expect(await place(buyer, 'buy')).toBe('filled');
    expect(await owned('capital', 'usdt')).toBe('999000000000000000000000');
    const client = await connectOnce(server.databaseUrl);
    try {
      expect((await checkMoneyKind(client, 'real')).what).toContain('999000 usdt');
    } finally {
      await client.end();
    }
    expect((await verifyAuditLog(ctx.db)).trouble).toBeUndefined();
  });

  it('capital is booked once, and a repeat with other terms is refused', async () => {
    expect(await both(contribution())).toMatchObject({ result: { kind: 'moved', replay: true } });
    for (const other of [
      contribution({ amount: '1' }),
      withdrawCapital({ ...terms(), id: 'tx-1' }),
    ]) {
      const { status, result } = await both(other);
      expect(status).toBe('refused');
      expect(result).toMatchObject({ kind: 'rejected', rejection: { code: 5011 } });
    }
    expect(await owned('capital', 'usdt')).toBe('999000000000000000000000');
  });

  it('the approval of two people is the evidence that the audit asks for', async () => {
    const rows = await server.ctx.db
      .selectFrom('custodyEvidence')
      .select(['cause', 'source', 'who'])
      .where('cause', '=', 'capital:tx-1')
      .execute();
    const who = `${venue.operator.email} and ${second.email}`;
    expect(rows).toEqual([{ cause: 'capital:tx-1', source: 'operator', who }]);
    expect(await listUnbacked(server.ctx.database.pool, 10)).toEqual([]);
  });

  const terms = () => ({
    coin: 'usdt',
    network: 'ETH',
    amount: '1',
    reason: 'Back to the owners, transaction tx-9.',
  });

  it('capital leaves as it came, and never more than is there', async () => {
    const tooMuch = await both(withdrawCapital({ ...terms(), id: 'out-1', amount: '1000000' }));
    expect(describeCommand(tooMuch)).toContain('The source has 999000 usdt');
    expect(await both(withdrawCapital({ ...terms(), id: 'out-2', amount: '999' }))).toMatchObject({
      status: 'done',
    });
    expect(await owned('capital', 'usdt')).toBe('998001000000000000000000');
    expect(await owned('custody:ETH', 'usdt')).toBe('-999001000000000000000000');
    expect(await listUnbacked(server.ctx.database.pool, 10)).toEqual([]);
  });

  it('an unknown coin or network or an impossible amount is refused with a reason', async () => {
    expect(() => contribution({ amount: '0' })).toThrow('above zero');
    expect(() => contribution({ amount: '-1' })).toThrow('above zero');
    const silent = requestAct(server.ctx, venue.operator, contribution({ reason: ' ' }));
    await expect(silent).rejects.toThrow('needs a reason');
    const refusals: ReadonlyArray<[Partial<Parameters<typeof contributeCapital>[0]>, string]> = [
      [{ id: 'n1', coin: 'nocoin' }, 'No coin has the symbol'],
      [{ id: 'n2', network: 'NOWHERE' }, 'not on the network NOWHERE'],
      [{ id: 'n3', network: 'SIMULATED' }, 'This venue has real money'],
      [{ id: 'n4', amount: '999999999999999999' }, 'out of range'],
    ];
    for (const [changes, words] of refusals) {
      expect(describeCommand(await both(contribution(changes)))).toContain(words);
    }
    const asked = { id: 'n5', coin: 'usdt', network: 'ETH', amount: '1', reason: 'Seed.' };
    const booked: ReadonlyArray<[Partial<typeof asked>, string]> = [
      [{ coin: 'nocoin' }, "No coin has the symbol 'nocoin'"],
      [{ network: 'SIMULATED' }, 'network must be'],
      [{ amount: '9999999999999999999' }, 'what the ledger can hold'],
      [{ amount: '0' }, 'above zero'],
    ];
    const before = await server.ctx.db.selectFrom('operatorCommands').select('id').execute();
    for (const [changes, words] of booked) {
      const work = bookCapital(server.ctx, venue.operator, 'in', { ...asked, ...changes });
      await expect(work).rejects.toThrow(words);
    }
    const after = await server.ctx.db.selectFrom('operatorCommands').select('id').execute();
    expect(after).toEqual(before);
  });

  it('without a second person the database itself refuses it', async () => {
    for (const type of ['contribute_capital', 'withdraw_capital']) {
      const direct = server.ctx.db
        .insertInto('operatorCommands')
        .values({ command: JSON.stringify({ type }), requestedBy: 'x', status: 'waiting' })
        .execute();
      await expect(direct).rejects.toThrow('lacks the approval of a second operator');
    }
  });
});

describe('a venue with simulated money', () => {
  let server: TestServer;
  let venue: LiveVenue;
  beforeAll(async () => {
    server = await startTestServer({ withEngine: true });
    venue = await liveVenue(server);
  });
  afterAll(() => server.close());

  it('takes no deposit from a real network, and its owners practise on the simulated one', async () => {
    const { ctx } = server;
    await venue.trader({ usdt: '5' });
    const second = await exampleOperator(ctx, { role: ROLE.administrator });
    const outcome = async (network: string): Promise<string> => {
      const act = contributeCapital({
        id: `rehearsal-${network}`,
        coin: 'usdt',
        network,
        amount: '1',
        reason: 'Rehearsal.',
      });
      const id = await requestAct(ctx, venue.operator, act);
      await approveCommand(ctx, second, id);
      return describeCommand(await awaitCommand(ctx, id, WAIT_MS));
    };
    expect(await outcome('SIMULATED')).toBe('Done.');
    expect(await outcome('ETH')).toContain('only on the network SIMULATED, not on ETH');
  });
});

describe('before the first start', () => {
  let test: TestContext;
  afterAll(() => test.close());

  it('the first process sets the kind of money, and two at once agree', async () => {
    test = await createTestContext({ MONEY: 'real' });
    const { db } = test.ctx;
    expect(await findMoney(db)).toBe('real');
    await expect(bindMoney(db, 'simulated')).rejects.toThrow('MONEY=simulated was given');
    await Promise.all(Array.from({ length: 5 }, () => bindMoney(db, 'real')));
    expect(await db.selectFrom('venue').selectAll().execute()).toHaveLength(1);
  });
});
