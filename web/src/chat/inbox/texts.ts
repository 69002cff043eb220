import { plural } from '../../i18n/plural.ts';
import { defineTexts, type WriteCount } from '../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'Inbox',
    filter: 'Filter conversations',
    directs: 'Direct messages',
    pinned: 'Pinned channels',
    other: 'Other channels',
    onlyOther: 'Channels',
    mentioned: 'You are mentioned',
    followed: 'You follow this topic',
    markRead: 'Mark as read',
    markAll: 'Mark all as read',
    empty: 'You are all caught up. Browse channels or start a conversation.',
    browse: 'Browse channels',
    nothingFits: (v: { text: string }) => `No unread conversation fits “${v.text}”.`,
    clearFilter: 'Clear filter',
    leftOut: (v: { count: number }, n: WriteCount) =>
      plural('en', v.count, {
        one: '1 older conversation comes up as you read these.',
        other: `${n(v.count)} older conversations come up as you read these.`,
      }),
    hasMore:
      'You have more unread messages than the server lists. Older ones come up as you read these.',
  },
  fa: {
    title: 'صندوق ورودی',
    filter: 'جست‌وجو در گفت‌وگوها',
    directs: 'پیام‌های مستقیم',
    pinned: 'کانال‌های سنجاق‌شده',
    other: 'کانال‌های دیگر',
    onlyOther: 'کانال‌ها',
    mentioned: 'از شما نام برده‌اند',
    followed: 'این موضوع را دنبال می‌کنید',
    markRead: 'خوانده شد',
    markAll: 'همه خوانده شد',
    empty: 'همه را خوانده‌اید. کانال‌ها را ببینید یا گفت‌وگویی آغاز کنید.',
    browse: 'دیدن کانال‌ها',
    nothingFits: (v) => `هیچ گفت‌وگوی خوانده‌نشده‌ای با «${v.text}» جور نیست.`,
    clearFilter: 'پاک کردن جست‌وجو',
    leftOut: (v, n) => `${n(v.count)} گفت‌وگوی قدیمی‌تر با خواندن این‌ها پیدا می‌شوند.`,
    hasMore:
      'پیام‌های خوانده‌نشدهٔ شما بیش از فهرست سرور است. قدیمی‌ترها با خواندن این‌ها پیدا می‌شوند.',
  },
});
