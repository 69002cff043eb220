import { createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMembers } from './json.ts';
import { parsePairs } from './parameters.ts';
import { boundText, parseSignature, isSignedBy, jsonTexts, sign } from './signature.ts';

const SECRET = 'svc_secret_5d1f0c7e9a3b4d26';
const key = createSecretKey(Buffer.from(SECRET));
const hex = (text: string | Buffer) => sign(key, text).toString('hex');
const textsOf = (body: unknown) => jsonTexts(parseMembers(Buffer.from(JSON.stringify(body))));

const ORDER_TEXT =
  'symbol=btcusdt&side=buy&type=limit&price=64250.10&volume=0.0150&clientOrderId=desk-a-1&timestamp=1760000000500';
const ORDER = Object.fromEntries(new URLSearchParams(ORDER_TEXT));
const WITHDRAWAL = {
  coin: 'btc',
  network: 'BTC',
  address: 'bc1qexample',
  amount: '0.05',
  note: 'rent (may) ~ 50% + fee',
  timestamp: '1760000000750',
};

describe('the seven vectors', () => {
  it('GET [T068] [T069] [T070]', () => {
    expect(hex('symbol=btcusdt&limit=50&timestamp=1760000000000')).toBe(
      'b0804a4e3ed13de7eb04c47df2972146aa357475d40c317da1351baf48f0b70f',
    );
  });
  it('DELETE [T070]', () => {
    expect(hex('orderId=1048577&timestamp=1760000000250')).toBe(
      '2603b7de00de146e21396276b1eb95f403e1f2797045b047178b809612ffd273',
    );
  });
  it('POST, as a form or as JSON [T068] [T070]', () => {
    const expected = '0b781f8339a99a0337963fbe97b883c9cd6860c63959023ed7a27f27a3fa2bf5';
    expect(hex(Buffer.from(ORDER_TEXT))).toBe(expected);
    expect(textsOf(ORDER)).toEqual([ORDER_TEXT]);
    expect(textsOf({ ...ORDER, timestamp: '1760000000500' })).toEqual([ORDER_TEXT]);
  });
  it('JSON in the form dialect', () => {
    const expected = '27458d556fc0b19ff57f55e21142bf6703607cd0dce5ed779ee7a61c0e86cfe4';
    expect(textsOf(WITHDRAWAL).map(hex)).toContain(expected);
    expect(textsOf(WITHDRAWAL)).toContain(
      'coin=btc&network=BTC&address=bc1qexample&amount=0.05&note=rent+%28may%29+%7E+50%25+%2B+fee&timestamp=1760000000750',
    );
  });
  it('JSON in the percent dialect', () => {
    const expected = '96402790dc7d621bacba4f05ebea55a2dcaecf317d23c981ca06ab6fc473d748';
    expect(textsOf(WITHDRAWAL).map(hex)).toContain(expected);
  });
  it('JSON with an array', () => {
    const order = {
      symbol: 'btcusdt',
      side: 'sell',
      type: 'limit',
      price: '64900.00',
      volume: '0.0100',
    };
    const [text = ''] = textsOf({ orders: [order], timestamp: '1760000001000' });
    expect(hex(text)).toBe('8ba6c98f9302a1252183294afe4876d66282227c4b65b2c65980820ed9f53510');
  });
  it('version 2 covers method and path', () => {
    const path = '/v1/private/order/create';
    expect(hex(boundText('POST', path, ORDER_TEXT))).toBe(
      'ff4130776b1fcc31b8bfaf243edbf3d72d7ceb870ffdda2ee8af3eb867f78704',
    );
    expect(boundText('POST', path, Buffer.from(ORDER_TEXT))).toEqual(
      boundText('POST', path, ORDER_TEXT),
    );
  });
});

