import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'Your part of the proof',
    about:
      'The venue publishes what it owes as a tree of sums, and what it holds on chains. Your sum is one leaf of that tree. Your browser has just followed it up to the published root.',
    none: 'There is no publication with your account yet. The venue makes one from time to time.',
    notLoaded: 'The proof could not be loaded.',
    published: (v: { id: string; time: string }) => `Publication ${v.id}, ${v.time}`,
    yours: 'Yours',
    owed: 'Owed in all',
    held: 'Held on chains',
    verdict: 'Verdict',
    right: 'In the published sum',
    wrong: 'Not in the published sum',
    wrongWhy: 'Something is wrong. Save the proof, and ask the venue: this must not happen.',
    compare:
      'Compare “Yours” with what you had at that time. The file can be checked without this page and without a connection:',
    save: 'Save proof',
    public: 'Open the public page',
  },
  fa: {
    title: 'سهم شما در اثبات',
    about:
      'این بازار بدهی خود را به شکل درختی از جمع‌ها و دارایی خود را روی زنجیره‌ها منتشر می‌کند. موجودی شما یک برگ آن درخت است. مرورگر شما همین حالا آن را تا ریشهٔ منتشرشده دنبال کرد.',
    none: 'هنوز انتشاری با حساب شما نیست. بازار هر چند وقت یک بار انتشاری می‌سازد.',
    notLoaded: 'اثبات بارگیری نشد.',
    published: (v: { id: string; time: string }) => `انتشار ${v.id}، ${v.time}`,
    yours: 'از آن شما',
    owed: 'کل بدهی',
    held: 'روی زنجیره‌ها',
    verdict: 'نتیجه',
    right: 'در جمع منتشرشده هست',
    wrong: 'در جمع منتشرشده نیست',
    wrongWhy: 'چیزی درست نیست. اثبات را ذخیره کنید و از بازار بپرسید: این نباید رخ دهد.',
    compare:
      'ستون «از آن شما» را با آنچه در آن زمان داشتید مقایسه کنید. این پرونده را بدون این صفحه و بدون اتصال هم می‌توان بررسی کرد:',
    save: 'ذخیرهٔ اثبات',
    public: 'باز کردن صفحهٔ همگانی',
  },
});
