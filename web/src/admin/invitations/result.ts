// How an invitation by email went: who was invited, and who was not and why.
import { ChatError } from '@rialto/sdk';

export interface Invited {
  readonly invited: number;
  readonly refused: readonly { readonly email: string; readonly why: string }[];
}

const ADDRESSES = /[\s,;]+/;

export const addressesIn = (text: string): string[] => [
  ...new Set(text.split(ADDRESSES).filter((one) => one !== '')),
];

/** A refusal that nevertheless invited the others is a partial result; any other is thrown again. */
export function partialOf(error: unknown, asked: number): Invited {
  if (!(error instanceof ChatError) || error.code !== 'INVITATION_FAILED') throw error;
  const errors = error.details['errors'];
  const refused = Array.isArray(errors) ? errors.filter(isProblem) : [];
  if (refused.length === 0) throw error;
  const hasSome = error.details['sent_invitations'] === true;
  return {
    invited: hasSome ? asked - refused.length : 0,
    refused: refused.map(([email, why]) => ({ email, why })),
  };
}

const isProblem = (value: unknown): value is readonly [string, string] =>
  Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'string';
