// What an EVM transaction does: its fields are the whole of it. A native payment has no data; a payment of a token is one call of
// `transfer` with the declared address and amount; nothing else is signed.
import {
  EVM_DEPOSIT_ACCOUNT,
  EVM_HOT_ACCOUNT,
  evmAddress,
  readEvmAddress,
  signEvmTransaction,
  transferData,
  type EvmTransaction,
  type Place,
} from '@rialto/chains';
import type { Declared, Places } from '../judge/declared.ts';
import type { Keys, PublicKeys } from '../keys.ts';
import type { EvmPolicy } from '../policy/policy.ts';
import type { EvmFields, SignRequest } from '../request.ts';
import { Refusal } from '../refusal.ts';
import type { SignedBytes } from '../utxo/sign.ts';

export interface EvmDeed {
  readonly kind: 'evm';
  readonly account: string;
  readonly place: Place;
  readonly from: string;
  readonly transaction: EvmTransaction;
  /** The most that it can cost. */
  readonly fee: bigint;
}

const HOT_PLACE: Place = { branch: 0, index: 0 };
const PATH = /^(m\/44'\/60'\/[01]')\/0\/(0|[1-9][0-9]{0,9})$/;
/** Nodes refuse higher ones (EIP-2681). */
const NONCE_MAX = 1n << 63n;
const WORD_MAX = 1n << 256n;

const addressAt = (keys: PublicKeys, account: string, place: Place): string =>
  evmAddress(keys.account(account).publicKey(place));

export const evmPlaces = (keys: PublicKeys): Places => ({
  read: readEvmAddress,
  hot: addressAt(keys, EVM_HOT_ACCOUNT, HOT_PLACE),
  deposit: (index) => addressAt(keys, EVM_DEPOSIT_ACCOUNT, { branch: 0, index }),
});

export function readEvm(
  { unsigned, kind, purpose = 'pay' }: SignRequest & { unsigned: EvmFields },
  declared: readonly Declared[],
  network: EvmPolicy,
  keys: PublicKeys,
): EvmDeed {
  const { account, place } = readPath(unsigned.path, network);
  const isHot = account === EVM_HOT_ACCOUNT;
  if (purpose === 'pay' && isHot === (kind === 'sweep')) {
    throw new Refusal(
      'input_not_ours',
      `A payment of kind ${kind} comes from ${isHot ? 'a deposit address' : 'the hot wallet'}, not from ${unsigned.path}.`,
    );
  }
  const from = addressAt(keys, account, place);
  const transaction = readFields(unsigned);
  if (transaction.chainId !== network.chainId) {
    throw new Refusal(
      'bad_transaction',
      `${network.name} has chain id ${network.chainId}, this transaction ${transaction.chainId}.`,
    );
  }
  checkCall(transaction, purpose === 'void' ? voidCall(from) : payCall(declared));
  return { kind: 'evm', account, place, from, transaction, fee: checkFee(transaction, network) };
}

export function signEvm({ account, place, transaction }: EvmDeed, keys: Keys): SignedBytes {
  const key = keys.privateKey(account, place);
  try {
    const { raw, hash } = signEvmTransaction(transaction, key);
    return { raw, txid: hash };
  } finally {
    key.fill(0);
  }
}

function readPath(path: string, { indexMax }: EvmPolicy): { account: string; place: Place } {
  const [, account = '', digits = ''] = PATH.exec(path) ?? [];
  const index = Number(digits);
  const isOurs =
    (account === EVM_HOT_ACCOUNT && index === 0) ||
    (account === EVM_DEPOSIT_ACCOUNT && index <= indexMax);
  if (!isOurs) {
    throw new Refusal(
      'input_not_ours',
      `Expected ${EVM_HOT_ACCOUNT}/0/0 or ${EVM_DEPOSIT_ACCOUNT}/0/i with i up to ${indexMax}, not "${path}".`,
    );
  }
  return { account, place: { branch: 0, index } };
}

function readFields(fields: EvmFields): EvmTransaction {
  const to = readEvmAddress(fields.to);
  if (to === undefined) {
    throw new Refusal('bad_transaction', `"${fields.to}" is no address with a right checksum.`);
  }
  const transaction = {
    chainId: BigInt(fields.chainId),
    nonce: BigInt(fields.nonce),
    maxPriorityFeePerGas: BigInt(fields.maxPriorityFeePerGas),
    maxFeePerGas: BigInt(fields.maxFeePerGas),
    gas: BigInt(fields.gas),
    to,
    value: BigInt(fields.value),
    data: Uint8Array.from(Buffer.from(fields.data.slice(2), 'hex')),
  };
  const { nonce, value, maxPriorityFeePerGas, maxFeePerGas } = transaction;
  if (nonce >= NONCE_MAX || value >= WORD_MAX || maxPriorityFeePerGas > maxFeePerGas) {
    throw new Refusal(
      'bad_transaction',
      'A number is out of range, or the tip is above the whole price of gas.',
    );
  }
  return transaction;
}

interface Call {
  readonly to: string;
  readonly value: bigint;
  readonly data: Uint8Array;
}

const voidCall = (from: string): Call => ({ to: from, value: 0n, data: new Uint8Array() });

function payCall(declared: readonly Declared[]): Call {
  const [only, ...others] = declared;
  if (only === undefined || others.length > 0) {
    throw new Refusal(
      'bad_output',
      `A transaction of EVM pays one output, ${declared.length} are declared.`,
    );
  }
  const { coin, target, units } = only;
  return coin.contract === undefined
    ? { to: target, value: units, data: new Uint8Array() }
    : { to: coin.contract, value: 0n, data: transferData(target, units) };
}

function checkCall({ to, value, data }: EvmTransaction, call: Call): void {
  if (to !== call.to || value !== call.value || !Buffer.from(data).equals(call.data)) {
    throw new Refusal(
      'output_not_declared',
      `Expected a transaction to ${call.to} with value ${call.value} and data 0x${Buffer.from(call.data).toString('hex')}, ` +
        `this one is to ${to} with value ${value} and ${data.length} bytes of data.`,
    );
  }
}

function checkFee({ gas, maxFeePerGas }: EvmTransaction, { fee, name }: EvmPolicy): bigint {
  if (maxFeePerGas > fee.rateMax) {
    throw new Refusal(
      'fee_too_high',
      `${name}: at most ${fee.rateMax} units for one gas, this is ${maxFeePerGas}.`,
    );
  }
  return gas * maxFeePerGas;
}
