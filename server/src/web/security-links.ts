// The links of the page about security to everything else that protects an account.
import type { Language } from '../platform/std/language.ts';
import { IDENTITIES_PATH } from './identities-page.ts';
import { KEY_PATH } from './key-page.ts';
import { PHRASE_PATH } from './phrase-page.ts';
import { SESSIONS_PATH } from './sessions-page.ts';
import { TRADING_KEYS_PATH } from './trading-keys-page.ts';

const PATHS = {
  sessions: SESSIONS_PATH,
  phrase: PHRASE_PATH,
  chatKey: KEY_PATH,
  tradingKeys: TRADING_KEYS_PATH,
  providers: IDENTITIES_PATH,
} as const;

type Place = keyof typeof PATHS;

const TEXTS: Readonly<
  Record<Language, { readonly heading: string; readonly places: Readonly<Record<Place, string>> }>
> = {
  en: {
    heading: 'More about your account',
    places: {
      sessions: 'Where you are signed in',
      phrase: 'The phrase in our emails',
      chatKey: 'API key of the chat',
      tradingKeys: 'Trading keys',
      providers: 'Sign-in providers',
    },
  },
  fa: {
    heading: 'بیشتر دربارهٔ حساب شما',
    places: {
      sessions: 'جاهایی که وارد شده‌اید',
      phrase: 'عبارت در ایمیل‌های ما',
      chatKey: 'کلید API گفت‌وگو',
      tradingKeys: 'کلیدهای معامله',
      providers: 'ارائه‌دهندگان هویت',
    },
  },
};

export function securityLinks(language: Language, hasProviders: boolean): string {
  const { heading, places } = TEXTS[language];
  const shown = (Object.keys(PATHS) as Place[]).filter(
    (place) => place !== 'providers' || hasProviders,
  );
  const items = shown.map(
    (place) => `<li><a href="${PATHS[place]}?lang=${language}">${places[place]}</a></li>`,
  );
  return `<h2>${heading}</h2>
    <ul class="places">
      ${items.join('\n      ')}
    </ul>`;
}
