// Answers requests. One at a time and without a pause in between: judge, sign, remember, answer.
import { attest, type AttestedAnswer } from './attest.ts';
import type { Clock } from './clock.ts';
import { signEvm } from './evm/read.ts';
import { judge } from './judge/judge.ts';
import { listPublicKeys, type Keys, type PublicKeysAnswer } from './keys.ts';
import { BrokenMemoryError, type Memory } from './memory/memory.ts';
import type { Policy } from './policy/policy.ts';
import { Refusal, type Refused } from './refusal.ts';
import { readRequest, type SignRequest } from './request.ts';
import { signUtxo } from './utxo/sign.ts';

export interface SignedAnswer {
  readonly ok: true;
  readonly raw: string;
  readonly txid: string;
  /** The number of the newest record. The client keeps it, and sends it as `afterSeq`. */
  readonly seq: number;
}

export interface HealthAnswer {
  readonly ok: true;
  /** Whether it would sign. */
  readonly ready: boolean;
  /** What is wrong with the memory, if it would not. */
  readonly problem?: string;
  readonly fingerprint: string;
  readonly policy: string;
  /** The number of the newest record. */
  readonly seq?: number;
  readonly time: string;
}

export type Answer = SignedAnswer | AttestedAnswer | HealthAnswer | PublicKeysAnswer | Refused;

export interface Desk {
  readonly keys: Keys;
  readonly policy: Policy;
  /** Or what is wrong with it: then nothing is signed. */
  readonly memory: Memory | BrokenMemoryError;
  readonly clock: Clock;
  /** For the log: one entry for each request to sign. */
  readonly note: (entry: Readonly<Record<string, unknown>>) => void;
}

/** The answer to one line. It never throws: what is wrong with a request is its answer. */
export function answer(desk: Desk, line: string): Answer {
  try {
    const request = readRequest(line);
    if (request.op === 'pubkeys') return listPublicKeys(desk.keys, desk.policy);
    if (request.op === 'health') return health(desk);
    if (request.op === 'attest') return attest(desk.keys, desk.policy, request);
    return signNoted(desk, request);
  } catch (error) {
    if (error instanceof Refusal) return error.toAnswer();
    desk.note({ level: 'error', message: error instanceof Error ? error.stack : String(error) });
    return {
      ok: false,
      reason: 'internal',
      message: 'The signer met an error; its log tells more.',
    };
  }
}

function signNoted(desk: Desk, request: SignRequest): SignedAnswer {
  const { paymentId, network, kind, purpose = 'pay' } = request;
  const entry = { op: 'sign', paymentId, network, kind, purpose };
  try {
    const signed = sign(desk, request);
    desk.note({ level: 'info', ...entry, txid: signed.txid });
    return signed;
  } catch (error) {
    if (error instanceof Refusal) {
      desk.note({ level: 'warn', ...entry, reason: error.reason, message: error.message });
    }
    throw error;
  }
}

function sign({ keys, policy, memory, clock }: Desk, request: SignRequest): SignedAnswer {
  if (memory instanceof BrokenMemoryError) throw broken(memory.message);
  if (memory.isFailed) throw broken('A record could not be written; restart the signer.');
  if (request.afterSeq !== undefined && request.afterSeq > memory.seq) {
    throw broken(
      `Record ${request.afterSeq} is known, the memory ends with ${memory.seq}: it is an old copy.`,
    );
  }
  const { ledger } = memory;
  const now = Math.max(clock(), ledger.time);
  const { deed, record } = judge({ policy, keys, ledger }, request, now);
  // The bytes are made before the record, which names them, and leave after it.
  const { raw, txid } = deed.kind === 'utxo' ? signUtxo(deed, keys) : signEvm(deed, keys);
  const isKnown = ledger.payments
    .get(request.paymentId)
    ?.versions.some((version) => version.txid === txid);
  if (isKnown !== true)
    memory.append(
      { type: 'signed', ...record, outputs: [...record.outputs], spends: [...record.spends], txid },
      now,
    );
  return { ok: true, raw, txid, seq: memory.seq };
}

const broken = (why: string) =>
  new Refusal(
    'memory_broken',
    `${why} Nothing is signed until it is mended: \`rialto signer recover\`.`,
  );

function health({ keys, policy, memory, clock }: Desk): HealthAnswer {
  const common = {
    ok: true as const,
    fingerprint: keys.fingerprint.toString(16).padStart(8, '0'),
    policy: policy.hash,
    time: String(clock()),
  };
  if (memory instanceof BrokenMemoryError) {
    return { ...common, ready: false, problem: memory.message };
  }
  return {
    ...common,
    ready: !memory.isFailed,
    ...(memory.isFailed ? { problem: 'A record could not be written.' } : {}),
    seq: memory.seq,
  };
}
