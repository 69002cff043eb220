// A push relay for tests: a real HTTP server with the protocol of the published one. It knows devices, and keeps what
// it received. It decrypts registrations with its private key, but only forwards notifications; the test decrypts
// those with the device's key.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import sodium from 'libsodium-wrappers';
import { unixSeconds } from '../platform/std/time.ts';

const ORG_ID = '6cde5f7a-1f7e-4978-9716-49f69ebfc9fe';
const ORG_KEY = 'the key of this server';

export interface RelayedRequest {
  readonly endpoint: string;
  readonly authorization: string;
  readonly contentType: string;
  readonly body: Record<string, unknown>;
}

export interface Pushed {
  readonly device_id?: number;
  readonly token_id?: string;
  readonly fcm_priority?: string;
  readonly http_headers?: { readonly apns_priority: number; readonly apns_push_type: string };
  readonly payload: {
    readonly encrypted_data: string;
    readonly push_account_id?: number;
    readonly push_key_id?: number;
    readonly aps?: Record<string, unknown>;
  };
}

export type Trouble = { readonly status: number; readonly code?: string } | 'hang up' | undefined;

export interface TestRelay {
  /** The settings of a server that uses it. */
  readonly settings: Record<string, string>;
  readonly publicKey: string;
  /** All requests, in order. */
  readonly requests: RelayedRequest[];
  /** All notifications that it accepted for known devices, in order. */
  pushed(): Pushed[];
  /** Answers with this failure from now on; undefined restores normal answers. */
  fail(trouble: Trouble): void;
  /** Treats this device or token as unknown from now on. */
  forget(name: number | string): void;
  /** The sealed registration that an app sends for its token; only the relay can read it. */
  sealRegistration(token: string, kind: 'apns' | 'fcm'): string;
  close(): Promise<void>;
}

export async function startTestRelay(): Promise<TestRelay> {
  await sodium.ready;
  const keys = sodium.crypto_box_keypair();
  const requests: RelayedRequest[] = [];
  const passedOn: Pushed[] = [];
  const known = new Set<number | string>();
  let trouble: Trouble;
  let lastDevice = 1000;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (trouble === 'hang up') {
      request.socket.destroy();
      return;
    }
    const text = Buffer.concat(chunks).toString();
    const contentType = request.headers['content-type'] ?? '';
    const body = contentType.includes('json')
      ? (JSON.parse(text) as Record<string, unknown>)
      : Object.fromEntries(new URLSearchParams(text));
    const endpoint = (request.url ?? '').replace('/api/v1/remotes/', '');
    const authorization = request.headers.authorization ?? '';
    requests.push({ endpoint, authorization, contentType, body });
    const { status, fields } = reply(endpoint, authorization, body);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(fields));
  }

  function reply(endpoint: string, authorization: string, body: Record<string, unknown>) {
    const refuse = (code: string, status = 400) => ({
      status,
      fields: { result: 'error', msg: `Refused: ${code}`, code },
    });
    if (trouble !== undefined && trouble !== 'hang up') {
      return refuse(trouble.code ?? 'BAD_REQUEST', trouble.status);
    }
    const expected = `Basic ${Buffer.from(`${ORG_ID}:${ORG_KEY}`).toString('base64')}`;
    if (authorization !== expected) return refuse('INVALID_ZULIP_SERVER', 401);
    const done = (fields: Record<string, unknown>) => ({
      status: 200,
      fields: { result: 'success', msg: '', ...fields },
    });
    if (endpoint === 'push/e2ee/register') {
      if (body['bouncer_public_key'] !== publicKey) return refuse('INVALID_BOUNCER_PUBLIC_KEY');
      if (!isReadable(String(body['encrypted_push_registration']))) {
        return refuse('INVALID_ENCRYPTED_PUSH_REGISTRATION');
      }
      lastDevice += 1;
      const name = typeof body['token_id'] === 'string' ? body['token_id'] : lastDevice;
      known.add(name);
      return done({ device_id: lastDevice });
    }
    if (endpoint !== 'push/e2ee/notify') return done({});
    const asked = body['push_requests'] as Pushed[];
    const lost = asked.filter(({ device_id, token_id }) => !known.has(device_id ?? token_id ?? ''));
    passedOn.push(...asked.filter((one) => !lost.includes(one)));
    return done({
      android_successfully_sent_count: 0,
      apple_successfully_sent_count: asked.length - lost.length,
      delete_device_ids: lost.flatMap(({ device_id }) => device_id ?? []),
      delete_token_ids_base64: lost.flatMap(({ token_id }) => token_id ?? []),
    });
  }

  function isReadable(sealed: string): boolean {
    try {
      const opened = sodium.crypto_box_seal_open(
        Buffer.from(sealed, 'base64'),
        keys.publicKey,
        keys.privateKey,
        'text',
      );
      return 'token' in (JSON.parse(opened) as object);
    } catch {
      return false;
    }
  }

  const publicKey = Buffer.from(keys.publicKey).toString('base64');
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    settings: {
      PUSH_RELAY_URL: `http://127.0.0.1:${port}`,
      PUSH_RELAY_ORG_ID: ORG_ID,
      PUSH_RELAY_ORG_KEY: ORG_KEY,
      PUSH_RELAY_TIMEOUT_MS: '1000',
    },
    publicKey,
    requests,
    pushed: () => passedOn,
    fail: (next) => {
      trouble = next;
    },
    forget: (name) => {
      known.delete(name);
    },
    sealRegistration: (token, kind) =>
      Buffer.from(
        sodium.crypto_box_seal(
          JSON.stringify({ token, token_kind: kind, timestamp: unixSeconds(Date.now()) }),
          keys.publicKey,
        ),
      ).toString('base64'),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A phone: its push key, and how it decrypts notifications. */
export interface TestPhone {
  /** In the format of `push_key`. */
  readonly pushKey: string;
  open(sealed: string): Record<string, unknown>;
}

export function makePhone(): TestPhone {
  const secret = sodium.crypto_secretbox_keygen();
  return {
    pushKey: Buffer.concat([Buffer.of(0x31), secret]).toString('base64'),
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64');
      const nonce = bytes.subarray(0, sodium.crypto_secretbox_NONCEBYTES);
      const box = bytes.subarray(sodium.crypto_secretbox_NONCEBYTES);
      const text = sodium.crypto_secretbox_open_easy(box, nonce, secret, 'text');
      return JSON.parse(text) as Record<string, unknown>;
    },
  };
}

/** An older phone, which gives a public key. */
export function makeOlderPhone(): TestPhone {
  const { publicKey, privateKey } = sodium.crypto_box_keypair();
  return {
    pushKey: Buffer.from(publicKey).toString('base64'),
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64');
      const text = sodium.crypto_box_seal_open(bytes, publicKey, privateKey, 'text');
      return JSON.parse(text) as Record<string, unknown>;
    },
  };
}
