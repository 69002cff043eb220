// Asks the signer over its Unix socket: one line, one answer, one connection. The time and the size of an answer are bounded.
import { connect } from 'node:net';

const ANSWER_MS = 15_000;
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;

export interface SignOutput {
  /** Of a payout. */
  readonly withdrawId?: string;
  /** Of gas: which deposit address this is. */
  readonly index?: number;
  readonly address: string;
  readonly amount: string;
  /** Absent: the network's own. */
  readonly coin?: string;
}

export interface SignRequest {
  readonly op: 'sign';
  readonly paymentId: string;
  readonly network: string;
  readonly kind: string;
  readonly purpose: 'pay' | 'void';
  readonly unsigned: unknown;
  readonly outputs: readonly SignOutput[];
  /** Of operators, over network, kind, outputs and paymentId. */
  readonly approvals: readonly { readonly key: string; readonly signature: string }[];
  readonly afterSeq: number;
}

export type SignAnswer =
  | { readonly ok: true; readonly raw: string; readonly txid: string; readonly seq: number }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly message: string;
      readonly availableAt?: string;
    };

export interface SignerKeys {
  /** The four bytes by which PSBTs name the seed, in hexadecimal. */
  readonly fingerprint: string;
  readonly networks: Readonly<
    Record<string, Readonly<Record<string, { readonly path: string; readonly xpub: string }>>>
  >;
}

/** The signer did not answer, or not as it should. Nothing is known about what it did. */
export class SignerAway extends Error {
  override name = 'SignerAway';
}

/** Addresses whose keys sign that they are there, as of a block. */
export interface AttestRequest {
  readonly venue: string;
  readonly network: string;
  readonly height: number;
  readonly blockHash: string;
  readonly addresses: readonly { readonly purpose: string; readonly index: number }[];
}

export interface Signer {
  keys(): Promise<SignerKeys>;
  sign(request: SignRequest): Promise<SignAnswer>;
  /** By address. */
  attest(request: AttestRequest): Promise<ReadonlyMap<string, string>>;
}

export const openSigner = (socket: string): Signer => ({
  async keys() {
    const answer = await ask(socket, { op: 'pubkeys' });
    if (answer['ok'] !== true) throw new SignerAway('The signer gave no public keys.');
    return answer as unknown as SignerKeys;
  },
  async sign(request) {
    const answer = await ask(socket, request);
    const isSigned =
      answer['ok'] === true &&
      typeof answer['raw'] === 'string' &&
      typeof answer['txid'] === 'string' &&
      typeof answer['seq'] === 'number';
    const isRefused = answer['ok'] === false && typeof answer['reason'] === 'string';
    if (!isSigned && !isRefused) throw new SignerAway('The signer answered something else.');
    return answer as unknown as SignAnswer;
  },
  async attest(request) {
    const answer = await ask(socket, { op: 'attest', ...request });
    const signatures = answer['signatures'];
    if (answer['ok'] !== true || !Array.isArray(signatures)) {
      throw new SignerAway(`The signer gave no signatures: ${String(answer['message'])}`);
    }
    const pairs = signatures as { readonly address: string; readonly signature: string }[];
    return new Map(pairs.map(({ address, signature }) => [address, signature]));
  },
});

function ask(path: string, request: unknown): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    let text = '';
    const fail = (why: string, cause?: unknown) => {
      socket.destroy();
      reject(new SignerAway(why, { cause }));
    };
    socket.setTimeout(ANSWER_MS, () => fail(`The signer did not answer within ${ANSWER_MS} ms.`));
    socket.on('error', (error) => fail('The signer cannot be reached.', error));
    socket.on('close', () => fail('The signer ended the connection.'));
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (text.length > ANSWER_BYTES_MAX) {
        fail('The answer of the signer is too long.');
        return;
      }
      const end = text.indexOf('\n');
      if (end < 0) return;
      socket.removeAllListeners('close');
      socket.destroy();
      try {
        resolve(JSON.parse(text.slice(0, end)) as Record<string, unknown>);
      } catch (error) {
        reject(new SignerAway('The signer answered no JSON.', { cause: error }));
      }
    });
    socket.write(`${JSON.stringify(request)}\n`);
  });
}
