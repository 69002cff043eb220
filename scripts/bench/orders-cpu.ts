// The processor time that each process spends per order. On a shared machine this says more than
// elapsed time.
import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import { round } from './stats.ts';

/** Linux counts the time of processes in hundredths of a second. */
const TICK_US = 10_000;

/** Microseconds of processor time, by process. */
export type Usage = ReadonlyMap<string, number>;

export interface CpuMeter {
  read(): Promise<Usage>;
}

interface Named {
  readonly name: string;
  readonly pid: number | undefined;
}

/**
 * Reads the processor time of these processes, of this one, and of PostgreSQL by the client it
 * works for.
 */
export function createCpuMeter(
  processes: readonly Named[],
  postgres: { readonly pid: number | undefined },
  pool: pg.Pool,
): CpuMeter {
  const names = new Map<number, string>();
  return {
    async read() {
      const { rows } = await pool.query<{ pid: number; name: string }>(
        `SELECT pid, coalesce(nullif(application_name, ''), backend_type) AS name FROM pg_stat_activity`,
      );
      for (const { pid, name } of rows) names.set(pid, `postgres: ${name}`);
      const usage = new Map<string, number>();
      const add = (name: string, us: number) => usage.set(name, (usage.get(name) ?? 0) + us);
      for (const { name, pid } of processes) if (pid !== undefined) add(name, readUsage(pid).us);
      const { user, system } = process.cpuUsage();
      add('generator', user + system);
      for (const pid of readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(Number)) {
        const { us, parent } = readUsage(pid);
        if (parent === postgres.pid) add(names.get(pid) ?? 'postgres: others', us);
      }
      return usage;
    },
  };
}

export function readUsage(pid: number): { us: number; parent: number } {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    // The process has ended.
    return { us: 0, parent: 0 };
  }
  // The name before it may contain anything, but it ends with the last bracket.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return { us: ((fields[11] ?? 0) + (fields[12] ?? 0)) * TICK_US, parent: fields[1] ?? 0 };
}

/** Microseconds an order between two readings, the most costly first. */
export function costPerOrder(before: Usage, after: Usage, orders: number): Record<string, number> {
  const costs = [...after].map(
    ([name, us]) => [name, round((us - (before.get(name) ?? 0)) / Math.max(1, orders), 1)] as const,
  );
  return Object.fromEntries(costs.filter(([, us]) => us >= 0.1).sort((a, b) => b[1] - a[1]));
}
