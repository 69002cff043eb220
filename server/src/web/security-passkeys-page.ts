// The section of passkeys on the page about security. They have a page of their own, because it needs a script.
import type { Factors } from '../accounts/second-factors/factor.ts';
import type { Language } from '../platform/std/language.ts';
import { PASSKEYS_PATH } from './passkeys-page.ts';

const TEXTS = {
  en: {
    heading: 'Passkeys',
    why: 'Kept by your phone, your computer or a security key. One that checks who you are also signs you in without a password.',
    have: (count: string) => `You have ${count}.`,
    suspected: 'One of them may have been copied: look at it.',
    link: 'Your passkeys',
  },
  fa: {
    heading: 'گذرکلیدها',
    why: 'در گوشی، رایانه یا کلید امنیتی شما می‌مانند. گذرکلیدی که خود شما را می‌سنجد، بدون گذرواژه هم شما را وارد می‌کند.',
    have: (count: string) => `شما ${count} گذرکلید دارید.`,
    suspected: 'شاید از یکی از آن‌ها رونوشت گرفته شده باشد: آن را ببینید.',
    link: 'گذرکلیدهای شما',
  },
} as const satisfies Record<Language, unknown>;

export function passkeySection(
  language: Language,
  { passkeys, suspected = 0 }: Pick<Factors, 'passkeys' | 'suspected'>,
): string {
  const text = TEXTS[language];
  const count = passkeys + suspected;
  const have = count === 0 ? '' : text.have(new Intl.NumberFormat(language).format(count));
  const warning = suspected > 0 ? `<p class="problem">${text.suspected}</p>` : '';
  return `<h2>${text.heading}</h2>
    <p>${text.why} ${have}</p>${warning}
    <p><a class="button" href="${PASSKEYS_PATH}?lang=${language}">${text.link}</a></p>`;
}
