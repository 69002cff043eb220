// The terms of a chat key: what may be chosen, and within which limits.
import { isRange } from '../../platform/http/address.ts';
import { DAY_MS } from '../../platform/std/time.ts';
import type { User } from '../user.ts';
import { invalidTerms } from './errors.ts';
import type { ChatKeyTerms } from './store.ts';

export const OWN_KEYS_MAX = 20;
export const APP_KEYS_MAX = 20;
export const LABEL_CHARACTERS_MAX = 64;
export const KEY_CHANNELS_MAX = 100;
export const KEY_ADDRESSES_MAX = 20;
export const ADMIN_KEY_DAYS_MAX = 30;
const KEY_DAYS_MAX = 3650;

/** Refuses terms that no key may have. `createdMs` is when the key was made. */
export function checkTerms(
  owner: Pick<User, 'botType'>,
  { label, can, channelIds, addresses, expiresAt }: ChatKeyTerms,
  { createdMs, nowMs }: { readonly createdMs: number; readonly nowMs: number },
): void {
  if (label.trim() === '' || Array.from(label).length > LABEL_CHARACTERS_MAX) {
    throw invalidTerms(`A key needs a label, of at most ${LABEL_CHARACTERS_MAX} characters.`);
  }
  if (can.length === 0) throw invalidTerms('A key needs at least one of read, write and admin.');
  if (channelIds !== null && new Set(channelIds).size !== channelIds.length) {
    throw invalidTerms('channel_ids names a channel twice.');
  }
  const wrong = addresses?.find((range) => !isRange(range));
  if (wrong !== undefined) {
    throw invalidTerms(
      `${JSON.stringify(wrong.slice(0, 50))} is no address and no network. Write 203.0.113.7 or 203.0.113.0/24.`,
    );
  }
  const daysMax = can.includes('admin') ? ADMIN_KEY_DAYS_MAX : KEY_DAYS_MAX;
  if (can.includes('admin') && owner.botType !== null) {
    throw invalidTerms('The scope admin is for people; bots cannot have it.');
  }
  if (expiresAt === null) {
    if (can.includes('admin')) {
      throw invalidTerms(
        `A key with the scope admin needs expires_at, at most ${daysMax} days ahead.`,
      );
    }
    return;
  }
  if (expiresAt.getTime() <= nowMs) throw invalidTerms('expires_at is in the past.');
  if (expiresAt.getTime() > createdMs + daysMax * DAY_MS) {
    throw invalidTerms(`This key can last at most ${daysMax} days from when it was made.`);
  }
}
