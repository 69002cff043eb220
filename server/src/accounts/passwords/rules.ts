// The rules for a password: long enough, and hard to guess for somebody who knows its owner.
import type { Context } from '../../platform/context.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { readOrganizationName } from '../organization.ts';
import { askEstimator } from './estimator.ts';
import { REASONS, type Reason } from './reasons.ts';

/** Register tells chat clients these values, and they show how far a new password is from them. */
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 100;
export const GUESSES_MIN = 10_000;

/** The owner of the new password. */
export interface PasswordOwner {
  readonly email: string;
  readonly fullName: string;
}

export class WeakPassword extends Refusal {
  override name = 'WeakPassword';
  readonly reason: Reason;

  /** `message` is the route's text that clients know; what is wrong stands beside it. */
  constructor(message: string, reason: Reason) {
    super({
      code: 'BAD_REQUEST',
      message,
      status: 400,
      fields: { reason, explanation: REASONS[reason].en },
    });
    this.reason = reason;
  }
}

/** Refuses a weak password, with the route's own text. */
export async function checkPassword(
  ctx: Pick<Context, 'db' | 'config'>,
  password: string,
  owner: PasswordOwner,
  message: string,
): Promise<void> {
  if (password.length < PASSWORD_MIN) throw new WeakPassword(message, 'short');
  if (password.length > PASSWORD_MAX) throw new WeakPassword(message, 'long');
  const organization = (await readOrganizationName(ctx.db)) ?? ctx.config.ORGANIZATION_NAME;
  const { guesses, reason } = await askEstimator(
    password,
    wordsOf(owner, [organization, hostOf(ctx.config.PUBLIC_URL)]),
  );
  if (guesses < GUESSES_MIN) throw new WeakPassword(message, reason);
}

const WORD_CHARACTERS_MIN = 3;
const WORD_CHARACTERS_MAX = 100;
const WORDS_MAX = 60;

/** The words that an attacker who knows the owner tries first. */
export function wordsOf({ email, fullName }: PasswordOwner, more: readonly string[]): string[] {
  const words = new Set<string>();
  for (const text of [email, email.split('@', 1)[0] ?? '', fullName, ...more]) {
    const folded = text.normalize('NFKC').toLowerCase();
    const parts = folded.split(/[^\p{L}\p{N}]+/u);
    for (const word of [folded, parts.join(''), ...parts]) {
      const size = word.length;
      if (size >= WORD_CHARACTERS_MIN && size <= WORD_CHARACTERS_MAX && !COMMON_PARTS.has(word)) {
        words.add(word);
      }
    }
  }
  return [...words].slice(0, WORDS_MAX);
}

/** Parts of addresses that identify nobody. */
const COMMON_PARTS: ReadonlySet<string> = new Set(['com', 'org', 'net', 'www', 'localhost']);

const hostOf = (url: string): string => {
  try {
    return new URL(url).hostname;
  } catch {
    return '';
  }
};
