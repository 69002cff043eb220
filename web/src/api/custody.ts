// What the administration answers about custody. Amounts and times are texts, as on the wire; an empty one is none.
import type { Withdrawal } from '@rialto/sdk';

export interface CustodyNetwork {
  readonly network: string;
  readonly status: 'active' | 'paused';
  readonly reason: string;
  readonly heldReason: string;
  readonly scannedHeight: string;
  readonly tipHeight: string;
  readonly lagBlocks: string;
  readonly tipAt: string;
  readonly rescanFrom: string;
}

export interface AwaitingWithdrawal {
  readonly accountId: string;
  readonly accountLabel: string;
  readonly ownerEmail: string;
  readonly ownerName: string;
  readonly requestedBy: string;
  readonly approvals: string;
  readonly approvalsNeeded: string;
  readonly approvedBy: readonly { readonly email: string; readonly at: string }[];
  readonly because: readonly ('not_in_book' | 'amount' | 'large_amount' | 'screening')[];
  readonly automaticMax: string;
  readonly oneOperatorMax: string;
  readonly address: {
    readonly state: 'present' | 'removed' | 'altered' | 'absent';
    readonly label: string;
    readonly addedAt: string;
    readonly usableAt: string;
  };
  readonly withdrawal: Withdrawal;
}

export interface CustodyPayment {
  readonly paymentId: string;
  readonly network: string;
  readonly kind: string;
  readonly state: string;
  readonly reason: string;
  readonly txid: string;
  readonly withdrawIds: readonly string[];
  readonly signatures: string;
  readonly decisions: readonly {
    readonly way: string;
    readonly email: string;
    readonly reason: string;
    readonly at: string;
  }[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface ResolvedPayment {
  readonly paymentId: string;
  readonly isDone: boolean;
}

export interface CustodyTier {
  readonly network: string;
  readonly coin: string;
  readonly hot: string;
  readonly measuredAt: string;
  readonly floor: string;
  readonly target: string;
  readonly ceiling: string;
  readonly cold: string;
  readonly state: 'within' | 'below_floor' | 'above_ceiling' | 'unbounded' | 'unknown';
}

export interface CustodyReport {
  readonly reportId: string;
  readonly network: string;
  readonly coin: string;
  readonly outcome: 'equal' | 'surplus' | 'shortfall' | 'postponed';
  readonly reason: string;
  readonly height: string;
  readonly onChain: string;
  readonly custody: string;
  readonly uncredited: string;
  readonly unsettled: string;
  readonly costs: string;
  readonly difference: string;
  readonly at: string;
}

export interface CustodyStop {
  readonly network: string;
  readonly coin: string;
  readonly stoppedAt: string;
  readonly isCleared: boolean;
}
