// The public log through the door that strangers use, and receipts beside it.
import {
  chainHash,
  checkReceipt,
  parametersHash,
  readKeyRing,
  sha256Hex,
  verifyHead,
  verifyLog,
  verifyReceipt,
  ZERO_HASH,
  type AskedTerms,
  type KeyRing,
  type Receipt,
  type SignedHead,
} from '@rialto/public-log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeyPair } from '../../accounts/audit/head.ts';
import { pause } from '../../platform/std/wait.ts';
import {
  codeOf,
  LIMIT,
  openDesk,
  resultOf,
  type Desk,
  type Params,
} from '../../testing/trading/desk.ts';
import { send, type Trader } from '../../testing/trader.ts';
import type { Order } from '../orders/order.ts';
import { startFollower, type Follower } from './follower.ts';
import { signPublicLog } from './heads.ts';
import { readProgress } from './store.ts';

interface Page {
  items: Array<{ text: string; hash: string }>;
  nextSeq: string;
  head: SignedHead | null;
}
type Placed = Order & { receipt?: Receipt };

let desk: Desk;
let follower: Follower;
let maker: Trader;
let taker: Trader;
let keys: KeyRing;
/** Everything that the log must never show. */
const secrets: string[] = [];

const ask = (path: string, query = '') => send(`${desk.server.baseUrl}/public/${path}${query}`);

async function caughtUp(): Promise<void> {
  const { pool } = desk.server.ctx.database;
  const { rows } = await pool.query<{ seq: bigint }>('SELECT max(seq) AS seq FROM trading_journal');
  // Journal rows come in while it waits; those from before the call are enough.
  while ((await readProgress(pool, 0)).seq < Number(rows[0]?.seq ?? 0)) await pause(20);
}

async function download(limit = 7): Promise<Page['items']> {
  const items: Page['items'] = [];
  for (let fromSeq = '1'; ;) {
    const page = resultOf<Page>(await ask('event_log', `?fromSeq=${fromSeq}&limit=${limit}`));
    if (page.items.length === 0) return items;
    items.push(...page.items);
    fromSeq = page.nextSeq;
    if (page.head !== null) expect(verifyHead(page.head, keys)).toBeUndefined();
  }
}

/** The log in the form of a file, with its newest head. */
async function toFile(): Promise<string[]> {
  const lines: string[] = [];
  for (let fromSeq = '1'; ;) {
    const page = resultOf<Page>(await ask('event_log', `?fromSeq=${fromSeq}&limit=13`));
    if (page.items.length === 0) break;
    for (const item of page.items) {
      lines.push(JSON.stringify(item));
      const { seq, type } = JSON.parse(item.text) as Record<string, string>;
      if (type === 'checkpoint') {
        const answer = await ask('event_log/checkpoint', `?beforeSeq=${seq}`);
        lines.push(JSON.stringify({ book: resultOf<{ book: string }>(answer).book }));
      }
    }
    fromSeq = page.nextSeq;
  }
  lines.push(JSON.stringify({ head: resultOf(await ask('event_log/head')) }));
  return lines;
}

beforeAll(async () => {
  const { privateKey } = createKeyPair();
  desk = await openDesk({ settings: { PUBLIC_SIGNING_KEY: privateKey } }, { phase: 'continuous' });
  follower = startFollower(desk.server.ctx);
  maker = await desk.trader();
  taker = await desk.trader();
  keys = readKeyRing(JSON.stringify(resultOf(await ask('signing_keys'))));
  const place = async (trader: Trader, params: Params) => {
    const order = await desk.place(trader, params);
    if (order.clientOrderId !== '') secrets.push(order.clientOrderId);
    return order;
  };
  // An iceberg of 0.913, of which 0.1 shows.
  const iceberg = { price: '64010.00', volume: '0.913000', visibleVolume: '0.100000' };
  secrets.push('0.913');
  await place(maker, { side: 'sell', ...iceberg, clientOrderId: 'whale-berg-1' });
  await place(maker, { side: 'sell', price: '64011.00', clientOrderId: 'whale-small-2' });
  for (let n = 0; n < 5; n += 1) {
    await place(taker, { price: '64010.00', volume: '0.050000', clientOrderId: `hungry-${n}` });
    await place(taker, { price: '63000.00', clientOrderId: `patient-${n}` });
  }
  await desk.delete(taker, 'order/cancel', { clientOrderId: 'patient-2' });
  await desk.venue.setPhase('ethusdt', 'post_only');
  await caughtUp();
  await signPublicLog(desk.server.ctx);
}, 120_000);
afterAll(async () => {
  await follower.stop();
  await desk.close();
});

