// Staging and production on one NATS and one Redis, with one master key and databases of one name: they exchange
// no messages and share no counters.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { clusterSettings, testEnvironment } from '../testing/context.ts';
import { loadConfig } from './config/load.ts';
import { createContext, type Context } from './context.ts';
import { migrate } from './db/migrate.ts';
import { startPostgres, type PrivatePostgres } from './engines/postgres.ts';

const WAIT = { timeout: 30_000, interval: 20 };
const RULE = { limit: 2, windowMs: 600_000 };

const clusters: PrivatePostgres[] = [];
const contexts: Context[] = [];
async function open(postgres: PrivatePostgres, settings: Record<string, string> = {}) {
  const config = loadConfig({
    ...testEnvironment(postgres.serverUrl, clusterSettings()),
    ROLES: 'worker',
    ...settings,
  });
  const ctx = await createContext(config, {
    onFatal: (error) => {
      throw error;
    },
  });
  contexts.push(ctx);
  await vi.waitUntil(() => ctx.bus.isConnected(), WAIT);
  return ctx;
}
beforeAll(async () => {
  clusters.push(...(await Promise.all([startPostgres(), startPostgres()])));
  const urls = clusters.map(({ serverUrl }) => new URL(serverUrl).pathname);
  expect(new Set(urls).size).toBe(1);
  for (const { ownerUrl, serverUrl } of clusters) await migrate(ownerUrl, serverUrl);
}, 180_000);
afterAll(async () => {
  for (const ctx of contexts) await ctx.close();
  await Promise.all(clusters.map((one) => one.remove()));
});

it('processes of one database share messages and counters, and those of another of the same name do not', async () => {
  const [production, staging] = clusters as [PrivatePostgres, PrivatePostgres];
  const first = await open(production);
  const second = await open(production);
  const other = await open(staging);
  const heard: string[] = [];
  second.bus.subscribe('test', (text) => heard.push(text));
  await expect
    .poll(() => {
      other.bus.publish('test', 'staging');
      first.bus.publish('test', 'production');
      return heard.includes('production');
    }, WAIT)
    .toBe(true);
  // Both publish in turn over one NATS server: everything has arrived before the last message.
  other.bus.publish('test', 'staging');
  await other.bus.close();
  first.bus.publish('test', 'the last');
  await expect.poll(() => heard.at(-1), WAIT).toBe('the last');
  expect(heard).not.toContain('staging');

  const admitted = async (ctx: Context) => (await ctx.windows.admit('somebody', RULE)).admitted;
  expect([await admitted(first), await admitted(second), await admitted(first)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(await admitted(other)).toBe(true);
});

it('a given name replaces PostgreSQL’s identifier', async () => {
  const [production, staging] = clusters as [PrivatePostgres, PrivatePostgres];
  const heard: string[] = [];
  const one = await open(production, { INSTALLATION: 'blue' });
  const same = await open(staging, { INSTALLATION: 'blue' });
  const other = await open(production, { INSTALLATION: 'green' });
  one.bus.subscribe('test', (text) => heard.push(text));
  await expect
    .poll(() => {
      other.bus.publish('test', 'green');
      same.bus.publish('test', 'blue');
      return heard.includes('blue');
    }, WAIT)
    .toBe(true);
  expect(heard).not.toContain('green');
});
