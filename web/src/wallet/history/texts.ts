import { plural } from '../../i18n/plural.ts';
import { defineTexts, type WriteCount } from '../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'Total over time',
    period: 'Period',
    days: (v: { count: number }, n: WriteCount) => `${n(v.count)} days`,
    look: 'Shown as',
    line: 'Line',
    table: 'Table',
    notLoaded: 'The history could not be loaded.',
    none: 'Nothing changed in this time.',
    drawing: (v: { coin: string; from: string; to: string; first: string; last: string }) =>
      `Total of ${v.coin}: ${v.first} on ${v.from}, ${v.last} on ${v.to}.`,
    hiddenDrawing: 'Amounts are hidden, so the line is too.',
    day: 'Day',
    total: 'Total at the end',
    change: 'Change',
    newest: (v: { count: number }, n: WriteCount) =>
      plural('en', v.count, {
        one: 'Only the newest change is shown.',
        other: `Only the newest ${n(v.count)} changes are shown; a statement has all.`,
      }),
  },
  fa: {
    title: 'کل در گذر زمان',
    period: 'بازه',
    days: (v, n) => `${n(v.count)} روز`,
    look: 'نمایش به‌صورت',
    line: 'خط',
    table: 'جدول',
    notLoaded: 'پیشینه بارگیری نشد.',
    none: 'در این بازه چیزی تغییر نکرد.',
    drawing: (v) => `کل ${v.coin}: در ${v.from} برابر ${v.first} و در ${v.to} برابر ${v.last}.`,
    hiddenDrawing: 'مبلغ‌ها پنهان‌اند، پس خط هم نشان داده نمی‌شود.',
    day: 'روز',
    total: 'کل در پایان روز',
    change: 'تغییر',
    newest: (v, n) => `تنها ${n(v.count)} تغییر آخر نشان داده می‌شود؛ همه در صورت‌حساب هست.`,
  },
});
