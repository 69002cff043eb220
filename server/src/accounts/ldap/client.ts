// Queries the directory. Each query has its own connection and a deadline: a connection on which a
// person's password was tried has that person's rights, and must not be used for anything else.
import { Client, InvalidCredentialsError, type Entry } from 'ldapts';
import { Refusal } from '../../platform/http/refusal.ts';
import { fillFilter } from './filter.ts';
import type { DirectorySettings } from './settings.ts';

/** What the directory knows of a person. */
export interface DirectoryEntry {
  readonly dn: string;
  /**
   * The permanent id: the directory's own identifier of the entry, or its name where there is none.
   */
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

export type Search =
  | { readonly kind: 'found'; readonly entry: DirectoryEntry }
  | { readonly kind: 'none' }
  /** Several people match the name, so it identifies nobody. */
  | { readonly kind: 'ambiguous' };

/** The directory did not answer, or refused us: no password was checked. */
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
      // The identifier of some directories is bytes, not text.
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

/** Whether this is the person's password. An empty one never is, though directories accept it. */
export async function checkEntryPassword(
  settings: DirectorySettings,
  { dn }: DirectoryEntry,
  password: string,
): Promise<boolean> {
  // A bind with a name and no password is anonymous, and succeeds (RFC 4513, 5.1.2).
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

/** The first value, as directories allow several; attribute names ignore case. */
function first(entry: Entry, attribute: string): string | Buffer | undefined {
  const wanted = attribute.toLowerCase();
  const [, value] = Object.entries(entry).find(([name]) => name.toLowerCase() === wanted) ?? [];
  return Array.isArray(value) ? value[0] : value;
}
