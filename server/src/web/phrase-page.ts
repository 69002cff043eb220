// The HTML of the page about the phrase that heads emails, in English and Persian. No script.
import { PHRASE_CHARACTERS_MAX } from '../accounts/phrases/phrase.ts';
import { escapeHtml } from '../platform/std/html.ts';
import type { Language } from '../platform/std/language.ts';
import { hidden, renderLoginFrame, type LoginPage } from './login-page.ts';
import type { PageValues } from './page.ts';

const TEXTS = {
  en: {
    heading: 'Phrase in emails',
    why: 'Every email that we send you begins with this phrase. An email without it is not from us.',
    phrase: 'Phrase',
    hint: 'At most 40 characters. Empty for none.',
    password: 'Your password',
    save: 'Save the phrase',
    back: 'Security of your account',
    said: {
      saved: 'The phrase is saved.',
      expired: 'This form is too old, or cookies are switched off. Please send it once more.',
      wrong: 'The password is not right.',
      bad: 'A phrase is one line of at most 40 characters.',
      busy: 'That is not possible at the moment. Try again shortly.',
    },
  },
  fa: {
    heading: 'عبارت در ایمیل‌ها',
    why: 'هر ایمیلی که برای شما می‌فرستیم با این عبارت آغاز می‌شود. ایمیل بدون آن از ما نیست.',
    phrase: 'عبارت',
    hint: 'حداکثر ۴۰ نویسه. برای نداشتن عبارت، خالی بگذارید.',
    password: 'گذرواژهٔ شما',
    save: 'ذخیرهٔ عبارت',
    back: 'امنیت حساب شما',
    said: {
      saved: 'عبارت ذخیره شد.',
      expired: 'این فرم قدیمی شده یا کوکی‌ها غیرفعال‌اند. لطفاً آن را یک بار دیگر بفرستید.',
      wrong: 'گذرواژه درست نیست.',
      bad: 'عبارت یک خط و حداکثر ۴۰ نویسه است.',
      busy: 'این کار اکنون ممکن نیست. کمی بعد دوباره امتحان کنید.',
    },
  },
} as const satisfies Record<Language, unknown>;

export const PHRASE_PATH = '/account/phrase/';

export type PhraseSaid = keyof (typeof TEXTS)['en']['said'];

export interface PhrasePage extends LoginPage {
  readonly phrase: string;
  readonly said?: PhraseSaid | undefined;
}

/** What the phrase is for, and the form that changes it. */
export function renderPhrase(values: PageValues, page: PhrasePage): string {
  const { language } = page;
  const text = TEXTS[language];
  const said =
    page.said === undefined
      ? ''
      : `<p class="${page.said === 'saved' ? 'lede" role="status' : 'problem" role="alert'}">${text.said[page.said]}</p>`;
  return renderLoginFrame(
    values,
    { ...page, path: PHRASE_PATH },
    text.heading,
    `${said}<p class="lede">${text.why}</p>
    <form class="form" method="post" action="${PHRASE_PATH}">
      ${hidden(page)}
      <label for="phrase">${text.phrase}</label>
      <input id="phrase" name="phrase" type="text" dir="auto" autocomplete="off" maxlength="${PHRASE_CHARACTERS_MAX}"
        aria-describedby="phrase-hint" value="${escapeHtml(page.phrase)}">
      <p class="hint" id="phrase-hint">${text.hint}</p>
      <label for="phrase-password">${text.password}</label>
      <input id="phrase-password" name="password" type="password" dir="ltr" required autocomplete="current-password"
        maxlength="1000">
      <button class="button primary" type="submit">${text.save}</button>
    </form>
    <p><a href="/accounts/security/?lang=${language}">${text.back}</a></p>`,
  );
}