describe('the texts of a JSON body', () => {
  const text = fc
    .string({
      unit: fc.oneof(
        fc.constantFrom(...` !'()*~+%&=`.split('')),
        fc.string({ minLength: 1, maxLength: 1 }),
      ),
    })
    .filter((one) => one.isWellFormed() && !one.includes('\0'));
  const body = fc.dictionary(text, text, { maxKeys: 4 });

  it('contain what the usual encoders write', () => {
    fc.assert(
      fc.property(body, (value) => {
        const entries = Object.entries(value);
        const join = (encode: (text: string) => string) =>
          entries.map(([name, one]) => `${encode(name)}=${encode(one)}`).join('&');
        const strict = (one: string) =>
          encodeURIComponent(one).replaceAll(
            /[!'()*]/g,
            (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
          );
        const texts = textsOf(value);
        expect(texts).toContain(join(encodeURIComponent));
        expect(texts).toContain(join(strict));
        expect(texts).toContain(new URLSearchParams(entries).toString());
        // As Python's urlencode and Go's QueryEscape write it.
        expect(texts).toContain(join(strict).replaceAll('%20', '+'));
      }),
    );
  });

  it('all decode to the parameters that were sent, so none can stand for others', () => {
    fc.assert(
      fc.property(body, (value) => {
        const expected = Object.entries(value).map(([name, one]) => ({ name, value: one }));
        for (const one of textsOf(value)) expect(parsePairs(one)).toEqual(expected);
      }),
      { examples: [[{ '': '' }]] },
    );
  });

  it('are one when no encoder could disagree', () => {
    expect(textsOf({ a: 'b-c_d.e', f: '۱' })).toHaveLength(1);
  });
});

describe('a signature', () => {
  it('has one spelling [T070]', () => {
    const right = 'b0804a4e3ed13de7eb04c47df2972146aa357475d40c317da1351baf48f0b70f';
    expect(parseSignature(right, 'hmac')).toHaveLength(32);
    for (const wrong of [
      right.toUpperCase(),
      right.slice(1),
      `${right}0`,
      ` ${right}`,
      `0x${right}`,
      right.replace('b', 'g'),
      Buffer.from(right, 'hex').toString('base64'),
      '',
    ]) {
      expect(parseSignature(wrong, 'hmac')).toBeUndefined();
    }
  });

  it('is valid only for its own text and secret', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        const signature = sign(key, one);
        expect(isSignedBy({ type: 'hmac', key }, ['nothing', one], signature)).toBe(true);
        expect(isSignedBy({ type: 'hmac', key }, [other], signature)).toBe(one === other);
        expect(
          isSignedBy(
            { type: 'hmac', key: createSecretKey(Buffer.from('another')) },
            [one],
            signature,
          ),
        ).toBe(false);
      }),
    );
  });

  it('takes as long to refuse when its beginning is right as when it is all wrong', () => {
    // Welch's t over 10,000 samples of each kind, taken in turns; the least of three tries, so that
    // a busy machine does not fail it.
    const tries = Array.from({ length: 3 }, () => Math.abs(timingDifference()));
    expect(Math.min(...tries)).toBeLessThan(4.5);
  });
});

function timingDifference(): number {
  const text = ORDER_TEXT;
  const right = sign(key, text);
  const prefix = Buffer.from(right);
  prefix[31] = (prefix[31] as number) ^ 1;
  const none = Buffer.from(right.map((byte) => byte ^ 0xff));
  const measure = (candidate: Buffer) => {
    const startedNs = process.hrtime.bigint();
    isSignedBy({ type: 'hmac', key }, [text], candidate);
    return Number(process.hrtime.bigint() - startedNs);
  };
  for (let warm = 0; warm < 2000; warm += 1) measure(warm % 2 === 0 ? prefix : none);
  const samples: [number[], number[]] = [[], []];
  for (let index = 0; index < 10_000; index += 1) {
    samples[0].push(measure(prefix));
    samples[1].push(measure(none));
  }
  // The slowest tenth is garbage collection and other load on this machine.
  const [a, b] = samples.map((list) => statistics(list.sort((x, y) => x - y).slice(0, 9000)));
  if (a === undefined || b === undefined) return 0;
  return (a.mean - b.mean) / Math.sqrt(a.variance / 9000 + b.variance / 9000);
}

function statistics(list: readonly number[]): { mean: number; variance: number } {
  const mean = list.reduce((sum, one) => sum + one, 0) / list.length;
  const variance = list.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (list.length - 1);
  return { mean, variance };
}
