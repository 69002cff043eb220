// Why a password is too weak, and how to improve it, in the languages of the pages.
export const REASONS = {
  short: {
    en: 'It has fewer than 8 characters. Four words that have nothing to do with each other are easy to remember.',
    fa: 'کمتر از ۸ نویسه دارد. چهار واژهٔ بی‌ربط را آسان به یاد می‌سپارید.',
  },
  long: {
    en: 'It has more than 100 characters. Shorten it: half of that is more than enough.',
    fa: 'بیش از ۱۰۰ نویسه دارد. کوتاهش کنید: نیمی از آن هم بس است.',
  },
  common: {
    en: 'Many people have this password, or nearly the same. Digits at its end or a changed letter do not help; add words that are rare.',
    fa: 'این گذرواژه یا نزدیک به آن را بسیاری دارند. رقم در پایان یا تغییر یک حرف کمکی نمی‌کند؛ واژه‌های کمیاب بیفزایید.',
  },
  personal: {
    en: 'It is made of your name, your address or the name of this organization, which are tried first. Choose words that have nothing to do with you.',
    fa: 'از نام شما، نشانی شما یا نام این سازمان ساخته شده که پیش از همه آزموده می‌شوند. واژه‌هایی برگزینید که ربطی به شما ندارند.',
  },
  name: {
    en: 'Names are easy to guess. Add words that are rare.',
    fa: 'نام‌ها را آسان حدس می‌زنند. واژه‌های کمیاب بیفزایید.',
  },
  keys: {
    en: 'It follows keys that lie side by side, which is easy to guess. Choose words instead.',
    fa: 'کلیدهای کنار هم را دنبال می‌کند و حدس زدنش آسان است. به جای آن واژه برگزینید.',
  },
  repeated: {
    en: 'It repeats itself, which is easy to guess. Different words are better than one word twice.',
    fa: 'تکراری است و حدس زدنش آسان. واژه‌های گوناگون از تکرار یک واژه بهترند.',
  },
  sequence: {
    en: 'A sequence such as abc or 4321 is easy to guess. Choose words instead.',
    fa: 'دنباله‌هایی مانند abc یا ۴۳۲۱ را آسان حدس می‌زنند. به جای آن واژه برگزینید.',
  },
  date: {
    en: 'Dates and years are easy to guess. Choose words instead.',
    fa: 'تاریخ و سال را آسان حدس می‌زنند. به جای آن واژه برگزینید.',
  },
  simple: {
    en: 'It is too easy to guess. Add a word or two that have nothing to do with each other.',
    fa: 'حدس زدنش بسیار آسان است. یک یا دو واژهٔ بی‌ربط به آن بیفزایید.',
  },
} as const satisfies Record<string, { readonly en: string; readonly fa: string }>;

export type Reason = keyof typeof REASONS;
