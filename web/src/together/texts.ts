import { defineTexts } from '../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    trade: (v: { pair: string }) => `Trade ${v.pair}`,
    atSend: (v: { pair: string; price: string }) =>
      `${v.pair} cost ${v.price} when this was sent: the last price of the minute before.`,
  },
  fa: {
    trade: (v) => `معاملهٔ ${v.pair}`,
    atSend: (v) =>
      `هنگام فرستادن این پیام قیمت ${v.pair} ${v.price} بود: آخرین قیمت دقیقهٔ پیش از آن.`,
  },
});
