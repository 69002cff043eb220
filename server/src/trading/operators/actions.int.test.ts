import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyAuditLog } from '../../accounts/audit/access.ts';
import type { Operator } from '../../accounts/operators/operator.ts';
import { ROLE } from '../../accounts/roles.ts';
import { deactivateUser } from '../../accounts/users/standing.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import { exampleTerms, liveVenue, type LiveVenue } from '../../testing/live-venue.ts';
import { startTestEngine, startTestServer, type TestServer } from '../../testing/server.ts';
import { exampleOperator } from '../../testing/operators.ts';
import { createEngineClient, type EngineClient } from '../engine/client.ts';
import { accessOperator } from '../../accounts/operators/access.ts';
import { getMarketConfig, listUnaudited } from './access.ts';
import {
  approveCommand,
  awaitCommand,
  requestAct,
  tellOutcomes,
  withdrawCommand,
} from './actions.ts';
import * as acts from './acts.ts';
import { describeCommand } from './explain.ts';
import { toMarketConfig, toMarketTerms } from './market-terms.ts';

const WAIT_MS = 10_000;
const VIA = 'test';
const bySecret = (email: string): Operator => ({
  id: 0,
  role: ROLE.owner,
  email,
  via: VIA,
  proof: 'secret',
});

/** How many sessions wait for a lock on the table. */
async function countWaiting(client: pg.PoolClient, table: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'SELECT count(*)::int FROM pg_locks WHERE relation = $1::regclass AND NOT granted',
    [table],
  );
  return rows[0]?.count ?? 0;
}

async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Refusal);
  return error as Refusal;
}

