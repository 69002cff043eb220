import { defineTexts } from '../i18n/texts.ts';

/** What several pages of the wallet say. */
export const texts = defineTexts({
  en: {
    title: 'Wallet',
    pages: 'Pages of the wallet',
    balances: 'Balances',
    deposit: 'Deposit',
    withdraw: 'Withdraw',
    book: 'Address book',
    activity: 'Activity',
    statements: 'Statements',
    limits: 'Limits and fees',
    accounts: 'Sub-accounts',
    notLoaded: 'The figures could not be loaded.',
    hidden: 'Amount hidden',
    coin: 'Coin',
    allCoins: 'All coins',
    again: 'Load again',
  },
  fa: {
    title: 'کیف پول',
    pages: 'صفحه‌های کیف پول',
    balances: 'موجودی‌ها',
    deposit: 'واریز',
    withdraw: 'برداشت',
    book: 'دفتر نشانی',
    activity: 'گردش حساب',
    statements: 'صورت‌حساب‌ها',
    limits: 'محدودیت‌ها و کارمزدها',
    accounts: 'حساب‌های فرعی',
    notLoaded: 'ارقام بارگیری نشد.',
    hidden: 'مبلغ پنهان است',
    coin: 'ارز',
    allCoins: 'همهٔ ارزها',
    again: 'بارگیری دوباره',
  },
});
