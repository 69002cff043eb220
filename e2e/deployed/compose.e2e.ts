// Starts both shapes of compose.yaml, each with its own commands, settings and secrets; people
// trade and chat in them.
import { afterEach, describe, expect, it } from 'vitest';
import { stopAllEngines } from '../../server/src/platform/engines/engine.ts';
import { runDoctor } from '../../server/src/ops/doctor/run.ts';
import { startShape, type Shape } from './compose.ts';
import { awaitReady, tradeAndTalk } from './first-life.ts';

const ENV = { MONEY: 'simulated', PUBLIC_URL: 'https://rialto.example' };

let shape: Shape | undefined;
afterEach(async () => {
  await shape?.stop();
  shape = undefined;
  await stopAllEngines();
});

describe('compose.yaml', () => {
  it('starts one server with every role', async () => {
    shape = await startShape('single', ENV);
    expect(Object.keys(shape.processes)).toEqual(['server']);
    const origins = Object.values(shape.processes).map(({ origin }) => origin);
    await awaitReady(origins[0] ?? '');
    await tradeAndTalk(shape.settings, origins);
    expect(await findingsOf(shape)).toEqual([]);
  });

  it('starts a cluster of every role with protected NATS and Redis, and one api delivers what another received', async () => {
    shape = await startShape('cluster', ENV);
    const { processes } = shape;
    expect(Object.keys(processes).sort()).toEqual([
      'api-1',
      'api-2',
      'custody',
      'engine-1',
      'engine-2',
      'relay',
      'worker',
    ]);
    const origins = ['api-1', 'api-2'].map((name) => processes[name]?.origin ?? '');
    for (const origin of origins) await awaitReady(origin);
    await tradeAndTalk(shape.settings, origins);
    expect(await findingsOf(shape)).toEqual([]);
  });
});

/** What the doctor calls broken, and its line about the other instances. */
async function findingsOf({ settings }: Shape): Promise<unknown[]> {
  const { text } = await runDoctor(settings, true);
  const { findings } = JSON.parse(text) as { findings: { status: string; name: string }[] };
  return findings.filter(({ status }) => status === 'broken');
}
