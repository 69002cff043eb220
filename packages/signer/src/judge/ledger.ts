// What the signer has signed, as far as rules look back at it: which payment a withdrawal belongs to, what the versions of
// a payment spend, and how much left in the last hour and day. It is rebuilt from the memory at each start.
import type { Kind, Output } from '../request.ts';

/** One signed transaction, as the memory keeps it. */
export interface Signed {
  readonly paymentId: string;
  readonly network: string;
  readonly kind: Kind;
  readonly purpose: 'pay' | 'void';
  readonly outputs: readonly Output[];
  /** What excludes other transactions: outpoints, or chain, address and nonce. */
  readonly spends: readonly string[];
  /** What the inputs are worth, as it was claimed or proven. */
  readonly amounts: Readonly<Record<string, string>>;
  /** What it can cost the venue, in units, by the name of a ceiling. */
  readonly charges: Readonly<Record<string, string>>;
  readonly txid: string;
}

export interface Payment {
  readonly network: string;
  readonly kind: Kind;
  /** Of the first version that pays; later ones pay the same. */
  outputs: readonly Output[] | undefined;
  readonly versions: { readonly spends: ReadonlySet<string>; readonly txid: string }[];
  /** The dearest version by each ceiling: one version at most is mined. */
  readonly charged: Map<string, bigint>;
}

export interface Charge {
  readonly at: number;
  readonly units: bigint;
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export class Ledger {
  readonly payments = new Map<string, Payment>();
  /** The payment of each withdrawal, for ever. */
  readonly withdrawals = new Map<string, string>();
  readonly amounts = new Map<string, string>();
  /** By ceiling, oldest first, of the last day. */
  readonly charges = new Map<string, Charge[]>();
  /** The time of the newest record. */
  time = 0;

  record(signed: Signed, at: number): void {
    this.time = Math.max(this.time, at);
    const { paymentId, network, kind, purpose, outputs, spends, txid } = signed;
    const payment: Payment = this.payments.get(paymentId) ?? {
      network,
      kind,
      outputs: undefined,
      versions: [],
      charged: new Map(),
    };
    this.payments.set(paymentId, payment);
    if (purpose === 'pay') payment.outputs ??= outputs;
    payment.versions.push({ spends: new Set(spends), txid });
    for (const { withdrawId } of outputs) {
      if (withdrawId !== undefined) this.withdrawals.set(withdrawId, paymentId);
    }
    for (const [outpoint, units] of Object.entries(signed.amounts)) {
      this.amounts.set(outpoint, units);
    }
    for (const [ceiling, text] of Object.entries(signed.charges)) {
      this.#charge(payment, ceiling, BigInt(text), this.time);
    }
  }

  /** After a recovery times before it mean nothing: what they say counts as of now. */
  restart(at: number): void {
    for (const [ceiling, charges] of this.charges) {
      this.charges.set(
        ceiling,
        charges.map(({ units }) => ({ at, units })),
      );
    }
    this.time = at;
  }

  #charge(payment: Payment, ceiling: string, units: bigint, at: number): void {
    const before = payment.charged.get(ceiling) ?? 0n;
    if (units <= before) return;
    payment.charged.set(ceiling, units);
    const recent = (this.charges.get(ceiling) ?? []).filter((charge) => charge.at > at - DAY_MS);
    recent.push({ at, units: units - before });
    this.charges.set(ceiling, recent);
  }
}
