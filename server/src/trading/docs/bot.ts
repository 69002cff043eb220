/** A whole bot in forty lines, which the reference page shows and a test runs as it stands there. */
export const botScript = (baseUrl: string): string => `\
// node bot.mjs: places an order, has it partly filled, amends it, cancels it and reads it back.
import { createHmac } from 'node:crypto';

const BASE = '${baseUrl}';
const maker = { key: 'svc_key_...', secret: 'svc_secret_...' };
const taker = { key: 'svc_key_....', secret: 'svc_secret_....' }; // of another account
const [symbol, price] = ['btcusdt', '64000.00'];

async function call(who, method, path, params = {}) {
  const text = new URLSearchParams({ ...params, timestamp: Date.now() }).toString();
  const signature = createHmac('sha256', who.secret).update(text).digest('hex');
  const headers = { 'X-SVC-APIKEY': who.key, 'X-SVC-SIGNATURE': signature };
  const response = await fetch(BASE + path + '?' + text, { method, headers });
  const { status, result, error } = await response.json();
  if (status !== 'true') throw new Error(path + ': ' + error.code + ' ' + error.message);
  return result;
}

// An id of our own makes it safe to repeat the call when an answer was lost.
const terms = { symbol, price, type: 'limit', clientOrderId: 'bot-' + Date.now() };
const asked = { ...terms, side: 'sell', volume: '0.010000' };
const order = await call(maker, 'POST', '/private/order/create', asked);
console.log('placed', order.orderId, order.status);
const again = await call(maker, 'POST', '/private/order/create', asked);
console.log('repeated', again.orderId, again.orderId === order.orderId);

await call(taker, 'POST', '/private/order/create', { ...terms, side: 'buy', volume: '0.004000' });
const { orderId } = order;
const partly = await call(maker, 'GET', '/private/order/get', { orderId });
console.log('traded', partly.status, partly.filledVolume, 'at', partly.averagePrice);

const amended = await call(maker, 'POST', '/private/order/amend', { orderId, volume: '0.008000' });
console.log('amended', amended.volume, 'place kept:', amended.keptPriority);
const canceled = await call(maker, 'DELETE', '/private/order/cancel', { orderId });
console.log('canceled', canceled.status, 'left:', canceled.remainingVolume);

const { items } = await call(maker, 'GET', '/private/order/trades', { orderId });
for (const trade of items) console.log('trade', trade.volume, trade.total, 'fee', trade.fee);
const balances = await call(maker, 'GET', '/private/account/balances', { omitZero: true });
for (const { coin, available, hold } of balances) console.log(coin, available, 'held', hold);
`;
