import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'Search',
    label: 'Search messages',
    placeholder: 'Search messages, or type channel: or sender:',
    search: 'Search',
    clear: 'Clear search',
    remove: (v: { term: string }) => `Remove ${v.term}`,
    suggestions: 'Suggestions',
    nobody: (v: { name: string }) =>
      `“${v.name}” is no person here, or more than one. Choose one from the list, or write the whole name.`,
    noChannel: (v: { name: string }) => `There is no channel “${v.name}” that you can see.`,
    notKnown: (v: { operator: string; operand: string }) =>
      `“${v.operand}” does not go with ${v.operator}. Choose one from the list.`,
    begin: 'Write what to look for. Operators such as channel: and sender: make it exact.',
    channel: 'messages in a channel',
    topic: 'messages in a topic',
    sender: 'messages from a person',
    is: 'unread, starred, mentioned and so on',
    has: 'with a link, a picture, a file or a reaction',
    dm: 'direct messages with people',
    mentions: 'messages that mention a person',
    'dm-including': 'direct messages that include a person',
  },
  fa: {
    title: 'جست‌وجو',
    label: 'جست‌وجو در پیام‌ها',
    placeholder: 'جست‌وجو در پیام‌ها، یا \u2066channel:\u2069 و \u2066sender:\u2069',
    search: 'جست‌وجو',
    clear: 'پاک کردن جست‌وجو',
    remove: (v) => `برداشتن ${v.term}`,
    suggestions: 'پیشنهادها',
    nobody: (v) =>
      `«${v.name}» نام کسی نیست، یا نام چند نفر است. یکی را از فهرست برگزینید یا نام کامل را بنویسید.`,
    noChannel: (v) => `کانالی به نام «${v.name}» که بتوانید ببینید وجود ندارد.`,
    notKnown: (v) => `«${v.operand}» با ${v.operator} جور نیست. یکی را از فهرست برگزینید.`,
    begin:
      'بنویسید دنبال چه می‌گردید. عملگرهایی مانند \u2066channel:\u2069 و \u2066sender:\u2069 آن را دقیق می‌کنند.',
    channel: 'پیام‌های یک کانال',
    topic: 'پیام‌های یک موضوع',
    sender: 'پیام‌های یک نفر',
    is: 'خوانده‌نشده، ستاره‌دار، نام‌برده و مانند آن',
    has: 'دارای پیوند، تصویر، فایل یا واکنش',
    dm: 'پیام‌های مستقیم با چند نفر',
    mentions: 'پیام‌هایی که از کسی نام برده‌اند',
    'dm-including': 'پیام‌های مستقیمی که کسی در آن‌هاست',
  },
});
