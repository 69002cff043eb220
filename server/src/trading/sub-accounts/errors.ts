// Refusals for operators, which say what to do instead.
import { Refusal } from '../../platform/http/refusal.ts';

export const noSubAccount = (email: string, name: string) =>
  new Refusal({
    code: 'SUB_ACCOUNT_UNKNOWN',
    status: 404,
    message:
      `${email} has no open sub-account "${name}". ` +
      `\`rialto admin sub-account list ${email}\` shows them.`,
  });

export const noMainAccount = (email: string) =>
  new Refusal({
    code: 'UNKNOWN_ACCOUNT',
    status: 404,
    message:
      `${email} has no trading account yet. It is opened with the first key: ` +
      `rialto admin create-trading-key --email ${email}`,
  });
