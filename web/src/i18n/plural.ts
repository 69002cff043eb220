import type { Language } from './locale.tsx';

const rules: Readonly<Record<Language, Intl.PluralRules>> = {
  en: new Intl.PluralRules('en'),
  fa: new Intl.PluralRules('fa'),
};

/** The form of a text for a count. Persian counts 0 as one ("۰ پیام" and "۱ پیام" are alike), English does not. */
export function plural<T>(
  locale: Language | { readonly language: Language },
  count: number,
  forms: { readonly one: T; readonly other: T },
): T {
  const language = typeof locale === 'string' ? locale : locale.language;
  return rules[language].select(count) === 'one' ? forms.one : forms.other;
}
