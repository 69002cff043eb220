import type {
  AwaitingWithdrawal,
  CustodyNetwork,
  CustodyPayment,
  CustodyReport,
  CustodyStop,
  CustodyTier,
} from '../../api/custody.ts';
import type { Asking } from '../../asked/use-asked.ts';
import { useLook } from '../use-operator.ts';

export interface Custody {
  readonly networks: readonly CustodyNetwork[];
  readonly withdrawals: readonly AwaitingWithdrawal[];
  readonly payments: readonly CustodyPayment[];
  readonly tiers: readonly CustodyTier[];
  readonly reports: readonly CustodyReport[];
  readonly stops: readonly CustodyStop[];
}

export const useCustody = (): Asking<Custody> => useLook<Custody>({ path: '/custody' });
