import { connect, type Socket } from 'node:net';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { openDesk, type Desk } from '../../testing/trading/desk.ts';
import { openStream, type StreamClient } from '../../testing/trading/stream.ts';
import { send, type TradingBody } from '../../testing/trader.ts';
import { FRAME_BYTES_MAX } from './streams.ts';

// The default settings, except for the requests of an address: each connection of a test is one.
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const open = () => openStream(desk.server);
const addressOf = () => desk.server.origin.replace('http', 'ws');

async function withStream(use: (client: StreamClient) => Promise<void>): Promise<void> {
  const client = await open();
  try {
    await use(client);
  } finally {
    client.cut();
    await client.closed;
  }
}

describe('a frame', () => {
  it('gets an answer in the envelope, with its id and its operation', () =>
    withStream(async (client) => {
      const answer = await client.ask('ping');
      expect(answer).toEqual({
        id: '1',
        op: 'ping',
        status: 'true',
        serverTime: expect.stringMatching(/^\d{13}$/) as string,
        result: {},
      });
      client.send('{"op":"ping"}');
      const bare = await client.until(({ type }) => type === undefined);
      expect(bare).toMatchObject({ op: 'ping', status: 'true' });
      expect(bare).not.toHaveProperty('id');
    }));

  it.each([
    ['{"id":"9","op":"fly"}', '2002', 'op'],
    ['{"id":"9","op":"subscribed","channels":["status"]}', '2002', 'op'],
    ['{"id":"9"}', '2001', 'op'],
    ['{}', '2001', 'op'],
    ['{"id":"9","op":{}}', '2002', 'op'],
    ['{"id":["9"],"op":"ping"}', '2002', 'id'],
    ['{"id":9,"op":"ping"}', '2007', undefined],
    ['{"id":"9","op":"ping","op":"list"}', '2005', 'op'],
    ['{"id":"9","op":"ping","more":"1"}', '2004', 'more'],
    ['{"id":"9","op":"subscribe"}', '2001', 'channels'],
    ['{"id":"9","op":"subscribe","channels":[]}', '2003', 'channels'],
    ['{"id":"9","op":"subscribe","channels":"status"}', '2002', 'channels'],
    ['{"id":"9","op":"subscribe","channels":[["status"]]}', '2002', 'channels[0]'],
    [`{"id":"9","op":"subscribe","channels":["${'x'.repeat(81)}"]}`, '2002', 'channels[0]'],
    [`{"id":"${'9'.repeat(65)}","op":"ping"}`, '2002', 'id'],
  ])('%s is refused, and the connection stays', (text, code, parameter) =>
    withStream(async (client) => {
      client.send(text);
      const answer = await client.until((push) => 'status' in push);
      expect(answer).toMatchObject({ status: 'false', result: null, error: { code } });
      if (parameter !== undefined) {
        expect(answer).toMatchObject({ error: { details: { parameter } } });
      }
      expect((await client.ask('ping')).status).toBe('true');
    }),
  );

  it.each(['', 'hello', '[]', '"ping"', '1', 'null', '{"op":"ping"', '{"op":"\\ud800"}'])(
    'that is not a JSON object (%s) is answered, and ends the connection with 4003',
    async (text) => {
      const client = await open();
      client.send(text);
      const answer = await client.until((push) => 'status' in push);
      expect(answer).toMatchObject({ status: 'false', error: { code: '2006' } });
      expect(await client.closed).toBe(4003);
    },
  );

  it('teaches: a misspelt operation, channel or symbol names the nearest', () =>
    withStream(async (client) => {
      const nearest = async (op: string, members = {}) => {
        const { error } = await client.ask(op, members);
        return [error?.code, error?.details['nearest']];
      };
      expect(await nearest('subscrib')).toEqual(['2002', 'subscribe']);
      const subscribe = (channel: string) => nearest('subscribe', { channels: [channel] });
      expect(await subscribe('depht:btcusdt')).toEqual(['2002', 'depth']);
      expect(await subscribe('depth')).toEqual(['2002', 'depth:{symbol}']);
      expect(await subscribe('depth:btcusd')).toEqual(['4001', 'btcusdt']);
      expect(await subscribe('trades:btcusdd')).toEqual(['4001', 'btcusdt']);
      const wrong = await client.ask('subscribe', { channels: ['book:btcusdt:6'] });
      expect(wrong.error).toMatchObject({ code: '2002', details: { allowed: ['5', '10', '20'] } });
      const minutes = await client.ask('subscribe', { channels: ['candles:btcusdt:7m'] });
      expect(minutes.error?.code).toBe('2002');
    }));
});

