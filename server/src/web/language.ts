/** The languages of the pages. */
export type Language = 'en' | 'fa';

/** What was asked for, or what the browser prefers of the two. */
export function pageLanguageOf(asked: string | null, accepted = ''): Language {
  if (asked === 'en' || asked === 'fa') return asked;
  return /^\s*fa\b/i.test(accepted) ? 'fa' : 'en';
}
