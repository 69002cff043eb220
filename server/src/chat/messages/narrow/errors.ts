import { Refusal } from '../../../platform/http/refusal.ts';

export const badNarrow = (description: string) =>
  new Refusal({
    code: 'BAD_NARROW',
    message: `Invalid narrow operator: ${description}`,
    status: 400,
    fields: { desc: description },
  });
