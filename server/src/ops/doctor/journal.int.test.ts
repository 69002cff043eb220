import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startRelay, type Relay } from '../../platform/events/relay.ts';
import { createTestContext, testEnvironment, type TestContext } from '../../testing/context.ts';
import { relayOptions } from '../../testing/server.ts';
import { JournalInParts, useSmallParts } from '../../testing/trading/journal-parts.ts';
import { listArchives } from '../../trading/engine/journal/access.ts';
import { pruneJournal } from '../../trading/engine/journal/prune.ts';
import { awaitProjection } from '../../trading/projections/access.ts';
import { startProjector, type Projector } from '../../trading/projections/projector.ts';
import type { Finding } from './finding.ts';
import { runDoctor } from './run.ts';

let test: TestContext;
let relay: Relay;
let projector: Projector;
beforeEach(async () => {
  test = await createTestContext();
  await useSmallParts(test.owner, 10);
  relay = startRelay(relayOptions(test.ctx));
  projector = startProjector(test.ctx);
});
afterEach(async () => {
  await projector.stop();
  await relay.stop();
  await test.close();
});

async function find(): Promise<Finding | undefined> {
  const { text } = await runDoctor(testEnvironment(test.config.DATABASE_URL), true);
  const { findings } = JSON.parse(text) as { findings: Finding[] };
  return findings.find(({ check }) => check === 'journal');
}

it('the doctor knows where the rows of the journal are, and what is missing', async () => {
  const journal = new JournalInParts(test);
  await journal.writeAlone(25);
  // No worker has made parts.
  expect(await find()).toMatchObject({
    status: 'warning',
    what: expect.stringContaining('Rows are in the last one'),
  });
  await journal.write(15);
  await journal.snapshot();
  await awaitProjection(test.ctx, { patienceMs: 8000, orElse: 'refuse' });
  await pruneJournal(test.ctx, { keep: { fromSeq: 35 }, isDryRun: false });
  expect(await find()).toMatchObject({
    status: 'ok',
    what: expect.stringContaining('rows 1 to 30 are in the file store'),
  });
  await test.owner.query('UPDATE trading_snapshots SET verified_at = NULL');
  expect(await find()).toMatchObject({
    status: 'warning',
    what: expect.stringContaining('that was proven for that is gone'),
  });
  const [part] = await listArchives(test.owner, 0);
  await rm(join(test.config.UPLOADS_DIR, part?.manifest.key ?? ''));
  expect(await find()).toMatchObject({
    status: 'broken',
    what: expect.stringContaining('1 of their manifests cannot be found'),
  });
});
