// What the dialogs of a conversation say. They come with the first dialog.
import { plural } from '../../i18n/plural.ts';
import { defineTexts, type WriteCount } from '../../i18n/texts.ts';

export const dialogTexts = defineTexts({
  en: {
    jump: 'Show messages',
    date: 'Date',
    removeTitle: 'Delete this message?',
    removeText: 'It disappears for everybody. This cannot be taken back.',
    removeAct: 'Delete message',
    historyTitle: 'History of the message',
    historyFirst: 'Written',
    historyEdited: (v: { name: string }) => `Edited by ${v.name}`,
    historyMoved: (v: { name: string }) => `Moved by ${v.name}`,
    fromTo: (v: { from: string; to: string }) => `From “${v.from}” to “${v.to}”`,
    readersTitle: 'Who has read this message',
    readersNone: 'Nobody has read it yet, or those who did do not say so.',
    readersRule: 'People who have switched read receipts off are not listed.',
    readersCount: (v: { count: number }, n: WriteCount) =>
      plural('en', v.count, {
        one: '1 person has read it.',
        other: `${n(v.count)} people have read it.`,
      }),
    readersFailed: 'The list could not be loaded.',
  },
  fa: {
    jump: 'نمایش پیام‌ها',
    date: 'تاریخ',
    removeTitle: 'این پیام حذف شود؟',
    removeText: 'پیام برای همه ناپدید می‌شود و بازگرداندنی نیست.',
    removeAct: 'حذف پیام',
    historyTitle: 'تاریخچهٔ پیام',
    historyFirst: 'نوشته شد',
    historyEdited: (v) => `ویرایش: ${v.name}`,
    historyMoved: (v) => `جابه‌جایی: ${v.name}`,
    fromTo: (v) => `از «${v.from}» به «${v.to}»`,
    readersTitle: 'چه کسانی این پیام را خوانده‌اند',
    readersNone: 'هنوز کسی آن را نخوانده، یا خوانندگان آن را نشان نمی‌دهند.',
    readersRule: 'کسانی که رسید خواندن را خاموش کرده‌اند در فهرست نیستند.',
    readersCount: (v, n) => `${n(v.count)} نفر آن را خوانده‌اند.`,
    readersFailed: 'فهرست بارگیری نشد.',
  },
});
