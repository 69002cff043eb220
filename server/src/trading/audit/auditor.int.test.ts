import { CORE_VERSION } from '@rialto/matching';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFile } from 'node:fs/promises';
import { startRelay, type Relay } from '../../platform/events/relay.ts';
import { createLog } from '../../platform/observe/log.ts';
import type { Context } from '../../platform/context.ts';
import { ROLE } from '../../accounts/roles.ts';
import { encodeCommand } from '../engine/command.ts';
import { approveCommand } from '../operators/actions.ts';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { exampleMarket } from '../../testing/example-market.ts';
import { relayOptions } from '../../testing/server.ts';
import { exampleOperator } from '../../testing/operators.ts';
import { addEvidence, movementNames, type Evidence } from '../custody/evidence.ts';
import { listOpenHalts } from '../halts/access.ts';
import { awaitProjection } from '../projections/access.ts';
import { startProjector, type Projector } from '../projections/projector.ts';
import { TestJournal } from '../../testing/trading/journal.ts';
import { createSolvencyWatch, createTeller, startAuditor, type Auditor } from './auditor.ts';
import type { Violation } from './violation.ts';
import { listUnbacked, readSolvency } from './solvency.ts';

let test: TestContext;
let ctx: Context;
let relay: Relay;
let projector: Projector | undefined;
let auditor: Auditor | undefined;
let journal: TestJournal;
let watch: () => Promise<Violation[]>;
beforeEach(async () => {
  test = await createTestContext();
  // Alarms are for people; here they would only fill the screen.
  ctx = { ...test.ctx, log: createLog('silent', {}) };
  relay = startRelay(relayOptions(ctx));
  journal = new TestJournal(ctx);
  watch = createSolvencyWatch(ctx, createTeller(ctx));
  journal.apply({ type: 'list_coin', coin: 'btc', networks: ['BTC'], time: 1000 });
  journal.apply({ type: 'list_coin', coin: 'usdt', networks: ['ETH', 'TRX'] });
  journal.apply({ type: 'create_market', config: exampleMarket() });
  journal.apply({ type: 'set_phase', symbol: 'btcusdt', phase: 'continuous' });
  journal.apply({ type: 'open_account', account: 1, parent: 1 });
  await journal.commit();
});
afterEach(async () => {
  await auditor?.stop();
  auditor = undefined;
  await projector?.stop();
  projector = undefined;
  await relay.stop();
  await test.close();
});

const AMOUNT = 100n;
const evidence = (changes: Partial<Evidence> = {}): Evidence => ({
  cause: movementNames.deposit('ETH', 'd1'),
  coin: 'usdt',
  network: 'ETH',
  amount: AMOUNT,
  source: 'chain',
  who: 'test',
  ...changes,
});
const see = (...entries: Evidence[]) => ctx.inTransaction((tx) => addEvidence(tx, entries));
const deposit = { type: 'credit_deposit', coin: 'usdt', to: 1, amount: AMOUNT } as const;
async function credit(depositId = 'd1', network = 'ETH'): Promise<void> {
  const { result } = journal.apply({ ...deposit, depositId, network });
  expect(result.kind).toBe('moved');
  await journal.commit();
}
async function look(): Promise<string[]> {
  return (await watch()).map(({ subject }) => subject);
}
async function project(): Promise<void> {
  projector ??= startProjector(ctx);
  await awaitProjection(ctx, { patienceMs: 8000 });
}
/** The value of the first metric whose line begins with this text. */
async function metricOf(start: string): Promise<number> {
  const { body } = await ctx.metrics.render();
  return Number(
    body
      .split('\n')
      .find((line) => line.startsWith(start))
      ?.split(' ')
      .at(-1) ?? 0,
  );
}
const halts = async () =>
  (await listOpenHalts(ctx.db)).map(({ symbol, subject }) => [symbol, subject]);

