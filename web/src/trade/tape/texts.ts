// What the list of trades says.
import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'Trades',
    list: (v: { market: string }) => `Last trades of ${v.market}`,
    time: 'Time',
    price: (v: { unit: string }) => `Price (${v.unit})`,
    size: (v: { unit: string }) => `Size (${v.unit})`,
    bought: 'bought',
    sold: 'sold',
    none: 'Nothing has been traded here yet.',
  },
  fa: {
    title: 'معاملات',
    list: (v) => `آخرین معاملات ${v.market}`,
    time: 'زمان',
    price: (v) => `قیمت (${v.unit})`,
    size: (v) => `اندازه (${v.unit})`,
    bought: 'خرید',
    sold: 'فروش',
    none: 'هنوز چیزی اینجا معامله نشده است.',
  },
});
