import { plural } from '../../i18n/plural.ts';
import { defineTexts, type WriteCount } from '../../i18n/texts.ts';

type Count = { count: number };

export const texts = defineTexts({
  en: {
    saving: 'Saving…',
    saved: 'Saved.',
    notSaved: (v: { why: string }) => `Not saved. ${v.why}`,
    save: (v: { what: string }) => `Save: ${v.what}`,
    saveShort: 'Save',
    discard: 'Discard changes',
    missing: 'This cannot be empty.',
    onlyOwners: 'Only owners can change this.',
    onlyAdmins: 'You can read this page. Only administrators and owners can change it.',
    onlyOwnersPage: 'You can read this page. Only owners can change it.',
    noChannel: 'No channel',
    daysUnit: 'days',
    daysWrong: (v: { max: number }, n: WriteCount) =>
      `Write a whole number of days, 0 to ${n(v.max)}.`,
    unlimited: 'No limit',
    otherTime: 'Another time…',
    minutesFor: (v: { what: string }) => `Minutes: ${v.what}`,
    minutesUnit: 'minutes',
    minutesWrong: 'Write a whole number of minutes, 1 to 35,791,394.',
    weeks: (v: Count, n: WriteCount) =>
      plural('en', v.count, { one: '1 week', other: `${n(v.count)} weeks` }),
    days: (v: Count, n: WriteCount) =>
      plural('en', v.count, { one: '1 day', other: `${n(v.count)} days` }),
    hours: (v: Count, n: WriteCount) =>
      plural('en', v.count, { one: '1 hour', other: `${n(v.count)} hours` }),
    minutes: (v: Count, n: WriteCount) =>
      plural('en', v.count, { one: '1 minute', other: `${n(v.count)} minutes` }),
    seconds: (v: Count, n: WriteCount) =>
      plural('en', v.count, { one: '1 second', other: `${n(v.count)} seconds` }),
  },
  fa: {
    saving: 'در حال ذخیره…',
    saved: 'ذخیره شد.',
    notSaved: (v) => `ذخیره نشد. ${v.why}`,
    save: (v) => `ذخیرهٔ ${v.what}`,
    saveShort: 'ذخیره',
    discard: 'کنار گذاشتن تغییر',
    missing: 'این بخش نمی‌تواند خالی باشد.',
    onlyOwners: 'فقط مالکان می‌توانند این را تغییر دهند.',
    onlyAdmins: 'می‌توانید این صفحه را بخوانید. فقط مدیران و مالکان می‌توانند آن را تغییر دهند.',
    onlyOwnersPage: 'می‌توانید این صفحه را بخوانید. فقط مالکان می‌توانند آن را تغییر دهند.',
    noChannel: 'هیچ کانالی',
    daysUnit: 'روز',
    daysWrong: (v, n) => `شمار روزها را با عدد درست بنویسید، از ${n(0)} تا ${n(v.max)}.`,
    unlimited: 'بدون محدودیت',
    otherTime: 'زمانی دیگر…',
    minutesFor: (v) => `دقیقه: ${v.what}`,
    minutesUnit: 'دقیقه',
    minutesWrong: 'شمار دقیقه‌ها را با عدد درست بنویسید، از ۱ تا ۳۵٬۷۹۱٬۳۹۴.',
    weeks: (v, n) => `${n(v.count)} هفته`,
    days: (v, n) => `${n(v.count)} روز`,
    hours: (v, n) => `${n(v.count)} ساعت`,
    minutes: (v, n) => `${n(v.count)} دقیقه`,
    seconds: (v, n) => `${n(v.count)} ثانیه`,
  },
});