describe('a credit', () => {
  it('with its evidence raises no alarm, before and after the projections have it', async () => {
    await project();
    await see(evidence());
    expect(await look()).toEqual([]);
    await credit();
    expect(await look()).toEqual([]);
    await project();
    expect(await look()).toEqual([]);
    expect(await readSolvency(ctx.database.pool)).toEqual([
      { coin: 'usdt', assets: AMOUNT, liabilities: AMOUNT },
    ]);
    expect(await halts()).toEqual([]);
  });

  it('without evidence is found in the journal, while the projections stand still', async () => {
    await project();
    expect(await look()).toEqual([]);
    await projector?.stop();
    await credit();
    expect(await look()).toEqual(['deposit:ETH:d1']);
    expect(await metricOf('rialto_audit_violations_total{')).toBe(1);
    // The market is known from earlier projections.
    expect(await halts()).toEqual([['btcusdt', 'deposit:ETH:d1']]);
    const asked = await ctx.db.selectFrom('operatorCommands').selectAll().execute();
    const ofAuditor = asked.filter(({ requestedBy }) => requestedBy === 'auditor');
    expect(ofAuditor.map(({ command }) => JSON.parse(command) as unknown)).toEqual([
      { type: 'set_phase', symbol: 'btcusdt', phase: 'halted' },
    ]);
  });

  it('from before the audit began is found in the projections', async () => {
    await credit();
    await project();
    auditor = startAuditor(ctx);
    await expect.poll(halts, { timeout: 10_000 }).toEqual([
      ['btcusdt', 'usdt'],
      ['btcusdt', 'deposit:ETH:d1'],
    ]);
    expect(await listUnbacked(ctx.database.pool, 10)).toEqual([
      { cause: 'deposit:ETH:d1', coin: 'usdt' },
    ]);
  });

  it.each([
    ['that exceeds the evidence', { amount: AMOUNT - 1n }],
    ['in another coin', { coin: 'btc' }],
    ['of another deposit', { cause: movementNames.deposit('ETH', 'd2') }],
    ['on another network', { network: 'TRX', cause: movementNames.deposit('TRX', 'd1') }],
  ])('%s is found', async (_what, changes) => {
    await project();
    await see(evidence(changes), evidence({ cause: 'capital:1', amount: 10n * AMOUNT }));
    await credit();
    await project();
    expect([...new Set(await look())]).toContain('deposit:ETH:d1');
  });

  it('that the engine refused does not count as a credit', async () => {
    await project();
    expect(await look()).toEqual([]);
    const command = JSON.stringify({
      ...deposit,
      to: 77,
      depositId: 'd',
      network: 'ETH',
      amount: '1',
    });
    const { id } = await ctx.db
      .insertInto('operatorCommands')
      .values({ command, requestedBy: 'test', status: 'refused', journalSeq: 2n })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect(id).toBeGreaterThan(0n);
    journal.apply({ ...deposit, to: 77, depositId: 'd', network: 'ETH', amount: 1n });
    await journal.commit();
    expect(await look()).toEqual([]);
  });
});

describe('evidence', () => {
  it('is written once, and never with other terms', async () => {
    await see(evidence());
    await see(evidence(), evidence());
    for (const changes of [{ amount: 1n }, { coin: 'btc' }, { network: 'TRX' }]) {
      await expect(see(evidence(changes))).rejects.toMatchObject({ code: 'EVIDENCE_DIFFERS' });
    }
    const sums = await ctx.db.selectFrom('custodyAssets').select(['coin', 'amount']).execute();
    expect(sums).toEqual([{ coin: 'usdt', amount: '100' }]);
  });

  it('is neither changed nor deleted', async () => {
    await see(evidence());
    for (const text of ['UPDATE custody_evidence SET amount = 1', 'DELETE FROM custody_evidence']) {
      await expect(ctx.database.pool.query(text)).rejects.toThrow('permission denied');
      await expect(test.owner.query(text)).rejects.toThrow('never changed or deleted');
    }
  });

  it('adds up when many write at once, in any order', async () => {
    const coins = ['btc', 'eth', 'usdt', 'xrp'];
    await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const mine = coins.map((coin) => evidence({ coin, cause: `deposit:ETH:${n}${coin}` }));
        await see(...(n % 2 === 0 ? mine : mine.toReversed()));
      }),
    );
    const sums = await ctx.db.selectFrom('custodyAssets').select('amount').execute();
    expect(sums.map(({ amount }) => amount)).toEqual(coins.map(() => String(40n * AMOUNT)));
  });
});

