// The code that an operator reads at a command line and types into their browser.
import { randomInt } from 'node:crypto';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { CONSONANTS } from '../operators/secret.ts';

/** 34 bits: few guesses are allowed, and it lives for minutes. */
const CODE_CHARACTERS = 8;
const CODE = /^[bcdfghjkmnpqrstvwxz]{8}$/;
const TYPED_CHARACTERS_MAX = 40;

export const createCode = (): string =>
  Array.from({ length: CODE_CHARACTERS }, () => CONSONANTS[randomInt(CONSONANTS.length)]).join('');

/** As it is shown: in two halves. */
export const showCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

/** What was typed as a code, or undefined if it cannot be one. Case, spaces and hyphens do not matter. */
export function normalizeCode(typed: string): string | undefined {
  if (typed.length > TYPED_CHARACTERS_MAX) return undefined;
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '');
  return CODE.test(code) ? code : undefined;
}

export const codeLookup = (secrets: Secrets, code: string): Buffer =>
  secrets.lookup('cli code', code);
