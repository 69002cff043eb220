// What a PSBT does, from its bytes. Nothing that it says about itself is believed: inputs are ours if the key at their path
// gives their script, change is ours if the key at its path gives its script, and all else must be declared.
import { CHANGE_BRANCH, DEPOSIT_BRANCH, utxoAccount, utxoScript, type Place } from '@rialto/chains';
import { Transaction } from '@scure/btc-signer';
import type { Declared } from '../judge/declared.ts';
import type { PublicKeys } from '../keys.ts';
import type { UtxoPolicy } from '../policy/policy.ts';
import { Refusal } from '../refusal.ts';

export interface UtxoInput {
  readonly txid: string;
  readonly index: number;
  readonly sequence: number;
  readonly script: Uint8Array;
  readonly units: bigint;
  readonly place: Place;
  /** Whether the transaction that made it was shown. */
  readonly isProven: boolean;
}

/** A transaction of which every part was looked at. It is built anew from this: nothing else of the PSBT is signed. */
export interface UtxoDeed {
  readonly kind: 'utxo';
  readonly account: string;
  readonly inputs: readonly UtxoInput[];
  readonly outputs: readonly { readonly script: Uint8Array; readonly units: bigint }[];
  readonly fee: bigint;
}

const INPUTS_MAX = 250;
const OUTPUTS_MAX = 120;
const VERSION = 2;
/** From here on a sequence delays nothing (BIP68); 0xfffffffd allows a replacement. */
const SEQUENCE_MIN = 0xffff_fffd;
const HARDENED = 0x8000_0000;

/** More than all coins of any network: sums stay far below what 64 bits hold. */
const UNITS_MAX = 1n << 62n;

export function readUtxo(
  psbt: string,
  declared: readonly Declared[],
  network: UtxoPolicy,
  keys: PublicKeys,
): UtxoDeed {
  const transaction = parse(psbt);
  const { inputsLength, outputsLength, version, lockTime } = transaction;
  if (
    inputsLength === 0 ||
    inputsLength > INPUTS_MAX ||
    outputsLength === 0 ||
    outputsLength > OUTPUTS_MAX
  ) {
    throw new Refusal(
      'bad_transaction',
      `Expected 1 to ${INPUTS_MAX} inputs and 1 to ${OUTPUTS_MAX} outputs, not ${inputsLength} and ${outputsLength}.`,
    );
  }
  if (version !== VERSION || lockTime !== 0) {
    throw new Refusal('bad_transaction', `Expected version ${VERSION} and no lock time.`);
  }
  const reader = new Reader(transaction, network, keys);
  const inputs = Array.from({ length: inputsLength }, (_, at) => reader.input(at));
  const outpoints = new Set(inputs.map(outpointOf));
  if (outpoints.size < inputs.length) {
    throw new Refusal('bad_transaction', 'An input is spent twice.');
  }
  const outputs = Array.from({ length: outputsLength }, (_, at) => reader.output(at));
  checkOutputs(outputs, declared);
  const sum = (list: readonly { readonly units: bigint }[]) =>
    list.reduce((total, { units }) => total + units, 0n);
  const fee = sum(inputs) - sum(outputs);
  if (fee < 0n) throw new Refusal('bad_transaction', 'The outputs are worth more than the inputs.');
  const deed: UtxoDeed = { kind: 'utxo', account: reader.account, inputs, outputs, fee };
  checkFee(deed, network);
  return deed;
}

export const outpointOf = ({ txid, index }: { txid: string; index: number }): string =>
  `${txid}:${index}`;

interface ReadOutput {
  readonly script: Uint8Array;
  readonly units: bigint;
  readonly isChange: boolean;
}

/** Every output that is not change is declared, and every declared one is there: once for once. */
function checkOutputs(outputs: readonly ReadOutput[], declared: readonly Declared[]): void {
  const nameOf = (script: string, units: bigint) => `${script} ${units}`;
  const missing = new Map<string, number>();
  for (const { target, units } of declared) {
    const name = nameOf(target, units);
    missing.set(name, (missing.get(name) ?? 0) + 1);
  }
  for (const { script, units, isChange } of outputs) {
    const name = nameOf(Buffer.from(script).toString('hex'), units);
    const count = missing.get(name) ?? 0;
    if (count > 0) missing.set(name, count - 1);
    else if (!isChange) {
      throw new Refusal(
        'output_not_declared',
        `An output of ${units} units to script ${Buffer.from(script).toString('hex')} is neither declared nor our change.`,
      );
    }
  }
  for (const [name, count] of missing) {
    if (count > 0) {
      throw new Refusal('output_missing', `A declared output is not in the transaction: ${name}.`);
    }
  }
}

