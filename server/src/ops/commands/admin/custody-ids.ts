// Ids as operators type them.
import { CommandError } from '../../trouble.ts';

function idOf(letter: 'W' | 'P', noun: string, text: string): bigint {
  const [, found, digits] = /^([WP]?)([1-9][0-9]{0,17})$/.exec(text) ?? [];
  if (digits !== undefined && (found === letter || found === '')) return BigInt(digits);
  throw new CommandError(
    `"${text}" is not the id of a ${noun} such as ${letter}17; \`rialto admin custody status\` lists them.`,
  );
}

export const withdrawalIdOf = (text: string): bigint => idOf('W', 'withdrawal', text);
export const paymentIdOf = (text: string): bigint => idOf('P', 'payment', text);
