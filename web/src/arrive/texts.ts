import { defineTexts, type WriteCount } from '../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    offer: 'New here? A tour shows the five things that help most. It takes under a minute.',
    start: 'Take the tour',
    notNow: 'Not now',
    title: 'A short tour',
    step: (v: { step: number; count: number }, n: WriteCount) =>
      `Step ${n(v.step)} of ${n(v.count)}`,
    back: 'Back',
    next: 'Next',
    skip: 'Skip tour',
    done: 'Start reading',
    topicsTitle: 'Channels have topics',
    topics:
      'A channel is for a subject or a market, a topic for one conversation in it. Reply in the topic, and nobody loses the thread.',
    inboxTitle: 'The inbox is what waits for you',
    inbox:
      'Everything unread, by channel and topic. A message counts as read when you have seen it. What you do not care about can be muted.',
    jumpTitle: 'Jump anywhere',
    jump: 'Press Ctrl-K, or / when you are not typing. A few letters find people, channels, topics, views and commands.',
    keysTitle: 'Keys for everything',
    keys: 'Press ? to see them all. Esc closes what is open and leads home. Single keys can be turned off.',
    looksTitle: 'Make it yours',
    looks:
      'Theme and language follow your account to every device. Density, digits and calendar belong to this browser.',
    moreLooks: 'All of it is in Settings, Appearance.',
  },
  fa: {
    offer:
      'تازه آمده‌اید؟ آشنایی کوتاه، پنج چیز پرکاربرد را نشان می‌دهد و کمتر از یک دقیقه زمان می‌برد.',
    start: 'شروع آشنایی',
    notNow: 'بعداً',
    title: 'آشنایی کوتاه',
    step: (v, n) => `گام ${n(v.step)} از ${n(v.count)}`,
    back: 'پیشین',
    next: 'بعدی',
    skip: 'رد کردن',
    done: 'شروع خواندن',
    topicsTitle: 'هر کانال موضوع‌هایی دارد',
    topics:
      'کانال برای یک زمینه یا یک بازار است و موضوع برای یک گفت‌وگو در آن. در همان موضوع پاسخ دهید تا رشتهٔ سخن گم نشود.',
    inboxTitle: 'صندوق ورودی یعنی آنچه منتظر شماست',
    inbox:
      'همهٔ پیام‌های خوانده‌نشده، به تفکیک کانال و موضوع. پیامی خوانده به شمار می‌آید که آن را دیده باشید. آنچه برایتان مهم نیست را بی‌صدا کنید.',
    jumpTitle: 'به هر جا بپرید',
    jump: 'Ctrl-K را بزنید، یا / را وقتی در حال نوشتن نیستید. چند حرف برای یافتن افراد، کانال‌ها، موضوع‌ها، نماها و فرمان‌ها کافی است.',
    keysTitle: 'برای هر کار کلیدی هست',
    keys: 'با ? همه را ببینید. Esc آنچه باز است را می‌بندد و به خانه می‌برد. کلیدهای تکی را می‌توان خاموش کرد.',
    looksTitle: 'به سلیقهٔ خودتان',
    looks:
      'پوسته و زبان با حساب شما به همهٔ دستگاه‌ها می‌آیند. تراکم، رقم‌ها و تقویم از آن همین مرورگرند.',
    moreLooks: 'همه در تنظیمات، بخش ظاهر است.',
  },
});
