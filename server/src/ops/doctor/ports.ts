// Whether this machine can listen on the configured ports, or Rialto already does.
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../../platform/config/schema.ts';
import { codeOf, isListenError, listenTrouble } from '../trouble.ts';
import { broken, ok, type Finding } from './finding.ts';

const ASK_TIMEOUT_MS = 2000;

export async function checkPorts(config: Config): Promise<Finding[]> {
  const ports = [{ port: config.PORT, path: '/health/live', name: 'PORT' }];
  if (config.OPS_PORT !== '') {
    ports.push({ port: Number(config.OPS_PORT), path: '/live', name: 'OPS_PORT' });
  }
  return Promise.all(ports.map((entry) => checkPort(config.HOST, entry)));
}

async function checkPort(
  host: string,
  { port, path, name }: { port: number; path: string; name: string },
): Promise<Finding> {
  const check = name === 'PORT' ? 'port' : 'ops port';
  if (port === 0) return ok(check, `${name} is 0: a free one is taken at start.`);
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
    return ok(check, `${host}:${port} is free.`);
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE' && (await isRialto(host, port, path))) {
      return ok(check, `Rialto answers on ${host}:${port}.`);
    }
    if (!isListenError(error)) throw error;
    return broken(check, listenTrouble(error));
  } finally {
    server.close();
  }
}

async function isRialto(host: string, port: number, path: string): Promise<boolean> {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host;
  try {
    const answer = await fetch(`http://${reachable}:${port}${path}`, {
      signal: AbortSignal.timeout(ASK_TIMEOUT_MS),
    });
    const body = (await answer.json()) as { status?: unknown };
    return body.status === 'ok';
  } catch {
    return false;
  }
}
