import { defineTexts } from '../../i18n/texts.ts';

/** What the parts of custody share. */
export const texts = defineTexts({
  en: {
    about:
      'Coins of real networks: whether the networks run, who wants to withdraw, what is being paid, and whether the chains have what the ledger says.',
    none: 'Custody follows no network here. CUSTODY_NETWORKS_FILE names those that it follows.',
    noTreasury: 'You may look. Acting here takes the grant treasury.',
    again: 'Load again',
  },
  fa: {
    about:
      'ارزهای شبکه‌های واقعی: آیا شبکه‌ها در کارند، چه کسی برداشت می‌خواهد، چه چیزی در حال پرداخت است، و آیا زنجیره‌ها آنچه دفتر کل می‌گوید دارند.',
    none: 'این‌جا هیچ شبکه‌ای دنبال نمی‌شود. CUSTODY_NETWORKS_FILE شبکه‌ها را نام می‌برد.',
    noTreasury: 'می‌توانید ببینید. دست بردن در این‌ها اجازهٔ treasury می‌خواهد.',
    again: 'بارگیری دوباره',
  },
});
