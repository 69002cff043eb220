// What an invitation promises, as the request asked for it.
import type { RoleCode } from '../../../accounts/roles.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import { MINUTE_MS } from '../../../platform/std/time.ts';

export interface Offer {
  readonly role: RoleCode;
  readonly channelIds: readonly number[];
  readonly groupIds: readonly number[];
  readonly includesDefaults: boolean;
  readonly welcomeText: string | null;
  /** Null: forever. Undefined: the server's default. */
  readonly validMinutes: number | null | undefined;
}

export interface EmailedOffer extends Offer {
  readonly emails: string;
  readonly notifiesInviter: boolean;
}

const ascending = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);

/** The promise as it is stored. */
export function termsOf(
  { clock, config }: Pick<Context, 'clock' | 'config'>,
  by: User,
  offer: Offer,
) {
  const nowMs = clock.now();
  const { validMinutes = config.INVITATION_LINK_VALIDITY_MINUTES } = offer;
  return {
    inviterId: by.id,
    role: offer.role,
    channelIds: ascending(offer.channelIds),
    groupIds: ascending(offer.groupIds),
    includesDefaults: offer.includesDefaults,
    welcomeText: offer.welcomeText,
    invitedAt: new Date(nowMs),
    expiresAt: validMinutes === null ? null : new Date(nowMs + validMinutes * MINUTE_MS),
  };
}

/** For the audit log. */
export const detailsOf = (offer: Offer) => ({
  role: offer.role,
  channel_ids: ascending(offer.channelIds),
  group_ids: ascending(offer.groupIds),
  valid_minutes: offer.validMinutes ?? null,
});
