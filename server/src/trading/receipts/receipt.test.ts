import { generateKeyPairSync } from 'node:crypto';
import { checkReceipt, parametersText, toSigningKey, type KeyRing } from '@rialto/public-log';
import type { Order } from '@rialto/matching';
import { expect, it } from 'vitest';
import type { KeptTerms, NewOrder } from '../orders/terms.ts';
import { makeReceipt, termsOfKept, termsOfRequest } from './receipt.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const KEYS: KeyRing = new Map([[toSigningKey(publicKey).keyId, publicKey]]);

const NAMED = { symbol: 'btcusdt', side: 'buy' } as const;
const ASKED: NewOrder = { ...NAMED, type: 'limit', price: '64250.10', volume: '0.015000' };
const KEPT: KeptTerms = {
  symbol: 'btcusdt',
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  postOnly: false,
  stpMode: '',
  priceDecimals: 2,
  volumeDecimals: 6,
  price: 6_425_010n,
  stopPrice: 0n,
  volume: 15_000n,
  visibleVolume: 0n,
  total: 0n,
  expireMs: 0n,
  trailingDelta: 0,
  orderListId: 0n,
};

it.each<[string, NewOrder, Partial<KeptTerms>]>([
  ['a limit order', ASKED, {}],
  ['one with its defaults written out', { ...ASKED, timeInForce: 'GTC', postOnly: false }, {}],
  ['one with other zeros', { ...ASKED, price: '064250.1', volume: '0.015' }, {}],
  ['an iceberg', { ...ASKED, visibleVolume: '0.001' }, { visibleVolume: 1000n }],
  [
    'an order with a date',
    { ...ASKED, timeInForce: 'GTD', expireTime: 7 },
    { timeInForce: 'GTD', expireMs: 7n },
  ],
  ['one with a mode', { ...ASKED, stpMode: 'decrement' }, { stpMode: 'decrement' }],
  [
    'a market order by total',
    { ...NAMED, type: 'market', total: '500.50' },
    { type: 'market', timeInForce: '', price: 0n, volume: 0n, total: 5005n * 10n ** 17n },
  ],
])('the terms of %s are the same from the request and from what is kept', (_, asked, kept) => {
  expect(parametersText(termsOfKept({ ...KEPT, ...kept }))).toBe(
    parametersText(termsOfRequest(asked)),
  );
});

it('a trailing stop with a price is a limit order that is good till canceled', () => {
  const type = 'trailing_stop';
  const kept = { ...KEPT, type, trailingDelta: 150 };
  const limit = { ...ASKED, type, trailingDelta: 150 } as const;
  expect(parametersText(termsOfRequest(limit))).toBe(parametersText(termsOfKept(kept)));
  const market = { ...NAMED, type, volume: '0.015000', trailingDelta: 150 } as const;
  const keptMarket = { ...kept, price: 0n, timeInForce: '' };
  expect(parametersText(termsOfRequest(market))).toBe(parametersText(termsOfKept(keptMarket)));
});

it('a receipt speaks of the event that took the order, not of the last that changed it', () => {
  const order = { account: 7, clientOrderId: 'a/1', orderId: 42, createdAt: 99, engineSeq: 1000 };
  const taken = { order: order as Order, acceptedSeq: 900 };
  const receipt = makeReceipt(privateKey, taken, termsOfRequest(ASKED));
  expect(receipt).toMatchObject({ accountId: '7', orderId: '42', engineSeq: '900', time: '99' });
  expect(checkReceipt(receipt, KEYS, termsOfRequest(ASKED))).toBeUndefined();
  expect(checkReceipt({ ...receipt, engineSeq: '899' }, KEYS)).toContain('signature');
});
