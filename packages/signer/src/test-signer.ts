// A signer for tests: a seed, a policy with one network of each family, operators, and requests that are right until a
// test changes them.
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  EVM_DEPOSIT_ACCOUNT,
  EVM_HOT_ACCOUNT,
  evmAddress,
  utxoAccount,
  utxoAddress,
  utxoScript,
} from '@rialto/chains';
import { mnemonicToSeedSync } from '@scure/bip39';
import { Transaction } from '@scure/btc-signer';
import { onTestFinished } from 'vitest';
import { approve } from './operator-keys.ts';
import { showKey } from './judge/approvals.ts';
import { openKeys } from './keys.ts';
import { Memory, beginMemory } from './memory/memory.ts';
import { readPolicy, type Policy } from './policy/policy.ts';
import type { PolicyFile } from './policy/schema.ts';
import type { EvmFields, Output, SignRequest } from './request.ts';
import { answer, type Answer, type Desk } from './service.ts';

export const WORDS = `${'abandon '.repeat(23)}art`;
export const PASSPHRASE = 'correct horse battery staple';
/** Cheap, for tests only. */
export const COST = { memoryKib: 64, passes: 1, parallelism: 1 };
export const seed = mnemonicToSeedSync(WORDS);
export const keys = openKeys(seed);
const stranger = openKeys(mnemonicToSeedSync(`${'zoo '.repeat(23)}vote`));

export const REGTEST = { bech32: 'rltc', pubKeyHash: 0x6f, scriptHash: 0x3a, wif: 0xef };
const COIN_TYPE = 1;
export const ACCOUNT = utxoAccount(COIN_TYPE);
export const CHAIN_ID = 31_337;
export const HOT_PATH = `${EVM_HOT_ACCOUNT}/0/0`;
export const USDT = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

const utxoKey = (of: typeof keys, branch: number, index: number) =>
  of.account(ACCOUNT).publicKey({ branch, index });
export const ourAddress = (branch: number, index: number) =>
  utxoAddress(REGTEST, utxoKey(keys, branch, index));
export const strangersAddress = (index: number) =>
  utxoAddress(REGTEST, utxoKey(stranger, 0, index));
export const depositAddress = (index: number) =>
  evmAddress(keys.account(EVM_DEPOSIT_ACCOUNT).publicKey({ branch: 0, index }));
export const hotAddress = evmAddress(
  keys.account(EVM_HOT_ACCOUNT).publicKey({ branch: 0, index: 0 }),
);
export const strangersEvm = (index: number) =>
  evmAddress(stranger.account(EVM_DEPOSIT_ACCOUNT).publicKey({ branch: 0, index }));

const operatorKeys = ['ana', 'ben', 'cyd'].map((name) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return { name, privateKey, key: showKey(Buffer.from(x, 'base64url')) };
});
export const operators = operatorKeys.map(({ name, key }) => ({ name, key }));
const pemOf = (key: KeyObject | undefined) =>
  String(key?.export({ type: 'pkcs8', format: 'pem' }) ?? '');
export const operatorPems = operatorKeys.map(({ privateKey }) => pemOf(privateKey));

/** The approvals of the first operators for a request or statement. */
export const approvedBy = (count: number, about: unknown) =>
  operatorPems.slice(0, count).map((pem) => approve(JSON.stringify(about), pem));

const ceilings = { transactionMax: '10', hourMax: '20', dayMax: '50', approvalAbove: '5' };

export const policyFile = {
  version: 1,
  networks: {
    LTC: {
      kind: 'utxo',
      coinType: COIN_TYPE,
      ...REGTEST,
      coin: 'ltc',
      decimals: 8,
      ...ceilings,
      fee: { rateMax: 100, transactionMax: '0.01', hourMax: '0.02', dayMax: '0.1' },
      sweepTargets: [ourAddress(0, 900)],
      coldTargets: [strangersAddress(77)],
      indexMax: 1000,
    },
    ETH: {
      kind: 'evm',
      chainId: CHAIN_ID,
      coin: 'eth',
      decimals: 18,
      ...ceilings,
      tokens: {
        usdt: {
          contract: USDT,
          decimals: 6,
          transactionMax: '1000',
          hourMax: '2000',
          dayMax: '5000',
          approvalAbove: '500',
        },
      },
      fee: { rateMax: '200000000000', transactionMax: '0.02', hourMax: '0.2', dayMax: '1' },
      sweepTargets: [],
      coldTargets: [strangersEvm(77)],
      indexMax: 1000,
    },
  },
  operators,
  approvalsNeeded: 2,
} satisfies PolicyFile;
export const policy: Policy = readPolicy(JSON.stringify(policyFile));

export interface PsbtInput {
  readonly txid?: string;
  readonly vout?: number;
  readonly units?: bigint;
  readonly branch?: number;
  readonly index?: number;
  readonly sequence?: number;
  /** A script of somebody else, at our path. */
  readonly script?: Uint8Array;
  readonly nonWitnessUtxo?: string;
  readonly fingerprint?: number;
}

