// Who is calling: HTTP Basic with the user's address and chat key. Cookies and keys in addresses are
// not credentials here.
import { CHAT_KEY } from '../../accounts/chat-keys/key.ts';
import { findKeyOwner } from '../../accounts/chat-keys/verify.ts';
import type { User } from '../../accounts/user.ts';
import type { Context } from '../../platform/context.ts';
import { badRequest, unauthorized } from './errors.ts';

export async function authenticate(ctx: Context, header: string | undefined): Promise<User> {
  if (header === undefined) {
    throw unauthorized('Not logged in: API authentication or user session required');
  }
  const { email, key } = readBasic(header);
  if (!CHAT_KEY.test(key)) throw unauthorized('Malformed API key');
  const user = await findKeyOwner(ctx, email, key);
  if (user === undefined) throw unauthorized('Invalid API key');
  if (!user.isActive) throw unauthorized('Account is deactivated');
  return user;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function readBasic(header: string): { email: string; key: string } {
  const [scheme = '', encoded = '', ...rest] = header.trim().split(/\s+/);
  if (encoded === '' || rest.length > 0) throw malformed();
  if (scheme.toLowerCase() !== 'basic') {
    throw badRequest('This endpoint requires HTTP basic authentication.');
  }
  if (!BASE64.test(encoded)) throw malformed();
  const [email, key, ...more] = decodeText(encoded).split(':');
  if (email === undefined || key === undefined || more.length > 0) throw malformed();
  return { email: email.trim(), key: key.trim() };
}

function decodeText(encoded: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    throw malformed();
  }
}

const malformed = () => unauthorized('Invalid authorization header for basic auth');

/** A browser that wandered here is shown the login page instead of JSON. */
export function prefersHtml(accept: string | undefined): boolean {
  return (
    accept !== undefined && qualityOf(accept, 'text/html') > qualityOf(accept, 'application/json')
  );
}

/** Whoever wants a picture shows a page of text as a broken one. */
export const prefersImages = (accept: string | undefined): boolean =>
  accept !== undefined && qualityOf(accept, 'image/png') > qualityOf(accept, 'text/html');

/** How much `accept` wants `type`, from 0 to 1; the most specific range that covers it decides. */
function qualityOf(accept: string, type: string): number {
  const ranges = [type, `${type.split('/', 1)[0] ?? ''}/*`, '*/*'];
  let best = { rank: ranges.length, quality: 0 };
  for (const entry of accept.split(',')) {
    const [range = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    const rank = ranges.indexOf(range);
    if (rank < 0 || rank >= best.rank) continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    best = { rank, quality: quality === undefined ? 1 : Number(quality) || 0 };
  }
  return best.quality;
}
