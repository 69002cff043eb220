// Checks the alert rules and the dashboard: they use existing metrics, Prometheus can parse them,
// and the docs explain each rule.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findBinaries } from '../server/src/platform/engines/process.ts';
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

async function knownMetrics(): Promise<Set<string>> {
  const { body } = await createMetrics('test').render();
  return new Set(
    Array.from(body.matchAll(/^# TYPE (\w+) (\w+)/gm), ([, name = '', kind]) =>
      kind === 'histogram' ? [name, `${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ).flat(),
  );
}

/** Debian's package "prometheus" has it. */
const canAskPrometheus = findBinaries(['promtool']).length > 0 || process.env['CI'] !== undefined;
const promtool = (path: string) =>
  spawnSync('promtool', ['check', 'rules', path], { encoding: 'utf8' });

describe('the dashboard', () => {
  const dashboard = JSON.parse(read('deploy/grafana/rialto.json')) as {
    panels: { id: number; title: string; targets: { expr: string }[] }[];
  };
  const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

  it('shows only metrics that a process exports', async () => {
    const known = await knownMetrics();
    for (const expr of expressions) {
      const named = expr.match(/rialto_\w+/g) ?? [];
      expect(named.length, expr).toBeGreaterThan(0);
      for (const name of named) expect(known).toContain(name);
    }
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  });

  it.skipIf(!canAskPrometheus)('sends queries that Prometheus accepts', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rialto-dashboard-'));
    try {
      const path = join(folder, 'rules.yml');
      const rules = expressions.map((expr, index) => ({ record: `rialto:panel:${index}`, expr }));
      writeFileSync(path, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
      const { status, stdout, stderr } = promtool(path);
      expect(status, stdout + stderr).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('alerts.yml', () => {
  it.skipIf(!canAskPrometheus)('is accepted by Prometheus', () => {
    const { status, stdout, stderr } = promtool(
      fileURLToPath(new URL('../deploy/prometheus/alerts.yml', import.meta.url)),
    );
    expect(status, stdout + stderr).toBe(0);
  });

  it('uses only metrics that a process exports', async () => {
    const known = await knownMetrics();
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

  it('is explained rule by rule in the docs, and nothing else is', () => {
    const explained = Array.from(
      read('docs/operating/alarms.md').matchAll(/^\| `([A-Z]\w+)`/gm),
      ([, name = '']) => name,
    );
    expect(explained.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
    for (const { labels, annotations } of rules) {
      expect(['warning', 'emergency']).toContain(labels.severity);
      expect(annotations.summary).not.toBe('');
    }
  });
});
