// Posts to a topic whenever the price crosses a level.
//
//   RIALTO=http://127.0.0.1:8080 CHAT_USER=you@example.com:key node packages/sdk/examples/price-alert.ts
//
// LEVELS=64000,65000 sets the levels; without it they are drawn close around the present price, so that an alert soon comes.
import { Chat, decimal, Streams } from '@rialto/sdk';
import { chatUser, setting, symbol, untilInterrupted, url } from './settings.ts';

const chat = new Chat({ url, ...chatUser() });
const streams = new Streams({ url });
untilInterrupted().addEventListener('abort', () => void streams.close());

let levels = (process.env['LEVELS'] ?? '').split(',').filter((level) => level !== '');
let before: string | undefined;

for await (const event of streams.subscribe(`trades:${symbol}`)) {
  // After a slow moment trades may be missing; the next one tells the price all the same.
  if (event.type !== 'snapshot' && event.type !== 'update') continue;
  for (const { price } of event.type === 'snapshot' ? event.data.slice(0, 1) : event.data) {
    if (before === undefined && levels.length === 0) levels = levelsAround(price);
    if (before === undefined)
      console.log(`${symbol} is at ${price}; watching ${levels.join(', ')}`);
    for (const level of levels) await alertIfCrossed(level, before ?? price, price);
    before = price;
  }
}

async function alertIfCrossed(level: string, from: string, to: string): Promise<void> {
  const wasAbove = decimal.compare(from, level) >= 0;
  const isAbove = decimal.compare(to, level) >= 0;
  if (wasAbove === isAbove) return;
  const content = `**${symbol}** went ${isAbove ? 'above' : 'below'} ${level}: the last trade was at ${to}.`;
  await chat.sendMessage({
    type: 'stream',
    to: setting('CHANNEL', 'market-news'),
    topic: setting('TOPIC', `${symbol} alerts`),
    content,
  });
  console.log(content);
}

/** Every 0.01 percent, five each way. */
function levelsAround(price: string): string[] {
  const step = decimal.multiply(price, '0.0001');
  return Array.from({ length: 11 }, (_, at) =>
    decimal.roundDown(decimal.add(price, decimal.multiply(step, String(at - 5))), '0.01'),
  );
}
