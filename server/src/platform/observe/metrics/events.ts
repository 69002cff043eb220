// The event log on its way to clients: numbering, queues and polls.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface EventMetrics {
  eventsRelayed(count: number, seconds: number): void;
  queuesLive(count: number): void;
  pollsWaiting(count: number): void;
  /** A client polled a queue that is gone, and has to register again. */
  queueLost(): void;
  /** How long the oldest event waits to be numbered. */
  outboxSeen(ageSeconds: number): void;
}

export function createEventMetrics(registry: Registry): EventMetrics {
  const registers = [registry];
  const relayed = new Counter({
    name: 'rialto_events_relayed_total',
    help: 'Events numbered into the log.',
    registers,
  });
  const relaySeconds = new Histogram({
    name: 'rialto_relay_batch_seconds',
    help: 'Time to number one batch.',
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers,
  });
  const queues = new Gauge({
    name: 'rialto_queues_live',
    help: 'Event queues held in memory.',
    registers,
  });
  const polls = new Gauge({ name: 'rialto_polls_waiting', help: 'Long polls waiting.', registers });
  const queuesLost = new Counter({
    name: 'rialto_queues_lost_total',
    help: 'Polls for an event queue that is gone; the client has to register again.',
    registers,
  });
  const outboxAge = new Gauge({
    name: 'rialto_outbox_age_seconds',
    help: 'How long the oldest event has waited to be numbered; zero when none waits.',
    registers,
  });
  return {
    eventsRelayed: (count, seconds) => {
      relayed.inc(count);
      relaySeconds.observe(seconds);
    },
    queuesLive: (count) => queues.set(count),
    pollsWaiting: (count) => polls.set(count),
    queueLost: () => queuesLost.inc(),
    outboxSeen: (ageSeconds) => outboxAge.set(ageSeconds),
  };
}
