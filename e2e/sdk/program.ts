// A program that knows only the SDK. One loop over one queue trades and talks: a message of its own makes it place an order,
// a change of that order makes it write the next message. What it believes at the end goes to standard output.
import { Chat, Trading, type AnyEvent, type Balance, type MyTrade, type Order } from '@rialto/sdk';

/** What the program believes when it ends; the test compares it with the server. */
export interface Beliefs {
  readonly orders: readonly Order[];
  readonly trades: readonly MyTrade[];
  readonly balances: readonly Balance[];
  readonly messages: readonly { readonly id: number; readonly content: string }[];
  /** Times that the queue had to be opened anew. */
  readonly restarts: number;
  /** Requests that failed and were tried again. */
  readonly troubles: number;
}

interface Settings {
  readonly url: string;
  readonly trading: { readonly key: string; readonly secret: string };
  readonly chat: { readonly email: string; readonly apiKey: string };
  readonly channel: string;
  readonly runMs: number;
}

const { url, runMs, channel, ...keys } = JSON.parse(process.env['PROGRAM'] ?? '{}') as Settings;
const retry = { attempts: 1000, totalMs: 60_000, pauseMaxMs: 1000 };
let troubles = 0;
const onAttempt = ({ againInMs }: { readonly againInMs: number | undefined }) => {
  if (againInMs !== undefined) troubles += 1;
};
const trading = new Trading({ url, ...keys.trading, retry, onAttempt });
const chat = new Chat({ url, ...keys.chat, retry, onAttempt });

const orders = new Map<string, Order>();
const trades = new Map<string, MyTrade>();
const balances = new Map<string, Balance>();
const messages = new Map<number, string>();
const untilMs = Date.now() + runMs;
const LAST = 'good night';
let restarts = 0;
let round = 0;
/** The message or order whose event makes the loop go on. */
let awaited = '';

const types = ['message', 'order', 'trade', 'balance'];
for await (const event of chat.events({ types, register: { apply_markdown: false } })) {
  take(event);
  if (event.type === 'started') await begin();
  if (event.type === 'restarted') restarts += 1;
  if (!isAwaited(event)) continue;
  // All that happened before the last message came before it.
  if (awaited === LAST) break;
  await goOn(event);
}

const beliefs: Beliefs = {
  orders: [...orders.values()],
  trades: [...trades.values()],
  balances: [...balances.values()],
  messages: [...messages].map(([id, content]) => ({ id, content })),
  restarts,
  troubles,
};
console.log(JSON.stringify(beliefs));

function take(event: AnyEvent): void {
  const { type } = event as { readonly type: string };
  if (event.type === 'message') messages.set(event.message.id, event.message.content);
  const told = event as unknown as {
    readonly orders?: readonly Order[];
    readonly trades?: readonly MyTrade[];
    readonly balances?: readonly Balance[];
  };
  if (type === 'order') for (const order of told.orders ?? []) orders.set(order.orderId, order);
  if (type === 'trade')
    for (const one of told.trades ?? []) trades.set(`${one.tradeId} ${one.orderId}`, one);
  if (type === 'balance') for (const one of told.balances ?? []) balances.set(one.coin, one);
}

async function begin(): Promise<void> {
  for (const balance of await trading.account.balances()) balances.set(balance.coin, balance);
  await say();
}

async function say(): Promise<void> {
  round += 1;
  awaited = Date.now() > untilMs ? LAST : `round ${round}`;
  await chat.sendMessage({ type: 'stream', to: channel, topic: 'sdk', content: awaited });
}

function isAwaited(event: AnyEvent): boolean {
  if (event.type === 'message') return event.message.content === awaited;
  if ((event as { readonly type: string }).type !== 'order') return false;
  return (event as unknown as { readonly orders: readonly Order[] }).orders.some(
    ({ clientOrderId }) => clientOrderId === awaited,
  );
}

/** One step: an order after a message, a message after an order. */
async function goOn(event: AnyEvent): Promise<void> {
  if (event.type !== 'message') return say();
  awaited = `round-${round}`;
  // By turns it takes from the book and rests in it, on both sides.
  const side = round % 2 === 0 ? 'buy' : 'sell';
  const isTaking = round % 4 < 2;
  const price = (side === 'buy') === isTaking ? '64010.00' : '63990.00';
  const order = { symbol: 'btcusdt', side, type: 'limit', price, volume: '0.001' } as const;
  await trading.order.create({ ...order, clientOrderId: awaited });
  if (round % 5 === 0) await trading.order.cancelAll({ symbol: 'btcusdt' });
}
