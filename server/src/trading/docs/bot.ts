/**
 * A whole bot in forty lines. The reference page shows it, the server offers it as a file, and
 * tests run it unchanged.
 */
export const botScript = (baseUrl: string): string => `\
// KEY=svc_key_... SECRET=svc_secret_... node bot.mjs
// Takes the price from the market, places an order, amends and cancels it, buys a little and reads it back.
import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

const BASE = '${baseUrl}';
const { KEY, SECRET } = process.env;
const symbol = 'btcusdt';

async function call(method, path, params = {}) {
  const text = new URLSearchParams({ ...params, timestamp: Date.now() }).toString();
  const signature = createHmac('sha256', SECRET).update(text).digest('hex');
  const headers = { 'X-SVC-APIKEY': KEY, 'X-SVC-SIGNATURE': signature };
  const response = await fetch(BASE + path + '?' + text, { method, headers });
  const { status, result, error } = await response.json();
  if (status === 'true') return result;
  if (response.status !== 429) throw new Error(path + ': ' + error.code + ' ' + error.message);
  // Too many requests in a second: wait as long as the answer says, and sign again.
  await wait(Number(error.details.retryAfterMs));
  return call(method, path, params);
}

// One percent below the best bid, so that the order rests in the book; with the decimals of the market.
const [{ quotePrecision }] = await call('GET', '/public/exchange_info', { symbol });
const [{ bidPrice, askPrice }] = await call('GET', '/public/best_prices', { symbol });
const price = (Number(bidPrice) * 0.99).toFixed(Number(quotePrecision));
console.log('market', bidPrice, 'to', askPrice);

// An id of our own makes it safe to repeat the call when an answer was lost.
const asked = { symbol, side: 'buy', type: 'limit', price, volume: '0.01', clientOrderId: 'bot-' + Date.now() };
const { orderId, status } = await call('POST', '/private/order/create', asked);
console.log('placed', orderId, status, 'at', price);
const again = await call('POST', '/private/order/create', asked);
console.log('repeated', again.orderId, again.orderId === orderId);
const amended = await call('POST', '/private/order/amend', { orderId, volume: '0.008' });
console.log('amended', amended.volume, 'place kept:', amended.keptPriority);
const canceled = await call('DELETE', '/private/order/cancel', { orderId });
console.log('canceled', canceled.status, 'left:', canceled.remainingVolume);

const spend = { symbol, side: 'buy', type: 'market', total: '50', clientOrderId: asked.clientOrderId + '-buy' };
const taken = await call('POST', '/private/order/create', spend);
const bought = await call('GET', '/private/order/get', { orderId: taken.orderId });
console.log('bought', bought.filledVolume, 'for', bought.filledTotal);
for (const trade of bought.trades) console.log('trade', trade.volume, 'at', trade.price, 'fee', trade.fee);
const balances = await call('GET', '/private/account/balances', { omitZero: true });
for (const { coin, available, hold } of balances) console.log(coin, available, 'held', hold);
`;
