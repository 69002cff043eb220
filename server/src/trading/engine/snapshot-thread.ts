// The thread behind snapshotter.ts. It has its own copy of the state and its own connection.
import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import { createLog } from '../../platform/observe/log.ts';
import { assert } from '../../platform/std/assert.ts';
import type { Machine } from './machine.ts';
import { followJournal, recover } from './recover.ts';
import type { ThreadData } from './snapshotter.ts';
import { writeSnapshot } from './snapshot-store.ts';

assert(parentPort !== null, 'this file is started as a thread');
const port = parentPort;
const { databaseUrl, core } = workerData as ThreadData;
/** A part of a snapshot takes long on a busy disk; with a silent network it takes for ever. */
const STATEMENT_MS = 60_000;
let machine: Machine | undefined;
let previous: Promise<void> = Promise.resolve();

async function takeSnapshot(): Promise<void> {
  const startedMs = performance.now();
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'rialto snapshot',
    query_timeout: STATEMENT_MS,
  });
  await client.connect();
  try {
    if (machine === undefined) machine = await recover(client, core, createLog('error', {}));
    else await followJournal(client, machine);
    const { seq, digest, shard } = machine;
    const bytes = machine.snapshot();
    await writeSnapshot(client, { shard, seq, digest, bytes });
    port.postMessage({ seq, ms: performance.now() - startedMs, bytes: bytes.length });
  } finally {
    await client.end();
  }
}

port.on('message', () => {
  previous = previous.then(takeSnapshot);
});
