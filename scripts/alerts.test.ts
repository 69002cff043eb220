// No Prometheus runs here, so the rules are read: each speaks of metrics that exist, and is explained.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '../server/src/platform/observe/metrics.ts';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string };
}

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const { groups } = parse(read('deploy/prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const exprOf = (alert: string) => rules.find((rule) => rule.alert === alert)?.expr ?? '';

describe('alerts.yml', () => {
  it('speaks only of metrics that a process has', async () => {
    const { body } = await createMetrics('test').render();
    const known = new Set(Array.from(body.matchAll(/^# TYPE (\w+)/gm), ([, name]) => name));
    for (const { expr } of rules) {
      const named = expr.match(/rialto_\w+/g) ?? [];
      expect(named.length).toBeGreaterThan(0);
      for (const name of named) expect(known).toContain(name);
    }
  });

  it('has the limits that were promised', () => {
    for (const [alert, limit] of Object.entries({
      InvariantBroken: '> 0',
      NegativeBalance: '> 0',
      LiabilitiesAboveHoldings: '> max by (coin) (rialto_solvency_assets)',
      SignatureFailures: '> 100',
      ReplaysRefused: '> 0',
      LockOuts: '> 10',
      OperatorLockedOut: '> 0',
      QueuesLost: '> 0.05 * sum(rialto_queues_live)',
      OutboxOld: '> 5',
      DiskFull: '> 0.8',
      ClockOff: '> 0.25',
    })) {
      expect(exprOf(alert)).toContain(limit);
    }
  });

  it('is explained rule by rule, and nothing is explained that is not there', () => {
    const explained = Array.from(
      read('docs/operating/alarms.md').matchAll(/^\| `(\w+)`/gm),
      ([, name = '']) => name,
    );
    expect(explained.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
    for (const { labels, annotations } of rules) {
      expect(['warning', 'emergency']).toContain(labels.severity);
      expect(annotations.summary).not.toBe('');
    }
  });
});
