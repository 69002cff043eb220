// Refusals of signing in, step-up and the factors themselves. The codes of step-up are also names in the catalogue of the
// trading API.
import { Refusal } from '../../platform/http/refusal.ts';
import type { StepUp } from './factor.ts';

/** What can be shown to get further. */
export type StepUpMethod = 'passkey' | 'totp' | 'password' | 'oidc';

export interface Demand {
  readonly level: StepUp;
  readonly methods: readonly StepUpMethod[];
  /** Whether a second factor has to be added first. */
  readonly enrol: boolean;
}

const required = (message: string, { level, methods, enrol }: Demand, status = 403) =>
  new Refusal({
    code: 'SECOND_FACTOR_REQUIRED',
    message,
    status,
    fields: { methods, enrol, level },
  });

export const secondFactorRequired = (demand: Demand) => required(textOf(demand), demand);

export const wrongFactor = (demand: Demand) =>
  required(
    'This answer is wrong, or was used before. A code is good once: wait for the next one, then try again.',
    demand,
  );

/** For a key: only one with the scope `admin` stands for a second factor. */
export const keyNeedsFactor = (level: StepUp) =>
  required(
    'This account has second factors, and this key does not stand for one. Do it in a browser, or with a key that has the scope admin.',
    { level, methods: [], enrol: false },
    400,
  );

export const endedByFailures = (tries: number) =>
  new Refusal({
    code: 'SESSION_INVALID',
    message: `There were ${tries} wrong answers, so this session has ended. Sign in again.`,
    status: 401,
  });

export const passwordIsNoFactor = (demand: Demand) =>
  required(
    'This account has a second factor: show that one, not the password. Send a code as `code`, or an assertion as `assertion`.',
    demand,
  );

function textOf({ level, methods, enrol }: Demand): string {
  if (enrol)
    return 'This needs a second factor, and this account has none. Add one, then repeat this.';
  if (level === 'each') {
    return 'This needs a second factor of its own: send a code in X-SVC-OTP, or an assertion for this very act in X-SVC-ASSERTION.';
  }
  const what = methods.includes('password')
    ? 'your password as `password`'
    : 'a code as `code` or an assertion as `assertion`';
  return `Prove again that it is you: send ${what} to POST /json/step_up, then repeat this.`;
}

/** The same for a wrong code, one that was spent before, and a factor that the account does not have. */
export const wrongAnswer = () =>
  new Refusal({
    code: 'WRONG_FACTOR',
    message:
      'That did not match. A code is good once: wait for the next one in your app, or use another method.',
    status: 401,
  });

export const signInOver = () =>
  new Refusal({
    code: 'SIGN_IN_OVER',
    message: 'This sign-in is over: it took too long, or had too many wrong answers. Start again.',
    status: 401,
  });

export const wrongFirstCode = () =>
  new Refusal({
    code: 'WRONG_FACTOR',
    message:
      'That is not the code of this secret at this time. Check the clock of your phone, and give the code that it shows now.',
    status: 400,
  });

export const noTotpBegun = () =>
  new Refusal({
    code: 'BAD_REQUEST',
    message: 'No secret waits for a first code, or it has waited too long. Ask for a new one.',
    status: 400,
  });

export const noSuchFactor = () =>
  new Refusal({
    code: 'BAD_REQUEST',
    message: 'This account has no such second factor.',
    status: 400,
  });

export const factorRequired = () =>
  new Refusal({
    code: 'FACTOR_REQUIRED',
    message:
      'Your organization asks for a second factor, and this is your last one. Add another first.',
    status: 400,
  });

/** The right password was given, so the code reveals nothing new. */
export const secondFactorNeeded = () =>
  new Refusal({
    code: 'SECOND_FACTOR_REQUIRED',
    message:
      'This account needs a second step: sign in with the browser, or use a key from your settings.',
    status: 401,
  });
