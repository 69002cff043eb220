// A browser vendor's push service and the browser behind it: a real HTTP server that receives notifications and
// decrypts them as a browser does (RFC 8291, aes128gcm), with Node's own cryptography only.
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
  type ECDH,
} from 'node:crypto';
import { createServer } from 'node:http';

export interface TakenPush {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface TestPushService {
  readonly origin: string;
  readonly taken: TakenPush[];
  /** The status of its answers from now on; 201 by default. */
  answer(status: number): void;
  close(): Promise<void>;
}

export async function startPushService(): Promise<TestPushService> {
  const taken: TakenPush[] = [];
  let status = 201;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      taken.push({
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks),
      });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    taken,
    answer: (next) => {
      status = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export class TestBrowserPush {
  readonly #ecdh: ECDH = createECDH('prime256v1');
  readonly #auth = randomBytes(16);
  readonly #publicKey = this.#ecdh.generateKeys();

  /** As the browser gives them to the page. */
  get keys(): { p256dh: string; auth: string } {
    return {
      p256dh: this.#publicKey.toString('base64url'),
      auth: this.#auth.toString('base64url'),
    };
  }

  open(body: Buffer): Record<string, unknown> {
    const salt = body.subarray(0, 16);
    const keyLength = body[20] ?? 0;
    const senderKey = body.subarray(21, 21 + keyLength);
    const box = body.subarray(21 + keyLength);
    const shared = this.#ecdh.computeSecret(senderKey);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#publicKey, senderKey]);
    const secret = derive(shared, this.#auth, info, 32);
    const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
    const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
    const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(box.subarray(-16));
    const padded = Buffer.concat([decipher.update(box.subarray(0, -16)), decipher.final()]);
    // The last record ends with a 2, then padding.
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString()) as Record<
      string,
      unknown
    >;
  }
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));

/** Checks the Authorization header as a push service does (RFC 8292); throws if the server's key did not sign it. */
export function parseVapid(header: string, publicKey: string): Record<string, unknown> {
  const token = /^vapid t=([^,]+), ?k=(.+)$/.exec(header);
  if (token?.[2] !== publicKey) throw new Error('Signed by another key.');
  const [head = '', claims = '', signature = ''] = (token[1] ?? '').split('.');
  const point = Buffer.from(publicKey, 'base64url');
  const key = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const isRight = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isRight) throw new Error('The signature is wrong.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
}
