import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createRandom } from '../../server/src/testing/random.ts';
import { isBroken } from './judge.ts';
import { KINDS, listTargets, planRequest } from './plan.ts';
import { Pool } from './pool.ts';
import { send, toBytes } from './wire.ts';

const WHO = { basic: 'Basic eA==', cookie: '', csrfToken: '', keyId: 'key', secret: 'secret' };

async function serve(answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return (server.address() as AddressInfo).port;
}

const ask = { method: 'GET', path: '/', headers: {}, body: Buffer.alloc(0) };

it('a server error, a cut connection and silence are faults; a refusal is not', async () => {
  const failing = await serve((_, response) => response.writeHead(500).end('{}'));
  const cutting = await serve((request) => request.socket.destroy());
  const refusing = await serve((_, response) => response.writeHead(400).end('{}'));
  const busy = await serve((_, response) => response.writeHead(503).end('{}'));
  expect(isBroken('hostile', await send(failing, ask), '/')).toBe(true);
  expect(isBroken('valid', await send(busy, ask), '/')).toBe(false);
  expect(isBroken('valid', await send(cutting, ask), '/')).toBe(true);
  expect(isBroken('hostile', await send(cutting, ask), '/')).toBe(false);
  expect(isBroken('valid', await send(refusing, ask), '/')).toBe(false);
  const silent = { status: 0, text: '', ms: 1, trouble: 'waiting' } as const;
  expect([
    isBroken('hostile', silent, '/v1/x'),
    isBroken('hostile', silent, '/json/events'),
  ]).toEqual([true, false]);
});

it('one seed draws the same requests, and every endpoint can be called in every way', () => {
  const draw = (seed: number) => {
    const random = createRandom(seed);
    const pool = new Pool();
    pool.learn({ members: [{ user_id: 9, email: 'a@example.com' }], messages: [{ id: 17 }] }, '');
    return listTargets().flatMap((target) =>
      KINDS.map((kind) => {
        const planned = planRequest(target, kind, random, pool);
        // Signatures depend on the time.
        const { path, method } = toBytes(planned, WHO, random);
        return target.door === 'signed' ? method : `${method} ${path}`;
      }),
    );
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});

it('a value from an answer is sent again under the name that requests use for it', () => {
  const pool = new Pool();
  pool.learn({ messages: [{ id: 17, subject: 'lunch' }], streams: [{ stream_id: 4 }] }, 'messages');
  const random = createRandom(1);
  expect(pool.pick('message_id', random)).toBe(17);
  expect(pool.pick('topic', random)).toBe('lunch');
  expect(pool.pick('new_stream_id', random)).toBe(4);
  expect(pool.pick('draft_id', random)).toBeUndefined();
});
