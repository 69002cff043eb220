// What a process holds in memory, as the kernel counts it.
import { readFileSync } from 'node:fs';

/** The resident size of a process. */
export function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kilobytes === undefined) throw new Error(`Process ${pid} has no resident size.`);
  return Number(kilobytes) * 1024;
}
