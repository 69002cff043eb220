// The archive of the journal in a bucket: whoever reads rows reads them from there, and a lost file is found.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startRelay } from '../../../platform/events/relay.ts';
import { createLog } from '../../../platform/observe/log.ts';
import { createTestContext } from '../../../testing/context.ts';
import { canStartS3, startS3, type PrivateS3 } from '../../../testing/s3.ts';
import { relayOptions } from '../../../testing/server.ts';
import { JournalInParts, useSmallParts } from '../../../testing/trading/journal-parts.ts';
import { awaitProjection } from '../../projections/access.ts';
import { startProjector } from '../../projections/projector.ts';
import { rebuildProjections } from '../../projections/rebuild.ts';
import { openManifest } from './archive.ts';
import { listArchives } from './archives-store.ts';
import { pruneJournal } from './prune.ts';
import { verifyJournal } from './verify.ts';

const hasS3 = canStartS3();
let s3: PrivateS3 | undefined;
beforeAll(async () => {
  if (hasS3) s3 = await startS3();
}, 120_000);
afterAll(() => s3?.remove());

it.skipIf(!hasS3)(
  'old parts of the journal go into a bucket, and are read from there',
  async () => {
    const log = createLog('silent', {});
    const test = await createTestContext({ ...s3?.settings }, { log });
    await useSmallParts(test.owner, 10);
    const relay = startRelay(relayOptions(test.ctx));
    const projector = startProjector(test.ctx);
    try {
      const journal = new JournalInParts(test);
      await journal.write(50);
      await journal.snapshot();
      await journal.write(3);
      await awaitProjection(test.ctx, { patienceMs: 8000, orElse: 'refuse' });
      const { parts } = await pruneJournal(test.ctx, {
        keep: { fromSeq: 35 },
        isDryRun: false,
        fileBytes: 2000,
      });
      expect(parts.map(({ isRemoved }) => isRemoved)).toEqual([true, true, true]);
      const whole = await verifyJournal(test.ctx, { isReplayed: true });
      expect(whole.faults).toEqual([]);
      expect(whole.replayedSeq).toBe(journal.machine.seq);
      expect((await rebuildProjections(test.ctx, { compare: true })).isSame).toBe(true);

      const [row] = await listArchives(test.owner, 0);
      const [file] = row === undefined ? [] : (await openManifest(test.ctx.files, row)).files;
      const listed = await s3?.client.listObjectsV2({ Bucket: s3.bucket });
      const keys = listed?.Contents?.map(({ Key }) => Key);
      expect(keys).toContain(file?.key);
      await s3?.client.deleteObject({ Bucket: s3.bucket, Key: file?.key });
      const { faults } = await verifyJournal(test.ctx, { isReplayed: false });
      expect(faults.join('\n')).toContain('it is not there');
    } finally {
      await projector.stop();
      await relay.stop();
      await test.close();
    }
  },
);
