// What the frame around the pages says, in both languages.
import type { Language } from '../../platform/std/language.ts';
import type { SectionId } from './page.ts';

export interface Texts {
  readonly skip: string;
  readonly docs: string;
  readonly menu: string;
  readonly close: string;
  readonly sections: string;
  readonly onThisPage: string;
  readonly search: string;
  readonly searchHint: string;
  readonly previous: string;
  readonly next: string;
  readonly otherLanguage: string;
  readonly theme: string;
  readonly frontPage: string;
  readonly code: string;
  readonly copy: string;
  readonly copied: string;
  readonly exampleIn: string;
  readonly inEnglish: string;
  readonly asMarkdown: string;
  readonly linkTo: string;
  readonly table: string;
  readonly notFound: string;
  readonly notFoundWhat: string;
  readonly noResults: string;
  readonly results: string;
  readonly callouts: Readonly<Record<Callout, string>>;
  readonly section: Readonly<Record<SectionId, string>>;
  readonly sectionWhat: Readonly<Record<SectionId, string>>;
}

export type Callout = 'note' | 'tip' | 'warning' | 'caution';

const EN: Texts = {
  skip: 'Skip to main content',
  docs: 'Docs',
  menu: 'Menu',
  close: 'Close',
  sections: 'Sections of the documentation',
  onThisPage: 'On this page',
  search: 'Search',
  searchHint: 'Search guides, operations, errors, events',
  previous: 'Previous',
  next: 'Next',
  otherLanguage: 'فارسی',
  theme: 'Colours: automatic|Colours: light|Colours: dark',
  frontPage: 'Front page',
  code: 'Code',
  copy: 'Copy',
  copied: 'Copied',
  exampleIn: 'Example in',
  inEnglish: '',
  asMarkdown: 'This page as Markdown',
  linkTo: 'Link to this part',
  table: 'Table',
  notFound: 'There is no such page.',
  notFoundWhat: 'The address is wrong, or the page has moved. Search, or begin at the first page.',
  noResults:
    'Nothing was found. Try fewer or other words, or the exact name of an error, an operation or an event.',
  results: 'Results',
  callouts: { note: 'Note', tip: 'Tip', warning: 'Warning', caution: 'Danger' },
  section: {
    start: 'Get started',
    concepts: 'Concepts',
    sdk: 'SDK and examples',
    trading: 'Trading API',
    streams: 'Streams',
    chat: 'Chat API',
    events: 'Events',
    administration: 'Administration API',
    errors: 'Errors',
    facts: 'Limits and changes',
    operating: 'Operating',
  },
  sectionWhat: {
    start: 'The first call in a few minutes, for traders, bots, operators and administrators.',
    concepts: 'Identity, signing, repeating safely, queues, streams, rights.',
    sdk: 'One typed client for both APIs, and bots that run as they are.',
    trading: 'Markets, orders, balances, wallets. Signed, exact, with an example of every answer.',
    streams: 'Books, trades and your own orders as they change, over a WebSocket.',
    chat: 'The interface of Zulip: messages, channels, people, settings.',
    events: 'Every event that a queue can bring, with its shape.',
    administration: 'What operators do, and which grant each act needs.',
    errors: 'Every code with its cause and its cure.',
    facts: 'The limits in force here, and what changed in which version.',
    operating: 'Install, back up, upgrade, watch and secure a deployment.',
  },
};

const FA: Texts = {
  skip: 'رفتن به محتوای اصلی',
  docs: 'راهنما',
  menu: 'فهرست',
  close: 'بستن',
  sections: 'بخش‌های راهنما',
  onThisPage: 'در این صفحه',
  search: 'جست‌وجو',
  searchHint: 'جست‌وجو در راهنما، خطاها و رویدادها',
  previous: 'پیشین',
  next: 'پسین',
  otherLanguage: 'English',
  theme: 'رنگ‌ها: خودکار|رنگ‌ها: روشن|رنگ‌ها: تیره',
  frontPage: 'صفحهٔ نخست',
  code: 'کد',
  copy: 'رونوشت',
  copied: 'رونوشت شد',
  exampleIn: 'نمونه به زبان',
  inEnglish: 'به انگلیسی',
  asMarkdown: 'این صفحه به صورت مارک‌داون',
  linkTo: 'پیوند به این بخش',
  table: 'جدول',
  notFound: 'چنین صفحه‌ای نیست.',
  notFoundWhat: 'نشانی درست نیست یا صفحه جابه‌جا شده است. جست‌وجو کنید یا از صفحهٔ نخست آغاز کنید.',
  noResults: 'چیزی یافت نشد. واژه‌های کمتر یا دیگری بنویسید، یا نام دقیق یک خطا یا رویداد را.',
  results: 'یافته‌ها',
  callouts: { note: 'نکته', tip: 'پیشنهاد', warning: 'هشدار', caution: 'خطر' },
  section: {
    start: 'آغاز کار',
    concepts: 'مفهوم‌ها',
    sdk: 'کتابخانه و نمونه‌ها',
    trading: 'رابط معاملات',
    streams: 'جریان‌های زنده',
    chat: 'رابط گفت‌وگو',
    events: 'رویدادها',
    administration: 'رابط مدیریت',
    errors: 'خطاها',
    facts: 'محدودیت‌ها و تغییرها',
    operating: 'راه‌اندازی و نگهداری',
  },
  sectionWhat: {
    start: 'نخستین درخواست در چند دقیقه، برای معامله‌گر، نویسندهٔ ربات، گرداننده و مدیر گفت‌وگو.',
    concepts: 'هویت، امضا، تکرار بی‌خطر، صف رویداد، جریان زنده و دسترسی‌ها.',
    sdk: 'یک کتابخانه برای هر دو رابط، و ربات‌هایی که همین‌طور که هستند کار می‌کنند.',
    trading: 'بازارها، سفارش‌ها، موجودی و کیف پول؛ با نمونهٔ هر پاسخ.',
    streams: 'دفتر سفارش، معامله‌ها و سفارش‌های خودتان در همان لحظه.',
    chat: 'رابط زولیپ: پیام‌ها، کانال‌ها، آدم‌ها و تنظیمات.',
    events: 'همهٔ رویدادهای صف، با شکل آن‌ها.',
    administration: 'کار گردانندگان و اجازه‌ای که هر کار می‌خواهد.',
    errors: 'همهٔ خطاها با علت و چارهٔ آن‌ها.',
    facts: 'محدودیت‌های این سرور و تغییرهای هر نسخه.',
    operating: 'نصب، پشتیبان‌گیری، ارتقا، پایش و امنیت.',
  },
};

export const TEXTS: Readonly<Record<Language, Texts>> = { en: EN, fa: FA };
