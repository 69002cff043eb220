import { defineTexts, type WriteCount } from '../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    about:
      'What operators did, and what was refused, the newest first. Every entry is chained to the one before by its hash.',
    operator: 'Email address of the operator',
    act: 'Act, such as market phase',
    subject: 'Subject, such as btcusdt',
    find: 'Find',
    table: 'Acts of operators',
    time: 'Time',
    who: 'Who',
    what: 'Act',
    whom: 'Subject',
    outcome: 'Outcome',
    details: 'Details',
    detailsOf: (v: { seq: string }) => `Details of entry ${v.seq}`,
    hash: 'Hash',
    close: 'Close',
    none: 'No entry is like this.',
    count: (v: { count: number }, n: WriteCount) =>
      `The newest ${n(v.count)} that match. Older ones: rialto admin audit.`,
  },
  fa: {
    about:
      'آنچه گردانندگان کردند و آنچه رد شد، تازه‌ترین‌ها نخست. هر مورد با هش خود به مورد پیشین زنجیر شده است.',
    operator: 'نشانی ایمیل گرداننده',
    act: 'کار، مانند market phase',
    subject: 'موضوع، مانند btcusdt',
    find: 'یافتن',
    table: 'کارهای گردانندگان',
    time: 'زمان',
    who: 'چه کسی',
    what: 'کار',
    whom: 'موضوع',
    outcome: 'نتیجه',
    details: 'جزئیات',
    detailsOf: (v) => `جزئیات مورد ${v.seq}`,
    hash: 'هش',
    close: 'بستن',
    none: 'هیچ موردی چنین نیست.',
    count: (v, n) => `${n(v.count)} مورد آخر که جور است. قدیمی‌ترها: rialto admin audit.`,
  },
});

/** What became of an act, by the word that the audit log has for it. */
export const outcomeTexts = defineTexts({
  en: {
    done: 'done',
    requested: 'requested',
    awaiting_approval: 'awaiting approval',
    approved: 'approved',
    withdrawn: 'withdrawn',
    refused: 'refused',
    denied: 'denied',
  },
  fa: {
    done: 'انجام شد',
    requested: 'درخواست شد',
    awaiting_approval: 'در انتظار تأیید',
    approved: 'تأیید شد',
    withdrawn: 'پس گرفته شد',
    refused: 'موتور رد کرد',
    denied: 'اجازه نبود',
  },
});
