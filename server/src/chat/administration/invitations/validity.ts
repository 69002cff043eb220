// Decides whether an invitation can be used now. What was permitted when it was sent does not count.
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { readRights } from '../../rights/permissions/access.ts';
import { may, type Rights } from '../../rights/permissions/rights.ts';
import { isKey, lookUp } from './key.ts';
import { readInviter } from './sending.ts';
import {
  findByKey,
  findLinkByKey,
  shareLink,
  type Invitation,
  type InvitationLink,
  type Terms,
} from './store.ts';

/** Why it cannot be used. `withdrawn`: its inviter may not invite any more. */
export type Over = 'unknown' | 'used' | 'revoked' | 'expired' | 'withdrawn';

/** What an invitation gives now, and the rights of its inviter. */
export interface Valid<T> {
  readonly kind: 'valid';
  readonly invitation: T;
  readonly terms: Terms;
  readonly inviter: User;
  readonly rights: Rights;
}

export type Validity<T> = Valid<T> | { readonly kind: Over };

type ValidityContext = Pick<Context, 'clock' | 'secrets'>;

/** For the key of an email. */
export async function readValidity(
  db: Db,
  ctx: ValidityContext,
  key: string,
): Promise<Validity<Invitation>> {
  const found = isKey(key) ? await findByKey(db, lookUp(ctx.secrets, 'letter', key)) : undefined;
  return examine(db, ctx, found);
}

export async function examine(
  db: Db,
  ctx: Pick<Context, 'clock'>,
  invitation: Invitation | undefined,
): Promise<Validity<Invitation>> {
  if (invitation === undefined) return { kind: 'unknown' };
  if (invitation.state !== 'open') return { kind: invitation.state };
  if (isExpired(ctx, invitation)) return { kind: 'expired' };
  if (invitation.linkId === null)
    return vouch(db, invitation, invitation, 'can_invite_users_group');
  const link = await shareLink(db, invitation.linkId);
  const validity = await examineLink(db, ctx, link);
  return validity.kind === 'valid' ? { ...validity, invitation } : validity;
}

/** For the key of a reusable link. */
export async function readLinkValidity(
  db: Db,
  ctx: ValidityContext,
  key: string,
): Promise<Validity<InvitationLink>> {
  const found = isKey(key) ? await findLinkByKey(db, lookUp(ctx.secrets, 'link', key)) : undefined;
  return examineLink(db, ctx, found);
}

async function examineLink(
  db: Db,
  ctx: Pick<Context, 'clock'>,
  link: InvitationLink | undefined,
): Promise<Validity<InvitationLink>> {
  if (link === undefined) return { kind: 'unknown' };
  if (link.revokedAt !== null) return { kind: 'revoked' };
  if (isExpired(ctx, link)) return { kind: 'expired' };
  return vouch(db, link, link, 'create_multiuse_invite_group');
}

const isExpired = ({ clock }: Pick<Context, 'clock'>, { expiresAt }: Terms): boolean =>
  expiresAt !== null && expiresAt.getTime() <= clock.now();

/** The inviter must still be active and permitted to invite. */
async function vouch<T>(
  db: Db,
  invitation: T,
  terms: Terms,
  permission: 'can_invite_users_group' | 'create_multiuse_invite_group',
): Promise<Validity<T>> {
  const inviter = await readInviter(db, terms);
  if (inviter === undefined) return { kind: 'withdrawn' };
  const rights = await readRights(db, inviter);
  if (!may(rights, permission)) return { kind: 'withdrawn' };
  return { kind: 'valid', invitation, terms, inviter, rights };
}
