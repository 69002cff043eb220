import { plural } from '../../i18n/plural.ts';
import { defineTexts, type WriteCount } from '../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    about:
      'What there was at the beginning, every change, and what there was at the end. The same stretch of time always gives the same file, to the last byte.',
    calendar: 'Calendar',
    gregorian: 'Gregorian',
    persian: 'Solar Hijri',
    period: 'Period',
    soFar: (v: { month: string }) => `${v.month}, so far`,
    range: 'Other days…',
    firstDay: 'First day',
    lastDay: 'Last day',
    dayHint: 'Year, month, day',
    first: 'Write a day as year-month-day, such as the one in the other field.',
    last: 'Write a day as year-month-day, such as the one in the other field.',
    order: 'The last day is before the first.',
    future: 'This day has not come yet.',
    long: 'A statement covers at most one year.',
    notLoaded: 'The statement could not be loaded.',
    summary: (v: { from: string; to: string; count: number }, n: WriteCount) =>
      plural('en', v.count, {
        one: `From ${v.from} until ${v.to}: 1 change.`,
        other: `From ${v.from} until ${v.to}: ${n(v.count)} changes.`,
      }),
    table: 'Opening and closing balance',
    opening: 'Opening',
    change: 'Change',
    closing: 'Closing',
    empty: 'The account had nothing in this time.',
    files: 'Files',
    filesNote:
      'The SHA-256 of a file proves later that nobody has changed it: keep it, or send it along.',
    csv: 'Download CSV',
    json: 'Download JSON',
    hash: (v: { format: string }) => `SHA-256 of the ${v.format} file`,
    copyHash: (v: { format: string }) => `Copy the SHA-256 of the ${v.format} file`,
    right: 'Checked here: the file has this hash.',
    wrong: 'The file that came does not have this hash. Do not use it; tell your administrator.',
    zone: (v: { zone: string }) =>
      v.zone === 'UTC'
        ? 'Times in the files are in UTC.'
        : `Times in the files are in UTC and in ${v.zone}.`,
  },
  fa: {
    about:
      'آنچه در آغاز بود، هر تغییر، و آنچه در پایان بود. یک بازهٔ زمانی همیشه همان پرونده را می‌دهد، تا آخرین بایت.',
    calendar: 'گاه‌شماری',
    gregorian: 'میلادی',
    persian: 'هجری خورشیدی',
    period: 'بازه',
    soFar: (v) => `${v.month}، تا کنون`,
    range: 'روزهای دیگر…',
    firstDay: 'روز نخست',
    lastDay: 'روز آخر',
    dayHint: 'سال، ماه، روز',
    first: 'روز را به‌صورت سال-ماه-روز بنویسید، مانند خانهٔ دیگر.',
    last: 'روز را به‌صورت سال-ماه-روز بنویسید، مانند خانهٔ دیگر.',
    order: 'روز آخر پیش از روز نخست است.',
    future: 'این روز هنوز نرسیده است.',
    long: 'صورت‌حساب بیش از یک سال را در بر نمی‌گیرد.',
    notLoaded: 'صورت‌حساب بارگیری نشد.',
    summary: (v, n) => `از ${v.from} تا ${v.to}: ${n(v.count)} تغییر.`,
    table: 'موجودی آغاز و پایان',
    opening: 'آغاز',
    change: 'تغییر',
    closing: 'پایان',
    empty: 'حساب در این بازه چیزی نداشت.',
    files: 'پرونده‌ها',
    filesNote:
      'با SHA-256 پرونده می‌توان بعدها نشان داد که کسی آن را تغییر نداده است: آن را نگه دارید یا همراه پرونده بفرستید.',
    csv: 'بارگیری CSV',
    json: 'بارگیری JSON',
    hash: (v) => `SHA-256 پروندهٔ ${v.format}`,
    copyHash: (v) => `رونوشت از SHA-256 پروندهٔ ${v.format}`,
    right: 'همین‌جا بررسی شد: پرونده همین مقدار را دارد.',
    wrong: 'پرونده‌ای که رسید این مقدار را ندارد. آن را به کار نبرید و به مدیر خود بگویید.',
    zone: (v) =>
      v.zone === 'UTC'
        ? 'زمان‌ها در پرونده‌ها به UTC نوشته شده‌اند.'
        : `زمان‌ها در پرونده‌ها به UTC و به ${v.zone} نوشته شده‌اند.`,
  },
});
