// Decides whether a private request comes from the holder of a key, and, if it acts, for the first
// time. The order of the checks is part of the contract.
import { createSecretKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { isInRanges } from '../../platform/http/address.ts';
import type { Metrics } from '../../platform/observe/metrics.ts';
import { SealError, type Secrets } from '../../platform/secrets/secrets.ts';
import { assert } from '../../platform/std/assert.ts';
import { gather } from '../../platform/std/gather.ts';
import { secretOwner } from './actions.ts';
import { createClaims, type ClaimVerdict } from './claims.ts';
import { watchSignatureFailures } from './failures.ts';
import { explainMismatch } from './mismatch.ts';
import { openPublicKey } from './ed25519.ts';
import { createKeyMemory } from './key-memory.ts';
import { typeOfName, type KeyType, type TradingKey } from './key.ts';
import { parseContent, type SentContent } from './content.ts';
import type { ParameterPair } from './parameters.ts';
import { RequestProblem } from './problem.ts';
import {
  boundText,
  isSignedBy,
  parseSignature,
  SIGNATURE_DIGITS,
  type Proof,
} from './signature.ts';
import { findTradingKeys, type ReadKey } from './store.ts';
import { trackUsage } from './usage.ts';

export interface SignedRequest extends SentContent {
  /** Whether its route changes nothing; reads may share a signature. */
  readonly isRead: boolean;
  /** The declared path with its version prefix, so that other spellings of it are the same path. */
  readonly path: string;
  readonly keyId: string | undefined;
  readonly signature: string | undefined;
  readonly signatureVersion: string | undefined;
  readonly address: string;
  /** The one reading of the clock that the whole request uses. */
  readonly nowMs: number;
}

export interface VerifiedRequest {
  readonly key: TradingKey;
  readonly pairs: readonly ParameterPair[];
  readonly signedMs: number;
  /** For how many milliseconds after that the request may be acted upon. */
  readonly windowMs: number;
}

type Proven = Omit<VerifiedRequest, 'key'> & { readonly signature: Buffer };

type Judged =
  | { readonly proven: Proven }
  | {
      readonly proven?: undefined;
      readonly problem: RequestProblem;
      /** Whether the signature is the reason. */
      readonly isMismatch: boolean;
    };

export interface Verifier {
  /**
   * Returns when the request may act, and then no copy of a write may; throws a RequestProblem
   * otherwise.
   */
  verify(request: SignedRequest): Promise<VerifiedRequest>;
  /**
   * Whether there is a key of this name. That is no secret: an error says so to anybody who tries
   * one.
   */
  knows(keyId: string): Promise<boolean>;
  stop(): Promise<void>;
}

/** Names that every private request may carry besides its own parameters. */
export const RESERVED_NAMES = ['timestamp', 'recvWindow', 'nonce'] as const;

const AHEAD_MS = 1000;
const WINDOW_DEFAULT_MS = 5000;
const WINDOW_MAX_MS = 60_000;
const SECRET_KEPT_MS = 5 * 60_000;
const SECRETS_MAX = 10_000;
/** Bounds one statement; the rest waits for the next. */
const KEYS_AT_ONCE = 500;

const UNKNOWN_KEY = 'The key is unknown, disabled or expired.';
const OWNER_DEACTIVATED =
  'The owner of this account is deactivated. Its orders and its timer were canceled, and its money stays ' +
  'on it. An administrator of the organization can reactivate the owner; then this key works again.';

const REPLAYED = {
  spent:
    'The signature was already used, by a request that acts. Sign again with a new timestamp or nonce.',
  'of a read':
    'The signature was already used, by a request that reads; it serves reads only. ' +
    'Sign what acts with another timestamp or a nonce.',
} as const satisfies Record<Exclude<ClaimVerdict, 'free' | 'stale'>, string>;

export interface VerifierOptions {
  pool: pg.Pool;
  secrets: Secrets;
  metrics: Pick<Metrics, 'signatureFailures' | 'replayRefused'>;
  /** The address of the page that explains signing. */
  documentation(): string;
  onError(error: unknown): void;
  /**
   * A stored secret does not decrypt: somebody changed the table, or the master key belongs to
   * another one.
   */
  onBroken(error: SealError, account: bigint): void;
}

export function createVerifier(options: VerifierOptions): Verifier {
  const { pool, secrets, metrics, onError } = options;
  const findKey = gather(KEYS_AT_ONCE, (keyIds: readonly string[]) =>
    findTradingKeys(pool, keyIds),
  );
  const keys = createKeyMemory();
  const claims = createClaims(pool);
  const usage = trackUsage(pool, onError);
  const failures = watchSignatureFailures({
    nowMs: () => performance.now(),
    tell: metrics.signatureFailures,
  });
  const openProof = rememberProofs(secrets);
  const nobody: Readonly<Record<KeyType, Proof>> = {
    hmac: { type: 'hmac', key: createSecretKey(randomBytes(32)) },
    ed25519: { type: 'ed25519', key: generateKeyPairSync('ed25519').publicKey },
  };

  return {
    async verify(request) {
      const known = keys.find(request.keyId ?? '');
      let judged =
        known !== undefined && isUsable(known, request) ? judge(request, known) : undefined;
      if (known !== undefined && judged?.proven !== undefined) {
        const verified = await claim(request, known, judged.proven, known.version);
        if (verified !== undefined) return verified;
        judged = undefined;
      }
      // Memory refuses nobody: the key may have changed since. If it has not, the judgement stands.
      keys.forget(request.keyId ?? '');
      const key = await findUsableKey(request);
      if (judged === undefined || key.version !== known?.version) judged = judge(request, key);
      if (judged.proven === undefined) {
        if (judged.isMismatch) failures.note(key.keyId);
        throw judged.problem;
      }
      keys.remember(key);
      const verified = await claim(request, key, judged.proven, null);
      assert(verified !== undefined, 'a claim without a version is never stale', {});
      return verified;
    },
    knows: async (keyId) => (await findKey(keyId)) !== undefined,
    stop() {
      failures.stop();
      return usage.stop();
    },
  };

  /** Claims the signature, or throws; undefined if the key has another version by now, and nothing was claimed. */
  async function claim(
    request: SignedRequest,
    key: TradingKey,
    { signature, pairs, signedMs, windowMs }: Proven,
    version: string | null,
  ): Promise<VerifiedRequest | undefined> {
    const { method, path, isRead } = request;
    const { keyId } = key;
    const verdict = await claims.claim({
      keyId,
      signature,
      signedMs,
      method,
      path,
      isRead,
      version,
    });
    if (verdict === 'stale') return undefined;
    if (verdict !== 'free') {
      metrics.replayRefused();
      throw new RequestProblem('REPLAYED', REPLAYED[verdict]);
    }
    usage.note(keyId, request.nowMs);
    return { key, pairs, signedMs, windowMs };
  }

  /** Decides by this key, without a trace. */
  function judge(request: SignedRequest, key: TradingKey): Judged {
    try {
      const { signature, pairs, texts, isSigned } = readSigned(request, key);
      if (isSigned) {
        return { proven: { signature, pairs, ...checkWindow(pairs, request.nowMs) } };
      }
      const { nowMs } = request;
      const documentation = options.documentation();
      const problem = explainMismatch({ type: key.type, texts, pairs, nowMs, documentation });
      return { problem, isMismatch: true };
    } catch (error) {
      if (error instanceof RequestProblem) return { problem: error, isMismatch: false };
      throw error;
    }
  }

  /** Whether the request is signed with the key's secret; throws unless it comes from an allowed address. */
  function readSigned(request: SignedRequest, key: TradingKey) {
    if (key.ipAllowlist.length > 0 && !isInRanges(request.address, key.ipAllowlist)) {
      throw new RequestProblem('ADDRESS_NOT_ALLOWED', 'The key may not be used from here.');
    }
    const signature = requireSignature(request, key);
    const content = parseContent(request);
    const texts =
      request.signatureVersion === '2'
        ? content.texts.map((text) => boundText(request.method, request.path, text))
        : content.texts;
    const isSigned = isSignedBy(proofOf(key), texts, signature);
    return { signature, pairs: content.pairs, texts, isSigned };
  }

  /** A key whose secret does not decrypt counts as missing. */
  function proofOf(key: TradingKey): Proof {
    try {
      return openProof(key);
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      options.onBroken(error, key.account.id);
      throw new RequestProblem('API_KEY_INVALID', UNKNOWN_KEY);
    }
  }

  async function findUsableKey(request: SignedRequest): Promise<ReadKey> {
    if (request.keyId === undefined || request.keyId === '') {
      throw new RequestProblem('API_KEY_MISSING', 'The header X-SVC-APIKEY is missing.');
    }
    const key = await findKey(request.keyId);
    if (key !== undefined && isUsable(key, request)) {
      if (key.isOwnerActive) return key;
      if (isProven(request, key)) {
        throw new RequestProblem('API_KEY_INVALID', OWNER_DEACTIVATED, { reason: 'deactivated' });
      }
    }
    // As much work as for a known key, so that the time does not reveal which keys exist.
    const type = typeOfName(request.keyId);
    const signature = Buffer.alloc(SIGNATURE_DIGITS[type] / 2);
    isSignedBy(nobody[type], [request.hasBody ? request.body : request.query], signature);
    throw new RequestProblem('API_KEY_INVALID', UNKNOWN_KEY);
  }

  /** The reason why a key is refused is shown only to the holder of its secret. */
  function isProven(request: SignedRequest, key: TradingKey): boolean {
    try {
      const { isSigned } = readSigned(request, key);
      if (!isSigned) failures.note(key.keyId);
      return isSigned;
    } catch (error) {
      if (error instanceof RequestProblem) return false;
      throw error;
    }
  }
}

const isUsable = ({ isEnabled, expiresAt }: TradingKey, { nowMs }: SignedRequest): boolean =>
  isEnabled && (expiresAt === null || expiresAt.getTime() > nowMs);

function requireSignature(request: SignedRequest, key: TradingKey): Buffer {
  const refuse = (message: string) => new RequestProblem('SIGNATURE_INVALID', message);
  if (request.signature === undefined || request.signature === '') {
    throw refuse('The header X-SVC-SIGNATURE is missing.');
  }
  const signature = parseSignature(request.signature, key.type);
  if (signature === undefined) {
    const digits = SIGNATURE_DIGITS[key.type];
    throw refuse(
      `X-SVC-SIGNATURE must be ${digits} lower-case hexadecimal digits for a key of type ${key.type}.`,
    );
  }
  const version = request.signatureVersion ?? '1';
  if (version !== '1' && version !== '2') throw refuse('X-SVC-SIGNATURE-VERSION must be 1 or 2.');
  if (key.requireBoundSignature && version !== '2') {
    throw refuse('The key accepts only signatures of version 2, which cover method and path.');
  }
  return signature;
}

/** Whether the request was signed recently enough; returns when, and for how long that is valid. */
function checkWindow(
  pairs: readonly ParameterPair[],
  nowMs: number,
): { signedMs: number; windowMs: number } {
  const timestamp = findOnly(pairs, 'timestamp');
  if (timestamp === undefined || !/^[0-9]{13}$/.test(timestamp)) {
    throw new RequestProblem(
      'TIMESTAMP_INVALID',
      'timestamp must be the time in milliseconds since the Unix epoch, 13 digits.',
      { parameter: 'timestamp' },
    );
  }
  const windowMs = parseWindow(findOnly(pairs, 'recvWindow'));
  checkNonce(findOnly(pairs, 'nonce'));
  const signedMs = Number(timestamp);
  if (signedMs > nowMs + AHEAD_MS || nowMs - signedMs > windowMs) {
    throw new RequestProblem(
      'TIMESTAMP_OUTSIDE_WINDOW',
      signedMs > nowMs
        ? `timestamp is ${signedMs - nowMs} ms ahead of the server, and may be ${AHEAD_MS}. Set your clock, or take the time from /public/time.`
        : `timestamp is ${nowMs - signedMs} ms old, and may be ${windowMs}. Set your clock, sign later, or send a larger recvWindow.`,
      {
        serverTime: String(nowMs),
        recvWindow: String(windowMs),
        skewMs: String(nowMs - signedMs),
      },
    );
  }
  return { signedMs, windowMs };
}

/** As `checkWindow`, where no signature has to state a time: without one, the request was made when it arrived. */
export function checkStatedWindow(
  pairs: readonly ParameterPair[],
  nowMs: number,
): { signedMs: number; windowMs: number } {
  const isStated = pairs.some(({ name }) => name === 'timestamp');
  return checkWindow(
    isStated ? pairs : [...pairs, { name: 'timestamp', value: String(nowMs) }],
    nowMs,
  );
}

function parseWindow(text: string | undefined): number {
  if (text === undefined || text === '') return WINDOW_DEFAULT_MS;
  if (!/^[0-9]+$/.test(text)) {
    throw new RequestProblem('PARAMETER_INVALID', 'recvWindow must be a whole number.', {
      parameter: 'recvWindow',
    });
  }
  const windowMs = Number(text);
  if (windowMs >= 1 && windowMs <= WINDOW_MAX_MS) return windowMs;
  throw new RequestProblem(
    'PARAMETER_RANGE',
    `recvWindow must be from 1 to ${WINDOW_MAX_MS} milliseconds.`,
    { parameter: 'recvWindow', minimum: '1', maximum: String(WINDOW_MAX_MS) },
  );
}

function checkNonce(nonce: string | undefined): void {
  if (nonce === undefined || /^[\x20-\x7e]{0,64}$/.test(nonce)) return;
  throw new RequestProblem('PARAMETER_INVALID', 'nonce is at most 64 printable characters.', {
    parameter: 'nonce',
  });
}

function findOnly(pairs: readonly ParameterPair[], name: string): string | undefined {
  const found = pairs.filter((pair) => pair.name === name);
  if (found.length > 1) {
    throw new RequestProblem('PARAMETER_DUPLICATE', `The name '${name}' occurs twice.`, {
      parameter: name,
    });
  }
  const value = found[0]?.value;
  // A value that is not text cannot be valid here either; the caller says so.
  return found.length === 0 || typeof value === 'string' ? (value as string | undefined) : '\0';
}

/** Decrypting a secret costs more than the whole check, so what was opened is kept for minutes. */
function rememberProofs(secrets: Secrets): (key: TradingKey) => Proof {
  const kept = new Map<string, { stored: Buffer; proof: Proof }>();
  return (key) => {
    const known = kept.get(key.keyId);
    const stored = storedProofOf(key);
    // A changed row is another secret, however fresh the old one is.
    if (known?.stored.equals(stored) === true) return known.proof;
    const proof = openStored(secrets, key, stored);
    if (kept.size >= SECRETS_MAX) kept.clear();
    const entry = { stored, proof };
    kept.set(key.keyId, entry);
    setTimeout(() => {
      if (kept.get(key.keyId) === entry) kept.delete(key.keyId);
    }, SECRET_KEPT_MS).unref();
    return proof;
  };
}

function storedProofOf({ type, secretSealed, publicKey, keyId }: TradingKey): Buffer {
  const stored = type === 'hmac' ? secretSealed : publicKey;
  assert(stored !== null, 'a key has what its type needs', { keyId });
  return stored;
}

function openStored(secrets: Secrets, { type, keyId, account }: TradingKey, stored: Buffer): Proof {
  if (type === 'ed25519') return { type, key: openPublicKey(stored) };
  const text = secrets.open(secretOwner(account.id, keyId), stored);
  return { type, key: createSecretKey(Buffer.from(text)) };
}
