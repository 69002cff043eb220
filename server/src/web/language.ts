import type { FastifyRequest } from 'fastify';
import type { User } from '../accounts/user.ts';
import type { Language } from '../platform/std/language.ts';

/** The requested language, or the one of the two that the browser prefers. */
export function pageLanguageOf(asked: string | null, accepted = ''): Language {
  if (asked === 'en' || asked === 'fa') return asked;
  return /^\s*fa\b/i.test(accepted) ? 'fa' : 'en';
}

/** The requested language, the person's setting, or what the browser prefers. */
export function languageFor(
  { query, headers }: Pick<FastifyRequest, 'query' | 'headers'>,
  person?: Pick<User, 'settings'>,
): Language {
  const { lang } = query as { readonly lang?: unknown };
  const asked = typeof lang === 'string' ? lang : person?.settings['default_language'];
  return pageLanguageOf(typeof asked === 'string' ? asked : null, headers['accept-language']);
}
