// Does what need not be done at once: jobs that actions left in PostgreSQL, periodic upkeep, messages scheduled by
// people, the projections of the engine's work, their audit, and the public log.
import { startBotCalls } from '../chat/messages/bot-calls/calls.ts';
import { pushJobs } from '../chat/notifications/push/jobs.ts';
import { startPushWatch } from '../chat/notifications/push/watch.ts';
import { dueReminders } from '../chat/messages/reminders/actions.ts';
import { scheduledMessages } from '../chat/messages/scheduled/deliver.ts';
import { withPool, type Context, type OriginContext } from '../platform/context.ts';
import { startDueRunner } from '../platform/due/runner.ts';
import { startJobRunner } from '../platform/jobs/runner.ts';
import { startAuditor } from '../trading/audit/auditor.ts';
import { startProjector } from '../trading/projections/projector.ts';
import { startFollower } from '../trading/public-log/follower.ts';
import { JOBS } from './jobs.ts';
import { UPKEEP } from './upkeep.ts';

/** `origin` is the address of the APIs, when they are in this process. */
export function startWorker(
  process: Context,
  origin: () => string | undefined = () => undefined,
): { stop(): Promise<void> } {
  const ctx = withPool(process, 'worker');
  const { PUBLIC_URL, HOST, PORT } = ctx.config;
  const writer: OriginContext = {
    ...ctx,
    publicUrl: () => (PUBLIC_URL === '' ? (origin() ?? `http://${HOST}:${PORT}`) : PUBLIC_URL),
  };
  if (ctx.config.AUDIT_SIGNING_KEY === '') {
    ctx.log.warn(
      'AUDIT_SIGNING_KEY is empty: the audit log is not signed, and nobody could tell that its end was cut off. `rialto audit-key` makes a key.',
    );
  }
  if (ctx.config.PUBLIC_LOG === 'true' && ctx.config.PUBLIC_SIGNING_KEY === '') {
    ctx.log.warn(
      'PUBLIC_SIGNING_KEY is empty: the public log is not signed, and orders get no receipts. `rialto signing-key` makes a key.',
    );
  }
  const runner = startJobRunner(ctx, [...JOBS, ...pushJobs(writer.publicUrl)], UPKEEP);
  const watch = startPushWatch(ctx);
  const due = [scheduledMessages(writer), dueReminders(writer)].map((list) =>
    startDueRunner(ctx, list),
  );
  const botCalls = startBotCalls(writer);
  const projector = startProjector(ctx);
  const auditor = startAuditor(ctx);
  const follower = startFollower(ctx);
  return {
    async stop() {
      // None of them needs another: the next worker finds what one leaves undone.
      await Promise.all(
        [...due, botCalls, watch, auditor, projector, follower, runner].map((one) => one.stop()),
      );
    },
  };
}