describe('the statement of operators', () => {
  it('counts as soon as it is booked: what the engine refuses is no asset', async () => {
    await project();
    await see(evidence({ source: 'operator' }));
    expect(await readSolvency(ctx.database.pool)).toEqual([
      { coin: 'usdt', assets: 0n, liabilities: 0n },
    ]);
    await credit();
    expect(await look()).toEqual([]);
    await project();
    expect(await look()).toEqual([]);
    expect(await readSolvency(ctx.database.pool)).toEqual([
      { coin: 'usdt', assets: AMOUNT, liabilities: AMOUNT },
    ]);
  });

  it('is given by the second operator, for capital that comes in and that goes out', async () => {
    const [first, second] = [
      await exampleOperator(ctx),
      await exampleOperator(ctx, { role: ROLE.administrator }),
    ];
    const entries = () =>
      ctx.db
        .selectFrom('custodyEvidence')
        .select(['cause', 'amount', 'source', 'who'])
        .orderBy('id')
        .execute();
    for (const type of ['contribute_capital', 'withdraw_capital']) {
      const command = { type, contributionId: type, coin: 'usdt', network: 'ETH', amount: '70' };
      const { id } = await ctx.db
        .insertInto('operatorCommands')
        .values({
          command: JSON.stringify(command),
          requestedBy: first.email,
          requestedById: first.id,
          act: 'ledger capital',
          reason: 'seed',
          status: 'awaiting_approval',
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const before = await entries();
      await expect(approveCommand(ctx, first, id)).rejects.toThrow('cannot approve');
      expect(await entries()).toEqual(before);
      await approveCommand(ctx, second, id);
    }
    const who = `${first.email} and ${second.email}`;
    expect(await entries()).toEqual([
      { cause: 'capital:contribute_capital', amount: '70', source: 'operator', who },
      { cause: 'capital:withdraw_capital', amount: '-70', source: 'operator', who },
    ]);
  });
});

it('reports the first few of many violations, and halts every coin', async () => {
  await project();
  expect(await look()).toEqual([]);
  for (let n = 0; n < 500; n += 1) {
    journal.apply({ ...deposit, depositId: `many-${n}`, network: 'ETH' });
  }
  await journal.commit();
  expect((await look()).length).toBeGreaterThanOrEqual(500);
  const open = await halts();
  expect(open.length).toBeGreaterThan(0);
  expect(open.length).toBeLessThan(50);
});

describe('a withdrawal', () => {
  const FEE = 1n;
  async function pay(): Promise<bigint> {
    const command = JSON.stringify({ type: 'settle_withdrawal', withdrawalId: 'w1' });
    return ctx.inTransaction(async (tx) => {
      const { id } = await tx
        .insertInto('operatorCommands')
        .values({ command, requestedBy: 'test' })
        .returning('id')
        .executeTakeFirstOrThrow();
      const paid = { cause: movementNames.withdrawal('w1'), network: 'TRX', amount: FEE - AMOUNT };
      await addEvidence(tx, [evidence({ ...paid, commandId: id })]);
      return id;
    });
  }
  async function request(): Promise<void> {
    await project();
    await see(evidence());
    await credit();
    const terms = { account: 1, coin: 'usdt', network: 'TRX', amount: AMOUNT, fee: FEE } as const;
    journal.apply({ type: 'request_withdrawal', withdrawalId: 'w1', ...terms });
    await journal.commit();
    await project();
    expect(await look()).toEqual([]);
  }
  async function settle(): Promise<void> {
    journal.apply({ type: 'settle_withdrawal', withdrawalId: 'w1' });
    await journal.commit();
  }

  it('that is paid and not yet booked raises no alarm at any time', async () => {
    await request();
    const id = await pay();
    expect(await look()).toEqual([]);
    await projector?.stop();
    await settle();
    await ctx.db
      .updateTable('operatorCommands')
      .set({ status: 'done', journalSeq: BigInt(journal.machine.seq) })
      .where('id', '=', id)
      .execute();
    expect(await look()).toEqual([]);
    projector = undefined;
    await project();
    expect(await look()).toEqual([]);
    // It is below zero on one network and above on the other: the sum of the coin counts.
    expect(await readSolvency(ctx.database.pool)).toEqual([
      { coin: 'usdt', assets: FEE, liabilities: FEE },
    ]);
  });

  it('that was paid but refused by the engine leaves too little', async () => {
    await request();
    const id = await pay();
    await ctx.db
      .updateTable('operatorCommands')
      .set({ status: 'refused', journalSeq: 1n })
      .where('id', '=', id)
      .execute();
    expect(await look()).toEqual(['usdt']);
    const owed = await metricOf('rialto_solvency_liabilities{coin="usdt"');
    expect(owed).toBeGreaterThan(await metricOf('rialto_solvency_assets{coin="usdt"'));
  });

  it('that is booked without evidence of a payment is found', async () => {
    await request();
    await settle();
    await project();
    expect(await look()).toEqual(['withdrawal:w1']);
  });
});

describe('a reversed deposit', () => {
  const reverse = async (part: number, amount: bigint, cover = false): Promise<void> => {
    const terms = { network: 'ETH', depositId: 'd1', coin: 'usdt', account: 1 } as const;
    journal.apply({ type: 'reverse_deposit', part, amount, cover, ...terms });
    await journal.commit();
    await project();
  };
  const gone = evidence({ cause: movementNames.reversal('ETH', 'd1'), amount: -AMOUNT });

  beforeEach(async () => {
    journal.apply({ type: 'upgrade', version: CORE_VERSION, hashKey: '0'.repeat(32) });
    await see(evidence());
    await credit();
    await project();
    expect(await look()).toEqual([]);
  });

  it('that is taken back in full leaves a sound ledger', async () => {
    await see(gone);
    await reverse(0, AMOUNT);
    expect(await look()).toEqual([]);
    expect(await readSolvency(ctx.database.pool)).toEqual([
      { coin: 'usdt', assets: 0n, liabilities: 0n },
    ]);
  });

  it('leaves too little while something is missing, and the part that collects it needs no other evidence', async () => {
    const adjust = { type: 'adjust', coin: 'usdt', amount: 30n } as const;
    journal.apply({ ...adjust, adjustmentId: 'spent', from: 1, to: 'fees' });
    await see(gone);
    await reverse(0, AMOUNT);
    expect(await look()).toEqual(['usdt']);
    journal.apply({ ...adjust, adjustmentId: 'funded', from: 'fees', to: 'adjustments' });
    await reverse(1, 30n, true);
    expect(await look()).toEqual([]);
    expect(await listUnbacked(ctx.database.pool, 5)).toEqual([]);
  });

  it('is found without evidence, and when its parts take more than the evidence says', async () => {
    await reverse(0, 40n);
    expect(await look()).toEqual(['reversal:ETH:d1:0']);
    await see({ ...gone, amount: -40n });
    expect(await listUnbacked(ctx.database.pool, 5)).toEqual([]);
    await reverse(1, 1n);
    const unbacked = await listUnbacked(ctx.database.pool, 5);
    expect(unbacked.map(({ cause }) => cause)).toContain('reversal:ETH:d1:1');
  });
});

describe('what a network charged', () => {
  const cost = { type: 'book_chain_cost', costId: 'P1', network: 'ETH', coin: 'usdt' } as const;
  const amount = 7n;

  it('is believed while nobody can pay it, booked once somebody can, and found without evidence', async () => {
    journal.apply({ type: 'upgrade', version: CORE_VERSION, hashKey: '0'.repeat(32) });
    await see(evidence());
    await credit();
    const { id } = await ctx.db
      .insertInto('operatorCommands')
      .values({ command: encodeCommand({ ...cost, amount }), requestedBy: 'custody' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const cause = movementNames.chainCost('P1');
    await see(evidence({ cause, amount: -amount, commandId: id }));
    await project();
    expect(await look()).toEqual([]);
    expect(journal.apply({ ...cost, amount }).result.kind).toBe('rejected');
    const end = { status: 'refused', journalSeq: BigInt(journal.machine.seq) };
    await ctx.db.updateTable('operatorCommands').set(end).where('id', '=', id).execute();
    const before = [{ coin: 'usdt', assets: AMOUNT, liabilities: AMOUNT }];
    expect(await look()).toEqual([]);
    expect(await readSolvency(ctx.database.pool)).toEqual(before);
    // Operators fund it, and custody asks again.
    const fund = { type: 'adjust', adjustmentId: 'a', from: 1, to: 'adjustments' } as const;
    journal.apply({ ...fund, coin: 'usdt', amount });
    expect(journal.apply({ ...cost, amount }).result.kind).toBe('moved');
    await journal.commit();
    await project();
    expect(await look()).toEqual([]);
    const after = AMOUNT - amount;
    expect(await readSolvency(ctx.database.pool)).toEqual([
      { coin: 'usdt', assets: after, liabilities: after },
    ]);
    journal.apply({ ...fund, adjustmentId: 'b', coin: 'usdt', amount });
    journal.apply({ ...cost, costId: 'P2', amount });
    await journal.commit();
    await project();
    expect(await look()).toEqual(['chain_cost:P2']);
  });
});

it('checks all projections after a start', async () => {
  await see(evidence());
  await credit();
  await project();
  await ctx.database.pool.query('UPDATE balances SET available = available - 1, held = 1');
  await ctx.database.pool.query(
    "INSERT INTO venue_balances (owner, coin, amount, updated_ms) VALUES ('fees', 'usdt', -1, 0)",
  );
  auditor = startAuditor(ctx);
  await auditor.wholeLookedAt;
  const negative = 'rialto_audit_violations_total{rule="only custody is below zero"';
  expect(await metricOf(negative)).toBeGreaterThan(0);
  expect((await listOpenHalts(ctx.db)).map(({ rule }) => rule)).toContain(
    'an account holds what its live orders hold',
  );
});

it('a database from an older release gets evidence for everything credited', async () => {
  await credit('d1');
  journal.apply({
    type: 'request_withdrawal',
    withdrawalId: 'w',
    account: 1,
    coin: 'usdt',
    network: 'TRX',
    amount: 50n,
    fee: 1n,
  });
  journal.apply({ type: 'settle_withdrawal', withdrawalId: 'w' });
  await journal.commit();
  await project();
  await projector?.stop();
  // One done but not projected, and one still waiting.
  for (const [status, depositId] of [
    ['done', 'd2'],
    ['waiting', 'd3'],
    ['refused', 'd4'],
  ] as const) {
    const command = JSON.stringify({ ...deposit, depositId, network: 'ETH', amount: '7' });
    await ctx.db
      .insertInto('operatorCommands')
      .values({ command, requestedBy: 't', status })
      .execute();
  }
  await test.owner.query(
    `DROP TABLE custody_evidence, custody_assets, invariant_halts; DROP FUNCTION add_custody_assets;
     DROP INDEX trading_movements_seq, operator_commands_journal_seq`,
  );
  const migration = new URL('../../../migrations/0035_solvency.sql', import.meta.url);
  await test.owner.query(await readFile(migration, 'utf8'));
  await test.owner.query('GRANT SELECT ON custody_evidence, custody_assets TO rialto_server');
  const entries = await ctx.db
    .selectFrom('custodyEvidence')
    .select(['cause', 'network', 'amount', 'source'])
    .orderBy('cause')
    .execute();
  expect(entries).toEqual(
    [
      ['deposit:ETH:d1', 'ETH', '100'],
      ['deposit:ETH:d2', 'ETH', '7'],
      ['deposit:ETH:d3', 'ETH', '7'],
      ['withdrawal:w', 'TRX', '-49'],
    ].map(([cause, network, amount]) => ({ cause, network, amount, source: 'migration' })),
  );
  expect(await listUnbacked(ctx.database.pool, 10)).toEqual([]);
});
