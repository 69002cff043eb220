// The rate limit over real processes: bursts of 40 at random phases for 20 s, with one process and
// with three that share Redis. The answer's serverTime is the exact time of each admission.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRialtoProcess, type RialtoProcess } from '../server/src/testing/rialto-process.ts';
import { send } from '../server/src/testing/trader.ts';
import { startDeployment, type TestDeployment } from '../server/src/testing/deployment.ts';
import { createRandom } from '../server/src/testing/random.ts';

const LIMIT = 10;
const WINDOW_MS = 1000;
const RUN_MS = 10_000;
const BURST = 40;

describe.each([1, 3])('%i process(es)', (count) => {
  let deployment: TestDeployment;
  let servers: RialtoProcess[];

  beforeAll(async () => {
    deployment = await startDeployment({});
    const { DATABASE_URL = '', NATS_URL = '', REDIS_URL = '', ...rest } = deployment.environment;
    // A single process uses its own windows; three share Redis.
    await deployment.ctx.close();
    const environment =
      count === 1 ? { ...rest, DATABASE_URL } : { ...rest, DATABASE_URL, NATS_URL, REDIS_URL };
    servers = [];
    for (let index = 0; index < count; index += 1)
      servers.push(await startRialtoProcess('api', environment));
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await deployment.close();
  });

  it('no interval of 1,000 ms holds more than 10, and each burst after a second’s quiet gets 10', async () => {
    const seed = Date.now() % 100_000;
    const random = createRandom(seed);
    const admitted: number[] = [];
    let quietBursts = 0;
    const endMs = Date.now() + RUN_MS;
    while (Date.now() < endMs) {
      const isQuiet = random.below(2) === 0;
      await sleep(isQuiet ? WINDOW_MS + 5 : random.below(900));
      const answers = await Promise.all(
        Array.from({ length: BURST }, () => send(`${random.pick(servers).origin}/v1/public/ping`)),
      );
      const times = answers
        .filter(({ status }) => status === 200)
        .map(({ body }) => Number(body.serverTime));
      expect(answers.every(({ status }) => status === 200 || status === 429)).toBe(true);
      // After a quiet second all ten places are free.
      if (isQuiet) {
        expect(times.length, `seed ${seed}`).toBeGreaterThanOrEqual(LIMIT);
        quietBursts += 1;
      }
      admitted.push(...times);
    }
    admitted.sort((a, b) => a - b);
    for (let index = LIMIT; index < admitted.length; index += 1) {
      const span = (admitted[index] as number) - (admitted[index - LIMIT] as number);
      expect(span, `seed ${seed}: 11 admissions within ${span} ms`).toBeGreaterThanOrEqual(
        WINDOW_MS,
      );
    }
    console.log(
      `${count} process(es): ${admitted.length} admitted, ${quietBursts} bursts after a quiet second, seed ${seed}`,
    );
  });
});
