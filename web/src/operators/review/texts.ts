import { plural } from '../../i18n/plural.ts';
import { defineTexts, type WriteCount } from '../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    review: 'Review',
    changes: 'What is sent',
    before: 'Before:',
    after: 'Now:',
    empty: 'nothing',
    ready: (v: { count: number }, n: WriteCount) =>
      plural('en', v.count, {
        one: '1 value is sent. You see it once more before it is.',
        other: `${n(v.count)} values are sent. You see them once more before they are.`,
      }),
    missing: (v: { field: string }) => `“${v.field}” is missing.`,
    look: (v: { field: string }) => `Look at “${v.field}”.`,
    nothing: 'Nothing is changed yet.',
    whole: (v: { min: number; max: number; given: string }, n: WriteCount) =>
      `A whole number from ${n(v.min)} to ${n(v.max)} is expected. You wrote ${v.given}.`,
    decimals: (v: { max: number; given: string }, n: WriteCount) =>
      plural('en', v.max, {
        one: `At most 1 decimal is allowed here. You wrote ${v.given}.`,
        other: `At most ${n(v.max)} decimals are allowed here. You wrote ${v.given}.`,
      }),
    positive: 'A number above zero is expected.',
    notNegative: 'A number of zero or more is expected.',
    atLeast: (v: { field: string }) => `This must not be below “${v.field}”.`,
    atMost: (v: { field: string }) => `This must not be above “${v.field}”.`,
  },
  fa: {
    review: 'بازبینی',
    changes: 'آنچه فرستاده می‌شود',
    before: 'پیش‌تر:',
    after: 'اکنون:',
    empty: 'خالی',
    ready: (v, n) => `${n(v.count)} مقدار فرستاده می‌شود. پیش از فرستادن یک بار دیگر می‌بینید.`,
    missing: (v) => `«${v.field}» نوشته نشده است.`,
    look: (v) => `«${v.field}» را ببینید.`,
    nothing: 'هنوز چیزی تغییر نکرده است.',
    whole: (v, n) =>
      `عددی درست از ${n(v.min)} تا ${n(v.max)} پذیرفته می‌شود. شما ${v.given} نوشته‌اید.`,
    decimals: (v, n) =>
      `اینجا حداکثر ${n(v.max)} رقم اعشار پذیرفته می‌شود. شما ${v.given} نوشته‌اید.`,
    positive: 'عددی بزرگ‌تر از صفر پذیرفته می‌شود.',
    notNegative: 'عددی که منفی نباشد پذیرفته می‌شود.',
    atLeast: (v) => `این نباید کمتر از «${v.field}» باشد.`,
    atMost: (v) => `این نباید بیشتر از «${v.field}» باشد.`,
  },
});
