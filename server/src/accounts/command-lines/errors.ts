// Refusals about command lines that want to act for an operator.
import { Refusal } from '../../platform/http/refusal.ts';

const refusal = (code: string, status: number, message: string, headers = {}): Refusal =>
  new Refusal({ code, status, message, fields: {}, headers });

/** The same for a guess, a code that is too old and one that was used. */
export const noSuchCode = () =>
  refusal(
    'CLI_CODE_UNKNOWN',
    400,
    'No command line waits with this code. A code is good once, for ten minutes: run `rialto operator login` again.',
  );

export const tooManyCodes = (seconds: number) =>
  refusal(
    'CLI_CODES_EXHAUSTED',
    429,
    `Too many wrong codes were typed. The next one is looked at in ${seconds} s.`,
    { 'Retry-After': String(seconds) },
  );

export const notSignedIn = () =>
  refusal(
    'CLI_NOT_SIGNED_IN',
    401,
    'This command line is not signed in, or no longer: it was signed out, an hour is over, or it was not used for 15 ' +
      'minutes. Run `rialto operator login`.',
  );

export const secretsSwitchedOff = () =>
  refusal(
    'OPERATOR_SECRETS_OFF',
    403,
    "Operators' secrets are switched off here (OPERATOR_SECRET_FALLBACK). Run `rialto operator login`.",
  );
