import { plural } from '../../i18n/plural.ts';
import { defineTexts, type WriteCount } from '../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    failed: (v: { why: string }) => `Nothing was printed. ${v.why}`,
    printedAt: (v: { count: number; time: string }, n: WriteCount) =>
      plural('en', v.count, {
        one: `1 message, printed ${v.time}`,
        other: `${n(v.count)} messages, printed ${v.time}`,
      }),
    older: (v: { max: number }, n: WriteCount) =>
      `Older messages are left out: a print has the newest ${n(v.max)}.`,
    unloaded:
      'Only the messages that the page had loaded. The menu of the conversation prints more of it.',
  },
  fa: {
    failed: (v) => `چیزی چاپ نشد. ${v.why}`,
    printedAt: (v, n) => `${n(v.count)} پیام، چاپ‌شده در ${v.time}`,
    older: (v, n) => `پیام‌های قدیمی‌تر نیامده‌اند: هر چاپ ${n(v.max)} پیام آخر را دارد.`,
    unloaded: 'فقط پیام‌هایی که صفحه بارگیری کرده بود. فهرست گفت‌وگو بخش بیشتری را چاپ می‌کند.',
  },
});
