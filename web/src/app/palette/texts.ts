import { plural } from '../../i18n/plural.ts';
import { defineTexts, type WriteCount } from '../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'Search or jump',
    close: 'Close the search',
    placeholder: 'A person, channel, topic, market, order, view or command',
    results: (v: { count: number }, n: WriteCount) =>
      plural('en', v.count, { one: '1 result', other: `${n(v.count)} results` }),
    searchFor: (v: { text: string }) => `Search messages for “${v.text}”`,
    person: 'person',
    channel: 'channel',
    topic: 'topic',
    market: 'market',
    order: 'open order',
    buyOrder: (v: { pair: string; volume: string; price: string }) =>
      `Buy ${v.volume} ${v.pair}${v.price === '' ? '' : ` at ${v.price}`}`,
    sellOrder: (v: { pair: string; volume: string; price: string }) =>
      `Sell ${v.volume} ${v.pair}${v.price === '' ? '' : ` at ${v.price}`}`,
    view: 'view',
    command: 'command',
    onlyPeople: 'people',
    onlyChannels: 'channels and topics',
    onlyMarkets: 'markets and orders',
    onlyCommands: 'views and commands',
  },
  fa: {
    title: 'جست‌وجو یا پرش',
    close: 'بستن جست‌وجو',
    placeholder: 'فرد، کانال، موضوع، بازار، سفارش، نما یا فرمان',
    results: (v, n) => `${n(v.count)} نتیجه`,
    searchFor: (v) => `جست‌وجوی «${v.text}» در پیام‌ها`,
    person: 'فرد',
    channel: 'کانال',
    topic: 'موضوع',
    market: 'بازار',
    order: 'سفارش باز',
    buyOrder: (v) => `خرید ${v.volume} ${v.pair}${v.price === '' ? '' : ` به قیمت ${v.price}`}`,
    sellOrder: (v) => `فروش ${v.volume} ${v.pair}${v.price === '' ? '' : ` به قیمت ${v.price}`}`,
    view: 'نما',
    command: 'فرمان',
    onlyPeople: 'افراد',
    onlyChannels: 'کانال‌ها و موضوع‌ها',
    onlyMarkets: 'بازارها و سفارش‌ها',
    onlyCommands: 'نماها و فرمان‌ها',
  },
});
