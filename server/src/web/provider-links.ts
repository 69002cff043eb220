// The links to providers on the sign-in page.
import { loginPathOf } from '../accounts/oidc/settings.ts';
import { escapeHtml } from '../platform/std/html.ts';
import type { Language } from '../platform/std/language.ts';

/** What the page says of a provider. */
export interface OfferedProvider {
  readonly id: string;
  readonly name: string;
}

const WITH = {
  en: (name: string) => `Sign in with ${name}`,
  fa: (name: string) => `ورود با ${name}`,
} as const;

/** Links, not forms: a form may not lead to another site. */
export function providerLinks(
  { language, next }: { readonly language: Language; readonly next: string | undefined },
  providers: readonly OfferedProvider[],
): string {
  if (providers.length === 0) return '';
  const items = providers.map((provider) => {
    const query = new URLSearchParams({ lang: language, ...(next !== undefined && { next }) });
    const href = `${loginPathOf(provider)}?${query.toString()}`;
    const text = WITH[language](`<bdi>${escapeHtml(provider.name)}</bdi>`);
    // In one box: a button lays its parts side by side, and would drop the space between them.
    return `<a class="button" href="${escapeHtml(href)}"><span>${text}</span></a>`;
  });
  return `<p class="actions">${items.join('\n')}</p>`;
}
