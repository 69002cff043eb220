// NATS and Redis, when they are configured: reachable with these credentials, with the round-trip time.
import { createHash } from 'node:crypto';
import { connect } from '@nats-io/transport-node';
import { createClient, type RedisClientType } from 'redis';
import type { Config } from '../../platform/config/schema.ts';
import { natsAddress } from '../../platform/bus/nats.ts';
import { ADMIT } from '../../platform/windows/redis.ts';
import { codeOf, connectionTrouble, messageOf, shownUrl, type Trouble } from '../trouble.ts';
import { broken, ok, skipped, warning, type Finding } from './finding.ts';

const TIMEOUT_MS = 3000;
const SLOW_MS = 50;
const OLDEST_REDIS = 7;

export async function checkNats({ NATS_URL }: Config): Promise<Finding[]> {
  if (NATS_URL === '') return [skipped('NATS', 'Not configured: one process needs none.')];
  try {
    const connection = await connect({
      ...natsAddress(NATS_URL),
      name: 'rialto doctor',
      reconnect: false,
      timeout: TIMEOUT_MS,
    });
    try {
      const version = connection.info?.version ?? 'unknown';
      const roundTripMs = await fastest(() => connection.flush());
      return [answered('NATS', NATS_URL, version, roundTripMs)];
    } finally {
      await connection.close();
    }
  } catch (error) {
    return [broken('NATS', natsTrouble(error, NATS_URL))];
  }
}

function natsTrouble(error: unknown, url: string) {
  const message = messageOf(error);
  if (/authorization|authentication/i.test(message)) return refusedCredentials('NATS', url);
  if (/refused/i.test(message)) return connectionTrouble({ code: 'ECONNREFUSED' }, 'NATS', url);
  if (/timeout/i.test(message)) return connectionTrouble({ code: 'ETIMEDOUT' }, 'NATS', url);
  return connectionTrouble(error, 'NATS', url);
}

export async function checkRedis({ REDIS_URL }: Config): Promise<Finding[]> {
  if (REDIS_URL === '') return [skipped('Redis', 'Not configured: one process needs none.')];
  const client = createClient({
    url: REDIS_URL,
    socket: { reconnectStrategy: false, connectTimeout: TIMEOUT_MS },
  });
  // connect() also emits its error; without a listener it would end this process.
  client.on('error', () => {});
  try {
    await client.connect();
    // Does what the rate windows do, with a window of the doctor's own.
    const roundTripMs = await fastest(() => callScript(client));
    const info = await client.info('server');
    const version = /^(?:valkey|redis)_version:(\S+)/m.exec(info)?.[1] ?? 'unknown';
    const findings = [answered('Redis', REDIS_URL, version, roundTripMs)];
    if (Number.parseInt(version, 10) < OLDEST_REDIS) {
      findings.push(
        warning('Redis', {
          what: `This is Redis ${version}.`,
          why: `Rialto is tested with Redis ${OLDEST_REDIS} and with Valkey only.`,
          fix: `Upgrade to Redis ${OLDEST_REDIS} or Valkey.`,
        }),
      );
    }
    return findings;
  } catch (error) {
    const isRefused = /WRONGPASS|NOAUTH|AUTH/.test(messageOf(error)) && codeOf(error) === '';
    if (messageOf(error).startsWith('NOPERM'))
      return [broken('Redis', forbidden(error, REDIS_URL))];
    return [
      broken(
        'Redis',
        isRefused
          ? refusedCredentials('Redis', REDIS_URL)
          : connectionTrouble(error, 'Redis', REDIS_URL),
      ),
    ];
  } finally {
    client.destroy();
  }
}

/** Redis users have a list of allowed commands. */
const forbidden = (error: unknown, url: string): Trouble => ({
  what: `Redis at ${shownUrl(url)} does not let this user count: ${messageOf(error)}.`,
  why: 'Every process applies rate limits on its own, with a share of the quota.',
  fix: "Start it with deploy/redis/start.sh of this release, which loads the server's script and lists its commands.",
});

const ADMIT_SHA1 = createHash('sha1').update(ADMIT).digest('hex');

/** As the server calls it: by its hash, and with its text if Redis does not have it and accepts it. */
async function callScript(client: RedisClientType): Promise<void> {
  const window = { keys: ['rialto:doctor'], arguments: ['1000000', '1000'] };
  try {
    await client.evalSha(ADMIT_SHA1, window);
  } catch (error) {
    if (!messageOf(error).startsWith('NOSCRIPT')) throw error;
    await client.eval(ADMIT, window);
  }
}

/** The fastest of a few: the first ones also include code loading. */
async function fastest(roundTrip: () => Promise<unknown>): Promise<number> {
  let bestMs = Number.POSITIVE_INFINITY;
  for (let reading = 0; reading < 5; reading += 1) {
    const startedMs = performance.now();
    await roundTrip();
    bestMs = Math.min(bestMs, performance.now() - startedMs);
  }
  return bestMs;
}

const refusedCredentials = (service: string, url: string) =>
  connectionTrouble({ code: '28P01' }, service, url);

function answered(service: string, url: string, version: string, roundTripMs: number): Finding {
  const what = `Version ${version} at ${shownUrl(url)}, there and back in ${roundTripMs.toFixed(1)} ms.`;
  if (roundTripMs < SLOW_MS) return ok(service, what);
  return warning(service, {
    what,
    why: 'Every request of the trading API waits for it, up to 20 ms; then limits are decided locally.',
    fix: 'Run it in the same data centre as this process.',
  });
}