describe('a stranger', () => {
  it('reads the log without a key, gapless and chained, in pages of any size', async () => {
    const items = await download();
    let hash = ZERO_HASH;
    for (const [index, item] of items.entries()) {
      expect(JSON.parse(item.text)).toMatchObject({ seq: String(index + 1) });
      hash = chainHash(hash, item.text);
      expect(item.hash).toBe(hash);
    }
    const types = new Set(items.map(({ text }) => (JSON.parse(text) as { type: string }).type));
    expect([...types].sort()).toEqual(
      expect.arrayContaining(['add', 'checkpoint', 'market_phase', 'remove', 'trade']),
    );
    expect(await download(1000)).toEqual(items);
    const head = resultOf<SignedHead>(await ask('event_log/head'));
    expect(head).toMatchObject({ hash, seq: String(items.length) });
    expect(verifyHead(head, keys)).toBeUndefined();
  });

  it('verifies the log that it has downloaded, and finds what was changed in it', async () => {
    const lines = await toFile();
    const verdict = verifyLog(lines, { keys });
    expect(verdict).toMatchObject({ ok: true, signaturesChecked: true, heads: 1 });
    expect(verdict.ok && verdict.trades).toBeGreaterThanOrEqual(5);
    expect(verdict.ok && verdict.headSeq === verdict.lastSeq).toBe(true);
    const at = lines.findIndex((line) => line.includes('\\"type\\":\\"trade\\"'));
    const forged = lines.with(at, (lines[at] ?? '').replace('64010.00', '64009.00'));
    expect(verifyLog(forged, { keys })).toMatchObject({ ok: false, line: at + 1 });
  });

  it('learns no account, no client id and no hidden volume', async () => {
    const accounts = [maker, taker].map(({ accountId }) => String(accountId));
    const items = await download(1000);
    const checkpoint = await ask('event_log/checkpoint');
    const all = items.map(({ text }) => text).join('\n') + checkpoint.text;
    for (const secret of secrets) expect(all).not.toContain(secret);
    expect(secrets.length).toBeGreaterThan(10);
    const counted = new Set('seq time engineSeq orderId tradeId buyOrderId sellOrderId'.split(' '));
    for (const { text } of items) {
      const members = Object.entries(JSON.parse(text) as Record<string, string>);
      expect(members.filter(([name]) => /account|client|owner|user/i.test(name))).toEqual([]);
      const named = members.filter(([name]) => !counted.has(name)).map(([, value]) => value);
      for (const account of accounts) expect(named).not.toContain(account);
    }
  });

  it('gets a checkpoint with the books that its event vouches for', async () => {
    const found = resultOf<{ seq: string; text: string; hash: string; book: string }>(
      await ask('event_log/checkpoint', '?beforeSeq=1'),
    );
    expect(found.seq).toBe('1');
    expect(JSON.parse(found.text)).toMatchObject({ bookHash: sha256Hex(found.book) });
  });

  it('may keep for ever what never changes, and nothing else', async () => {
    const cacheOf = async (query: string) =>
      (await ask('event_log', query)).headers.get('cache-control');
    expect(await cacheOf('?fromSeq=1&limit=5')).toBe('private, max-age=31536000, immutable');
    // Not full: more may follow.
    expect(await cacheOf('?fromSeq=1&limit=1000')).toBe('no-store');
    expect((await ask('event_log/head')).headers.get('cache-control')).toBe('no-store');
  });

  it.each([
    ['event_log', '?fromSeq=0', '2003'],
    ['event_log', '?fromSeq=-1', '2003'],
    ['event_log', '?fromSeq=99999999999999999999', '2003'],
    ['event_log', '?fromSeq=1.5', '2002'],
    ['event_log', '?fromSeq=first', '2002'],
    ['event_log', '?limit=0', '2003'],
    ['event_log', '?limit=1001', '2003'],
    ['event_log/checkpoint', '?beforeSeq=0', '2003'],
    ['event_log/head', '?seq=-3', '2003'],
  ])('%s%s is refused with %s', async (path, query, code) => {
    expect(codeOf(await ask(path, query))).toBe(code);
  });

  it('gets an empty page behind the end, also far behind it', async () => {
    for (const far of ['100000', '999999999999999']) {
      const page = resultOf<Page>(await ask('event_log', `?fromSeq=${far}&limit=1000`));
      expect(page).toEqual({ items: [], nextSeq: far, head: null });
    }
    expect(resultOf(await ask('event_log/head', '?seq=999999999999999'))).toBeNull();
  });
});

