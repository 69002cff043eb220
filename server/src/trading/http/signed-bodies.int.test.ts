// Where the parameters of a signed request may stand, and what is signed then.
import { describe, expect, it } from 'vitest';
import { codeOf, useFrozenVenue } from '../../testing/frozen-venue.ts';
import { exampleTrader, hmacHex, send } from '../../testing/trader.ts';

const venue = useFrozenVenue();

describe('parameters in a body', () => {
  const NOTE = 'rent (may) ~ 50% + fee *!';
  const form = 'application/x-www-form-urlencoded';

  it('as a form are signed as they were sent', async () => {
    for (const note of ['rent+%28may%29', 'rent%20(may)', 'rent (may)']) {
      const text = `note=${note}&timestamp=${venue.nowMs}`;
      const { body } = await venue.post(text, `${form}; charset=utf-8`, venue.sign(text));
      expect(body.result).toEqual({ note: 'rent (may)' });
    }
  });

  it('as JSON are signed in any of the usual encodings', async () => {
    const encoders: ((text: string) => string)[] = [
      encodeURIComponent,
      (text) => new URLSearchParams([['', text]]).toString().slice(1),
      (text) =>
        encodeURIComponent(text).replaceAll(
          /[!'()*]/g,
          (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
        ),
    ];
    for (const encode of encoders) {
      venue.nowMs += 1;
      const text = `note=${encode(NOTE)}&timestamp=${venue.nowMs}`;
      const json = ` { "note" : ${JSON.stringify(NOTE)} , "timestamp" : "${venue.nowMs}" } `;
      const { body } = await venue.post(json, 'application/json', venue.sign(text));
      expect(body.result).toEqual({ note: NOTE });
    }
  });

  it('may hold a list, as JSON or as the JSON text in a form', async () => {
    const orders = [{ symbol: 'btcusdt' }, { symbol: 'btcirt' }];
    const text = `orders=${encodeURIComponent(JSON.stringify(orders))}&timestamp=${venue.nowMs}`;
    const json = JSON.stringify({ orders, timestamp: String(venue.nowMs) }, null, 2);
    const asJson = await venue.post(json, 'application/json', venue.sign(text));
    expect(asJson.body.result).toMatchObject({ orders });
    const again = text.replace(String(venue.nowMs), String(venue.nowMs + 1));
    expect((await venue.post(again, form, venue.sign(again))).body.result).toMatchObject({
      orders,
    });
  });

  it('may stand in the query string of a POST without a body', async () => {
    const text = `note=here&timestamp=${venue.nowMs}`;
    const answer = await send(`${venue.echoUrl}?${text}`, {
      method: 'POST',
      headers: venue.sign(text),
    });
    expect(answer.body.result).toEqual({ note: 'here' });
    const again = `note=there&timestamp=${venue.nowMs}`;
    const empty = await venue.post('', 'application/json', venue.sign(again), `?${again}`);
    expect(empty.body.result).toEqual({ note: 'there' });
  });

  it('in both places are refused', async () => {
    const text = `note=x&timestamp=${venue.nowMs}`;
    const { status, body } = await venue.post(text, form, venue.sign(text), '?note=x');
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: '2008', name: 'PARAMETER_PLACE' });
  });

  it('on DELETE are refused', async () => {
    const text = `timestamp=${venue.nowMs}`;
    const answer = send(`${venue.echoUrl}?${text}`, {
      method: 'DELETE',
      body: text,
      headers: { 'Content-Type': form, ...venue.sign(text) },
    });
    expect(await codeOf(answer)).toBe('2008');
  });

  it.each([
    ['a whole number', '{"note":50000,"timestamp":"1"}', '2007'],
    ['a timestamp that is a number', '{"note":"x","timestamp":1760000000000}', '2007'],
    ['a fraction', '{"note":1.5,"timestamp":"1"}', '2007'],
    ['an exponent', '{"note":1e5,"timestamp":"1"}', '2007'],
    ['null', '{"note":null,"timestamp":"1"}', '2007'],
    ['null in a list', '{"orders":[null],"timestamp":"1"}', '2007'],
    ['a repeated name', '{"note":"a","note":"b","timestamp":"1"}', '2005'],
    ['a list', '["note"]', '2006'],
    ['a text', '"note"', '2006'],
    ['broken JSON', '{"note":', '2006'],
    ['half a character pair', '{"note":"\\ud800"}', '2006'],
  ])('%s in JSON is refused with its own code', async (_what, json, code) => {
    const answer = await venue.post(json, 'application/json', venue.sign('timestamp=1'));
    expect(answer.status).toBe(400);
    expect(answer.body.error?.code).toBe(code);
  });

  it('of another media type, or of none, are refused', async () => {
    for (const type of [
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/xml',
      'text',
    ]) {
      const { status, body } = await venue.post('note=x', type, venue.sign('note=x'));
      expect(status).toBe(415);
      expect(body.error).toMatchObject({ code: '1007', name: 'UNSUPPORTED_MEDIA_TYPE' });
    }
    const bytes = await send(venue.echoUrl, {
      method: 'POST',
      body: new Uint8Array([1, 2, 3]),
      headers: venue.sign('note=x'),
    });
    expect(bytes.body.error?.code).toBe('1007');
  });

  it('of more than 256 KiB are refused, and exactly that much is accepted', async () => {
    const padded = (bytes: number) => {
      const start = `timestamp=${venue.nowMs}&note=`;
      return start + 'x'.repeat(bytes - start.length);
    };
    const most = padded(256 * 1024);
    expect(await codeOf(venue.post(most, form, venue.sign(most)))).toBe('accepted');
    const tooMuch = padded(256 * 1024 + 1);
    const { status, body } = await venue.post(tooMuch, form, venue.sign(tooMuch));
    expect(status).toBe(413);
    expect(body.error).toMatchObject({ code: '1006', name: 'BODY_TOO_LARGE' });
    const stream = new Blob([tooMuch]).stream();
    const chunked = send(venue.echoUrl, {
      method: 'POST',
      body: stream,
      duplex: 'half',
      headers: { 'Content-Type': form, ...venue.sign(tooMuch) },
    });
    expect(await codeOf(chunked)).toBe('1006');
  });
});

