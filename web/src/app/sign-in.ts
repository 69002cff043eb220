import type { Address } from './addresses.ts';

/** The page to sign in at, which leads back to this address. What stands behind the # is a part of it. */
export const signInHref = ({ pathname, search, hash }: Address): string =>
  `/login/?next=${encodeURIComponent(`${pathname}${search}${hash}`)}`;
