// Refusals about operators themselves, which say what to do instead.
import { Refusal } from '../../platform/http/refusal.ts';
import type { Grant } from './grants.ts';

const refusal = (
  code: string,
  status: number,
  message: string,
  fields: Record<string, unknown> = {},
): Refusal => new Refusal({ code, status, message, fields });

const LIST = '`rialto admin operator list` shows them';

export const noSuchPerson = (email: string) =>
  refusal(
    'OPERATOR_UNKNOWN',
    403,
    `There is no user with the address ${email}. \`rialto admin operator list\` shows who may act.`,
  );

export const notAnOperator = (email: string, why: string) =>
  refusal(
    'NOT_AN_OPERATOR',
    403,
    `${email} may not act as an operator: ${why}. Operators are people with the role owner or administrator ` +
      `who have a secret; ${LIST}.`,
  );

/** The same for an unknown address, a person without a secret, and a wrong one. */
export const notProven = (email: string) =>
  refusal(
    'OPERATOR_NOT_PROVEN',
    403,
    `The secret is not that of ${email}. It is the operator's own, not the password to sign in with. Operators are ` +
      `people with the role owner or administrator who are enrolled; ${LIST}. An operator who lost theirs enrols ` +
      'again: rialto admin operator enrol THEIR_ADDRESS',
  );

export const tooManyWrong = (email: string, seconds: number) =>
  refusal(
    'OPERATOR_LOCKED_OUT',
    429,
    `Too many wrong secrets were given for ${email}. The next is looked at in ${seconds} s. Other operators are not ` +
      'held up.',
  );

export const noOwnEnrolment = () =>
  refusal(
    'SECOND_OPERATOR_NEEDED',
    403,
    'Nobody agrees to their own secret: other operators must.',
  );

export const agreedAlready = (email: string) =>
  refusal(
    'SECOND_OPERATOR_NEEDED',
    403,
    `You have agreed to the secret of ${email}. Another operator must agree too; ${LIST}.`,
  );

export const noEnrolment = (email: string) =>
  refusal(
    'NOT_AWAITING_APPROVAL',
    404,
    `No secret of ${email} waits for anybody to agree. They ask with: rialto admin operator enrol ${email}`,
  );

export const otherFingerprint = (email: string, fingerprint: string) =>
  refusal(
    'FINGERPRINT_DIFFERS',
    409,
    `The secret that waits for ${email} does not have the fingerprint ${fingerprint}. Somebody may have asked in ` +
      'their name: talk to them, and agree only to what they read out.',
  );

export const twoMustStay = (email: string) =>
  refusal(
    'LAST_OPERATORS',
    409,
    `Without ${email} there would be fewer than two operators, and nothing that takes two could be done. Enrol ` +
      'another one first.',
  );

export const noSecret = (email: string) =>
  refusal('NOT_ENROLLED', 404, `${email} has no operator's secret; ${LIST}.`);

export const tooFewToReplace = (email: string) =>
  refusal(
    'SECOND_OPERATOR_NEEDED',
    409,
    `${email} has a secret, and a new one in its place takes two other operators; there is one. Enrol a third one ` +
      'first. If the secret is lost, the other operator deactivates and reactivates the person, which ends all of ' +
      'their rights and tells them; then one other operator is enough.',
  );

export const grantMissing = (needed: Grant, grants: readonly Grant[]) =>
  refusal(
    'PERMISSION_DENIED',
    403,
    `You do not have permission to do this: it needs the grant '${needed}', and you have ` +
      `${grants.length === 0 ? 'none' : grants.map((grant) => `'${grant}'`).join(', ')}. ` +
      "Two operators with 'everything' can give it to you.",
    { grant: needed },
  );

export const factorMissing = () =>
  refusal(
    'SECOND_FACTOR_REQUIRED',
    403,
    'Operators act only with a second factor, and this account has none. Add one in your settings, then sign in again.',
    { methods: [], enrol: true, level: 'each' },
  );

export const grantReasonMissing = (longest: number) =>
  refusal(
    'REASON_MISSING',
    400,
    `What takes two operators needs a reason of 1 to ${longest} characters, in words that an auditor will understand later.`,
  );

export const noGrantsFor = (email: string, why: string) =>
  refusal(
    'NOT_A_PERSON',
    409,
    `${email} cannot have grants: ${why}. Grants are for active people.`,
  );

export const hasGrantAlready = (email: string, grant: Grant) =>
  refusal('NO_CHANGE', 409, `${email} has the grant '${grant}' already.`);

export const hasNoSuchGrant = (email: string, grant: Grant) =>
  refusal('NO_CHANGE', 409, `${email} does not have the grant '${grant}'.`);

export const askedAlready = (email: string, grant: Grant) =>
  refusal(
    'NO_CHANGE',
    409,
    `The grant '${grant}' for ${email} is asked for already, and waits for its approval.`,
  );

export const ownGrant = () =>
  refusal(
    'SAME_PERSON',
    403,
    "Nobody asks for a grant of their own or approves one: two other operators with 'everything' do.",
  );

export const sameOperator = (requestId: string) =>
  refusal(
    'SAME_PERSON',
    403,
    `You asked for ${requestId} and cannot approve it too. Another operator must.`,
  );

export const notAwaiting = (requestId: string, status: string) =>
  refusal('NOT_AWAITING', 409, `${requestId} does not wait for anybody: it is ${status}.`, {
    status,
  });

export const digestChanged = (requestId: string) =>
  refusal(
    'DIGEST_CHANGED',
    409,
    `The digest is not the one of ${requestId} as it is now. Look at it again, and decide about what it says.`,
  );

export const noSuchRequest = (requestId: string) =>
  refusal('NOT_AWAITING', 409, `There is no request ${requestId} that waits.`, {
    status: 'unknown',
  });

export const lastWithEverything = (email: string) =>
  refusal(
    'LAST_OPERATORS',
    409,
    `Without ${email} there would be fewer than two people with 'everything', and nobody could be given a grant. ` +
      'Give it to another one first.',
  );

export const hostTooLate = () =>
  refusal(
    'SECOND_OPERATOR_NEEDED',
    403,
    "Two people have 'everything', so they decide about grants, and not the host's command line: one asks, another one approves.",
  );

export const noSuchKey = (keyId: string) =>
  refusal(
    'KEY_UNKNOWN',
    404,
    `There is no trading key ${keyId}. \`rialto admin key list --email ADDRESS\` shows those of a person.`,
  );
