// The words of the page of reserves, in both languages.

interface Texts {
  readonly title: string;
  readonly about: (organization: string) => string;
  readonly intro: string;
  readonly none: string;
  readonly published: string;
  readonly coin: string;
  readonly owes: string;
  readonly holds: string;
  readonly ratio: string;
  readonly asOf: string;
  readonly block: (network: string, height: string) => string;
  readonly roots: string;
  readonly rootOf: (coin: string) => string;
  readonly verify: string;
  readonly steps: readonly string[];
  readonly limits: string;
}

export const TEXTS: Readonly<Record<'en' | 'fa', Texts>> = {
  en: {
    title: 'Reserves',
    about: (organization) =>
      `What ${organization} owes its customers, and what it holds on chains.`,
    intro:
      'What all accounts have of each coin, beside what addresses of this venue hold on public chains. Everybody who has an account can check that their own balance is in the sum.',
    none: 'No proof of reserves has been published yet.',
    published: 'Published',
    coin: 'Coin',
    owes: 'Owed to accounts',
    holds: 'Held on chains',
    ratio: 'Ratio',
    asOf: 'As of',
    block: (network, height) => `${network}, block ${height}`,
    roots: 'Roots',
    rootOf: (coin) => `Root of ${coin}`,
    verify: 'Check your own balance',
    steps: [
      'Save the answer of GET /v1/private/account/reserves, with your key, as leaves.json. It shows your balances at that moment: compare them.',
      'Save the answer of GET /v1/public/reserves as publication.json, and compare it with what others see.',
      'Run: rialto verify-reserves leaves.json --publication publication.json. It needs no connection.',
    ],
    limits:
      'A proof shows one moment. It does not show whether the venue owes something elsewhere, or for how long it holds the coins.',
  },
  fa: {
    title: 'ذخایر',
    about: (organization) => `بدهی ${organization} به مشتریان و دارایی آن روی زنجیره‌ها.`,
    intro:
      'جمع موجودی همهٔ حساب‌ها از هر رمزارز، در کنار آنچه نشانی‌های این صرافی روی زنجیره‌های عمومی دارند. هر صاحب حساب می‌تواند بررسی کند که موجودی خودش در این جمع هست.',
    none: 'هنوز هیچ اثبات ذخیره‌ای منتشر نشده است.',
    published: 'زمان انتشار',
    coin: 'رمزارز',
    owes: 'بدهی به حساب‌ها',
    holds: 'دارایی روی زنجیره‌ها',
    ratio: 'نسبت',
    asOf: 'در',
    block: (network, height) => `${network}، بلوک ${height}`,
    roots: 'ریشه‌ها',
    rootOf: (coin) => `ریشهٔ ${coin}`,
    verify: 'بررسی موجودی خودتان',
    steps: [
      'پاسخ GET /v1/private/account/reserves را با کلید خود در leaves.json ذخیره کنید. موجودی شما در آن لحظه در آن است: آن را مقایسه کنید.',
      'پاسخ GET /v1/public/reserves را در publication.json ذخیره و با آنچه دیگران می‌بینند مقایسه کنید.',
      'این فرمان را اجرا کنید: rialto verify-reserves leaves.json --publication publication.json. به اتصال نیازی ندارد.',
    ],
    limits:
      'اثبات فقط یک لحظه را نشان می‌دهد؛ نشان نمی‌دهد که صرافی جای دیگری بدهی دارد یا تا کی این دارایی را نگه می‌دارد.',
  },
};
