import { Refusal } from '../../platform/http/refusal.ts';

export const noSuchAccountOf = (account: bigint | string) =>
  new Refusal({
    code: 'SUB_ACCOUNT_UNKNOWN',
    status: 404,
    message: `This person has no open account "${account}".`,
  });
