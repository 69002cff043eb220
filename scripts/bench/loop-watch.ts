// Preloaded into the api process by benchmarks (`node --import`): says over a port of its own how long the event loop stood
// still, and how much CPU the process used, since it was asked last. A ping from outside would also measure the machine.
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { freePort } from '../../server/src/platform/engines/process.ts';
import { RIALTO_BINARY, startRialtoProcess } from '../../server/src/testing/rialto-process.ts';

const PORT_NAME = 'LOOP_WATCH_PORT';
/** The watch looks this often, so the delay that it reports is too long by as much. */
const RESOLUTION_MS = 2;

export interface LoopReport {
  readonly longestMs: number;
  readonly cpuMs: number;
}

const port = process.env[PORT_NAME];
if (port !== undefined && isMainThread) {
  // Processes that this one starts must not try to open the same port.
  delete process.env[PORT_NAME];
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let cpu = process.cpuUsage();
  const server = createServer((_request, response) => {
    const { user, system } = process.cpuUsage(cpu);
    const report: LoopReport = {
      longestMs: Math.max(0, delay.max / 1e6 - RESOLUTION_MS),
      cpuMs: (user + system) / 1000,
    };
    response.end(JSON.stringify(report));
    delay.reset();
    cpu = process.cpuUsage();
  });
  server.listen(Number(port), '127.0.0.1');
  server.unref();
}

/** An api process with a watch in it; `ask` reports the time since the last question. */
export async function startWatchedApi(environment: Record<string, string>) {
  const watchPort = await freePort();
  const api = await startRialtoProcess('api', { ...environment, [PORT_NAME]: String(watchPort) }, [
    '--import',
    fileURLToPath(import.meta.url),
    RIALTO_BINARY,
    'serve',
    '--roles',
    'api',
  ]);
  const ask = async (): Promise<LoopReport> => {
    const answer = await fetch(`http://127.0.0.1:${watchPort}/`);
    return (await answer.json()) as LoopReport;
  };
  return { api, ask };
}