describe('with an engine', () => {
  let server: TestServer;
  let venue: LiveVenue;
  let engine: EngineClient;
  let second: Person & Operator;

  beforeAll(async () => {
    server = await startTestServer({ withEngine: true });
    venue = await liveVenue(server);
    second = await exampleOperator(server.ctx, { role: ROLE.administrator });
    const { bus, database, log, secrets } = server.ctx;
    engine = createEngineClient({
      bus,
      log,
      secrets,
      pool: database.pool,
      answerMs: 5000,
      underWayMax: 100,
    });
  });
  afterAll(async () => {
    await engine.stop();
    await server.close();
  });

  async function available(account: bigint, coin: string): Promise<bigint> {
    const balances = await engine.read('balances', { account: Number(account) });
    return balances.find((balance) => balance.coin === coin)?.available ?? -1n;
  }

  /** The audit log's entries about a command, oldest first. */
  async function storyOf(commandId: bigint): Promise<string[]> {
    const rows = await server.ctx.db
      .selectFrom('auditLog')
      .select(['operator', 'outcome'])
      .where('commandId', '=', commandId)
      .orderBy('seq')
      .execute();
    return rows.map(({ operator, outcome }) => `${operator} ${outcome}`);
  }

  const credit = (to: bigint, amount: string, from: 'adjustments' | number = 'adjustments') =>
    requestAct(
      server.ctx,
      venue.operator,
      acts.adjustLedger({
        id: `adjust-${amount}-${from}`,
        from,
        to: Number(to),
        coin: 'usdt',
        amount,
        reason: 'Goodwill for the outage of May.',
      }),
    );

  it('a market is created, configured and moved through its phases by commands', async () => {
    const { ctx } = server;
    const before = await getMarketConfig(ctx.db, 'btcusdt');
    const terms = { ...toMarketTerms(before), minimumQuoteSize: '7.5', priceBandPercent: '12.5' };
    await venue.perform(acts.configureMarket(toMarketConfig(terms)));
    await venue.setPhase('btcusdt', 'cancel_only');
    const market = (await engine.read('markets', {})).find(
      ({ config }) => config.symbol === 'btcusdt',
    );
    expect(market?.phase).toBe('cancel_only');
    expect(market?.config).toEqual({
      ...before,
      minimumQuoteSize: 75n * 10n ** 17n,
      priceBandPpm: 125_000,
    });
    expect(await getMarketConfig(ctx.db, 'btcusdt')).toEqual(market?.config);
    await venue.setPhase('btcusdt', 'continuous');
  });

  it('a refusal of the engine is explained, also in the audit log', async () => {
    const { ctx } = server;
    const again = acts.createMarket(toMarketConfig(exampleTerms('btcusdt')));
    const id = await requestAct(ctx, venue.operator, again);
    const command = await awaitCommand(ctx, id, WAIT_MS);
    expect(command.status).toBe('refused');
    expect(describeCommand(command)).toContain('There is such a market already');
    const { email } = venue.operator;
    expect(await storyOf(id)).toEqual([`${email} requested`, `${email} refused`]);
  });

  it('money moves only from a funded source, and only when two operators approve', async () => {
    const { ctx } = server;
    const trader = await venue.trader({ usdt: '1000' });
    const id = await credit(trader.accountId, '25.5', Number(trader.accountId));
    expect((await awaitCommand(ctx, id, WAIT_MS)).status).toBe('awaiting_approval');

    const same = await refusalOf(approveCommand(ctx, venue.operator, id));
    expect(same.code).toBe('SECOND_OPERATOR_NEEDED');
    await approveCommand(ctx, second, id);
    const refused = await awaitCommand(ctx, id, WAIT_MS);
    // From an account to itself: the engine decides.
    expect(refused.status).toBe('refused');

    const unfunded = await credit(trader.accountId, '25.5');
    await approveCommand(ctx, second, unfunded);
    const poor = await awaitCommand(ctx, unfunded, WAIT_MS);
    expect(describeCommand(poor)).toContain('The source has 0 usdt, and 25.5 were asked for.');
    expect(await available(trader.accountId, 'usdt')).toBe(1000n * 10n ** 18n);

    const giver = await venue.trader({ usdt: '100' });
    const funded = await credit(trader.accountId, '25.25', Number(giver.accountId));
    await approveCommand(ctx, second, funded);
    expect(await awaitCommand(ctx, funded, WAIT_MS)).toMatchObject({
      status: 'done',
      result: { kind: 'moved', replay: false },
    });
    expect(await available(trader.accountId, 'usdt')).toBe(102_525n * 10n ** 16n);
    expect(await available(giver.accountId, 'usdt')).toBe(7475n * 10n ** 16n);
    expect(await storyOf(funded)).toEqual([
      `${venue.operator.email} awaiting_approval`,
      `${second.email} approved`,
      `${venue.operator.email} done`,
    ]);
    const again = await refusalOf(approveCommand(ctx, second, funded));
    expect(again.code).toBe('NOT_AWAITING_APPROVAL');
  });

  it('a person who is not an operator can neither request nor approve; attempts are in the audit log', async () => {
    const { ctx } = server;
    const trader = await venue.trader({});
    const id = await credit(trader.accountId, '1');
    const member = await examplePerson(ctx);
    const bot = await examplePerson(ctx, { role: ROLE.owner, botType: 1, botOwnerId: second.id });
    const gone = await exampleOperator(ctx, { role: ROLE.administrator });
    await ctx.inTransaction((tx) => deactivateUser(tx, { id: 0, role: ROLE.owner }, gone.id));
    const reasons = {
      [member.email]: 'the role is too low',
      [bot.email]: 'it is a bot',
      [gone.email]: 'the user is deactivated',
      'nobody@example.com': 'There is no user',
    };
    for (const [email, reason] of Object.entries(reasons)) {
      expect((await refusalOf(approveCommand(ctx, bySecret(email), id))).message).toContain(reason);
      expect((await refusalOf(withdrawCommand(ctx, bySecret(email), id))).message).toContain(
        reason,
      );
      expect((await refusalOf(accessOperator(ctx.db, email, VIA))).message).toContain(reason);
    }
    const denied = await ctx.db
      .selectFrom('auditLog')
      .select(['operator', 'act'])
      .where('outcome', '=', 'denied')
      .where('subject', '=', `command ${id}`)
      .execute();
    expect(denied).toHaveLength(8);
    await withdrawCommand(ctx, second, id);
    const late = await refusalOf(approveCommand(ctx, second, id));
    expect(late.message).toContain('it is withdrawn');
  });

  it('an adjustment without a second person is refused by the database itself', async () => {
    const command = JSON.stringify({ type: 'adjust', adjustmentId: 'x' });
    const direct = server.ctx.db
      .insertInto('operatorCommands')
      .values({ command, requestedBy: 'somebody', status: 'waiting' })
      .execute();
    await expect(direct).rejects.toThrow('lacks the approval of a second operator');
    const id = await credit((await venue.trader({})).accountId, '2');
    const approvedBy = (approvedById: number) =>
      server.ctx.db
        .updateTable('operatorCommands')
        .set({ status: 'waiting', approvedById })
        .where('id', '=', id)
        .execute();
    const approval = (operatorId: number) =>
      server.ctx.db.insertInto('operatorApprovals').values({ commandId: id, operatorId }).execute();
    const member = await examplePerson(server.ctx);
    const unenrolled = await examplePerson(server.ctx, { role: ROLE.owner });
    await expect(approvedBy(venue.operator.id)).rejects.toThrow('lacks the approval of a second');
    await expect(approvedBy(second.id)).rejects.toThrow('lacks the approval of a second operator');
    await expect(approval(venue.operator.id)).rejects.toThrow('somebody else than who asked');
    for (const person of [member, unenrolled]) {
      await expect(approval(person.id)).rejects.toThrow('is no operator and approves nothing');
    }
    await approval(second.id);
    await expect(approvedBy(venue.operator.id)).rejects.toThrow('lacks the approval of a second');
    await expect(
      server.ctx.db
        .updateTable('operatorCommands')
        .set({ command: sql`replace(command, '"2', '"9')` })
        .where('id', '=', id)
        .execute(),
    ).rejects.toThrow('permission denied');
    await expect(
      server.owner.query(`UPDATE operator_commands SET command = command || ' ' WHERE id = ${id}`),
    ).rejects.toThrow('stays as it was asked for');
    await approvedBy(second.id);
    await expect(approval(second.id)).rejects.toThrow('does not wait for the approval');
    await expect(
      server.ctx.db.deleteFrom('operatorApprovals').where('commandId', '=', id).execute(),
    ).rejects.toThrow('permission denied');
    await expect(
      server.owner.query(`DELETE FROM operator_approvals WHERE command_id = ${id}`),
    ).rejects.toThrow('never changed');
  });

  it('an adjustment needs a reason and an amount', async () => {
    const { ctx } = server;
    const terms = { id: 'a', from: 'fees', to: 1, coin: 'usdt', amount: '1', reason: ' ' } as const;
    const silent = requestAct(ctx, venue.operator, acts.adjustLedger(terms));
    expect((await refusalOf(silent)).code).toBe('REASON_MISSING');
    expect(() => acts.adjustLedger({ ...terms, amount: '-1' })).toThrow('above zero');
  });

  it('a suspended account loses its orders and cannot place any until it is resumed', async () => {
    const trader = await venue.trader({ usdt: '1000' });
    const account = Number(trader.accountId);
    const place = () =>
      engine.submit({
        type: 'place',
        account,
        order: {
          symbol: 'btcusdt',
          side: 'buy',
          type: 'limit',
          price: 6_300_000,
          priceDecimals: 2,
          volume: 1000,
          volumeDecimals: 6,
        },
      });
    expect((await place()).result.kind).toBe('placed');
    await venue.perform(acts.suspendAccount(account, true, 'Court order 12.'));
    expect(await engine.read('open', { account, limit: 10 })).toEqual([]);
    expect((await place()).result).toMatchObject({ kind: 'rejected', rejection: { code: 3011 } });
    await venue.perform(acts.resumeAccount(account, 'Order lifted.'));
    expect((await place()).result.kind).toBe('placed');
  });

  it('after all this, every command is in the audit log and its chain is intact', async () => {
    const { ctx } = server;
    await tellOutcomes(ctx);
    expect(await tellOutcomes(ctx)).toBe(0);
    expect(await listUnaudited(ctx.db, 10)).toEqual([]);
    const chain = await verifyAuditLog(ctx.db);
    expect(chain.trouble).toBeUndefined();
    expect(chain.seq).toBeGreaterThan(40n);
  });
});

