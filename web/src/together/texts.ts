import { defineTexts } from '../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    buy: (v: { pair: string; volume: string; price: string }) =>
      `Buy ${v.volume} ${v.pair}${v.price === '' ? '' : ` at ${v.price}`}`,
    sell: (v: { pair: string; volume: string; price: string }) =>
      `Sell ${v.volume} ${v.pair}${v.price === '' ? '' : ` at ${v.price}`}`,
    trade: (v: { pair: string }) => `Trade ${v.pair}`,
    atSend: (v: { pair: string; price: string }) =>
      `${v.pair} cost ${v.price} when this was sent: the last price of the minute before.`,
  },
  fa: {
    buy: (v) => `خرید ${v.volume} ${v.pair}${v.price === '' ? '' : ` به قیمت ${v.price}`}`,
    sell: (v) => `فروش ${v.volume} ${v.pair}${v.price === '' ? '' : ` به قیمت ${v.price}`}`,
    trade: (v) => `معاملهٔ ${v.pair}`,
    atSend: (v) =>
      `هنگام فرستادن این پیام قیمت ${v.pair} ${v.price} بود: آخرین قیمت دقیقهٔ پیش از آن.`,
  },
});
