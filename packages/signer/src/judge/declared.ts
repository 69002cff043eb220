// The outputs that a request declares, and where a payment of its kind may go.
import type { Coin, NetworkPolicy } from '../policy/policy.ts';
import type { Kind, Output, SignRequest } from '../request.ts';
import { Refusal } from '../refusal.ts';
import { toUnits } from '../amount.ts';

export interface Declared {
  readonly output: Output;
  readonly coin: Coin;
  readonly units: bigint;
  /** A script in hex, or an address with its checksum: what two spellings of one address share. */
  readonly target: string;
}

/** What a network of one family knows about addresses. */
export interface Places {
  /** The target of an address, or undefined if it is none of this network. */
  read(address: string): string | undefined;
  /** The hot wallet, where it has one address. */
  readonly hot?: string;
  /** The deposit address with this index, where gas is paid to. */
  deposit?(index: number): string;
}

export function readDeclared(
  request: SignRequest,
  network: NetworkPolicy,
  places: Places,
): Declared[] {
  const declared = request.outputs.map((output) => readOutput(output, network, places));
  const { kind, purpose = 'pay' } = request;
  if (purpose === 'void' || kind === 'child') {
    if (declared.length > 0) {
      throw new Refusal(
        'bad_output',
        `A ${purpose === 'void' ? 'void' : 'child'} pays nobody: outputs must be empty.`,
      );
    }
    return declared;
  }
  const ids = declared.flatMap(({ output }) => output.withdrawId ?? []);
  if (kind === 'payout') {
    if (declared.length === 0) throw new Refusal('bad_output', 'A payout declares its outputs.');
    if (ids.length < declared.length || new Set(ids).size < ids.length) {
      throw new Refusal('bad_output', 'Each output of a payout names a withdrawal of its own.');
    }
  } else if (ids.length > 0) {
    throw new Refusal('bad_output', 'Only payouts have withdrawals.');
  }
  for (const one of declared) checkTarget(kind, one, network, places);
  return declared;
}

function readOutput(output: Output, network: NetworkPolicy, places: Places): Declared {
  const name = output.coin ?? network.coin;
  const coin = network.coins.get(name);
  if (coin === undefined) {
    throw new Refusal('unknown_coin', `The policy has no coin "${name}" on ${network.name}.`);
  }
  const units = toUnits(output.amount, coin.decimals);
  if (units === undefined || units === 0n) {
    throw new Refusal(
      'bad_output',
      `"${output.amount}" is no amount of ${name}: expected a decimal above 0, at most ${coin.decimals} places, no zeros at its end.`,
    );
  }
  const target = places.read(output.address);
  if (target === undefined) {
    throw new Refusal('bad_output', `"${output.address}" is no address of ${network.name}.`);
  }
  return { output, coin, units, target };
}

function checkTarget(
  kind: Kind,
  { output, coin, target }: Declared,
  network: NetworkPolicy,
  places: Places,
): void {
  const isAllowed = {
    payout: () => true,
    child: () => false,
    sweep: () => target === places.hot || network.sweepTargets.has(target),
    to_cold: () => network.coldTargets.has(target),
    gas: () =>
      coin.contract === undefined &&
      output.index !== undefined &&
      output.index <= network.indexMax &&
      places.deposit?.(output.index) === target,
  }[kind]();
  if (!isAllowed) {
    throw new Refusal(
      'target_not_in_policy',
      `A payment of kind ${kind} may not go to ${output.address}: the policy does not name it, and it is no address of the venue for this.`,
    );
  }
}