describe('without an engine', () => {
  let test: TestContext;
  beforeAll(async () => {
    test = await createTestContext();
  });
  afterAll(() => test.close());

  it('a command waits, can be retracted, and is then never carried out', async () => {
    const { ctx } = test;
    const operator = await exampleOperator(ctx);
    const halt = await requestAct(ctx, operator, acts.setPhase('btcusdt', 'halted'));
    const command = await awaitCommand(ctx, halt, 100);
    expect(command.status).toBe('waiting');
    expect(describeCommand(command)).toContain(`rialto admin retract ${halt}`);
    const kept = await requestAct(ctx, operator, acts.setPhase('btcusdt', 'halted'));
    await withdrawCommand(ctx, operator, halt);
    expect((await refusalOf(withdrawCommand(ctx, operator, halt))).message).toContain(
      'it is withdrawn',
    );

    const engine = await startTestEngine(ctx);
    expect((await awaitCommand(ctx, kept, WAIT_MS)).status).toBe('refused');
    expect((await awaitCommand(ctx, halt, WAIT_MS)).status).toBe('withdrawn');
    await engine.stop();
    const journal = await ctx.db.selectFrom('tradingJournal').select('commands').execute();
    const phases = journal.flatMap(({ commands }) => commands.match(/"set_phase"/g) ?? []);
    expect(phases).toHaveLength(1);
  });

  it('retracting a command while the engine carries it out undoes the engine’s commit', async () => {
    const { ctx } = test;
    const operator = await exampleOperator(ctx);
    const engine = await startTestEngine(ctx);
    // While the journal is locked, the engine has applied the command and waits with its commit.
    const client = await test.owner.connect();
    await client.query('BEGIN');
    await client.query('LOCK TABLE trading_journal IN SHARE MODE');
    const market = acts.createMarket(toMarketConfig(exampleTerms('btcusdt')));
    const id = await requestAct(ctx, operator, market);
    await expect
      .poll(() => countWaiting(client, 'trading_journal'), { timeout: WAIT_MS })
      .toBeGreaterThan(0);
    await client.query(`UPDATE operator_commands SET status = 'withdrawn' WHERE id = $1`, [id]);
    await client.query('COMMIT');
    client.release();
    const after = await requestAct(ctx, operator, acts.setPhase('btcusdt', 'halted'));
    expect((await awaitCommand(ctx, after, WAIT_MS)).status).toBe('refused');
    await engine.stop();
    const journal = await ctx.db.selectFrom('tradingJournal').select('commands').execute();
    expect(journal.filter(({ commands }) => commands.includes('create_market'))).toEqual([]);
  });
});
