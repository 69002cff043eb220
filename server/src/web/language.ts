import type { Language } from '../platform/std/language.ts';

/** The requested language, or the one of the two that the browser prefers. */
export function pageLanguageOf(asked: string | null, accepted = ''): Language {
  if (asked === 'en' || asked === 'fa') return asked;
  return /^\s*fa\b/i.test(accepted) ? 'fa' : 'en';
}
