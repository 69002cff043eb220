// Refusals about trading accounts and keys. Their codes are names in the catalogue of the trading API.
import { Refusal } from '../../platform/http/refusal.ts';

export const noSuchAccountOf = (account: bigint | string) =>
  new Refusal({
    code: 'SUB_ACCOUNT_UNKNOWN',
    status: 404,
    message: `This person has no open account "${account}".`,
  });

/** A term of a key that cannot be accepted. */
export const badTerm = (
  code: 'PARAMETER_MISSING' | 'PARAMETER_INVALID' | 'PARAMETER_RANGE' | 'PARAMETER_CONFLICT',
  parameter: string,
  message: string,
) => new Refusal({ code, status: 400, message, fields: { parameter } });

export const tooManyKeys = (max: number) =>
  new Refusal({
    code: 'KEY_LIMIT',
    status: 409,
    message: `An account has at most ${max} keys, expired ones included. Delete one that you no longer use.`,
    fields: { maximum: String(max) },
  });

export const noSuchKey = () =>
  new Refusal({
    code: 'KEY_UNKNOWN',
    status: 404,
    message: 'None of your accounts has such a key.',
    fields: { parameter: 'keyId' },
  });
