import { afterAll, beforeAll, expect, it } from 'vitest';
import { ringEngine } from '../../platform/bus/bells.ts';
import { startRelay } from '../../platform/events/relay.ts';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { relayOptions, startTestEngine } from '../../testing/server.ts';
import { encodeCommand, type NewCommand } from '../engine/command.ts';
import { insertCustodyCommands } from '../operators/access.ts';
import { awaitProjection } from '../projections/access.ts';
import { startProjector } from '../projections/projector.ts';
import { followMovement, type Followed } from './follow-movement.ts';

let test: TestContext;
const parts: Array<{ stop(): Promise<void> }> = [];
beforeAll(async () => {
  test = await createTestContext();
  parts.push(await startTestEngine(test.ctx), startProjector(test.ctx));
  parts.push(startRelay(relayOptions(test.ctx)));
  for (const command of [
    { type: 'list_coin', coin: 'usdt', networks: ['SIMULATED'] },
    { type: 'open_account', account: 1, parent: 1 },
  ] as const) {
    await send(command);
  }
});
afterAll(async () => {
  for (const part of parts) await part.stop();
  await test.close();
});

const terms = { network: 'SIMULATED', coin: 'usdt' } as const;
const deposit = (depositId: string): NewCommand => ({
  type: 'credit_deposit',
  depositId,
  to: 1,
  amount: 10n,
  ...terms,
});

async function send(command: NewCommand): Promise<bigint> {
  const insert = test.ctx.inTransaction((tx) =>
    insertCustodyCommands(tx, [encodeCommand(command)], 'custody'),
  );
  const [id] = await insert;
  ringEngine(test.ctx);
  return id ?? 0n;
}
const follow = (id: bigint): Promise<Followed> =>
  test.ctx.inTransaction((tx) => followMovement(test.ctx, tx, id));
/** Follows until something is decided. */
async function decide(first: bigint): Promise<Followed> {
  let id = first;
  let followed: Followed | undefined;
  await expect
    .poll(
      async () => {
        followed = await follow(id);
        if (followed.kind === 'waiting') ({ commandId: id } = followed);
        return followed.kind;
      },
      { timeout: 20_000 },
    )
    .not.toBe('waiting');
  return followed!;
}

/** As a release wrote it that had no other end for a movement whose id the engine had forgotten. */
async function endUnmoved(command: NewCommand): Promise<bigint> {
  const { id } = await test.ctx.db
    .insertInto('operatorCommands')
    .values({
      command: encodeCommand(command),
      requestedBy: 'custody',
      status: 'done',
      result: JSON.stringify({ kind: 'lookup_again', forgottenThrough: 7 }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
const countRows = async (): Promise<number> =>
  (await test.ctx.db.selectFrom('operatorCommands').select('id').execute()).length;

it('a movement that was made says so, and a reversal what it took and what was missing', async () => {
  expect(await decide(await send(deposit('d1')))).toEqual({ kind: 'moved' });
  expect(await decide(await send(deposit('d1')))).toEqual({ kind: 'moved' });
  const reversal = { depositId: 'd1', part: 0, account: 1, amount: 15n, cover: true } as const;
  const id = await send({ type: 'reverse_deposit', ...reversal, ...terms });
  expect(await decide(id)).toEqual({ kind: 'moved', taken: 10n, missing: 5n });
});

it('a refusal is told with its reason, and a row that the engine cannot read is refused too', async () => {
  const cost = await send({ type: 'book_chain_cost', costId: 'x', amount: 5n, ...terms });
  expect(await decide(cost)).toMatchObject({ kind: 'refused', rejection: { code: 5001 } });
  const odd = await send({ type: 'book_chain_cost', costId: 'y', ...terms } as never);
  expect(await decide(odd)).toEqual({ kind: 'refused', rejection: undefined });
});

it('a row that is done although nothing moved is sent afresh, once it is known not to be booked', async () => {
  const id = await endUnmoved(deposit('d2'));
  const before = await countRows();
  const followed = await follow(id);
  expect(followed.kind).toBe('waiting');
  const fresh = followed.kind === 'waiting' ? followed.commandId : 0n;
  expect([fresh > id, await countRows()]).toEqual([true, before + 1]);
  const { command } = await test.ctx.db
    .selectFrom('operatorCommands')
    .select('command')
    .where('id', '=', fresh)
    .executeTakeFirstOrThrow();
  const { checkpoint } = JSON.parse(command) as { checkpoint: number };
  expect(checkpoint).toBeGreaterThan(0);
  ringEngine(test.ctx);
  expect(await decide(fresh)).toEqual({ kind: 'moved' });
});

it('if the projections have it, it is done, and nothing is sent', async () => {
  await decide(await send(deposit('d3')));
  await awaitProjection(test.ctx, { patienceMs: 8000 });
  const id = await endUnmoved(deposit('d3'));
  const other = await endUnmoved({ ...deposit('d3'), amount: 11n } as NewCommand);
  const before = await countRows();
  expect(await follow(id)).toEqual({ kind: 'moved' });
  expect(await follow(other)).toMatchObject({ kind: 'refused', rejection: { code: 5011 } });
  expect(await countRows()).toBe(before);
});

it('two that follow the same row send twice, and the core moves once', async () => {
  const id = await endUnmoved(deposit('d4'));
  const [first, second] = await Promise.all([follow(id), follow(id)]);
  ringEngine(test.ctx);
  for (const one of [first, second]) {
    expect(one.kind === 'waiting' && (await decide(one.commandId)).kind).toBe('moved');
  }
  await awaitProjection(test.ctx, { patienceMs: 8000 });
  const { rows } = await test.ctx.database.pool.query<{ count: string }>(
    `SELECT count(*)::text FROM ledger_entries WHERE reference_id = 'd4'`,
  );
  expect(rows).toEqual([{ count: '1' }]);
});