describe('subscribing', () => {
  it('is all or nothing', () =>
    withStream(async (client) => {
      const { error } = await client.ask('subscribe', {
        channels: ['depth:btcusdt', 'trades:btcusdt', 'depth:nothere'],
      });
      expect(error?.code).toBe('4001');
      expect(await client.get('list')).toEqual({ channels: [] });
      expect(client.pushes).toEqual([]);
    }));

  it('twice is once, in any case of the symbol, and unsubscribing says what it left', () =>
    withStream(async (client) => {
      const channels = ['best:BTCUSDT', 'best:btcusdt', 'status'];
      expect(await client.get('subscribe', { channels })).toEqual({
        subscribed: ['best:btcusdt', 'status'],
      });
      expect(await client.get('subscribe', { channels: ['best:btcusdt'] })).toEqual({
        subscribed: ['best:btcusdt'],
      });
      expect(await client.get('list')).toEqual({ channels: ['best:btcusdt', 'status'] });
      await client.get('ping');
      expect(client.of('best:btcusdt')).toHaveLength(1);
      expect(await client.get('unsubscribe', { channels: ['Best:x', 'best:BtcUsdt'] })).toEqual({
        unsubscribed: ['best:btcusdt'],
      });
      expect(await client.get('list')).toEqual({ channels: ['status'] });
    }));

  it('goes up to 200 channels', () =>
    withStream(async (client) => {
      const symbols = ['btcusdt', 'ethusdt', 'btcirt'];
      const resolutions = '1m 3m 5m 15m 30m 1h 2h 4h 6h 8h 12h 1d 3d 1w 1M'.split(' ');
      const kinds = ['depth:S', 'depth_fast:S', 'best:S', 'book:S:5', 'book:S:10', 'book:S:20'];
      kinds.push(
        'trades:S',
        'ticker:S',
        'auction:S',
        ...resolutions.map((one) => `candles:S:${one}`),
      );
      const channels = symbols.flatMap((symbol) => kinds.map((kind) => kind.replace('S', symbol)));
      expect(channels.length).toBeGreaterThan(70);
      expect(await client.get('subscribe', { channels })).toEqual({ subscribed: channels });
      const many = Array.from({ length: 201 - channels.length }, (_, n) => `depth:no${n}`);
      const { error } = await client.ask('subscribe', { channels: many });
      expect(error).toMatchObject({ code: '6005', details: { limit: '200', count: '201' } });
      const one = await client.ask('subscribe', { channels: many.slice(1) });
      expect(one.error?.code).toBe('4001');
    }));
});

describe('a client that goes too far is closed', () => {
  it('with 4009 after more than ten frames in a second', async () => {
    const client = await open();
    for (let n = 0; n < 11; n += 1) client.send(`{"id":"n${n}","op":"ping"}`);
    expect(await client.closed).toBe(4009);
    expect(client.pushes).toHaveLength(10);
  });

  it('with 4009 when it floods with pings', async () => {
    const ws = new WebSocket(`${addressOf()}/v1/ws`);
    await new Promise((resolve) => ws.once('open', resolve));
    const closed = new Promise((resolve) => ws.once('close', resolve));
    for (let n = 0; n < 20; n += 1) ws.ping();
    expect(await closed).toBe(4009);
  });

  it('with 1003 for a binary frame, 1009 for one that is too large, 1007 for bytes that are no text', async () => {
    const closeCode = async (data: string | Buffer, options = {}) => {
      const ws = new WebSocket(`${addressOf()}/v1/ws`);
      await new Promise((resolve) => ws.once('open', resolve));
      const closed = new Promise((resolve) => ws.once('close', resolve));
      ws.on('error', () => {});
      ws.send(data, options);
      return closed;
    };
    expect(await closeCode(Buffer.from('{"op":"ping"}'))).toBe(1003);
    expect(await closeCode('x'.repeat(FRAME_BYTES_MAX + 1))).toBe(1009);
    // Small when it comes, large when it is unpacked.
    expect(await closeCode('x'.repeat(64 * FRAME_BYTES_MAX), { compress: true })).toBe(1009);
    expect(await closeCode(Buffer.from([0x80]), { binary: false })).toBe(1007);
  });
});

