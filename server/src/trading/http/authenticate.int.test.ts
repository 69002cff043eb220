// Authentication in detail: every way in which a signed read can be right or wrong, in order of the
// checks.
import { describe, expect, it } from 'vitest';
import { codeOf, useFrozenVenue } from '../../testing/frozen-venue.ts';
import { exampleTrader, hmacHex, send, type TradingAnswer } from '../../testing/trader.ts';

const venue = useFrozenVenue();

describe('the two headers', () => {
  it('a request with key and signature is accepted [T005] [T064] [T065] [T066] [T068] [T069] [T070]', async () => {
    const { status, body } = await venue.get(`coin=usdt&timestamp=${venue.nowMs}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'true', serverTime: String(venue.nowMs) });
  });

  it('header names are accepted in any letter case [T065] [T066]', async () => {
    const query = `timestamp=${venue.nowMs}`;
    const headers = {
      'x-svc-apikey': venue.trader.keyId,
      'X-Svc-Signature': hmacHex(venue.trader.secret, query),
    };
    expect(await codeOf(venue.get(query, headers))).toBe('accepted');
  });

  it('without a key no private endpoint answers [T005] [T064] [T065]', async () => {
    for (const path of ['info', 'balances', 'fees', 'rate_limits']) {
      const { status, body } = await send(`${venue.server.baseUrl}/private/account/${path}`);
      expect(status).toBe(401);
      expect(body.error).toMatchObject({ code: '3001', name: 'API_KEY_MISSING' });
    }
    const headers = { ...venue.sign(''), 'X-SVC-APIKEY': '' };
    expect(await codeOf(venue.get('', headers))).toBe('3001');
  });

  it('without a signature no private endpoint answers [T064] [T066]', async () => {
    const answer = await venue.get(`timestamp=${venue.nowMs}`, {
      'X-SVC-APIKEY': venue.trader.keyId,
      'X-SVC-SIGNATURE': '',
    });
    expect(answer.status).toBe(401);
    expect(answer.body.error).toMatchObject({ code: '3004', name: 'SIGNATURE_INVALID' });
  });

  it('an unknown key is refused before its signature is checked', async () => {
    const headers = { 'X-SVC-APIKEY': 'svc_key_none', 'X-SVC-SIGNATURE': 'nonsense' };
    const { status, body } = await venue.get(`timestamp=${venue.nowMs}`, headers);
    expect(status).toBe(401);
    expect(body.error).toMatchObject({ code: '3002', name: 'API_KEY_INVALID' });
  });
});

describe('the signature', () => {
  it('with any one of its 64 digits changed is refused [T070]', async () => {
    const query = `timestamp=${venue.nowMs}`;
    const right = hmacHex(venue.trader.secret, query);
    for (let position = 0; position < 64; position += 1) {
      const digit = Number.parseInt(right.charAt(position), 16) ^ (1 << (position % 4));
      const wrong = right.slice(0, position) + digit.toString(16) + right.slice(position + 1);
      const headers = { 'X-SVC-APIKEY': venue.trader.keyId, 'X-SVC-SIGNATURE': wrong };
      expect(await codeOf(venue.get(query, headers)), String(position)).toBe('3004');
    }
    expect(await codeOf(venue.get(query))).toBe('accepted');
  });

  it('has one spelling: upper case, truncated, padded or prefixed is refused [T070]', async () => {
    const query = `timestamp=${venue.nowMs}`;
    const right = hmacHex(venue.trader.secret, query);
    const wrongs = [
      right.toUpperCase(),
      right.slice(0, 63),
      right.slice(1),
      `${right}0`,
      `${right}=`,
      `0x${right}`,
      right.replace(/.$/, 'g'),
      Buffer.from(right, 'hex').toString('base64'),
      '۰'.repeat(64),
    ];
    for (const wrong of wrongs) {
      const headers = { 'X-SVC-APIKEY': venue.trader.keyId, 'X-SVC-SIGNATURE': encodeURI(wrong) };
      expect(await codeOf(venue.get(query, headers)), wrong).toBe('3004');
    }
  });

  it('covers the order, the values and the spelling of the parameters [T068] [T070]', async () => {
    const query = `coin=usdt&timestamp=${venue.nowMs}`;
    const headers = venue.sign(query);
    for (const changed of [
      `timestamp=${venue.nowMs}&coin=usdt`,
      `coin=btc&timestamp=${venue.nowMs}`,
      `coin=USDT&timestamp=${venue.nowMs}`,
      `coin=%75sdt&timestamp=${venue.nowMs}`,
      `coin=usdt&timestamp=${venue.nowMs + 1}`,
      `coin=usdt&timestamp=${venue.nowMs}&omitZero=true`,
      `coin=usdt&timestamp=${venue.nowMs}&`,
      `timestamp=${venue.nowMs}`,
    ]) {
      expect(await codeOf(venue.get(changed, headers)), changed).toBe('3004');
    }
  });

  it('belongs to one key: another account’s key refuses it [T070]', async () => {
    const other = await exampleTrader(venue.server.ctx);
    const query = `timestamp=${venue.nowMs}`;
    const headers = { ...venue.sign(query), 'X-SVC-APIKEY': other.keyId };
    expect(await codeOf(venue.get(query, headers))).toBe('3004');
  });

  it('is made with the secret as it is written, not with its digits decoded [T070]', async () => {
    const query = `timestamp=${venue.nowMs}`;
    const decoded = Buffer.from(venue.trader.secret.replace('svc_secret_', ''), 'hex').toString(
      'latin1',
    );
    const headers = { ...venue.sign(query), 'X-SVC-SIGNATURE': hmacHex(decoded, query) };
    expect(await codeOf(venue.get(query, headers))).toBe('3004');
  });
});

describe('a signature that does not match', () => {
  const WRONG = 'ab'.repeat(32);
  const wrongly = (more: Record<string, string> = {}) => ({
    'X-SVC-APIKEY': venue.trader.keyId,
    'X-SVC-SIGNATURE': WRONG,
    ...more,
  });
  const errorOf = async (answer: Promise<TradingAnswer>) => {
    const { status, text, body } = await answer;
    expect([status, body.error?.code]).toEqual([401, '3004']);
    expect(text).not.toContain(venue.trader.secret);
    return body.error;
  };

  it('gets the text to sign, its length, the time and the skew', async () => {
    const query = `coin=%75sdt&timestamp=${venue.nowMs - 9000}`;
    const error = await errorOf(venue.get(query, wrongly()));
    const documentation = `${venue.server.origin}/docs/concepts/signing/`;
    expect(error?.details).toEqual({
      signedText: query,
      signedLength: String(query.length),
      serverTime: String(venue.nowMs),
      skewMs: '9000',
      documentation,
    });
    expect(error?.message).toContain(documentation);
    expect((await send(documentation)).text).toContain('<h1>Signing</h1>');
  });

  it('and that text is the one to sign, in every form of request', async () => {
    const json = JSON.stringify({ note: 'a (b) c', timestamp: String(venue.nowMs) });
    const form = `note=a+b&timestamp=${venue.nowMs}`;
    const version = { 'X-SVC-SIGNATURE-VERSION': '2' };
    const asked: ((headers: Record<string, string>) => Promise<TradingAnswer>)[] = [
      (headers) => venue.get(`timestamp=${venue.nowMs}`, headers),
      (headers) => venue.post(json, 'application/json', headers),
      (headers) => venue.post(form, 'application/x-www-form-urlencoded', headers),
      (headers) => venue.get(`timestamp=${venue.nowMs}`, { ...headers, ...version }),
    ];
    for (const ask of asked) {
      const text = String((await errorOf(ask(wrongly())))?.details['signedText']);
      const right = { 'X-SVC-SIGNATURE': hmacHex(venue.trader.secret, text) };
      expect(await codeOf(ask(wrongly(right))), text).toBe('accepted');
    }
  });

  it('of a long, empty or odd request gets a short answer, without an unknown skew', async () => {
    const long = `note=${'x'.repeat(200_000)}`;
    const form = 'application/x-www-form-urlencoded';
    const { details } = (await errorOf(venue.post(long, form, wrongly()))) ?? {};
    expect(details).toMatchObject({ signedLength: String(long.length) });
    expect(JSON.stringify(details).length).toBeLessThan(3000);
    expect(details).not.toHaveProperty('skewMs');
    expect((await errorOf(venue.get('', wrongly())))?.details).toMatchObject({
      signedText: '',
      signedLength: '0',
    });
    const odd = await errorOf(venue.get('timestamp=1e5&x=%22%3Cb%3E', wrongly()));
    expect(odd?.details).toMatchObject({ signedText: 'timestamp=1e5&x=%22%3Cb%3E' });
    expect(odd?.details).not.toHaveProperty('skewMs');
  });

  it('reveals nothing for a key that does not exist, or that may not be used from here', async () => {
    const query = `timestamp=${venue.nowMs}`;
    const stranger = await venue.get(query, wrongly({ 'X-SVC-APIKEY': 'svc_key_none' }));
    expect(stranger.body.error).toMatchObject({ code: '3002', details: {} });
    const bound = await exampleTrader(venue.server.ctx, { ipAllowlist: ['203.0.113.7/32'] });
    const elsewhere = await venue.get(query, wrongly({ 'X-SVC-APIKEY': bound.keyId }));
    expect(elsewhere.body.error).toMatchObject({ code: '3003', details: {} });
  });
});

describe('the timestamp', () => {
  const at = (ms: number | string, more = '') => venue.get(`timestamp=${ms}${more}`);

  it.each([
    ['no timestamp', ''],
    ['an empty one', 'timestamp='],
    ['seconds', 'timestamp=1760000000'],
    ['microseconds', 'timestamp=1760000000000000'],
    ['a sign', 'timestamp=%2B176000000000'],
    ['an exponent', 'timestamp=1.76000000e12'],
    ['a fraction', 'timestamp=176000000000.5'],
    ['Persian digits', `timestamp=${encodeURIComponent('۱۷۶۰۰۰۰۰۰۰۰۰۰')}`],
  ])('%s is refused [T069]', async (_what, query) => {
    const { status, body } = await venue.get(query);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: '3005', name: 'TIMESTAMP_INVALID' });
  });

  it('may be up to a second ahead and five seconds old, both included [T069]', async () => {
    expect(await codeOf(at(venue.nowMs + 1000))).toBe('accepted');
    expect(await codeOf(at(venue.nowMs + 1001))).toBe('3006');
    expect(await codeOf(at(venue.nowMs - 5000))).toBe('accepted');
    expect(await codeOf(at(venue.nowMs - 5001))).toBe('3006');
  });

  it('recvWindow moves the older edge, from 1 ms to a minute [T069]', async () => {
    expect(await codeOf(at(venue.nowMs - 60_000, '&recvWindow=60000'))).toBe('accepted');
    expect(await codeOf(at(venue.nowMs - 60_001, '&recvWindow=60000'))).toBe('3006');
    expect(await codeOf(at(venue.nowMs - 1, '&recvWindow=1'))).toBe('accepted');
    expect(await codeOf(at(venue.nowMs - 2, '&recvWindow=1'))).toBe('3006');
    expect(await codeOf(at(venue.nowMs - 5000, '&recvWindow='))).toBe('accepted');
    expect(await codeOf(at(venue.nowMs + 1001, '&recvWindow=60000'))).toBe('3006');
    expect(await codeOf(at(venue.nowMs, '&recvWindow=0'))).toBe('2003');
    expect(await codeOf(at(venue.nowMs, '&recvWindow=60001'))).toBe('2003');
    expect(await codeOf(at(venue.nowMs, '&recvWindow=-1'))).toBe('2002');
    expect(await codeOf(at(venue.nowMs, '&recvWindow=1.5'))).toBe('2002');
  });

  it('a refusal states the server’s time and the length of the window', async () => {
    const { status, body } = await at(venue.nowMs - 9000);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: '3006',
      name: 'TIMESTAMP_OUTSIDE_WINDOW',
      message: expect.stringContaining('9000 ms old, and may be 5000') as string,
      details: { serverTime: String(venue.nowMs), recvWindow: '5000', skewMs: '9000' },
    });
  });

  it('and nonce and recvWindow occur once [T068]', async () => {
    for (const name of ['timestamp', 'nonce', 'recvWindow']) {
      const query = `timestamp=${venue.nowMs}&${name}=1760000000000&${name}=1760000000000`;
      const { body } = await venue.get(query);
      expect(body.error).toMatchObject({ code: '2005', details: { parameter: name } });
    }
  });

  it('a nonce is up to 64 printable characters', async () => {
    expect(await codeOf(at(venue.nowMs, `&nonce=${'n'.repeat(64)}`))).toBe('accepted');
    expect(await codeOf(at(venue.nowMs, `&nonce=${'n'.repeat(65)}`))).toBe('2002');
    expect(await codeOf(at(venue.nowMs, '&nonce=%0A'))).toBe('2002');
  });
});

describe('private parameters', () => {
  const refused = async (query: string) => {
    const { status, body } = await venue.get(`${query}&timestamp=${venue.nowMs}`);
    expect(status).toBe(400);
    return [body.error?.code, body.error?.details['parameter']];
  };

  it('an unknown name is refused', async () => {
    expect(await refused('coim=usdt')).toEqual(['2004', 'coim']);
  });
  it('a name that occurs twice is refused', async () => {
    expect(await refused('coin=usdt&coin=btc')).toEqual(['2005', 'coin']);
  });
  it('invalid escapes, and semicolons, are refused', async () => {
    expect(await refused('coin=%zz')).toEqual(['2002', 'coin']);
    expect(await refused('coin=usdt;omitZero=true')).toEqual(['2002', 'coin']);
  });
  it('are checked only when the caller, the time and the permission are right', async () => {
    const query = `coim=usdt&timestamp=${venue.nowMs - 9000}`;
    expect(await codeOf(venue.get(query))).toBe('3006');
  });
  it('an empty optional value is absent but stays in the signed text [T068]', async () => {
    const query = `coin=&omitZero=&timestamp=${venue.nowMs}`;
    const { body } = await venue.get(query);
    expect(body.result).toHaveLength(5);
  });
});

describe('version 2 of the signature', () => {
  const bound = (method: string, path: string, text: string) =>
    venue.sign(`${method}\n${path}\n${text}`, { 'X-SVC-SIGNATURE-VERSION': '2' });

  it('covers method and path', async () => {
    const text = `timestamp=${venue.nowMs}`;
    const path = '/v1/private/test/echo';
    const query = (headers: Record<string, string>) =>
      codeOf(send(`${venue.echoUrl}?${text}`, { headers }));
    expect(await query(bound('POST', path, text))).toBe('3004');
    expect(await query(bound('GET', '/v1/private/account/balances', text))).toBe('3004');
    expect(await query(bound('GET', '/private/test/echo', text))).toBe('3004');
    expect(await query(venue.sign(text, { 'X-SVC-SIGNATURE-VERSION': '2' }))).toBe('3004');
    expect(await query(venue.sign(text, { 'X-SVC-SIGNATURE-VERSION': '3' }))).toBe('3004');
    expect(await query(bound('GET', path, text))).toBe('accepted');
  });

  it('works for JSON bodies', async () => {
    const text = `note=x&timestamp=${venue.nowMs}`;
    const json = JSON.stringify({ note: 'x', timestamp: String(venue.nowMs) });
    const headers = bound('POST', '/v1/private/test/echo', text);
    expect(await codeOf(venue.post(json, 'application/json', headers))).toBe('accepted');
  });

  it('can be the only version that a key accepts', async () => {
    const strict = await exampleTrader(venue.server.ctx, { requireBoundSignature: true });
    const text = `timestamp=${venue.nowMs}`;
    const send2 = (signed: string, version: string) =>
      codeOf(
        send(`${venue.url}?${text}`, {
          headers: {
            'X-SVC-APIKEY': strict.keyId,
            'X-SVC-SIGNATURE': hmacHex(strict.secret, signed),
            'X-SVC-SIGNATURE-VERSION': version,
          },
        }),
      );
    expect(await send2(text, '1')).toBe('3004');
    expect(await send2(`GET\n/v1/private/account/balances\n${text}`, '2')).toBe('accepted');
  });
});
