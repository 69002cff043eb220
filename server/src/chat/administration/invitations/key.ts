// The secret in an invitation's link. The database has only its keyed hash.
import type { Secrets } from '../../../platform/secrets/secrets.ts';

export {
  createLinkKey as createKey,
  isLinkKey as isKey,
} from '../../../platform/secrets/link-key.ts';

/** The kind is part of the hash, so the key of an email never works as a key of a link. */
export const lookUp = (
  { lookup }: Pick<Secrets, 'lookup'>,
  kind: 'letter' | 'link',
  key: string,
): Buffer => lookup(`invitation ${kind}`, key);

/** Binds a sealed key to the row that holds its hash. */
export const sealOwner = (keyLookup: Buffer): string =>
  `invitation link ${keyLookup.toString('hex')}`;
