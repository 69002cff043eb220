// Asking the directory. Each question has a connection of its own and a deadline: a connection that somebody's
// password was tried on has that person's rights, and must not be used for anything else.
import { Client, InvalidCredentialsError, type Entry } from 'ldapts';
import { Refusal } from '../../platform/http/refusal.ts';
import { fillFilter } from './filter.ts';
import type { DirectorySettings } from './settings.ts';

/** What the directory says of somebody. */
export interface DirectoryEntry {
  readonly dn: string;
  /** What never changes: the directory's own identifier of the entry, or where it has none, the name of the entry. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

export type Search =
  | { readonly kind: 'found'; readonly entry: DirectoryEntry }
  | { readonly kind: 'none' }
  /** Several people answer to the name, so it names nobody. */
  | { readonly kind: 'ambiguous' };

/** The directory did not answer, or not us: nobody was tried. */
export class DirectoryAway extends Refusal {
  override name = 'DirectoryAway';
  constructor(cause: unknown) {
    super({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The directory that knows your password does not answer; try again shortly.',
      status: 503,
      headers: { 'retry-after': '5' },
    });
    this.cause = cause;
  }
}

export function findDirectoryEntry(settings: DirectorySettings, username: string): Promise<Search> {
  return withClient(settings, async (client) => {
    if (settings.bindDn !== '') await client.bind(settings.bindDn, settings.bindPassword);
    const { searchEntries } = await client.search(settings.base, {
      scope: 'sub',
      filter: fillFilter(settings.filter, username),
      attributes: [settings.emailAttribute, settings.nameAttribute, settings.idAttribute],
      // An identifier of some directories is bytes, which are no text.
      explicitBufferAttributes: [settings.idAttribute],
      sizeLimit: 2,
      timeLimit: Math.ceil(settings.timeoutMs / 1000),
    });
    const [first, second] = searchEntries;
    if (first === undefined) return { kind: 'none' };
    if (second !== undefined) return { kind: 'ambiguous' };
    return { kind: 'found', entry: parseEntry(settings, first) };
  });
}

/** Whether this is the person's password. An empty one never is, though directories say yes to it. */
export async function checkEntryPassword(
  settings: DirectorySettings,
  { dn }: DirectoryEntry,
  password: string,
): Promise<boolean> {
  // A bind with a name and no password is an anonymous one, and succeeds (RFC 4513, 5.1.2).
  if (password === '' || dn === '') return false;
  return withClient(settings, async (client) => {
    try {
      await client.bind(dn, password);
      return true;
    } catch (error) {
      if (error instanceof InvalidCredentialsError) return false;
      throw error;
    }
  });
}

async function withClient<T>(
  { url, tls, startTls, timeoutMs }: DirectorySettings,
  ask: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    url,
    timeout: timeoutMs,
    connectTimeout: timeoutMs,
    ...(url.startsWith('ldaps:') && { tlsOptions: tls }),
  });
  try {
    if (startTls) await client.startTLS(tls);
    return await ask(client);
  } catch (error) {
    throw new DirectoryAway(error);
  } finally {
    await client.unbind().catch(() => {});
  }
}

function parseEntry(
  { emailAttribute, nameAttribute, idAttribute }: DirectorySettings,
  entry: Entry,
): DirectoryEntry {
  const given = first(entry, idAttribute);
  const bytes = typeof given === 'string' ? Buffer.from(given) : given;
  return {
    dn: entry.dn,
    id:
      bytes === undefined || bytes.length === 0
        ? `dn ${entry.dn.toLowerCase()}`
        : `${idAttribute.toLowerCase()} ${bytes.toString('hex')}`,
    email: text(entry, emailAttribute),
    name: text(entry, nameAttribute),
  };
}

const text = (entry: Entry, attribute: string): string =>
  (first(entry, attribute) ?? '').toString().trim();

/** The first value, as directories allow several; attributes are named in any case. */
function first(entry: Entry, attribute: string): string | Buffer | undefined {
  const wanted = attribute.toLowerCase();
  const [, value] = Object.entries(entry).find(([name]) => name.toLowerCase() === wanted) ?? [];
  return Array.isArray(value) ? value[0] : value;
}
