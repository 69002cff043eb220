// Reads a policy, with everything that a schema cannot say: addresses that exist, ceilings in order, keys
// that differ. A policy that is not understood whole is not used.
import { readEvmAddress, readUtxoAddress, type UtxoNetwork } from '@rialto/chains';
import { Value } from 'typebox/value';
import { PolicyFile } from './schema.ts';
import { toUnits } from '../amount.ts';
import { sha256 } from '../canonical.ts';
import { SignerFault } from '../fault.ts';

export interface Ceilings {
  readonly transactionMax: bigint;
  readonly hourMax: bigint;
  readonly dayMax: bigint;
}

export interface Coin extends Ceilings {
  readonly name: string;
  readonly decimals: number;
  readonly approvalAbove: bigint;
  /** The address of the token; absent for the network's own coin. */
  readonly contract?: string;
}

export interface Fee extends Ceilings {
  readonly rateMax: bigint;
}

interface Network {
  readonly name: string;
  readonly coin: string;
  readonly coins: ReadonlyMap<string, Coin>;
  readonly fee: Fee;
  /** Scripts in hex, or addresses with their checksum. */
  readonly sweepTargets: ReadonlySet<string>;
  readonly coldTargets: ReadonlySet<string>;
  readonly indexMax: number;
}

export interface UtxoPolicy extends Network {
  readonly kind: 'utxo';
  readonly coinType: number;
  readonly parameters: UtxoNetwork;
}

export interface EvmPolicy extends Network {
  readonly kind: 'evm';
  readonly chainId: bigint;
}

export type NetworkPolicy = UtxoPolicy | EvmPolicy;

export interface Operator {
  readonly name: string;
  readonly key: string;
}

export interface Policy {
  readonly networks: ReadonlyMap<string, NetworkPolicy>;
  readonly operators: readonly Operator[];
  readonly approvalsNeeded: number;
  /** The hash of the file, so that the memory tells which policy was in force. */
  readonly hash: string;
}

/** Throws a `SignerFault` that says where the policy is wrong. */
export function readPolicy(text: string): Policy {
  const file = parse(text);
  const keys = new Set(file.operators.map(({ key }) => key));
  if (keys.size < file.operators.length) throw wrong('operators', 'two operators have one key');
  if (file.approvalsNeeded > keys.size) {
    throw wrong('approvalsNeeded', `there are only ${keys.size} operators`);
  }
  const networks = Object.entries(file.networks).map(([name, network]) =>
    network.kind === 'utxo' ? readUtxo(name, network) : readEvm(name, network),
  );
  return {
    networks: new Map(networks.map((network) => [network.name, network])),
    operators: file.operators,
    approvalsNeeded: file.approvalsNeeded,
    hash: sha256(text).toString('hex'),
  };
}

type UtxoFile = Extract<PolicyFile['networks'][string], { kind: 'utxo' }>;
type EvmFile = Extract<PolicyFile['networks'][string], { kind: 'evm' }>;

function readUtxo(name: string, file: UtxoFile): UtxoPolicy {
  const { bech32, pubKeyHash, scriptHash, wif } = file;
  const parameters = { bech32, pubKeyHash, scriptHash, wif };
  const read = (address: string) => {
    const script = readUtxoAddress(parameters, address);
    return script === undefined ? undefined : Buffer.from(script).toString('hex');
  };
  return {
    kind: 'utxo',
    coinType: file.coinType,
    parameters,
    ...readCommon(name, file, { ...file.fee, rateMax: BigInt(file.fee.rateMax) }, read),
    coins: new Map([[file.coin, readCoin(name, file.coin, file)]]),
  };
}

function readEvm(name: string, file: EvmFile): EvmPolicy {
  const coins = new Map([[file.coin, readCoin(name, file.coin, file)]]);
  for (const [coin, token] of Object.entries(file.tokens)) {
    const contract = readEvmAddress(token.contract);
    if (contract === undefined) throw wrong(`${name}.tokens.${coin}.contract`, 'is no address');
    if (coins.has(coin)) throw wrong(`${name}.tokens.${coin}`, 'is the coin of the network');
    if ([...coins.values()].some((other) => other.contract === contract)) {
      throw wrong(`${name}.tokens.${coin}.contract`, 'is the contract of another token');
    }
    coins.set(coin, { ...readCoin(name, coin, token), contract });
  }
  return {
    kind: 'evm',
    chainId: BigInt(file.chainId),
    ...readCommon(name, file, { ...file.fee, rateMax: BigInt(file.fee.rateMax) }, readEvmAddress),
    coins,
  };
}

function readCommon(
  name: string,
  file: UtxoFile | EvmFile,
  fee: { rateMax: bigint; transactionMax: string; hourMax: string; dayMax: string },
  read: (address: string) => string | undefined,
) {
  const targets = (member: 'sweepTargets' | 'coldTargets') =>
    new Set(
      file[member].map((address) => {
        const target = read(address);
        if (target === undefined) {
          throw wrong(`${name}.${member}`, `"${address}" is no address of this network`);
        }
        return target;
      }),
    );
  return {
    name,
    coin: file.coin,
    fee: { ...readCeilings(`${name}.fee`, fee, file.decimals), rateMax: fee.rateMax },
    sweepTargets: targets('sweepTargets'),
    coldTargets: targets('coldTargets'),
    indexMax: file.indexMax,
  };
}

interface CoinFile {
  readonly decimals: number;
  readonly transactionMax: string;
  readonly hourMax: string;
  readonly dayMax: string;
  readonly approvalAbove: string;
}

function readCoin(network: string, name: string, file: CoinFile): Coin {
  const place = `${network}.${name}`;
  return {
    name,
    decimals: file.decimals,
    ...readCeilings(place, file, file.decimals),
    approvalAbove: readAmount(`${place}.approvalAbove`, file.approvalAbove, file.decimals),
  };
}

function readCeilings(
  place: string,
  file: { transactionMax: string; hourMax: string; dayMax: string },
  decimals: number,
): Ceilings {
  const transactionMax = readAmount(`${place}.transactionMax`, file.transactionMax, decimals);
  const hourMax = readAmount(`${place}.hourMax`, file.hourMax, decimals);
  const dayMax = readAmount(`${place}.dayMax`, file.dayMax, decimals);
  if (transactionMax > hourMax || hourMax > dayMax) {
    throw wrong(place, 'expected transactionMax ≤ hourMax ≤ dayMax');
  }
  return { transactionMax, hourMax, dayMax };
}

function readAmount(place: string, text: string, decimals: number): bigint {
  const units = toUnits(text, decimals);
  if (units === undefined) throw wrong(place, `"${text}" has more than ${decimals} decimals`);
  return units;
}

function parse(text: string): PolicyFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new SignerFault(`The policy is no JSON: ${String(error)}.`);
  }
  if (Value.Check(PolicyFile, value)) return value;
  const [first] = Value.Errors(PolicyFile, value);
  throw wrong(first?.instancePath ?? '', first?.message ?? 'is not as the schema asks');
}

const wrong = (place: string, what: string) =>
  new SignerFault(
    `The policy is wrong at ${place === '' ? 'its root' : place}: ${what}. Nothing is signed before it is right.`,
  );
