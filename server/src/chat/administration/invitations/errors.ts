import { Refusal } from '../../../platform/http/refusal.ts';
import { badRequest } from '../../http/errors.ts';
import type { Over } from './validity.ts';

/** What is wrong with an address, and whether it belongs to a deactivated account. */
export type AddressProblem = readonly [email: string, message: string, isDeactivated: boolean];

interface Failure {
  readonly errors?: readonly AddressProblem[];
  readonly haveSome?: boolean;
  readonly isLimitReached?: boolean;
}

export const invitationFailed = (
  message: string,
  { errors = [], haveSome = false, isLimitReached = false }: Failure = {},
) =>
  new Refusal({
    code: 'INVITATION_FAILED',
    message,
    status: 400,
    fields: {
      errors,
      sent_invitations: haveSome,
      license_limit_reached: false,
      daily_limit_reached: isLimitReached,
    },
  });

export const dailyLimitReached = () =>
  invitationFailed(
    'To protect people, this server limits the number of invitations that can be sent in one day. ' +
      'Because the limit is reached, no invitations were sent.',
    { isLimitReached: true },
  );

export const accountTooNew = () =>
  invitationFailed(
    'Your account is too new to send invites for this organization. ' +
      'Ask an organization admin, or a more experienced user.',
  );

export const someInvalid = (errors: readonly AddressProblem[]) =>
  invitationFailed("Some emails did not validate, so we didn't send any invitations.", { errors });

export const noneInvited = (errors: readonly AddressProblem[]) =>
  invitationFailed("We weren't able to invite anyone.", { errors });

export const othersInvited = (errors: readonly AddressProblem[]) =>
  invitationFailed(
    "Some of those addresses already have an account, so we didn't send them an invitation. " +
      'We did send invitations to everyone else!',
    { errors, haveSome: true },
  );

export const noAddress = () => badRequest('You must specify at least one email address.');
export const tooManyAddresses = (max: number) =>
  badRequest(`invitee_emails has too many addresses (limit: ${max}).`);
export const tooManyLinks = (max: number) =>
  badRequest(`You cannot have more than ${max} open invitation links. Revoke one first.`);
export const unknownChannel = (id: number) =>
  badRequest(`Invalid channel ID ${id}. No invites were sent.`);
export const maySubscribeNobody = () =>
  badRequest('You do not have permission to subscribe other users to channels.');
export const mustBeAdministrator = () => badRequest('Must be an organization administrator');
export const mustBeOwner = () => badRequest('Must be an organization owner');
export const noSuchInvitation = () => badRequest('No such invitation');
export const alreadyEnded = () => badRequest('Invitation already used or deactivated.');
export const alreadyRevoked = () => badRequest('Invitation has already been revoked');

const OVER: Readonly<Record<Over, string>> = {
  unknown: 'This invitation is not known here. Check that you have the whole link.',
  used: 'This invitation has been used already.',
  revoked: 'This invitation has been revoked. Ask whoever invited you for another one.',
  expired: 'This invitation has expired. Ask whoever invited you for another one.',
  withdrawn: 'Whoever invited you can no longer do so. Ask an administrator for an invitation.',
};

/** Why the invitation cannot be used. The caller has the key, which cannot be guessed, so may know the reason. */
export class InvitationOver extends Refusal {
  readonly over: Over;
  constructor(over: Over) {
    super({ code: 'BAD_REQUEST', message: OVER[over], status: 404, fields: { invitation: over } });
    this.over = over;
  }
}
export const invitationOver = (over: Over) => new InvitationOver(over);

export const addressRefused = (problem: string) => badRequest(problem);

export const otherAddress = () => badRequest('The invitation is for another address.');

export const mailMissing = () =>
  new Refusal({
    code: 'BAD_REQUEST',
    message:
      'This server cannot send emails yet, so it cannot confirm your address. ' +
      'Ask whoever invited you to tell its operator (SMTP_URL), or to make an account for you.',
    status: 503,
  });

export const tooManyEmails = () =>
  new Refusal({
    code: 'RATE_LIMIT_HIT',
    message:
      'Too many emails went to this address within a day. Look into your mailbox, or try again tomorrow.',
    status: 429,
    headers: { 'retry-after': '3600' },
  });
