// Answers to HTTP requests, and the limits that refuse some of them.
import { Counter, type Registry, type Metric } from 'prom-client';
import { RouteTimes } from '../route-times.ts';

export interface HttpMetrics {
  /** One HTTP answer; `route` is the declared name, so its values are bounded. */
  httpAnswered(api: string, route: string, status: number, seconds: number): void;
  refused(api: string, scope: string): void;
  windowsFellBack(): void;
}

export function createHttpMetrics(registry: Registry): HttpMetrics {
  const registers = [registry];
  const http = new RouteTimes('rialto_http_seconds');
  registry.registerMetric({
    name: http.name,
    get: async () => ({
      name: http.name,
      help: 'Time to answer an HTTP request.',
      type: 'histogram',
      values: http.values(),
      aggregator: 'sum',
    }),
    // The registry uses only a name and `get`, but its type demands one of the library's own classes.
  } as unknown as Metric);
  const limited = new Counter({
    name: 'rialto_rate_limited_total',
    help: 'Requests refused by a rate limit.',
    labelNames: ['api', 'scope'],
    registers,
  });
  const fallbacks = new Counter({
    name: 'rialto_windows_fallback_total',
    help: 'Limit decisions taken locally because Redis did not answer in time.',
    registers,
  });
  return {
    httpAnswered: (api, route, status, seconds) => http.observe(api, route, status, seconds),
    refused: (api, scope) => limited.labels(api, scope).inc(),
    windowsFellBack: () => fallbacks.inc(),
  };
}
