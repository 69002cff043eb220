import { plural } from '../../i18n/plural.ts';
import { defineTexts, type WriteCount } from '../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    unknownPerson: 'Unknown person',
    unknownChannel: 'Unknown channel',
    ownNotes: 'Notes to yourself',
    nowhere: 'No recipient yet',
    comma: ', ',
    privateChannel: 'Private channel',
    publicChannel: 'Channel',
    webPublicChannel: 'Channel open to the web',
    resolved: 'Resolved',
    marking: (v: { done: number; total: number }, n: WriteCount) =>
      `Marked ${n(v.done)} of ${n(v.total)} messages as read`,
    stopMarking: 'Stop',
    marked: (v: { count: number }, n: WriteCount) =>
      plural('en', v.count, {
        one: '1 message marked as read.',
        other: `${n(v.count)} messages marked as read.`,
      }),
    undo: 'Undo',
    notMarked: 'The messages were not marked as read.',
    closeNotice: 'Close',
  },
  fa: {
    unknownPerson: 'فرد ناشناس',
    unknownChannel: 'کانال ناشناس',
    ownNotes: 'یادداشت‌های خودتان',
    nowhere: 'هنوز گیرنده ندارد',
    comma: '، ',
    privateChannel: 'کانال خصوصی',
    publicChannel: 'کانال',
    webPublicChannel: 'کانال باز برای همه در وب',
    resolved: 'حل‌شده',
    marking: (v, n) => `${n(v.done)} پیام از ${n(v.total)} پیام خوانده‌شده شد`,
    stopMarking: 'توقف',
    marked: (v, n) => `${n(v.count)} پیام خوانده‌شده شد.`,
    undo: 'برگرداندن',
    notMarked: 'پیام‌ها خوانده‌شده نشدند.',
    closeNotice: 'بستن',
  },
});
