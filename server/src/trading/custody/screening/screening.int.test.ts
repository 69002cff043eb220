// Screening by a real HTTP server that answers, is silent, or lies, on a real Litecoin node.
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasLitecoind } from '../../../testing/chains/litecoin.ts';
import { openLitecoinVenue, type LitecoinVenue } from '../../../testing/chains/litecoin-venue.ts';
import { askScreening } from './ask.ts';
import type { ScreeningQuestion } from './shapes.ts';
import { startScreening } from './worker.ts';

const LONG = 240_000;
const WAIT = { timeout: 30_000 };
const ANSWER_MS = 700;

type Behave = (question: ScreeningQuestion, response: ServerResponse) => void;

const saying =
  (verdict: string): Behave =>
  (_question, response) =>
    response.end(JSON.stringify({ verdict }));

async function startService() {
  const asked: ScreeningQuestion[] = [];
  let behave: Behave = saying('allow');
  const server: Server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const question = JSON.parse(text) as ScreeningQuestion;
      asked.push(question);
      behave(question, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/screen`,
    asked,
    behaves: (next: Behave) => (behave = next),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

describe.skipIf(!hasLitecoind)('screening', () => {
  let service: Awaited<ReturnType<typeof startService>>;
  let venue: LitecoinVenue;
  let screening: { stop(): Promise<void> };
  beforeAll(async () => {
    service = await startService();
    venue = await openLitecoinVenue({ settings: { SCREENING_URL: service.url } });
    const options = { everyMs: 50, answerMs: ANSWER_MS, againMs: 300 };
    screening = startScreening(venue.world.ctx, options);
  }, LONG);
  afterAll(async () => {
    await screening.stop();
    await venue.close();
    await service.close();
  });

  const deposit = async (coins: string) => {
    const { world, node } = venue;
    const trader = await world.trader();
    await expect.poll(() => trader.address('ltc').catch(String), WAIT).not.toMatch(/Error/);
    const txid = await node.pay(await trader.address('ltc'), coins);
    await node.mine(2);
    return { trader, txid };
  };

  it(
    'a deposit is credited when it is allowed, and the service hears what it is about',
    async () => {
      service.behaves(saying('allow'));
      const { trader, txid } = await deposit('1');
      const [found] = await trader.until(txid, 'credited');
      expect(service.asked.filter((one) => one.txid === txid)).toEqual([
        {
          kind: 'deposit',
          id: found?.depositId,
          account: String(trader.accountId),
          coin: 'ltc',
          network: 'LTC',
          amount: '1',
          address: found?.address,
          memo: '',
          txid,
        },
      ]);
    },
    LONG,
  );

  it(
    'a deposit that is held is credited when it is allowed later, and a rejected one never',
    async () => {
      service.behaves(saying('hold'));
      const { trader, txid } = await deposit('2');
      expect(await trader.until(txid, 'held')).toMatchObject([{ statusReason: 'screening' }]);
      expect(await trader.balance('ltc')).toMatchObject({ available: '0', pendingDeposit: '2' });
      service.behaves(saying('allow'));
      await trader.until(txid, 'credited');
      service.behaves(saying('reject'));
      const other = await deposit('3');
      await other.trader.until(other.txid, 'rejected');
      service.behaves(saying('allow'));
      await venue.node.mine(1);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await other.trader.until(other.txid, 'rejected');
      expect(await other.trader.balance('ltc')).toMatchObject({ available: '0', total: '0' });
    },
    LONG,
  );

  it(
    'silence, nonsense, a flood and a redirection hold a deposit',
    async () => {
      const faults: Record<string, Behave> = {
        silence: () => {},
        slowness: (_question, response) => {
          response.write('{"verdict":');
        },
        nonsense: (_question, response) => response.end('allow'),
        'another word': saying('allowed'),
        flood: (_question, response) =>
          response.end(JSON.stringify({ pad: 'x'.repeat(20_000), verdict: 'allow' })),
        redirection: (_question, response) => {
          response.writeHead(302, { location: service.url }).end();
        },
        failure: (_question, response) => {
          response.writeHead(500).end('{"verdict":"allow"}');
        },
      };
      const question = { kind: 'deposit', id: 'D1' } as ScreeningQuestion;
      for (const [name, fault] of Object.entries(faults)) {
        service.behaves(fault);
        const startMs = performance.now();
        expect(await askScreening(service.url, question, ANSWER_MS), name).toBe('silent');
        expect(performance.now() - startMs, name).toBeLessThan(10 * ANSWER_MS);
      }
      expect(await askScreening('http://127.0.0.1:1/', question, ANSWER_MS)).toBe('silent');
      service.behaves(() => {});
      const { trader, txid } = await deposit('1');
      expect(await trader.until(txid, 'held')).toMatchObject([{ statusReason: 'screening' }]);
      service.behaves(saying('allow'));
      await trader.until(txid, 'credited');
    },
    LONG,
  );

  it(
    'a withdrawal is queued when it is allowed, and a rejected one gives its amount back',
    async () => {
      service.behaves(saying('allow'));
      const owner = await venue.ownerWith('5');
      service.behaves(saying('hold'));
      const { withdrawId } = await owner.payOut('1');
      expect(await owner.until(withdrawId, 'awaiting_approval')).toMatchObject({
        statusReason: 'screening',
      });
      await expect
        .poll(() => service.asked.filter(({ id }) => id === withdrawId).length, WAIT)
        .toBeGreaterThan(1);
      expect((await owner.find(withdrawId)).status).toBe('awaiting_approval');
      service.behaves(saying('allow'));
      await owner.until(withdrawId, 'queued');
      service.behaves(saying('reject'));
      const other = await owner.payOut('2');
      expect(await owner.until(other.withdrawId, 'rejected')).toMatchObject({
        statusReason: 'screening',
      });
      await expect
        .poll(() => owner.trader.balance('ltc'), WAIT)
        .toMatchObject({ available: '4', pendingWithdraw: '1' });
    },
    LONG,
  );
});
