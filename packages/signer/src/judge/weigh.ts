// The rules that look back: a withdrawal has one payment for ever, the versions of a payment exclude each other and pay the
// same, an outpoint has one amount, and ceilings hold.
import { checkLimits } from './limits.ts';
import type { Ledger, Payment, Signed } from './ledger.ts';
import { canonicalJson } from '../canonical.ts';
import type { Ceilings } from '../policy/policy.ts';
import { Refusal } from '../refusal.ts';

/** Throws a `Refusal`, or the transaction may be signed. */
export function weigh(
  ledger: Ledger,
  proposal: Signed,
  {
    ceilings,
    proven,
    now,
  }: {
    /** Of each name in the proposal's charges. */
    readonly ceilings: ReadonlyMap<string, Ceilings>;
    /** Outpoints whose amounts are proven by the transaction that made them. */
    readonly proven: ReadonlySet<string>;
    readonly now: number;
  },
): void {
  const payment = ledger.payments.get(proposal.paymentId);
  checkWithdrawals(ledger, proposal);
  if (payment !== undefined) checkVersion(payment, proposal);
  checkAmounts(ledger, proposal, proven);
  for (const [name, text] of Object.entries(proposal.charges)) {
    const ceiling = ceilings.get(name);
    if (ceiling === undefined) throw new Error(`No ceiling is named ${name}.`);
    const units = BigInt(text);
    const extra = units - (payment?.charged.get(name) ?? 0n);
    checkLimits(name, ceiling, ledger.charges.get(name) ?? [], { units, extra, now });
  }
}

function checkWithdrawals(ledger: Ledger, { outputs, paymentId }: Signed): void {
  for (const { withdrawId } of outputs) {
    if (withdrawId === undefined) continue;
    const owner = ledger.withdrawals.get(withdrawId);
    if (owner !== undefined && owner !== paymentId) {
      throw new Refusal(
        'withdrawal_has_payment',
        `${withdrawId} belongs to payment ${owner}, for ever. Ask for a further version of that one.`,
      );
    }
  }
}

function checkVersion(payment: Payment, proposal: Signed): void {
  const { paymentId, network, kind, purpose, outputs, spends } = proposal;
  const isSame =
    payment.network === network &&
    payment.kind === kind &&
    (purpose === 'void' ||
      payment.outputs === undefined ||
      canonicalJson(payment.outputs) === canonicalJson(outputs));
  if (!isSame) {
    throw new Refusal(
      'payment_differs',
      `Payment ${paymentId} was signed with another network, kind or outputs. A further version pays the same.`,
    );
  }
  for (const version of payment.versions) {
    if (!spends.some((spend) => version.spends.has(spend))) {
      throw new Refusal(
        'not_in_conflict',
        `This version and ${version.txid} of payment ${paymentId} could both be mined. Spend one of its inputs, or its nonce.`,
      );
    }
  }
}

/**
 * A signature holds for the amounts that were claimed, each input by itself. Two requests that lie about different inputs
 * would give two halves of one transaction with a fee that nobody allowed. So an outpoint has the amount that
 * was first signed, unless the transaction that made it is shown.
 */
function checkAmounts(ledger: Ledger, { amounts }: Signed, proven: ReadonlySet<string>): void {
  for (const [outpoint, units] of Object.entries(amounts)) {
    const known = ledger.amounts.get(outpoint);
    if (known !== undefined && known !== units && !proven.has(outpoint)) {
      throw new Refusal(
        'amount_differs',
        `${outpoint} was signed for with ${known} units, now ${units} are claimed. Send the transaction that made it (nonWitnessUtxo).`,
      );
    }
  }
}
