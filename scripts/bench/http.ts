// `bench http`: /public/ping and /public/time of one whole process, limiter on with a raised limit,
// against bare node:http and bare Fastify, in turns within one run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { migrate } from '../../server/src/platform/db/migrate.ts';
import { startPostgres } from '../../server/src/platform/engines/postgres.ts';
import { startRialtoProcess } from '../../server/src/testing/rialto-process.ts';
import { printTable, type Figure } from '../figure.ts';
import { applyLoad } from './load.ts';
import { median, round, spread } from './stats.ts';

const GOAL = 0.6;
const ROUNDS = 11;
const ROUND_MS = 1000;
const CONNECTIONS = 32;
const IN_FLIGHT = 4;

export async function benchHttp(): Promise<Figure[]> {
  const postgres = await startPostgres();
  await migrate(postgres.ownerUrl, postgres.serverUrl);
  const ours = await startRialtoProcess('api,relay,worker', {
    DATABASE_URL: postgres.serverUrl,
    MASTER_KEY: 'be'.repeat(32),
    LOG_LEVEL: 'warn',
    TRADING_RATE_LIMIT: '1000000',
    // The clients keep their connections.
    REQUESTS_PER_CONNECTION_MAX: '0',
  });
  const bare = { node: await startBare('node'), fastify: await startBare('fastify') };
  const figures: Figure[] = [];
  try {
    const table = [['endpoint', 'node:http /s', 'Fastify /s', 'Rialto /s', 'of Fastify', 'goal']];
    for (const endpoint of ['ping', 'time']) {
      const path = `/v1/public/${endpoint}`;
      const targets = { node: bare.node.port, fastify: bare.fastify.port, ours: ours.port };
      const measured: Record<keyof typeof targets, number[]> = { node: [], fastify: [], ours: [] };
      for (let turn = 0; turn <= ROUNDS; turn += 1) {
        for (const [name, port] of Object.entries(targets) as [keyof typeof targets, number][]) {
          const load = {
            port,
            path,
            connections: CONNECTIONS,
            inFlight: IN_FLIGHT,
            durationMs: ROUND_MS,
          };
          const { perSecond, failures } = await applyLoad(load);
          if (failures > 0) throw new Error(`${failures} answers of ${name} were not 200.`);
          // The first round is a warm-up.
          if (turn > 0) measured[name].push(perSecond);
        }
      }
      const [node, fastify, rialto] = [
        median(measured.node),
        median(measured.fastify),
        median(measured.ours),
      ];
      // Compared within each round, so that other load affects both equally.
      const ratio = median(
        measured.ours.map((value, index) => value / (measured.fastify[index] ?? 1)),
      );
      table.push([
        `/public/${endpoint}`,
        String(round(node)),
        String(round(fastify)),
        String(round(rialto)),
        ratio.toFixed(2),
        `≥ ${GOAL}`,
      ]);
      figures.push({
        figure: `http.${endpoint}`,
        ours: round(rialto),
        bare: round(fastify),
        node: round(node),
        ratio: round(ratio, 3),
        unit: 'requests/s',
        spread: {
          ours: spread(measured.ours),
          fastify: spread(measured.fastify),
          node: spread(measured.node),
        },
        goal: GOAL,
        met: ratio >= GOAL,
      });
    }
    printTable(table);
    console.error(
      `Medians of ${ROUNDS} rounds of ${ROUND_MS} ms, ${CONNECTIONS} connections with ${IN_FLIGHT} requests in flight; the generator takes the second core.`,
    );
    return figures;
  } finally {
    await ours.stop();
    bare.node.kill();
    bare.fastify.kill();
    await postgres.remove();
  }
}

async function startBare(kind: string): Promise<{ port: number; kill(): void }> {
  const script = fileURLToPath(new URL('bare-servers.ts', import.meta.url));
  const child = spawn(process.execPath, [script, kind], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { port } = JSON.parse(line) as { port: number };
  return { port, kill: () => void child.kill() };
}
