// How often a password may be tried, and what attempts are counted for. A stranger is counted for
// the name, for the address and together with all other strangers. A person at a known place is
// counted for that place alone, which strangers cannot use up.
import type { Config } from '../../platform/config/schema.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { HOUR_SECONDS, DAY_SECONDS } from '../../platform/std/time.ts';

/** A bucket: this many attempts at once, and one more after this many seconds. */
export interface Capacity {
  readonly tokens: number;
  readonly refillSeconds: number;
}

/** The bucket that one attempt takes a token from. */
export interface Take extends Capacity {
  readonly subject: Buffer;
  /** Closes after this many failures in a row; Infinity if it never does. */
  readonly streakMax: number;
}

/** How a person is known before the password is checked. A fixed list: it is a metric label. */
export type Lane =
  | 'stranger'
  /** A browser in which this person signed in. */
  | 'device'
  /** An address from which this person signed in. */
  | 'address'
  /** A person with a session or a key, who is asked for the password again. */
  | 'own';

/** The same for codes of a second factor: the password was right, so the account is known. */
export type CodeLane = 'code' | 'code device';

type Keyed = Pick<Secrets, 'lookup'>;

/** The keyed hash of a subject, known or not. */
export const subjectOf = ({ lookup }: Keyed, text: string): Buffer => lookup('sign-in', text);

/** Normalises the spelling of a typed name. */
export const nameSubject = (secrets: Keyed, name: string): Buffer =>
  subjectOf(secrets, `name ${name.trim().toLowerCase()}`);

export const addressSubject = (secrets: Keyed, address: string): Buffer =>
  subjectOf(secrets, `address ${address}`);

export const knownAddressSubject = (secrets: Keyed, userId: number, address: string): Buffer =>
  subjectOf(secrets, `known address ${userId} ${address}`);

export const knownDeviceSubject = (secrets: Keyed, userId: number, tokenLookup: Buffer): Buffer =>
  subjectOf(secrets, `known device ${userId} ${tokenLookup.toString('hex')}`);

/**
 * The lane of a person who is signed in: the session's own, or the one that all uses of the key
 * share.
 */
export const ownSubject = (secrets: Keyed, userId: number, sessionId: bigint | undefined): Buffer =>
  subjectOf(secrets, sessionId === undefined ? `key ${userId}` : `session ${sessionId}`);

/**
 * Guesses at one person of a directory, however the name is spelled; `entry` is the directory's id.
 */
export const entryText = (entry: string): string => `directory ${entry}`;

/** For the typed name, and for a directory's entry that several names lead to. */
export const nameTake = (config: Config, subject: Buffer): Take => ({
  subject,
  tokens: config.SIGN_IN_NAME_MAX,
  refillSeconds: config.SIGN_IN_NAME_SECONDS,
  streakMax: config.SIGN_IN_STREAK_MAX,
});

export const addressTake = (config: Config, secrets: Keyed, address: string): Take => ({
  subject: addressSubject(secrets, address),
  tokens: config.SIGN_IN_ADDRESS_MAX,
  refillSeconds: config.SIGN_IN_ADDRESS_SECONDS,
  streakMax: Infinity,
});

export const deploymentTake = (config: Config, secrets: Keyed): Take => ({
  subject: subjectOf(secrets, 'all strangers'),
  tokens: config.SIGN_IN_DEPLOYMENT_MAX,
  refillSeconds: config.SIGN_IN_DEPLOYMENT_MS / 1000,
  streakMax: Infinity,
});

export const knownTake = (config: Config, lane: Lane, subject: Buffer): Take => ({
  subject,
  tokens: config.SIGN_IN_KNOWN_MAX,
  refillSeconds: config.SIGN_IN_KNOWN_SECONDS,
  // A device that its owner signed in with is never locked out for good.
  streakMax: lane === 'device' ? Infinity : config.SIGN_IN_STREAK_MAX,
});

/** Codes for one account, from browsers in which its owner never signed in. */
export const codeSubject = (secrets: Keyed, userId: number): Buffer =>
  subjectOf(secrets, `code ${userId}`);

export const codeTake = (config: Config, secrets: Keyed, userId: number): Take => ({
  subject: codeSubject(secrets, userId),
  tokens: config.SIGN_IN_CODE_MAX,
  refillSeconds: config.SIGN_IN_CODE_SECONDS,
  streakMax: config.SIGN_IN_CODE_STREAK_MAX,
});

export const knownCodeSubject = (secrets: Keyed, userId: number, tokenLookup: Buffer): Buffer =>
  subjectOf(secrets, `code ${userId} device ${tokenLookup.toString('hex')}`);

/** Codes from one known browser. It is never locked out for good. */
export const knownCodeTake = (
  config: Config,
  secrets: Keyed,
  userId: number,
  tokenLookup: Buffer,
): Take => ({
  subject: knownCodeSubject(secrets, userId, tokenLookup),
  tokens: config.SIGN_IN_CODE_KNOWN_MAX,
  refillSeconds: config.SIGN_IN_CODE_KNOWN_SECONDS,
  streakMax: Infinity,
});

/** The notice that somebody knows the password: one a day, or one after each sign-in. */
export const noticeTake = (secrets: Keyed, userId: number): Take => ({
  subject: subjectOf(secrets, `password known ${userId}`),
  tokens: 1,
  refillSeconds: DAY_SECONDS,
  streakMax: Infinity,
});

/**
 * The buckets of an email that an unauthenticated visitor asked for: the mailbox may not be theirs.
 */
export function emailTakes(secrets: Keyed, email: string, network: string): readonly Take[] {
  const to = email.trim().toLowerCase();
  const take = (text: string, tokens: number, perSeconds: number): Take => ({
    subject: subjectOf(secrets, text),
    tokens,
    refillSeconds: perSeconds / tokens,
    streakMax: Infinity,
  });
  return [
    take(`email to ${to} from ${network}`, 2, HOUR_SECONDS),
    take(`email to ${to}`, 20, DAY_SECONDS),
    take(`email from ${network}`, 20, DAY_SECONDS),
  ];
}
