// The address at which code can be tried: a template of RFC 6570 with the one variable `code`.
import { linkedAddress } from './addresses.ts';

/** Longer addresses are cut by browsers and servers on the way. */
const URL_MAX = 16_000;

export function playgroundUrl(template: string, code: string): string | undefined {
  const encoded = encodeURIComponent(code.toWellFormed());
  const url = template.replaceAll(/\{([?&#+/]?)code\}/g, (_whole, kind: string) => {
    if (kind === '?' || kind === '&') return `${kind}code=${encoded}`;
    return kind === '' || kind === '+' ? encoded : `${kind}${encoded}`;
  });
  return url.length > URL_MAX || !/^https?:/i.test(url) ? undefined : linkedAddress(url);
}
