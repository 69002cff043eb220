import { expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';
import { VERSION } from './version.ts';

it('answers are counted per route and status, in cumulative buckets that Prometheus understands', async () => {
  const metrics = createMetrics('api');
  for (const seconds of [0.0005, 0.004, 0.004, 20])
    metrics.httpAnswered('trading', '/v1/public/ping', 200, seconds);
  metrics.httpAnswered('trading', '/v1/public/ping', 429, 0.0001);
  const { body, contentType } = await metrics.render();
  expect(contentType).toContain('text/plain');
  const line = (suffix: string, more: string) =>
    body
      .split('\n')
      .find(
        (text) =>
          text.startsWith(`rialto_http_seconds${suffix}{`) &&
          text.includes('status="200"') &&
          text.includes(more),
      );
  expect(line('_bucket', 'le="0.001"')).toMatch(/ 1$/);
  expect(line('_bucket', 'le="0.005"')).toMatch(/ 3$/);
  expect(line('_bucket', 'le="10"')).toMatch(/ 3$/);
  expect(line('_bucket', 'le="+Inf"')).toMatch(/ 4$/);
  expect(line('_count', 'route="/v1/public/ping"')).toMatch(/ 4$/);
  expect(line('_sum', 'api="trading"')).toMatch(/ 20\.0085$/);
  expect(body).toContain('# TYPE rialto_http_seconds histogram');
  expect(body).toContain('status="429"');
});

it('the release, pools, jobs, markets and sign-ins have numbers, and no label can grow without end', async () => {
  const metrics = createMetrics('api');
  metrics.watchPool('chat', () => ({ inUse: 3, waiting: 2, max: 10 }));
  metrics.jobsSeen({ ready: 7, oldestSeconds: 1.5, givenUp: 1 });
  metrics.signedIn('stranger', 'failed');
  metrics.signInProven('totp', 'failed');
  metrics.passwordWaited(0.02);
  metrics.traded('btcusdt', 5, 2);
  metrics.traded('btcusdt', 1, 1);
  for (let n = 0; n < 1000; n += 1) metrics.traded(`made${n}up`, 1, 0);
  const { body } = await metrics.render();
  const valueOf = (start: string, ...labels: string[]) =>
    body
      .split('\n')
      .find((line) => line.startsWith(start) && labels.every((label) => line.includes(label)))
      ?.split(' ')
      .at(-1);
  expect(valueOf('rialto_build_info{', `version="${VERSION}"`, 'node="24.')).toBe('1');
  expect(valueOf('rialto_database_connections{', 'pool="chat"', 'state="max"')).toBe('10');
  expect(valueOf('rialto_jobs{', 'state="ready"')).toBe('7');
  expect(valueOf('rialto_jobs{', 'state="given_up"')).toBe('1');
  expect(valueOf('rialto_jobs_oldest_seconds')).toBe('1.5');
  const failed = ['method="totp"', 'outcome="failed"'];
  expect(valueOf('rialto_identity_sign_ins_total{', ...failed)).toBe('1');
  expect(valueOf('rialto_identity_hash_wait_seconds_bucket{', 'le="0.1"')).toBe('1');
  expect(valueOf('rialto_sign_ins_total{', 'lane="stranger"', 'outcome="failed"')).toBe('1');
  expect(valueOf('rialto_orders_total{', 'market="btcusdt"')).toBe('6');
  expect(valueOf('rialto_trades_total{', 'market="btcusdt"')).toBe('3');
  expect(valueOf('rialto_orders_total{', 'market="other"')).toBe('801');
  expect(body.match(/^rialto_orders_total\{/gm)).toHaveLength(201);
});
