// What a password must be. A rough guess at the number of guesses is enough to refuse the worst.
import { Refusal } from '../../platform/http/refusal.ts';

export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 100;
const GUESSES_MIN = 10_000;

const COMMON = new Set([
  'password',
  'passw0rd',
  'password1',
  '12345678',
  '123456789',
  'qwertyui',
  'qwertyuiop',
  'iloveyou',
  'letmein1',
  'football',
  'baseball',
  'trustno1',
  'sunshine',
  'princess',
  'superman',
  'welcome1',
  'changeme',
]);

/** At most this many guesses for somebody who knows how people choose. */
function guesses(password: string): number {
  const plain = password.toLowerCase();
  if (COMMON.has(plain)) return COMMON.size;
  const different = new Set(plain).size;
  // Runs such as abcdefgh or 11111111 have one choice: where they begin.
  const steps = new Set(
    Array.from(plain, (_c, i) => plain.charCodeAt(i) - plain.charCodeAt(i - 1)),
  );
  steps.delete(Number.NaN);
  if (steps.size <= 1) return 200 * plain.length;
  return different ** Math.min(plain.length, 12);
}

/** Refuses, in the words that the route has for it. */
export function checkPassword(password: string, message: string): void {
  const isWeak =
    password.length < PASSWORD_MIN ||
    password.length > PASSWORD_MAX ||
    guesses(password) < GUESSES_MIN;
  if (isWeak) throw new Refusal({ code: 'BAD_REQUEST', message, status: 400 });
}
