// A Rialto process that can be told to die at a named point of the engine, and that reports its
// identity. Started by cluster.ts; the product itself has no such switch.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadConfig } from '../../server/src/platform/config/load.ts';
import { startProcess } from '../../server/src/roles/start.ts';

const place = process.env['CRASH_PLACE'] ?? '';
let trap = { point: '', left: 0 };

/** Parses a trap: the point's name and the occurrence at which to die. */
function readTrap(): void {
  const file = `${place}.trap`;
  if (!existsSync(file)) return;
  const [point = '', left = '1'] = readFileSync(file, 'utf8').split(' ');
  rmSync(file);
  trap = { point, left: Number(left) };
}

readTrap();
process.on('SIGUSR2', readTrap);

const running = await startProcess(loadConfig(process.env), {
  onFatal: () => process.exit(1),
  enginePoint(point) {
    if (point === 'recovered') writeFileSync(`${place}.recovered`, String(process.pid));
    if (point !== trap.point) return;
    trap.left -= 1;
    if (trap.left !== 0) return;
    writeFileSync(`${place}.died`, String(Date.now()));
    // No handler and no flush: the next instruction is never reached.
    process.kill(process.pid, 'SIGKILL');
  },
});
writeFileSync(`${place}.id`, running.ctx.id);
process.on('SIGTERM', () => void running.stop().then(() => process.exit(0)));
