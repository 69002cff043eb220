// Rows of operator_commands that contain no valid command, or one in an unusual form.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { askByRows, carryOut } from '../../testing/operator-rows.ts';
import { exampleMarket } from '../../testing/example-market.ts';
import { startTestEngine } from '../../testing/server.ts';
import { encodeCommand } from './command.ts';
import type { EngineRole } from './run.ts';

let test: TestContext;
let engine: EngineRole;
beforeAll(async () => {
  test = await createTestContext();
  engine = await startTestEngine(test.ctx);
  await carryOut(test.ctx, [
    { type: 'list_coin', coin: 'btc', networks: ['BTC'] },
    { type: 'list_coin', coin: 'usdt', networks: ['ETH'] },
    { type: 'create_market', config: exampleMarket() },
  ]);
  test.ctx.log.level = 'silent';
});
afterAll(async () => {
  await engine.stop();
  await test.close();
});

const journal = async (): Promise<string> => {
  const { rows } = await test.ctx.database.pool.query<{ commands: string }>(
    'SELECT commands FROM trading_journal ORDER BY seq',
  );
  return rows.map(({ commands }) => commands).join('\n');
};

const transfer = { type: 'transfer', transferId: 't', from: 1, to: 2, coin: 'usdt' };
const BAD: readonly [string, string][] = [
  ['{"type":"place_oco","account":1}', 'There is no type "place_oco".'],
  ['{"type":"toString"}', 'There is no type "toString".'],
  ['{"no":"type"}', 'There is no type nothing.'],
  ['[]', 'There is no type nothing.'],
  ['"tick"', 'There is no type nothing.'],
  [JSON.stringify({ ...transfer, amount: 'abc' }), 'amount must be an amount in units of 10^-18'],
  [JSON.stringify({ ...transfer, amount: 5 }), 'amount must be an amount in units of 10^-18'],
  [JSON.stringify(transfer), 'missing: amount.'],
  [JSON.stringify({ ...transfer, amount: '5', by: 'me' }), 'there is no member "by".'],
  ['{"type":"set_memory","memory":1e999}', 'memory must be a whole number'],
  ['{"type":"set_phase","symbol":"a\\nb","phase":"halted"}', 'symbol must be a text'],
  [`{"type":"set_phase","symbol":"${'x'.repeat(200)}","phase":"halted"}`, 'symbol must be a text'],
  // Cut in the middle of a character, the message would not be valid text.
  [`{"type":"${'x'.repeat(58)}${'🏦'.repeat(9)}"}`, 'There is no type "xxx'],
  ['{"type":"create_market","config":{}}', 'config must be an object with symbol, base'],
  ['{"type":"upgrade","version":2,"hashKey":"00"}', 'for the engine alone'],
];

it('a row without a valid command is refused with the reason, and the rows behind it are done', async () => {
  const epoch = engine.epoch();
  const before = await journal();
  const texts = BAD.map(([text]) => text);
  const ends = await askByRows(test.ctx, [...texts, '{"type":"tick"}']);
  for (const [index, [text, said]] of BAD.entries()) {
    expect(ends[index], text).toMatchObject({
      status: 'refused',
      result: { kind: 'malformed', error: expect.stringContaining(said) as string },
    });
  }
  expect(ends.at(-1)).toMatchObject({ status: 'done' });
  // It is not in the journal, and no engine had to restart for it.
  expect((await journal()).slice(before.length)).toMatch(/^\n\d+ \{"type":"tick"\}$/);
  expect(engine.epoch()).toBe(epoch);
  expect((await test.ctx.metrics.render()).body).toMatch(
    new RegExp(`rialto_engine_door_refused_total\\{reason="malformed".*\\} ${BAD.length}\n`),
  );
});

it('more bad rows than one look reads hide nothing', async () => {
  const texts = Array.from({ length: 250 }, (_, n) => `{"type":"no_such_${n}"}`);
  const ends = await askByRows(test.ctx, [...texts, '{"type":"tick"}']);
  expect(ends.filter(({ status }) => status === 'refused')).toHaveLength(250);
  expect(ends.at(-1)?.status).toBe('done');
});

it('a command on several lines is one line in the journal, which replays', async () => {
  const pretty = JSON.stringify(
    JSON.parse(encodeCommand({ type: 'set_phase', symbol: 'btcusdt', phase: 'continuous' })),
    null,
    2,
  );
  const [end] = await askByRows(test.ctx, [pretty.replaceAll('\n', '\r\n')]);
  expect(end).toMatchObject({ status: 'done' });
  expect(await journal()).toContain(
    ' {"type":"set_phase","symbol":"btcusdt","phase":"continuous"}',
  );
  await engine.stop();
  engine = await startTestEngine(test.ctx);
  const [again] = await askByRows(test.ctx, ['{"type":"tick"}']);
  expect(again).toMatchObject({ status: 'done' });
});

it('a text longer than any command cannot be inserted', async () => {
  const because = 'x'.repeat(70_000);
  await expect(askByRows(test.ctx, [JSON.stringify({ type: 'tick', because })])).rejects.toThrow(
    'operator_commands_bounded',
  );
});
