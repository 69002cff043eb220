// Settings of signing in: how many passwords may be tried, and how long a browser stays signed in.
import { Type } from 'typebox';
import { count, flag } from './define.ts';

export const SIGN_IN = {
  SIGN_IN_NAME_MAX: count(
    1,
    1000,
    5,
    'Passwords that may be tried for one name from places where its owner never signed in, before further attempts have to wait.',
  ),
  SIGN_IN_NAME_SECONDS: count(1, 86_400, 360, 'After how long one more of those may be tried.'),
  SIGN_IN_ADDRESS_MAX: count(
    1,
    100_000,
    50,
    'Passwords that may be tried from one address for people who never signed in from there.',
  ),
  SIGN_IN_ADDRESS_SECONDS: count(1, 86_400, 72, 'After how long one more of those may be tried.'),
  SIGN_IN_DEPLOYMENT_MAX: count(
    1,
    1_000_000,
    100,
    'Passwords that may be tried at once from all such places together.',
  ),
  SIGN_IN_DEPLOYMENT_MS: count(1, 60_000, 100, 'After how long one more of those may be tried.'),
  SIGN_IN_KNOWN_MAX: count(
    1,
    1000,
    10,
    'Passwords that may be tried from a browser or an address in which the person has signed in.',
  ),
  SIGN_IN_KNOWN_SECONDS: count(1, 86_400, 180, 'After how long one more of those may be tried.'),
  SIGN_IN_STREAK_MAX: count(
    1,
    1_000_000,
    100,
    'Failures in a row after which a name is closed to unknown places, until its owner signs in with a known browser.',
  ),
  SIGN_IN_CODE_MAX: count(
    1,
    1000,
    5,
    'Codes of a second factor that may be tried for one account from browsers in which its owner never signed in.',
  ),
  SIGN_IN_CODE_SECONDS: count(1, 86_400, 720, 'After how long one more of those may be tried.'),
  SIGN_IN_CODE_KNOWN_MAX: count(
    1,
    1000,
    10,
    'Codes that may be tried from one browser in which the person has signed in.',
  ),
  SIGN_IN_CODE_KNOWN_SECONDS: count(
    1,
    86_400,
    180,
    'After how long one more of those may be tried.',
  ),
  SIGN_IN_CODE_STREAK_MAX: count(
    1,
    1_000_000,
    50,
    'Wrong codes in a row after which an account is closed to unknown browsers, until its owner signs in with a known one.',
  ),
};

export const SESSIONS = {
  STEP_UP_MINUTES: count(
    1,
    60,
    10,
    'How long a second factor, or the password of somebody without one, lets a session do what could do harm.',
  ),
  STEP_UP_TRIES_MAX: count(
    1,
    20,
    5,
    'Wrong answers in a row, when a session is asked to prove itself again, that end it.',
  ),
  SESSION_IDLE_HOURS: count(1, 8760, 336, 'How long a browser that is not used stays signed in.'),
  SESSION_MAX_HOURS: count(
    1,
    8760,
    2160,
    'How long a browser stays signed in, however much it is used.',
  ),
  OPERATOR_SESSION_MAX_HOURS: count(
    1,
    8760,
    12,
    'The same for somebody who may act as an operator.',
  ),
  SESSIONS_PER_USER_MAX: count(
    1,
    1000,
    50,
    'Browsers in which one person may be signed in; one more signs the oldest out.',
  ),
};

export const OIDC = {
  OIDC_PROVIDERS_FILE: Type.String({
    default: '',
    description:
      'A JSON file that names the OpenID Connect providers that people may sign in with (docs/operating/single-sign-on.md). Empty: none.',
  }),
  OIDC_ALLOW_HTTP: flag(
    'false',
    'Whether a provider may be asked without TLS, for development. Never with MONEY=real.',
  ),
};

export const OPERATORS = {
  OPERATOR_SECRET_FALLBACK: flag(
    'true',
    "Whether operators' secrets still act at the command line (--by). Switch it off once operators sign in with `rialto operator login`.",
  ),
};
