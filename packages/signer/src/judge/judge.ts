// Decides about a request from its bytes, the policy and what was signed before. Pure: no clock, no file, no secret.
import { utxoAccount, readUtxoAddress } from '@rialto/chains';
import { approvalDigest, listApprovers } from './approvals.ts';
import { readDeclared, type Declared } from './declared.ts';
import type { Ledger, Signed } from './ledger.ts';
import { weigh } from './weigh.ts';
import { evmPlaces, readEvm, type EvmDeed } from '../evm/read.ts';
import type { PublicKeys } from '../keys.ts';
import type { Ceilings, NetworkPolicy, Policy } from '../policy/policy.ts';
import { Refusal } from '../refusal.ts';
import type { EvmFields, SignRequest } from '../request.ts';
import { outpointOf, readUtxo, type UtxoDeed } from '../utxo/read.ts';

export interface Verdict {
  readonly deed: UtxoDeed | EvmDeed;
  /** What the memory keeps; the txid of EVM is known when it is signed. */
  readonly record: Omit<Signed, 'txid'>;
}

export interface Bench {
  readonly policy: Policy;
  readonly keys: PublicKeys;
  readonly ledger: Ledger;
}

/** Throws a `Refusal`, or says what to sign and what to remember. */
export function judge({ policy, keys, ledger }: Bench, request: SignRequest, now: number): Verdict {
  const network = policy.networks.get(request.network);
  if (network === undefined) {
    throw new Refusal('unknown_network', `The policy has no network "${request.network}".`);
  }
  const { deed, declared } = read(request, network, keys);
  if (deed.fee > network.fee.transactionMax) {
    throw new Refusal(
      'fee_too_high',
      `${network.name}: at most ${network.fee.transactionMax} units of fee, this transaction can cost ${deed.fee}.`,
    );
  }
  const { paymentId, kind, purpose = 'pay', outputs } = request;
  const { spends, amounts, proven } = spendsOf(deed, network);
  const charges = chargesOf(request, declared, network, deed.fee);
  const record = {
    paymentId,
    network: network.name,
    kind,
    purpose,
    outputs,
    spends,
    amounts,
    charges: Object.fromEntries([...charges].map(([name, { units }]) => [name, String(units)])),
  };
  checkApprovals(request, declared, policy);
  const ceilings = new Map([...charges].map(([name, { ceilings }]) => [name, ceilings]));
  weigh(ledger, { ...record, txid: '' }, { ceilings, proven, now });
  return { deed, record };
}

function read(request: SignRequest, network: NetworkPolicy, keys: PublicKeys) {
  const { unsigned, kind } = request;
  if (network.kind === 'utxo') {
    if (typeof unsigned !== 'string') {
      throw new Refusal('bad_transaction', `${network.name} takes a PSBT in base64.`);
    }
    if (kind === 'gas') throw new Refusal('bad_request', `${network.name} has no gas to pay.`);
    const places = {
      read(address: string) {
        const script = readUtxoAddress(network.parameters, address);
        return script === undefined ? undefined : Buffer.from(script).toString('hex');
      },
    };
    const declared = readDeclared(request, network, places);
    return { declared, deed: readUtxo(unsigned, declared, network, keys) };
  }
  if (typeof unsigned === 'string') {
    throw new Refusal('bad_transaction', `${network.name} takes the fields of a transaction.`);
  }
  if (kind === 'child') {
    throw new Refusal(
      'bad_request',
      `${network.name} has no children: raise the fee under the same nonce.`,
    );
  }
  const declared = readDeclared(request, network, evmPlaces(keys));
  const fields: SignRequest & { unsigned: EvmFields } = { ...request, unsigned };
  return { declared, deed: readEvm(fields, declared, network, keys) };
}

function spendsOf(deed: UtxoDeed | EvmDeed, network: NetworkPolicy) {
  if (deed.kind === 'evm') {
    const { transaction, from } = deed;
    const spends = [`evm:${transaction.chainId}:${from}:${transaction.nonce}`];
    return { spends, amounts: {}, proven: new Set<string>() };
  }
  // Networks that share an account share its outpoints: by the path, not by the name in the policy.
  const { coinType } = network.kind === 'utxo' ? network : { coinType: 0 };
  const nameOf = (input: UtxoDeed['inputs'][number]) =>
    `${utxoAccount(coinType)}:${outpointOf(input)}`;
  return {
    spends: deed.inputs.map(nameOf),
    amounts: Object.fromEntries(deed.inputs.map((input) => [nameOf(input), String(input.units)])),
    proven: new Set(deed.inputs.filter(({ isProven }) => isProven).map(nameOf)),
  };
}

interface ChargeOf {
  readonly units: bigint;
  readonly ceilings: Ceilings;
}

/** What leaves the venue: payouts by coin, and the fee of every transaction. Sweeps and cold targets stay ours. */
function chargesOf(
  { kind }: SignRequest,
  declared: readonly Declared[],
  network: NetworkPolicy,
  fee: bigint,
): Map<string, ChargeOf> {
  const charges = new Map<string, ChargeOf>();
  if (kind === 'payout') {
    for (const { coin, units } of declared) {
      const name = `${network.name} coin ${coin.name}`;
      const before = charges.get(name)?.units ?? 0n;
      charges.set(name, { units: before + units, ceilings: coin });
    }
  }
  charges.set(`${network.name} fee`, { units: fee, ceilings: network.fee });
  return charges;
}

function checkApprovals(
  request: SignRequest,
  declared: readonly Declared[],
  { operators, approvalsNeeded }: Policy,
): void {
  if (request.kind !== 'payout') return;
  const sums = new Map<Declared['coin'], bigint>();
  for (const { coin, units } of declared) sums.set(coin, (sums.get(coin) ?? 0n) + units);
  const above = [...sums].find(([coin, units]) => units > coin.approvalAbove);
  if (above === undefined) return;
  const [coin] = above;
  const approvers = listApprovers(approvalDigest(request), request.approvals ?? [], operators);
  if (approvers.length < approvalsNeeded) {
    throw new Refusal(
      'approvals_missing',
      `More than ${coin.approvalAbove} units of ${coin.name} need ${approvalsNeeded} operators, ${approvers.length} signed this payment.`,
    );
  }
}