describe('a receipt', () => {
  const asked: Params = { price: '62000.00', volume: '0.010000', clientOrderId: 'with-receipt' };

  const termsOf = (params: Params) => ({ ...LIMIT, ...params }) as AskedTerms;

  it('comes with the answer that it was asked for, and is the same whenever it is asked again', async () => {
    const order = (await desk.place(maker, { ...asked, receipt: 'true' })) as Placed;
    const { receipt } = order;
    expect(receipt).toMatchObject({
      accountId: String(maker.accountId),
      clientOrderId: 'with-receipt',
      orderId: order.orderId,
      engineSeq: order.engineSeq,
      time: order.createdAt,
      parametersHash: parametersHash(termsOf(asked)),
    });
    expect(checkReceipt(receipt as Receipt, keys, termsOf(asked))).toBeUndefined();
    const other = termsOf({ ...asked, price: '62000.01' });
    expect(checkReceipt(receipt as Receipt, keys, other)).toContain('other terms');

    // The same again, written a little differently, after the order has changed.
    const { orderId } = order;
    expect(codeOf(await desk.post(maker, 'order/amend', { orderId, volume: '0.009' }))).toBe('');
    const again = (await desk.place(maker, {
      ...asked,
      price: '62000.0',
      timeInForce: 'GTC',
      receipt: 'true',
    })) as Placed;
    expect(again.receipt).toEqual(receipt);
    expect(again.volume).toBe('0.009000');
    for (const name of [{ orderId }, { clientOrderId: 'with-receipt' }]) {
      expect(resultOf(await desk.get(maker, 'order/receipt', name))).toEqual(receipt);
    }
  });

  it('names the event of the public log that shows the order', async () => {
    const order = (await desk.place(maker, { price: '61999.00', receipt: 'true' })) as Placed;
    await caughtUp();
    await signPublicLog(desk.server.ctx);
    const terms = termsOf({ price: '61999.00' });
    const log = await toFile();
    const verdict = verifyReceipt(order.receipt as Receipt, keys, log, terms);
    expect(verdict).toMatchObject({ ok: true });
    expect(JSON.stringify(verdict)).toContain('joined the queue to buy at 61999.00');
    const later = { ...(order.receipt as Receipt), engineSeq: '1' };
    expect(verifyReceipt(later, keys, log)).toMatchObject({ ok: false });
  });

  it.each<[string, Params]>([
    ['market by total', { type: 'market', total: '50', price: '', volume: '' }],
    ['iceberg', { price: '61000', volume: '1', visibleVolume: '0.1', side: 'buy' }],
    ['good till date', { price: '61001.5', timeInForce: 'GTD', expireTime: 'soon' }],
    ['post only', { price: '61002', postOnly: 'true', stpMode: 'decrement' }],
    ['stop limit', { type: 'stop_limit', stopPrice: '70000', price: '70001.10' }],
    ['immediate', { price: '64011', timeInForce: 'IOC', volume: '0.001' }],
  ])('is recalled exactly for a %s order', async (name, terms) => {
    const params: Record<string, string> = { ...terms, clientOrderId: name.replaceAll(' ', '-') };
    if (params['expireTime'] === 'soon') params['expireTime'] = String(Date.now() + 3_600_000);
    const given = Object.fromEntries(
      Object.entries({ ...LIMIT, ...params, receipt: 'true' }).filter(([, value]) => value !== ''),
    );
    const { receipt, orderId } = resultOf<Placed>(await desk.post(taker, 'order/create', given));
    expect(checkReceipt(receipt as Receipt, keys, given as AskedTerms)).toBeUndefined();
    expect(resultOf(await desk.get(taker, 'order/receipt', { orderId }))).toEqual(receipt);
  });

  it('comes for each order of a batch that asks for it, and for no other', async () => {
    const orders = [
      { ...LIMIT, price: '60000.00', receipt: true },
      { ...LIMIT, price: '60001.00' },
    ];
    const items = resultOf<Array<{ order: Placed }>>(
      await desk.post(maker, 'order/create_batch', { orders: JSON.stringify(orders) }),
    );
    const [first, second] = items.map(({ order }) => order);
    expect(checkReceipt(first?.receipt as Receipt, keys, orders[0] as AskedTerms)).toBeUndefined();
    expect(first?.receipt?.engineSeq).toBe(first?.engineSeq);
    expect(second).not.toHaveProperty('receipt');
  });

  it("is not given for somebody else's order, nor for one without a client id", async () => {
    const clientOrderId = 'of-the-maker';
    const own = await desk.place(maker, { price: '60002.00', clientOrderId });
    for (const name of [{ orderId: own.orderId }, { clientOrderId }]) {
      expect(codeOf(await desk.get(taker, 'order/receipt', name))).toBe('4011');
    }
    const { orderId } = await desk.place(maker, { price: '60003.00' });
    const refused = await desk.get(maker, 'order/receipt', { orderId });
    expect(codeOf(refused)).toBe('2010');
    expect(refused.body.error?.message).toContain('clientOrderId');
    expect(codeOf(await desk.get(maker, 'order/receipt'))).toBe('2001');
  });
});

describe('without a key', () => {
  it('nothing is placed that wants a receipt, and the refusal says what to do', async () => {
    const plain = await openDesk({}, { phase: 'continuous' });
    try {
      const trader = await plain.trader();
      const params = { ...LIMIT, clientOrderId: 'mine', receipt: 'true' };
      for (const path of ['order/create', 'order/test']) {
        const refused = await plain.post(trader, path, params);
        expect(codeOf(refused)).toBe('2010');
        expect(refused.body.error?.message).toContain('PUBLIC_SIGNING_KEY');
      }
      expect(resultOf(await plain.get(trader, 'order/open'))).toEqual([]);
      await plain.place(trader, { clientOrderId: 'mine' });
      const name = { clientOrderId: 'mine' };
      expect(codeOf(await plain.get(trader, 'order/receipt', name))).toBe('2010');
      expect(resultOf(await send(`${plain.server.baseUrl}/public/signing_keys`))).toEqual([]);
    } finally {
      await plain.close();
    }
  }, 60_000);
});
