import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'Confirm that it is you',
    why: 'This act needs a proof that it is you. One proof is good for some minutes.',
    whyEach: 'This needs a code of its own, for this act alone.',
    code: 'Code of your authenticator app',
    password: 'Your password',
    passkey: 'Use passkey',
    confirm: 'Confirm',
    cancel: 'Cancel',
    passkeyFailed: 'The passkey was not shown. Try again, or use another way.',
    elsewhere: 'Confirm on the page of the server',
    elsewhereWhy: 'Your way of signing in needs a page of its own. You come back here afterwards.',
    enrolTitle: 'A second factor is needed first',
    enrol:
      'Your account has no second factor. Add an authenticator app or a passkey, then do this again.',
    openSecurity: 'Add second factor',
  },
  fa: {
    title: 'تأیید کنید که خودتان هستید',
    why: 'این کار تأیید می‌خواهد که خودتان هستید. یک تأیید تا چند دقیقه کافی است.',
    whyEach: 'این کار کدی جداگانه می‌خواهد که تنها برای همین بار است.',
    code: 'کد برنامهٔ احراز هویت',
    password: 'گذرواژهٔ شما',
    passkey: 'استفاده از گذرکلید',
    confirm: 'تأیید',
    cancel: 'انصراف',
    passkeyFailed: 'گذرکلید نشان داده نشد. دوباره تلاش کنید یا راه دیگری برگزینید.',
    elsewhere: 'تأیید در صفحهٔ سرور',
    elsewhereWhy: 'روش ورود شما صفحهٔ جداگانه‌ای می‌خواهد. سپس به همین‌جا برمی‌گردید.',
    enrolTitle: 'نخست عامل دوم لازم است',
    enrol:
      'حساب شما عامل دوم ندارد. یک برنامهٔ احراز هویت یا گذرکلید بیفزایید و سپس دوباره انجام دهید.',
    openSecurity: 'افزودن عامل دوم',
  },
});
