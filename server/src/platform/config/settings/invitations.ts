// Settings of invitations and of the emails that they cause.
import { count } from './define.ts';

export const INVITATIONS = {
  INVITATION_LINK_VALIDITY_MINUTES: count(
    1,
    5_256_000,
    14_400,
    'How long an invitation is valid when the inviter does not say.',
  ),
  INVITATIONS_DAILY_MAX: count(
    0,
    1_000_000,
    1000,
    'Invitations by email in 24 hours, of all people together, so that a stolen account cannot flood others. 0: no limit.',
  ),
  SIGNUP_MAILS_PER_RECIPIENT: count(
    1,
    1000,
    5,
    'Emails in 24 hours to one address that was entered at a reusable invitation link; it may belong to somebody else.',
  ),
  SIGNUP_MAILS_PER_CALLER: count(
    1,
    100_000,
    50,
    'Such emails in 24 hours that one network address may cause; an office may share one.',
  ),
  SIGNUPS_DAILY_MAX: count(
    0,
    1_000_000,
    500,
    'People who may register in 24 hours where no invitation is required; each needs an email with a link. 0: nobody.',
  ),
};
