import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { examplePerson } from '../../testing/example.ts';
import { startTestServer } from '../../testing/server.ts';

it('an event reaches the log once, after its commit', async () => {
  const server = await startTestServer();
  try {
    await examplePerson(server.ctx);
    await sleep(300);
    const { rows } = await server.ctx.database.pool.query('SELECT position, type FROM event_log');
    expect(rows).toEqual([{ position: 1n, type: 'realm_user' }]);
    const ready = await fetch(`${server.origin}/health/ready`);
    expect(ready.status).toBe(200);
  } finally {
    await server.close();
  }
});
