import { Refusal } from '../../platform/http/refusal.ts';

export const moneyIsReal = () =>
  new Refusal({
    code: 'MONEY_IS_REAL',
    status: 403,
    message:
      'This venue has real money (MONEY=real), so deposits come from a network only. ' +
      'For a demonstration, set up a venue of its own with MONEY=simulated.',
  });
