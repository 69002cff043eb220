// Why the signer does not sign. Reasons are part of the protocol: programs act on them, so they never
// change their meaning; messages are for people.

export type Reason =
  | 'bad_request'
  | 'line_too_long'
  | 'too_slow'
  | 'internal'
  | 'memory_broken'
  | 'unknown_network'
  | 'unknown_coin'
  | 'bad_output'
  | 'bad_transaction'
  | 'input_not_ours'
  | 'output_not_declared'
  | 'output_missing'
  | 'target_not_in_policy'
  | 'fee_too_high'
  | 'limit_transaction'
  | 'limit_hour'
  | 'limit_day'
  | 'approvals_missing'
  | 'withdrawal_has_payment'
  | 'payment_differs'
  | 'not_in_conflict'
  | 'amount_differs';

export interface Refused {
  readonly ok: false;
  readonly reason: Reason;
  readonly message: string;
  /** Milliseconds since 1970: when the same request could pass, if it is a matter of time. */
  readonly availableAt?: string;
}

/** Thrown inside the judge and caught at its door: rules stay one line each. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly reason: Reason;
  readonly availableAt: number | undefined;
  constructor(reason: Reason, message: string, availableAt?: number) {
    super(message);
    this.reason = reason;
    this.availableAt = availableAt;
  }

  toAnswer(): Refused {
    const { reason, message, availableAt } = this;
    return {
      ok: false,
      reason,
      message,
      ...(availableAt === undefined ? {} : { availableAt: String(availableAt) }),
    };
  }
}
