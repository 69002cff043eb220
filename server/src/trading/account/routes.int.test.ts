import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { liveVenue, type LiveVenue } from '../../testing/live-venue.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { send, type Trader } from '../../testing/trader.ts';
import { startProjector, type Projector } from '../projections/projector.ts';

let server: TestServer;
let projector: Projector;
let venue: LiveVenue;
let trader: Trader;
beforeAll(async () => {
  server = await startTestServer({
    withEngine: true,
    settings: { TRADING_RATE_LIMIT: '100000' },
  });
  projector = startProjector(server.ctx);
  venue = await liveVenue(server);
  trader = await venue.trader({ usdt: '1821.65' }, { permissions: ['read', 'trade'] });
  await venue.trader({ xrp: '7' });
  await trader.call(`${server.baseUrl}/private/order/create`, {
    method: 'POST',
    params: {
      symbol: 'btcusdt',
      side: 'buy',
      type: 'limit',
      price: '64280.00',
      volume: '0.005',
    },
  });
  await get('ledger');
  // Seen on its chain but not confirmed: only custody knows of it, not the engine.
  await server.owner.query(
    `INSERT INTO custody_networks (network, identity, scanned_height, scanned_hash, tip_height, tip_hash)
     VALUES ('ETH', '1/0x00', 1, '0x01', 1, '0x01')`,
  );
  await server.owner.query(
    `INSERT INTO custody_transfers (network, txid, place, coin, account_id, address, units, amount,
                                    needed, height, block_hash, seen_height, status)
     VALUES ('ETH', '0x02', 'n', 'eth', $1, '0x03', 1, 1, 12, 1, '0x01', 1, 'confirming')`,
    [trader.accountId],
  );
});
afterAll(async () => {
  await projector.stop();
  await server.close();
});

const get = async (path: string, params: Record<string, string> = {}) =>
  (await trader.call(`${server.baseUrl}/private/account/${path}`, { params })).body;

describe('balances', () => {
  const usdt = {
    coin: 'usdt',
    available: '1500.25',
    hold: '321.4',
    pendingDeposit: '0',
    pendingWithdraw: '0',
    total: '1821.65',
    updatedAt: expect.stringMatching(/^\d{13}$/) as string,
  };

  it('are the account’s own, for every coin, as texts without trailing zeros [T005] [T007]', async () => {
    const { status, result } = await get('balances');
    expect(status).toBe('true');
    const balances = result as (typeof usdt)[];
    expect(balances.map(({ coin }) => coin)).toEqual(['btc', 'eth', 'irt', 'usdt', 'xrp']);
    expect(balances[3]).toEqual(usdt);
    expect(balances[4]).toEqual({
      coin: 'xrp',
      available: '0',
      hold: '0',
      pendingDeposit: '0',
      pendingWithdraw: '0',
      total: '0',
      updatedAt: '',
    });
  });

  it('of one coin are a list of one, whatever its letter case', async () => {
    expect((await get('balances', { coin: 'USDT' })).result).toEqual([usdt]);
    expect((await get('balances', { coin: 'irt' })).result).toHaveLength(1);
    expect((await get('balances', { coin: 'doge' })).error).toMatchObject({
      code: '4002',
      details: { parameter: 'coin', value: 'doge' },
    });
  });

  it('leave out empty balances when asked to, but not money on its way', async () => {
    const coins = async (omitZero: string) =>
      ((await get('balances', { omitZero })).result as { coin: string }[]).map(({ coin }) => coin);
    expect(await coins('true')).toEqual(['eth', 'usdt']);
    expect(await coins('false')).toHaveLength(5);
    const [eth] = (await get('balances', { coin: 'eth' })).result as (typeof usdt)[];
    expect(eth).toMatchObject({ pendingDeposit: '0.000000000000000001', total: '0' });
    expect((await get('balances', { omitZero: 'yes' })).error?.code).toBe('2002');
  });
});

describe('info', () => {
  it('describes the account itself', async () => {
    expect((await get('info')).result).toEqual({
      accountId: String(trader.accountId),
      parentAccountId: '',
      permissions: ['read', 'trade'],
      feeTier: '0',
      feeTierComputedAt: '',
      makerFee: '0.001',
      takerFee: '0.0015',
      volume30d: '0',
      canTrade: true,
      canDeposit: true,
      canWithdraw: true,
      stpScope: 'account',
      withdrawFreezeUntil: '',
      createdAt: expect.stringMatching(/^\d{13}$/) as string,
    });
  });

  it('shows a freeze of withdrawals while it lasts', async () => {
    const freeze = (until: Date) =>
      // No code of the server sets one yet, so the server's role may not.
      server.owner.query('UPDATE trading_accounts SET withdraw_freeze_until = $1 WHERE id = $2', [
        until,
        trader.accountId,
      ]);
    const until = new Date(Date.now() + 86_400_000);
    await freeze(until);
    expect((await get('info')).result).toMatchObject({
      canTrade: true,
      canWithdraw: false,
      withdrawFreezeUntil: String(until.getTime()),
    });
    await freeze(new Date(Date.now() - 1000));
    expect((await get('info')).result).toMatchObject({
      canWithdraw: true,
      withdrawFreezeUntil: '',
    });
  });
});

describe('fees', () => {
  it('are those of the tier, for every listed market or for one', async () => {
    const fee = { makerFee: '0.001', takerFee: '0.0015', feeSide: 'received', tier: '0' };
    expect((await get('fees')).result).toEqual(
      ['btcirt', 'btcusdt', 'ethusdt'].map((symbol) => ({ symbol, ...fee })),
    );
    expect((await get('fees', { symbol: 'BTCUSDT' })).result).toEqual([
      { symbol: 'btcusdt', ...fee },
    ]);
    expect((await get('fees', { symbol: 'xrpusdt' })).error?.code).toBe('4001');
  });

  it('are public as tiers', async () => {
    const { body } = await send(`${server.baseUrl}/public/fees`);
    expect(body.result).toEqual([
      { tier: '0', minVolume30d: '0', makerFee: '0.001', takerFee: '0.0015' },
    ]);
  });
});

it('rate_limits shows the limits in force and their use, this request included', async () => {
  const { result } = await get('rate_limits');
  const row = {
    limit: '100000',
    windowMs: '1000',
    used: expect.stringMatching(/^[1-9]\d*$/) as string,
    remaining: expect.stringMatching(/^\d+$/) as string,
    resetAt: expect.stringMatching(/^\d{13}$/) as string,
  };
  expect(result).toEqual([
    { scope: 'address', ...row },
    { scope: 'account', ...row },
  ]);
});
