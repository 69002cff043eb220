// What a caller with a wrong signature is told: the text that must be signed. All of it came with
// the request itself, or is public like the server's time, so it reveals nothing to a stranger.
import type { KeyType } from './key.ts';
import type { ParameterPair } from './parameters.ts';
import { RequestProblem } from './problem.ts';

export interface Mismatch {
  readonly type: KeyType;
  /** The texts that may have been signed; the first is shown. */
  readonly texts: readonly (string | Buffer)[];
  readonly pairs: readonly ParameterPair[];
  readonly nowMs: number;
  /** The address of the page that explains signing. */
  readonly documentation: string;
}

/** More of a long text would not help to find a difference. */
const SHOWN_BYTES_MAX = 2000;

const MADE_WITH: Readonly<Record<KeyType, string>> = {
  hmac: 'HMAC-SHA256, with the secret of the key,',
  ed25519: 'Ed25519 signature, with the private key of the registered public key,',
};

export function explainMismatch(mismatch: Mismatch): RequestProblem {
  const { type, texts, pairs, nowMs, documentation } = mismatch;
  const text = Buffer.from(texts[0] ?? '');
  const isCut = text.length > SHOWN_BYTES_MAX;
  const skewMs = skewOf(pairs, nowMs);
  return new RequestProblem(
    'SIGNATURE_INVALID',
    `The signature does not match the request. It must be the ${MADE_WITH[type]} of ${
      isCut
        ? `the ${text.length} bytes of which details.signedText has the first ${SHOWN_BYTES_MAX}`
        : `details.signedText, ${text.length} bytes`
    }${texts.length > 1 ? ' (other usual ways of escaping are taken too)' : ''}. See ${documentation}`,
    {
      signedText: text.subarray(0, SHOWN_BYTES_MAX).toString('utf8'),
      signedLength: String(text.length),
      serverTime: String(nowMs),
      ...(skewMs === undefined ? {} : { skewMs }),
      documentation,
    },
  );
}

/**
 * How far the server's clock is ahead of the timestamp; undefined unless there is one in
 * milliseconds.
 */
function skewOf(pairs: readonly ParameterPair[], nowMs: number): string | undefined {
  const value = pairs.find(({ name }) => name === 'timestamp')?.value;
  if (typeof value !== 'string' || !/^[0-9]{1,15}$/.test(value)) return undefined;
  return String(nowMs - Number(value));
}
