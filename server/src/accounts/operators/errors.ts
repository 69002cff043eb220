// Refusals about operators themselves, which say what to do instead.
import { Refusal } from '../../platform/http/refusal.ts';

const refusal = (code: string, status: number, message: string): Refusal =>
  new Refusal({ code, status, message, fields: {} });

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
