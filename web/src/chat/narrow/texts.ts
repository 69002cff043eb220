import { defineTexts } from '../../i18n/texts.ts';

export const narrowTexts = defineTexts({
  en: {
    all: 'Combined feed',
    mentions: 'Mentions',
    starred: 'Starred messages',
    directs: 'Direct messages',
    search: 'Search results',
    noTopic: 'general chat',
    unknownChannel: 'Unknown channel',
    unknownPerson: 'Unknown person',
    searchFor: (v: { text: string }) => `Search: ${v.text}`,
    sentBy: (v: { name: string }) => `Messages from ${v.name}`,
    inTopic: (v: { channel: string; topic: string }) => `#${v.channel} > ${v.topic}`,
    listSeparator: ', ',
  },
  fa: {
    all: 'همهٔ پیام‌ها',
    mentions: 'اشاره‌ها به شما',
    starred: 'پیام‌های ستاره‌دار',
    directs: 'پیام‌های خصوصی',
    search: 'نتیجهٔ جست‌وجو',
    noTopic: 'گفت‌وگوی عمومی',
    unknownChannel: 'کانال ناشناخته',
    unknownPerson: 'فرد ناشناخته',
    searchFor: (v) => `جست‌وجو: ${v.text}`,
    sentBy: (v) => `پیام‌های ${v.name}`,
    inTopic: (v) => `#${v.channel} > ${v.topic}`,
    listSeparator: '، ',
  },
});
