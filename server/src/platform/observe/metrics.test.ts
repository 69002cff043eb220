import { expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';

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