describe('the door', () => {
  it('has room for 20 connections of an address, and again when one is gone', async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, open));
    const refused = await handshake(UPGRADE);
    expect(refused.status).toBe(429);
    expect(refused.text).toContain('Connection: close');
    const body = JSON.parse(refused.text.split('\r\n\r\n')[1] ?? '') as TradingBody;
    expect(body).toMatchObject({
      status: 'false',
      error: { code: '6004', details: { limit: '20' } },
    });
    const [first, ...others] = clients;
    await first?.close();
    await expect
      .poll(() =>
        open()
          .then((one) => clients.push(one))
          .catch(() => 0),
      )
      .toBeGreaterThan(0);
    await Promise.all([...others, ...clients.slice(20)].map((one) => one.close()));
  });

  it('answers a plain request with 426, another method with 405', async () => {
    const plain = await send(`${desk.server.baseUrl}/ws`);
    expect(plain.status).toBe(426);
    expect(plain.body.error?.code).toBe('1008');
    expect((await send(`${desk.server.baseUrl}/ws`, { method: 'POST' })).status).toBe(405);
  });

  it('takes an upgrade only at its own path; elsewhere the request is answered as ever', async () => {
    expect((await handshake(UPGRADE, '/v1/public/ping')).status).toBe(200);
    expect((await handshake(UPGRADE, '/v1/nowhere')).status).toBe(404);
  });

  it.each([
    ['a wrong version', { 'Sec-WebSocket-Version': '7' }],
    ['a wrong key', { 'Sec-WebSocket-Key': 'short' }],
  ])('refuses a handshake with %s', async (_, headers) => {
    const { status } = await handshake({ ...UPGRADE, ...headers });
    expect(status).toBe(400);
  });

  it.each([
    ['permessage-deflate; client_max_window_bits', true],
    ['permessage-deflate; client_max_window_bits=15', true],
    ['permessage-deflate', false],
    ['permessage-deflate; client_max_window_bits=8', false],
    ['permessage-deflate; client_max_window_bits; server_max_window_bits=9', false],
    ['permessage-deflate; nonsense=1, x', false],
  ])('an offer of %s never costs the connection; compressed: %s', async (offer, isTaken) => {
    const { status, text } = await handshake({ ...UPGRADE, 'Sec-WebSocket-Extensions': offer });
    expect(status).toBe(101);
    expect(text.includes('permessage-deflate')).toBe(isTaken);
  });
});

it('a compressed connection gets the same book as one that is not', async () => {
  const maker = await desk.trader();
  for (let n = 0; n < 40; n += 1) {
    await desk.place(maker, { price: `${60_000 + n}.00`, volume: '0.001' });
  }
  const books = await Promise.all(
    [true, false].map(async (perMessageDeflate) => {
      const ws = new WebSocket(`${addressOf()}/v1/ws`, { perMessageDeflate });
      await new Promise((resolve) => ws.once('open', resolve));
      expect(ws.extensions).toBe(perMessageDeflate ? 'permessage-deflate' : '');
      const pushed = new Promise<string>((resolve) => {
        ws.on('message', (data: Buffer) => {
          if (data.includes('"snapshot"')) resolve(data.toString());
        });
      });
      ws.send('{"op":"subscribe","channels":["depth:btcusdt"]}');
      const text = await pushed;
      ws.terminate();
      return text;
    }),
  );
  expect(books[0]?.length).toBeGreaterThan(1024);
  expect(books[0]).toBe(books[1]);
  await desk.sweep();
});

const UPGRADE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
};

/** Asks for a WebSocket on a bare socket, and returns the answer's status and headers. */
async function handshake(
  headers: Readonly<Record<string, string>>,
  path = '/v1/ws',
): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(desk.server.origin);
  const socket: Socket = connect(Number(port), hostname);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n${lines.join('')}\r\n`);
  const text = await new Promise<string>((resolve) =>
    socket.once('data', (data) => resolve(data.toString())),
  );
  socket.destroy();
  return { status: Number(text.split(' ')[1]), text };
}
