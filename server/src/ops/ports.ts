// Checks whether ports are free before anything else begins, so that a long start does not fail at its end.
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../platform/config/schema.ts';
import { hasInheritedSocket } from '../platform/http/inherited.ts';
import { isListenError, PortTroubleError } from './trouble.ts';

export interface WantedPort {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** The flag or setting that chose it, such as `--port`. */
  readonly chosenBy: string;
}

/** Throws an error that names the port and how to choose another. */
export async function requireFreePorts(wanted: readonly WantedPort[]): Promise<void> {
  for (const { host, port, chosenBy } of wanted) {
    if (port === 0) continue;
    const server = createServer().listen(port, host);
    try {
      await once(server, 'listening');
    } catch (error) {
      if (!isListenError(error)) throw error;
      throw new PortTroubleError(error, chosenBy);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  }
}

/** Where a process with these settings listens. */
export function portsOf({ HOST, PORT, OPS_PORT, ROLES }: Config, portFlag: boolean): WantedPort[] {
  const wanted: WantedPort[] = [];
  // The port of an inherited socket is already held.
  if (ROLES.split(',').includes('api') && !hasInheritedSocket()) {
    wanted.push({ host: HOST, port: PORT, chosenBy: portFlag ? '--port' : '--port or PORT' });
  }
  if (OPS_PORT !== '') wanted.push({ host: HOST, port: Number(OPS_PORT), chosenBy: 'OPS_PORT' });
  return wanted;
}
