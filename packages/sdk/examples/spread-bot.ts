// A chat bot that answers with the spread when it is mentioned: "@**Desk Bot** ethusdt".
//
//   CHAT_USER=bot@rialto.example:key node packages/sdk/examples/spread-bot.ts
import { Chat, LiveBook, Streams, Trading } from '@rialto/sdk';
import { chatUser, symbol, untilInterrupted, url } from './settings.ts';

const chat = new Chat({ url, ...chatUser() });
const streams = new Streams({ url });
const signal = untilInterrupted();
const markets = await new Trading({ url }).public.exchangeInfo();
/** A book that was asked for once is followed from then on. */
const books = new Map<string, LiveBook>();

try {
  for await (const event of chat.events({
    types: ['message'],
    register: { apply_markdown: false },
    signal,
  })) {
    if (event.type === 'started') console.log('listening');
    if (event.type !== 'message' || !event.flags.includes('mentioned')) continue;
    const { message } = event;
    const words = message.content.toLowerCase().split(/[^a-z0-9]+/);
    const asked = markets.find((market) => words.includes(market.symbol))?.symbol ?? symbol;
    const content = await describe(asked);
    if (message.type === 'stream') {
      const to = String(message.stream_id);
      await chat.sendMessage({ type: 'stream', to, topic: message.subject, content });
    } else {
      await chat.sendMessage({ type: 'direct', to: `[${message.sender_id}]`, content });
    }
    console.log(content);
  }
} catch (error) {
  if (!signal.aborted) throw error;
} finally {
  await streams.close();
}

async function describe(name: string): Promise<string> {
  const book = books.get(name) ?? new LiveBook(streams, name);
  books.set(name, book);
  const { spread, bestBid, bestAsk } = await book.ready;
  if (spread === undefined) return `The book of **${name}** has an empty side.`;
  return `The spread of **${name}** is ${spread}: ${bestBid?.price} to ${bestAsk?.price}.`;
}
