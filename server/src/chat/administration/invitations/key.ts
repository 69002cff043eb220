// The secret in an invitation's link, which is stored as a keyed hash.
import type { Secrets } from '../../../platform/secrets/secrets.ts';

export {
  createLinkKey as createKey,
  isLinkKey as isKey,
} from '../../../platform/secrets/link-key.ts';

/** A key of an email is no key of a link, and the other way round. */
export const lookUp = (
  { lookup }: Pick<Secrets, 'lookup'>,
  kind: 'letter' | 'link',
  key: string,
): Buffer => lookup(`invitation ${kind}`, key);

/** For whom a sealed key opens: the row that holds its hash. */
export const sealOwner = (keyLookup: Buffer): string =>
  `invitation link ${keyLookup.toString('hex')}`;