describe('a used signature', () => {
  const replay = (method: string, query: string, target = venue.echoUrl) =>
    send(`${target}?${query}`, { method, headers: venue.sign(query) });

  it('of a read serves reads of every path, and one of a write serves nothing else', async () => {
    const methods = ['GET', 'HEAD', 'POST', 'DELETE'];
    const isRead = (method: string) => method === 'GET' || method === 'HEAD';
    for (const first of methods) {
      venue.nowMs += 1;
      const query = `timestamp=${venue.nowMs}`;
      expect((await replay(first, query)).status, first).toBe(200);
      for (const second of methods) {
        const expected = isRead(first) && isRead(second) ? 200 : 409;
        expect((await replay(second, query)).status, `${first}, ${second}`).toBe(expected);
      }
      expect(await codeOf(replay('GET', query, venue.url))).toBe(
        isRead(first) ? 'accepted' : '3007',
      );
    }
  });

  it('of a POST that only checks counts as one of a read', async () => {
    const query = `timestamp=${venue.nowMs}`;
    const testUrl = `${venue.server.baseUrl}/private/order/test`;
    // Its parameters are missing, which is reported after the signature was accepted.
    expect(await codeOf(replay('POST', query, testUrl))).toBe('2001');
    expect(await codeOf(replay('POST', query, testUrl))).toBe('2001');
    expect(await codeOf(replay('GET', query))).toBe('accepted');
    expect(await codeOf(replay('POST', query))).toBe('3007');
  });

  it('is refused when the same text comes back as a form, as JSON or in a query string', async () => {
    const text = `note=x&timestamp=${venue.nowMs}`;
    const json = JSON.stringify({ note: 'x', timestamp: String(venue.nowMs) });
    expect(await codeOf(venue.post(json, 'application/json', venue.sign(text)))).toBe('accepted');
    expect(await codeOf(venue.post(json, 'application/json', venue.sign(text)))).toBe('3007');
    const form = 'application/x-www-form-urlencoded';
    expect(await codeOf(venue.post(text, form, venue.sign(text)))).toBe('3007');
    expect(await codeOf(replay('POST', text))).toBe('3007');
  });

  it('is refused while its window is open, and because of the window afterwards', async () => {
    const query = `timestamp=${venue.nowMs}`;
    expect(await codeOf(replay('POST', query))).toBe('accepted');
    expect(await codeOf(replay('POST', query))).toBe('3007');
    venue.nowMs += 4900;
    expect(await codeOf(replay('POST', query))).toBe('3007');
    venue.nowMs += 200;
    expect(await codeOf(replay('POST', query))).toBe('3006');
    venue.nowMs -= 15_100;
    expect(await codeOf(replay('POST', query))).toBe('3006');
    venue.nowMs += 10_000;
    expect(await codeOf(replay('POST', query))).toBe('3007');
    venue.nowMs += 100_000;
  });

  it('answers 409 and says what to do', async () => {
    const query = `timestamp=${venue.nowMs}`;
    await replay('POST', query);
    const { status, body } = await replay('POST', query);
    expect(status).toBe(409);
    expect(body.error).toMatchObject({ code: '3007', name: 'REPLAYED' });
    expect(body.error?.message).toContain('by a request that acts');
    const ofRead = `timestamp=${venue.nowMs}&nonce=1`;
    await replay('GET', ofRead);
    const { body: refused } = await replay('POST', ofRead);
    expect(refused.error?.message).toContain('by a request that reads');
  });

  it('two equal writes of one millisecond differ by their nonce', async () => {
    const first = `timestamp=${venue.nowMs}&nonce=1`;
    expect(await codeOf(replay('POST', first))).toBe('accepted');
    expect(await codeOf(replay('POST', `timestamp=${venue.nowMs}&nonce=2`))).toBe('accepted');
  });

  it('may be the same text for two keys', async () => {
    const other = await exampleTrader(venue.server.ctx);
    const query = `timestamp=${venue.nowMs}`;
    expect(await codeOf(replay('POST', query))).toBe('accepted');
    const headers = {
      'X-SVC-APIKEY': other.keyId,
      'X-SVC-SIGNATURE': hmacHex(other.secret, query),
    };
    expect(await codeOf(send(`${venue.echoUrl}?${query}`, { method: 'POST', headers }))).toBe(
      'accepted',
    );
  });
});
