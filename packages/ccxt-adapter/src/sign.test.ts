import { generateKeyPairSync, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { rialto } from './rialto.ts';
import { signText, toSignedText } from './sign.ts';

const SECRET = 'svc_secret_5d1f0c7e9a3b4d26';

it.each([
  [
    { symbol: 'btcusdt', limit: '50', timestamp: '1760000000000' },
    'b0804a4e3ed13de7eb04c47df2972146aa357475d40c317da1351baf48f0b70f',
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
    '27458d556fc0b19ff57f55e21142bf6703607cd0dce5ed779ee7a61c0e86cfe4',
  ],
  [
    {
      orders: [
        { symbol: 'btcusdt', side: 'sell', type: 'limit', price: '64900.00', volume: '0.0100' },
      ],
      timestamp: '1760000001000',
    },
    '8ba6c98f9302a1252183294afe4876d66282227c4b65b2c65980820ed9f53510',
  ],
  [
    { apiKey: 'svc_key_2b7e151628aed2a6', timestamp: '1760000000000' },
    '575ea762c47271ecc070a295f0611982077d98d83e9f49042abc347787d72dd6',
  ],
])('signs %j as the documentation does', (params, signature) => {
  expect(signText(toSignedText(params), SECRET)).toBe(signature);
});

it('covers method and path, unless it is told not to', () => {
  const text =
    'symbol=btcusdt&side=buy&type=limit&price=64250.10&volume=0.0150&clientOrderId=desk-a-1&timestamp=1760000000500';
  const bound = `POST\n/v1/private/order/create\n${text}`;
  expect(signText(bound, SECRET)).toBe(
    'ff4130776b1fcc31b8bfaf243edbf3d72d7ceb870ffdda2ee8af3eb867f78704',
  );
  const signed = (boundSignatures: boolean) =>
    new rialto({
      baseUrl: 'https://venue.example/v1',
      apiKey: 'key',
      secret: SECRET,
      options: { boundSignatures },
    }).sign('order/create', 'private', 'POST', { symbol: 'btcusdt' });
  for (const isBound of [true, false]) {
    const { body, headers } = signed(isBound);
    const sent = toSignedText(JSON.parse(body));
    const full = isBound ? `POST\n/v1/private/order/create\n${sent}` : sent;
    expect(headers['X-SVC-SIGNATURE']).toBe(signText(full, SECRET));
    expect(headers['X-SVC-SIGNATURE-VERSION']).toBe(isBound ? '2' : undefined);
  }
});

it('signs with an Ed25519 key in the place of the secret', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const signature = signText('timestamp=1760000000000', pem);
  expect(signature).toMatch(/^[0-9a-f]{128}$/);
  const isRight = verify(
    null,
    Buffer.from('timestamp=1760000000000'),
    publicKey,
    Buffer.from(signature, 'hex'),
  );
  expect(isRight).toBe(true);
});

it('sends no number as a JSON number, and neither a key nor a signature in the address', () => {
  const venue = new rialto({ baseUrl: 'https://venue.example/v1', apiKey: 'key', secret: SECRET });
  const { url, body } = venue.sign('order/create_batch', 'private', 'POST', {
    orders: [{ volume: 1, postOnly: true, price: undefined }],
  });
  expect(url).toBe('https://venue.example/v1/private/order/create_batch');
  expect(JSON.parse(body)).toMatchObject({ orders: [{ volume: '1', postOnly: true }] });
  const read = venue.sign('order/open', 'private', 'GET', { symbol: 'btcusdt' });
  expect(read['url']).toMatch(/\/order\/open\?symbol=btcusdt&timestamp=\d{13}$/);
});

it('gives two equal writes two signatures', () => {
  const venue = new rialto({ baseUrl: 'https://venue.example/v1', apiKey: 'key', secret: SECRET });
  const signatures = Array.from(
    { length: 100 },
    () => venue.sign('order/cancel_all', 'private', 'DELETE').headers['X-SVC-SIGNATURE'],
  );
  expect(new Set(signatures).size).toBe(100);
});
