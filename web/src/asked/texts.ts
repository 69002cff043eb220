import { defineTexts } from '../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    noAnswer: 'The server did not answer. Check your connection, then try again.',
    tooLate: 'The server took too long to answer. Try again.',
    notOurs:
      'The answer was not one of this server. Something between it and you may have changed it.',
    unexpected:
      'This part of the page failed. Try again; if it fails again, tell your administrator.',
  },
  fa: {
    noAnswer: 'سرور پاسخ نداد. اتصال خود را بررسی کنید و دوباره تلاش کنید.',
    tooLate: 'پاسخ سرور بیش از اندازه طول کشید. دوباره تلاش کنید.',
    notOurs: 'پاسخ از این سرور نبود. شاید چیزی در میانهٔ راه آن را تغییر داده باشد.',
    unexpected:
      'این بخش از صفحه از کار افتاد. دوباره تلاش کنید؛ اگر باز هم نشد، به مدیر خود بگویید.',
  },
});
