// A stranger's four commands against a running venue: keys, log, and the proof of an order's place.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKeyPair } from '../../accounts/audit/head.ts';
import { pause } from '../../platform/std/wait.ts';
import { LIMIT, openDesk, resultOf, type Desk } from '../../testing/trading/desk.ts';
import { send } from '../../testing/trader.ts';
import { startFollower, type Follower } from '../../trading/public-log/follower.ts';
import { signPublicLog } from '../../trading/public-log/heads.ts';
import { readProgress } from '../../trading/public-log/store.ts';
import { fetchLog } from './fetch-log.ts';
import { renderVerdict, verifyLogFiles } from './verify-log.ts';
import { verifyReceiptFile } from './verify-receipt.ts';

const folder = mkdtempSync(join(tmpdir(), 'rialto-stranger-'));
const path = (name: string) => join(folder, name);
const keep = (name: string, value: unknown) => {
  writeFileSync(path(name), JSON.stringify(value));
  return path(name);
};
const TERMS = { ...LIMIT, price: '63000.00', clientOrderId: 'mine-1' };

let desk: Desk;
let follower: Follower;
let receipt: string;
let key: string;
beforeAll(async () => {
  desk = await openDesk(
    { settings: { PUBLIC_SIGNING_KEY: createKeyPair().privateKey } },
    { phase: 'continuous' },
  );
  follower = startFollower(desk.server.ctx);
  const [maker, taker] = [await desk.trader(), await desk.trader()];
  await desk.place(maker, { side: 'sell', price: '64010.00', volume: '0.500000' });
  await desk.place(taker, { price: '64010.00', volume: '0.050000' });
  const placed = await desk.post(taker, 'order/create', { ...TERMS, receipt: 'true' });
  receipt = keep('receipt.json', resultOf<{ receipt: unknown }>(placed).receipt);
  await desk.place(maker, { price: '63000.00' });
  const { pool } = desk.server.ctx.database;
  const { rows } = await pool.query<{ seq: bigint }>('SELECT max(seq) AS seq FROM trading_journal');
  while ((await readProgress(pool, 0)).seq < Number(rows[0]?.seq ?? 0)) await pause(20);
  await signPublicLog(desk.server.ctx);
  key = keep('keys.json', (await send(`${desk.server.baseUrl}/public/signing_keys`)).body);
}, 120_000);
afterAll(async () => {
  await follower.stop();
  await desk.close();
  rmSync(folder, { recursive: true });
});

it('fetches the log of a venue, finds it right, and proves the place of an order in it', async () => {
  const log = path('log.ndjson');
  expect(await fetchLog(desk.server.origin, { out: log })).toBeGreaterThan(5);
  const verdict = await verifyLogFiles([log], { key });
  expect(renderVerdict(verdict)).toContain('RIGHT');
  expect(verdict).toMatchObject({ ok: true, trades: 1, signaturesChecked: true });
  const order = keep('order.json', TERMS);
  const proof = await verifyReceiptFile(receipt, { key, log: [log], order });
  expect(proof.verdict).toMatchObject({ ok: true });
});

it('is told when the order that it asked for is not the one that the receipt speaks of', async () => {
  const other = keep('other.json', { ...TERMS, price: '63000.01' });
  const { verdict } = await verifyReceiptFile(receipt, { key, order: other });
  expect(verdict).toMatchObject({ ok: false });
});
