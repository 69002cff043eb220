// The language of the page and how it writes numbers and days. Everything below reads it from here, never from the
// browser.
import { createContext, use, type ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';

export type Language = 'en' | 'fa';
export type Direction = 'ltr' | 'rtl';
export type Digits = 'latin' | 'persian';
export type Calendar = 'gregorian' | 'persian';

export interface Locale {
  readonly language: Language;
  readonly direction: Direction;
  readonly digits: Digits;
  readonly calendar: Calendar;
}

/** The locale of a person's choices. Without a choice, a language brings its customary digits and calendar. */
export function localeOf(
  language: Language,
  choices: { digits?: Digits | undefined; calendar?: Calendar | undefined } = {},
): Locale {
  const persian = language === 'fa';
  return {
    language,
    direction: persian ? 'rtl' : 'ltr',
    digits: choices.digits ?? (persian ? 'persian' : 'latin'),
    calendar: choices.calendar ?? (persian ? 'persian' : 'gregorian'),
  };
}

/** The BCP 47 tag that makes `Intl` write as the locale says. English keeps the customs of British English: a day of 24
 *  hours, the day before the month. */
export function tagOf(locale: Locale): string {
  const base = locale.language === 'fa' ? 'fa-IR' : 'en-GB';
  const calendar = locale.calendar === 'persian' ? 'persian' : 'gregory';
  return `${base}-u-ca-${calendar}-nu-${locale.digits === 'persian' ? 'arabext' : 'latn'}`;
}

const LocaleContext = createContext<Locale>(localeOf('en'));

/** Gives the locale to everything inside, react-aria included. The attributes `lang` and `dir` of the page are set by
 *  whoever owns the page. */
export function LocaleProvider({ locale, children }: { locale: Locale; children: ReactNode }) {
  return (
    <LocaleContext value={locale}>
      <I18nProvider locale={tagOf(locale)}>{children}</I18nProvider>
    </LocaleContext>
  );
}

export function useLocale(): Locale {
  return use(LocaleContext);
}
