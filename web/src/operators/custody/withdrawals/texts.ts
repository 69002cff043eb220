import { plural } from '../../../i18n/plural.ts';
import { defineTexts, type WriteCount } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'Withdrawals that wait for approval',
    note: 'Nobody decides about their own. One that needs two approvals leaves when a second operator approves it.',
    none: 'No withdrawal waits for an operator.',
    approve: 'Approve',
    reject: 'Reject',
    approveOf: (v: { id: string }) => `Approve ${v.id}`,
    rejectOf: (v: { id: string }) => `Reject ${v.id}`,
    who: 'Who',
    account: (v: { account: string; label: string }) =>
      v.label === '' ? `account ${v.account}` : `account ${v.account}, “${v.label}”`,
    amount: 'Amount',
    receives: (v: { amount: string }) => `the recipient gets ${v.amount}`,
    to: 'To',
    copyAddress: 'Copy address',
    memo: 'Memo',
    inside: 'An account of this venue: no chain is involved.',
    book: 'In the book',
    absent: 'Not in the address book of the owner',
    present: (v: { label: string; time: string; age: string }) =>
      `${v.label === '' ? 'Without a name' : v.label}, since ${v.time} (${v.age})`,
    removed: 'The owner has removed it from the book since. Ask them.',
    altered:
      'The row of the address was altered after it was written. Reject this, and compare the database with a backup.',
    age: (v: { days: number }, n: WriteCount) =>
      v.days === 0
        ? 'less than a day'
        : plural('en', v.days, { one: '1 day', other: `${n(v.days)} days` }),
    because: 'Why it waits',
    not_in_book: 'The address is not in the book of the owner.',
    amountOver: (v: { limit: string }) => `It is above ${v.limit}, up to which nobody is asked.`,
    largeOver: (v: { limit: string }) =>
      `It is above ${v.limit}, up to which one operator is enough.`,
    screening: 'Who is asked about its parties holds it.',
    otherwise: 'It was above the limits when it was asked for.',
    asked: 'Asked for',
    approvals: 'Approvals',
    approvalsOf: (v: { count: number; needed: number }, n: WriteCount) =>
      `${n(v.count)} of ${n(v.needed)}`,
    by: (v: { who: string; time: string }) => `${v.who}, ${v.time}`,
    own: 'This is your own withdrawal. Somebody else has to decide about it.',
    approvedByYou: 'You have approved this. Another operator has to approve it too.',
    approveWhy:
      'With the last approval that it needs it is paid, and a payment on a network cannot be taken back. Compare the address with what you know about the owner.',
    rejectWhy: 'The amount goes back to the account. The owner sees that an operator rejected it.',
    approvedNow: (v: { id: string }) => `${v.id} is approved and on its way.`,
    approvedHalf: (v: { id: string }) =>
      `Your approval of ${v.id} is noted. It waits for another operator.`,
    rejectedNow: (v: { id: string }) => `${v.id} is rejected. The amount is back in the account.`,
  },
  fa: {
    title: 'برداشت‌های در انتظار تأیید',
    note: 'هیچ‌کس دربارهٔ برداشت خودش تصمیم نمی‌گیرد. برداشتی که دو تأیید می‌خواهد با تأیید گردانندهٔ دوم می‌رود.',
    none: 'هیچ برداشتی در انتظار گرداننده نیست.',
    approve: 'تأیید',
    reject: 'رد',
    approveOf: (v) => `تأیید ${v.id}`,
    rejectOf: (v) => `رد ${v.id}`,
    who: 'چه کسی',
    account: (v) => (v.label === '' ? `حساب ${v.account}` : `حساب ${v.account}، «${v.label}»`),
    amount: 'مبلغ',
    receives: (v) => `گیرنده ${v.amount} دریافت می‌کند`,
    to: 'به',
    copyAddress: 'رونوشت نشانی',
    memo: 'ممو',
    inside: 'حسابی در همین صرافی: هیچ زنجیره‌ای در کار نیست.',
    book: 'در دفتر',
    absent: 'در دفتر نشانی صاحب حساب نیست',
    present: (v) => `${v.label === '' ? 'بی‌نام' : v.label}، از ${v.time} (${v.age})`,
    removed: 'صاحب حساب پس از آن این نشانی را از دفتر برداشته است. از او بپرسید.',
    altered:
      'ردیف این نشانی پس از نوشته شدن دستکاری شده است. این برداشت را رد کنید و پایگاه داده را با پشتیبان بسنجید.',
    age: (v, n) => (v.days === 0 ? 'کمتر از یک روز' : `${n(v.days)} روز`),
    because: 'چرا مانده است',
    not_in_book: 'نشانی در دفتر صاحب حساب نیست.',
    amountOver: (v) => `بیش از ${v.limit} است که تا آن از کسی پرسیده نمی‌شود.`,
    largeOver: (v) => `بیش از ${v.limit} است که تا آن یک گرداننده بس است.`,
    screening: 'آن‌که دربارهٔ دو طرف از او پرسیده می‌شود نگهش داشته است.',
    otherwise: 'هنگام درخواست بیش از محدودیت‌ها بود.',
    asked: 'درخواست',
    approvals: 'تأییدها',
    approvalsOf: (v, n) => `${n(v.count)} از ${n(v.needed)}`,
    by: (v) => `${v.who}، ${v.time}`,
    own: 'این برداشت خود شماست. کس دیگری باید دربارهٔ آن تصمیم بگیرد.',
    approvedByYou: 'شما این را تأیید کرده‌اید. گردانندهٔ دیگری هم باید تأیید کند.',
    approveWhy:
      'با آخرین تأیید لازم پرداخت می‌شود و پرداخت روی شبکه برگشت ندارد. نشانی را با آنچه از صاحب حساب می‌دانید بسنجید.',
    rejectWhy: 'مبلغ به حساب برمی‌گردد. صاحب حساب می‌بیند که گرداننده‌ای آن را رد کرده است.',
    approvedNow: (v) => `${v.id} تأیید شد و در راه است.`,
    approvedHalf: (v) => `تأیید شما برای ${v.id} ثبت شد. در انتظار گردانندهٔ دیگری است.`,
    rejectedNow: (v) => `${v.id} رد شد. مبلغ به حساب برگشت.`,
  },
});
