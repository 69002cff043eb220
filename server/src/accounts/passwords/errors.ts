import { Refusal } from '../../platform/http/refusal.ts';

/**
 * The same for an unknown account, a wrong password and a bot, so that nobody learns who has an
 * account.
 */
export const wrongCredentials = () =>
  new Refusal({
    code: 'AUTHENTICATION_FAILED',
    message: 'Your username or password is incorrect',
    status: 401,
  });

/** The organization lets people sign in in other ways only. */
export const passwordsAreOff = () =>
  new Refusal({
    code: 'PASSWORD_AUTH_DISABLED',
    message: 'Password authentication is disabled in this organization. Sign in with the browser.',
    status: 401,
  });

/** The caller has shown a key already, so the code reveals nothing new. */
export const wrongPassword = () =>
  new Refusal({ code: 'BAD_REQUEST', message: 'Wrong password!', status: 400 });

export const incorrectPassword = () =>
  new Refusal({ code: 'BAD_REQUEST', message: 'Password is incorrect.', status: 400 });

export const accountDeactivated = () =>
  new Refusal({ code: 'USER_DEACTIVATED', message: 'Account is deactivated', status: 401 });

export const notAnEmail = () =>
  new Refusal({ code: 'BAD_REQUEST', message: 'Enter a valid email address.', status: 400 });

export const tooManyLogins = (retryAfterSeconds: number) =>
  new Refusal({
    code: 'RATE_LIMIT_HIT',
    message: 'API usage exceeded rate limit',
    status: 429,
    fields: { 'retry-after': retryAfterSeconds },
    headers: { 'retry-after': String(Math.ceil(retryAfterSeconds)) },
  });

/**
 * Too many passwords are being set at once, or the machine is overloaded. None is accepted
 * unchecked.
 */
export const passwordsNotChecked = () =>
  new Refusal({
    code: 'SERVICE_UNAVAILABLE',
    message: 'Passwords cannot be checked at the moment. Try again shortly.',
    status: 503,
    headers: { 'retry-after': '5' },
  });