function checkFee(deed: UtxoDeed, { fee, name }: UtxoPolicy): void {
  const size = vsizeOf(deed);
  if (deed.fee > fee.rateMax * BigInt(size)) {
    throw new Refusal(
      'fee_too_high',
      `${name}: at most ${fee.rateMax} units a virtual byte, this is ${deed.fee} units for ${size} bytes.`,
    );
  }
}

/** The least that the signed transaction can have: the rate is judged at its highest. */
function vsizeOf({ inputs, outputs }: UtxoDeed): number {
  const countBytes = (count: number) => (count < 253 ? 1 : 3);
  // An outpoint, an empty script, a sequence; an amount, a script with its length; version and lock time.
  const base =
    8 +
    countBytes(inputs.length) +
    inputs.length * 41 +
    countBytes(outputs.length) +
    outputs.reduce((sum, { script }) => sum + 9 + script.length, 0);
  // Marker and flag; of each input a count, a signature of 70 bytes or few less with its type, a key.
  const witness = 2 + inputs.length * (1 + 1 + 70 + 1 + 33);
  return Math.ceil((base * 4 + witness) / 4);
}

class Reader {
  readonly account: string;
  readonly #path: readonly number[];
  readonly #transaction: Transaction;
  readonly #network: UtxoPolicy;
  readonly #keys: PublicKeys;

  constructor(transaction: Transaction, network: UtxoPolicy, keys: PublicKeys) {
    this.#transaction = transaction;
    this.#network = network;
    this.#keys = keys;
    this.account = utxoAccount(network.coinType);
    this.#path = [84 + HARDENED, network.coinType + HARDENED, HARDENED];
  }

  input(at: number): UtxoInput {
    const input = this.#transaction.getInput(at);
    const { txid, index, sequence = 0xffff_ffff, witnessUtxo, nonWitnessUtxo } = input;
    if (txid === undefined || index === undefined) {
      throw new Refusal('bad_transaction', `Input ${at} names no output to spend.`);
    }
    if (sequence < SEQUENCE_MIN) {
      throw new Refusal('bad_transaction', `Input ${at} delays the transaction by its sequence.`);
    }
    // The library has checked that the whole transaction, where it is given, has the input's txid.
    const previous = nonWitnessUtxo?.outputs[index] ?? witnessUtxo;
    if (previous?.amount === undefined || previous.script === undefined) {
      throw new Refusal(
        'bad_transaction',
        `Input ${at} does not say what it spends (witnessUtxo).`,
      );
    }
    const place = this.#placeOf(input.bip32Derivation, previous.script, [
      DEPOSIT_BRANCH,
      CHANGE_BRANCH,
    ]);
    if (place === undefined) {
      throw new Refusal(
        'input_not_ours',
        `Input ${at} is not ours: the key at its path does not give its script.`,
      );
    }
    return {
      txid: Buffer.from(txid).toString('hex'),
      index,
      sequence,
      script: previous.script,
      units: checkUnits(previous.amount),
      place,
      isProven: nonWitnessUtxo !== undefined,
    };
  }

  output(at: number): ReadOutput {
    const { script, amount, bip32Derivation } = this.#transaction.getOutput(at);
    if (script === undefined || amount === undefined) {
      throw new Refusal('bad_transaction', `Output ${at} has no script or no amount.`);
    }
    const isChange = this.#placeOf(bip32Derivation, script, [CHANGE_BRANCH]) !== undefined;
    return { script, units: checkUnits(amount), isChange };
  }

  /** The place of the key that this script pays to, if it is one of ours. */
  #placeOf(
    derivations:
      readonly (readonly [Uint8Array, { fingerprint: number; path: number[] }])[] | undefined,
    script: Uint8Array,
    branches: readonly number[],
  ): Place | undefined {
    for (const [, { fingerprint, path }] of derivations ?? []) {
      const [branch = HARDENED, index = HARDENED] = path.slice(this.#path.length);
      const isOurs =
        fingerprint === this.#keys.fingerprint &&
        path.length === this.#path.length + 2 &&
        this.#path.every((step, depth) => path[depth] === step) &&
        branches.includes(branch) &&
        index <= this.#network.indexMax;
      if (!isOurs) continue;
      const place = { branch, index };
      const own = utxoScript(this.#keys.account(this.account).publicKey(place));
      if (Buffer.from(own).equals(script)) return place;
    }
    return undefined;
  }
}

function checkUnits(units: bigint): bigint {
  if (units < 0n || units > UNITS_MAX) {
    throw new Refusal('bad_transaction', `An amount of ${units} units cannot be.`);
  }
  return units;
}

function parse(psbt: string): Transaction {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(psbt)) {
    throw new Refusal('bad_transaction', 'Expected a PSBT in base64.');
  }
  try {
    return Transaction.fromPSBT(Buffer.from(psbt, 'base64'), { allowUnknownOutputs: true });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Refusal('bad_transaction', `The PSBT cannot be read: ${why.slice(0, 200)}.`);
  }
}
