import { generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Trading } from './client.ts';
import { encodeParams } from './encode.ts';
import { ed25519Signer, hmacSigner } from './sign.ts';

const SECRET = 'svc_secret_5d1f0c7e9a3b4d26';
const ORDER =
  'symbol=btcusdt&side=buy&type=limit&price=64250.10&volume=0.0150&clientOrderId=desk-a-1&timestamp=1760000000500';

/** The published vectors: parameters, their text, and its signature. */
const VECTORS: readonly (readonly [Record<string, unknown>, string, string])[] = [
  [
    { symbol: 'btcusdt', limit: 50, timestamp: '1760000000000' },
    'symbol=btcusdt&limit=50&timestamp=1760000000000',
    'b0804a4e3ed13de7eb04c47df2972146aa357475d40c317da1351baf48f0b70f',
  ],
  [
    { orderId: '1048577', timestamp: '1760000000250' },
    'orderId=1048577&timestamp=1760000000250',
    '2603b7de00de146e21396276b1eb95f403e1f2797045b047178b809612ffd273',
  ],
  [
    {
      symbol: 'btcusdt',
      side: 'buy',
      type: 'limit',
      price: '64250.10',
      volume: '0.0150',
      clientOrderId: 'desk-a-1',
      timestamp: 1760000000500n,
    },
    ORDER,
    '0b781f8339a99a0337963fbe97b883c9cd6860c63959023ed7a27f27a3fa2bf5',
  ],
  [
    {
      coin: 'btc',
      network: 'BTC',
      address: 'bc1qexample',
      amount: '0.05',
      note: 'rent (may) ~ 50% + fee',
      timestamp: '1760000000750',
    },
    'coin=btc&network=BTC&address=bc1qexample&amount=0.05&note=rent%20%28may%29%20~%2050%25%20%2B%20fee&timestamp=1760000000750',
    '96402790dc7d621bacba4f05ebea55a2dcaecf317d23c981ca06ab6fc473d748',
  ],
  [
    {
      orders: [
        {
          symbol: 'btcusdt',
          side: 'sell',
          type: 'limit',
          price: '64900.00',
          volume: '0.0100',
          total: undefined,
        },
      ],
      timestamp: '1760000001000',
    },
    'orders=%5B%7B%22symbol%22%3A%22btcusdt%22%2C%22side%22%3A%22sell%22%2C%22type%22%3A%22limit%22%2C%22price%22%3A%2264900.00%22%2C%22volume%22%3A%220.0100%22%7D%5D&timestamp=1760000001000',
    '8ba6c98f9302a1252183294afe4876d66282227c4b65b2c65980820ed9f53510',
  ],
];

it.each(VECTORS.map((vector, index) => [index + 1, ...vector] as const))(
  'vector %i',
  async (_number, params, text, signature) => {
    expect(encodeParams(params)).toBe(text);
    expect(await hmacSigner(SECRET).sign(text)).toBe(signature);
  },
);

it('the vector that covers method and path', async () => {
  expect(await hmacSigner(SECRET).sign(`POST\n/v1/private/order/create\n${ORDER}`)).toBe(
    'ff4130776b1fcc31b8bfaf243edbf3d72d7ceb870ffdda2ee8af3eb867f78704',
  );
});

describe('Ed25519', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
  const { d = '' } = privateKey.export({ format: 'jwk' });
  const seed = Buffer.from(d, 'base64url');

  it.each([
    ['PEM', pem],
    ['hexadecimal digits', seed.toString('hex')],
    ['bytes', new Uint8Array(seed)],
  ])('a key as %s gives a signature that the public key verifies', async (_form, given) => {
    const signature = await ed25519Signer(given).sign(ORDER);
    expect(signature).toMatch(/^[0-9a-f]{128}$/);
    expect(verify(null, Buffer.from(ORDER), publicKey, Buffer.from(signature, 'hex'))).toBe(true);
  });

  it('takes a key that was imported already, and signs the same with it', async () => {
    const der = privateKey.export({ format: 'der', type: 'pkcs8' });
    const key = await crypto.subtle.importKey('pkcs8', der, 'Ed25519', false, ['sign']);
    expect(await ed25519Signer(key).sign(ORDER)).toBe(await ed25519Signer(pem).sign(ORDER));
  });

  it.each([['-----BEGIN PUBLIC KEY-----x-----END PUBLIC KEY-----'], ['abc'], [new Uint8Array(31)]])(
    'refuses %s with words',
    async (bad) => {
      await expect(ed25519Signer(bad).sign('x')).rejects.toThrow(/privateKey/);
    },
  );
});

describe('explain', () => {
  it('shows the request and the exact text that was signed, without sending it', async () => {
    const trading = new Trading({ url: 'https://venue.example', key: 'k', secret: SECRET });
    const shown = await trading.explain('order.create', {
      symbol: 'btcusdt',
      side: 'buy',
      type: 'limit',
      price: '1.5',
      volume: '2',
    });
    expect(shown).toMatchObject({
      method: 'POST',
      url: 'https://venue.example/v1/private/order/create',
      headers: { 'X-SVC-APIKEY': 'k', 'X-SVC-SIGNATURE-VERSION': '2' },
    });
    expect(shown.signedText).toBe(`POST\n/v1/private/order/create\n${shown.body as string}`);
    expect(shown.signature).toBe(await hmacSigner(SECRET).sign(shown.signedText ?? ''));
    expect(JSON.stringify(shown)).not.toContain(SECRET);
  });

  it('signs only the parameters in version 1', async () => {
    const trading = new Trading({
      url: 'https://venue.example/v1',
      key: 'k',
      secret: SECRET,
      signatureVersion: 1,
      recvWindow: 10_000,
    });
    const { url, signedText, headers } = await trading.explain('account.balances', { coin: 'btc' });
    expect(url).toBe(`https://venue.example/v1/private/account/balances?${signedText}`);
    expect(signedText).toMatch(/^coin=btc&timestamp=\d{13}&recvWindow=10000$/);
    expect(headers).not.toHaveProperty('X-SVC-SIGNATURE-VERSION');
  });
});

describe('parameters that lose something are refused', () => {
  it.each([
    [{ price: 0.1 }, "Write decimals as text: '0.1'"],
    [{ price: 2 ** 60 }, 'Write decimals as text'],
    [{ price: null }, 'Leave it out'],
    [{ orders: [{ price: 1.5 }] }, 'orders.price is the number 1.5'],
    [{ orders: [null] }, 'Leave it out'],
  ])('%j', (params, message) => {
    expect(() => encodeParams(params)).toThrow(message);
  });
});

it.each([
  [{ url: 'venue.example' }, 'origin of the server'],
  [{ url: 'ftp://venue.example' }, 'https://'],
  [{ url: 'https://a.example', key: 'k' }, 'Give the client a key'],
  [{ url: 'https://a.example', secret: 's' }, 'Give the client a key'],
  [{ url: 'https://a.example', key: 'k', secret: 's', session: true as const }, 'not several'],
])('a client with %j is refused with words', (options, message) => {
  expect(() => new Trading(options)).toThrow(message);
});

it('a private call without a key is refused before anything is sent', async () => {
  const trading = new Trading({
    url: 'https://venue.example',
    fetch: () => Promise.reject(new Error('sent')),
  });
  await expect(trading.account.info()).rejects.toThrow('account.info is private');
});