export interface PsbtOutput {
  readonly address: string;
  readonly units: bigint;
  /** A claim to be our change. */
  readonly change?: { readonly branch?: number; readonly index: number };
}

const HARDENED = 0x8000_0000;
const derivation = (branch: number, index: number, fingerprint = keys.fingerprint) =>
  [
    utxoKey(keys, branch, index),
    { fingerprint, path: [84 + HARDENED, COIN_TYPE + HARDENED, HARDENED, branch, index] },
  ] as const;

export const LTC = 100_000_000n;

export function makePsbt(
  inputs: readonly PsbtInput[],
  outputs: readonly PsbtOutput[],
  options: { lockTime?: number; version?: number } = {},
): string {
  const tx = new Transaction({ allowUnknownOutputs: true, disableScriptCheck: true, ...options });
  for (const given of inputs) {
    const { txid = 'aa'.repeat(32), vout = 0, units = 2n * LTC, branch = 0, index = 0 } = given;
    const { script = utxoScript(utxoKey(keys, branch, index)), sequence = 0xffff_fffd } = given;
    const [key, origin] = derivation(branch, index, given.fingerprint);
    tx.addInput({
      txid,
      index: vout,
      sequence,
      ...(given.nonWitnessUtxo === undefined
        ? { witnessUtxo: { script, amount: units } }
        : { nonWitnessUtxo: given.nonWitnessUtxo }),
      bip32Derivation: [[key, { ...origin, path: [...origin.path] }]],
    });
  }
  for (const { address, units, change } of outputs) {
    const origin = change && derivation(change.branch ?? 1, change.index);
    tx.addOutput({
      script: scriptOf(address),
      amount: units,
      ...(origin === undefined
        ? {}
        : { bip32Derivation: [[origin[0], { ...origin[1], path: [...origin[1].path] }]] }),
    });
  }
  return Buffer.from(tx.toPSBT()).toString('base64');
}

function scriptOf(address: string): Uint8Array {
  const tx = new Transaction();
  tx.addOutputAddress(address, 1n, REGTEST);
  const { script } = tx.getOutput(0);
  if (script === undefined) throw new Error('An address has a script.');
  return script;
}

export const payout = (id: string, amount = '1', address = strangersAddress(1)): Output => ({
  withdrawId: id,
  address,
  amount,
});

/** A payout of 1 LTC from an input of 2, with change and a small fee. */
export function utxoRequest(change: Partial<SignRequest> = {}): SignRequest {
  return {
    op: 'sign',
    paymentId: 'P1',
    network: 'LTC',
    kind: 'payout',
    unsigned: makePsbt(
      [{}],
      [
        { address: strangersAddress(1), units: LTC },
        { address: ourAddress(1, 0), units: LTC - 10_000n, change: { index: 0 } },
      ],
    ),
    outputs: [payout('W1')],
    ...change,
  };
}

export function evmFields(change: Partial<EvmFields> = {}): EvmFields {
  return {
    path: HOT_PATH,
    chainId: String(CHAIN_ID),
    nonce: '0',
    to: strangersEvm(1),
    value: String(10n ** 18n),
    data: '0x',
    gas: '21000',
    maxFeePerGas: '20000000000',
    maxPriorityFeePerGas: '1000000000',
    ...change,
  };
}

/** A payout of 1 ETH from the hot wallet. */
export function evmRequest(change: Partial<SignRequest> = {}): SignRequest {
  return {
    op: 'sign',
    paymentId: 'P1',
    network: 'ETH',
    kind: 'payout',
    unsigned: evmFields(),
    outputs: [payout('W1', '1', strangersEvm(1))],
    ...change,
  };
}

export function makeTestFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-signer-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface TestDesk extends Desk {
  readonly memory: Memory;
  readonly folder: string;
  now: number;
  /** The reason of a refusal, or `signed`. */
  ask(request: unknown): string;
  send(request: unknown): Answer;
}

export const START = 1_760_000_000_000;

/** A signer without its sockets. */
export function openDesk(used: Policy = policy): TestDesk {
  const folder = makeTestFolder();
  beginMemory(folder, keys.memoryKey, [{ body: { type: 'began', fingerprint: '' }, at: START }]);
  const memory = Memory.open(folder, keys.memoryKey);
  onTestFinished(() => memory.close());
  const desk: TestDesk = {
    keys,
    policy: used,
    memory,
    folder,
    now: START,
    clock: () => desk.now,
    note: () => {},
    send: (request) =>
      answer(desk, typeof request === 'string' ? request : JSON.stringify(request)),
    ask(request) {
      const result = desk.send(request);
      return result.ok ? 'signed' : result.reason;
    },
  };
  return desk;
}
