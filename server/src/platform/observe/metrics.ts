// Prometheus metrics behind a small facade: the rest of the code never sees the library, and a label
// can only hold what is declared in these files (never a user, an order or an address).
import { Registry, collectDefaultMetrics } from 'prom-client';
import { createAuditMetrics, type AuditMetrics } from './metrics/audit.ts';
import { createCustodyMetrics, type CustodyMetrics } from './metrics/custody.ts';
import { createEngineMetrics, type EngineMetrics } from './metrics/engine.ts';
import { createEventMetrics, type EventMetrics } from './metrics/events.ts';
import { createHttpMetrics, type HttpMetrics } from './metrics/http.ts';
import { createLeadershipMetrics, type LeadershipMetrics } from './metrics/leadership.ts';
import { createProcessMetrics, type ProcessMetrics } from './metrics/process.ts';
import { createSignInMetrics, type SignInMetrics } from './metrics/sign-in.ts';
import { createStreamMetrics, type StreamMetrics } from './metrics/streams.ts';
import { createTradingMetrics, type TradingMetrics } from './metrics/trading.ts';

export interface Metrics
  extends
    HttpMetrics,
    ProcessMetrics,
    EventMetrics,
    SignInMetrics,
    EngineMetrics,
    LeadershipMetrics,
    TradingMetrics,
    StreamMetrics,
    AuditMetrics,
    CustodyMetrics {
  render(): Promise<{ contentType: string; body: string }>;
}

export function createMetrics(process: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ process });
  collectDefaultMetrics({ register: registry });
  return {
    ...createHttpMetrics(registry),
    ...createProcessMetrics(registry),
    ...createEventMetrics(registry),
    ...createSignInMetrics(registry),
    ...createEngineMetrics(registry),
    ...createLeadershipMetrics(registry),
    ...createTradingMetrics(registry),
    ...createStreamMetrics(registry),
    ...createAuditMetrics(registry),
    ...createCustodyMetrics(registry),
    render: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}
