// The first contents of a new organization, in its language. Names of channels are the same in both: documents and
// examples name `general`.
import type { Language } from '../../platform/std/language.ts';

export interface FirstChannel {
  readonly name: string;
  readonly description: string;
}

interface Texts {
  readonly channels: readonly FirstChannel[];
  readonly welcomeTopic: string;
  welcome(organization: string): string;
}

/** The first of the channels is where the welcome is, and where new channels are announced. */
export const SETUP_TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    channels: [
      { name: 'general', description: 'For everybody, and for everything without a better place.' },
      { name: 'trading', description: 'Markets, prices, orders and the bots that place them.' },
    ],
    welcomeTopic: 'welcome',
    welcome: (organization) =>
      `Welcome to ${organization}!\n\n` +
      '* A **channel** is a place for one subject; you are in #**general** and #**trading**.\n' +
      '* Every message has a **topic**, so that several conversations go on side by side. This one is *welcome*.\n' +
      '* Write here with any client of Zulip: give it the address of this server, and sign in as in the browser.\n' +
      '* In the browser, your own page shows your API key and a ready `zuliprc` for bots.\n\n' +
      'Say hello: answer in this topic.',
  },
  fa: {
    channels: [
      { name: 'general', description: 'برای همه و برای هر چیزی که جای بهتری ندارد.' },
      {
        name: 'trading',
        description: 'بازارها، قیمت‌ها، سفارش‌ها و ربات‌هایی که سفارش می‌گذارند.',
      },
    ],
    welcomeTopic: 'خوش‌آمد',
    welcome: (organization) =>
      `به ${organization} خوش آمدید!\n\n` +
      '* **کانال** برای یک زمینهٔ گفت‌وگو است؛ شما در #**general** و #**trading** هستید.\n' +
      '* هر پیام یک **موضوع** دارد تا چند گفت‌وگو در کنار هم پیش برود. موضوع این پیام «خوش‌آمد» است.\n' +
      '* با هر برنامهٔ زولیپ می‌توانید اینجا بنویسید: نشانی این سرور را به آن بدهید و مانند مرورگر وارد شوید.\n' +
      '* در مرورگر، صفحهٔ شما کلید API و یک فایل آمادهٔ `zuliprc` برای ربات‌ها دارد.\n\n' +
      'سلامی بدهید: در همین موضوع پاسخ دهید.',
  },
};
