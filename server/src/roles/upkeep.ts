// Periodic jobs that keep a deployment small and its audit log complete. Each job tolerates repetition and delay.
import { Type } from 'typebox';
import { finishAddressChanges } from '../accounts/addresses/actions.ts';
import { signLogWhenDue } from '../accounts/audit/heads.ts';
import { forgetEndedKeys } from '../accounts/chat-keys/manage.ts';
import { forgetLogins } from '../accounts/command-lines/actions.ts';
import { forgetPlaces } from '../accounts/known-places/actions.ts';
import { forgetLinks } from '../accounts/mailed-links/actions.ts';
import { advanceRecoveries } from '../accounts/recoveries/actions.ts';
import { forgetChallenges } from '../accounts/passkeys/challenges.ts';
import { forgetLogouts } from '../accounts/oidc/logout.ts';
import { forgetOldSessions } from '../accounts/sessions/actions.ts';
import { noteFactorsDue } from '../accounts/second-factors/policy.ts';
import { forgetSignIns } from '../accounts/sign-in/actions.ts';
import { forgetStages } from '../accounts/sign-in/stages.ts';
import { maintainClaims } from '../accounts/trading-keys/claims.ts';
import { keyNames } from '../accounts/users/names.ts';
import { forgetInvitations } from '../chat/administration/invitations/jobs.ts';
import { finishMoves } from '../chat/messages/editing/large-move.ts';
import { applyRetention } from '../chat/messages/removing/retention.ts';
import { forgetEchoes, openMessagePartitions } from '../chat/messages/message/upkeep.ts';
import { admitFullMembers } from '../chat/administration/organization/actions.ts';
import { forgetNotified } from '../chat/notifications/push/upkeep.ts';
import { forgetSent } from '../chat/messages/scheduled/upkeep.ts';
import { forgetSentOnce } from '../chat/messages/sending/upkeep.ts';
import { removeUnfinished, removeUnreferenced } from '../chat/messages/uploads/upkeep.ts';
import type { Context } from '../platform/context.ts';
import { trimLog } from '../platform/events/log.ts';
import { forgetFactChanges } from '../platform/facts/upkeep.ts';
import { defineJob } from '../platform/jobs/define.ts';
import type { ScheduledJob } from '../platform/jobs/runner.ts';
import { forgetUndeliveredEmails } from '../platform/mail/queue.ts';
import { forgetDeadProcesses } from '../platform/processes.ts';
import { deleteIdleQueues } from '../platform/realtime/store.ts';
import { HOUR_MS } from '../platform/std/time.ts';
import { openJournalParts } from '../trading/engine/journal/parts.ts';
import { runFeeDay } from '../trading/fees/days.ts';
import { tellOutcomes } from '../trading/operators/actions.ts';
import { archiveWhenDue } from '../trading/projections/archive/run.ts';
import { openHistoryParts } from '../trading/projections/parts.ts';
import { forgetStreamPages } from '../trading/projections/stream-places.ts';
import { signPublicLog } from '../trading/public-log/heads.ts';
import { forgetTickets } from '../trading/streams/tickets/actions.ts';

/** A failed run is not retried for long, since the next one does the same work. */
const upkeepJob = (name: string, work: (ctx: Context) => Promise<number>) =>
  defineJob({
    name: `upkeep-${name}`,
    input: Type.Object({}),
    attemptsMax: 3,
    async run(ctx) {
      const count = await work(ctx);
      if (count > 0) ctx.log.debug({ count }, `Upkeep: ${name}.`);
    },
  });

const trimEventLog = upkeepJob('trim-event-log', (ctx) => {
  const before = new Date(ctx.clock.now() - ctx.config.EVENT_LOG_RETENTION_HOURS * HOUR_MS);
  return trimLog(ctx.database.pool, before);
});

const dropIdleQueues = upkeepJob('idle-queues', (ctx) => deleteIdleQueues(ctx.database.pool));

/** Creates the partitions of the replay guard ahead of time, and drops those that no window reaches. */
const turnClaimPartitions = upkeepJob('claim-partitions', maintainClaims);

/** Sign-in buckets that have long been full again. */
const forgetBuckets = upkeepJob('sign-in-buckets', forgetSignIns);

/** Sign-ins that were not finished in time. */
const forgetSignInStages = upkeepJob('sign-ins', forgetStages);

/** People of whom a second factor is asked have a date by which they need it. */
const startFactorTime = upkeepJob('factors-due', noteFactorsDue);

/** Devices and addresses that have not been used for long, and links that were never opened. */
const forgetKnownPlaces = upkeepJob('known-places', forgetPlaces);
const forgetMailedLinks = upkeepJob('mailed-links', forgetLinks);

/** Addresses whose waiting is over. */
const finishAddresses = upkeepJob('address-changes', finishAddressChanges);

/** Recoveries whose waiting is over, or that a sign-in has ended. */
const moveRecoveries = upkeepJob('recoveries', advanceRecoveries);
/** Challenges that no passkey answered. */
const forgetPasskeyChallenges = upkeepJob('passkey-challenges', forgetChallenges);
/** Logouts of providers whose tokens nobody could use again. */
const forgetProviderLogouts = upkeepJob('provider-logouts', forgetLogouts);

/** Expired browser sessions. */
const forgetSessions = upkeepJob('sessions', forgetOldSessions);

/** Chat keys that have ended. */
const forgetChatKeys = upkeepJob('chat-keys', forgetEndedKeys);
/** Command lines whose hour is over, and codes that nobody typed. */
const forgetCommandLines = upkeepJob('command-lines', forgetLogins);

const forgetOldNotified = upkeepJob('push-notified', forgetNotified);

const forgetProcesses = upkeepJob('dead-processes', (ctx) =>
  forgetDeadProcesses(ctx.database.pool),
);

/** New members become full ones after the organization's waiting period. */
const admitMembers = upkeepJob('full-members', admitFullMembers);

const openPartitions = upkeepJob('message-partitions', openMessagePartitions);

/** Parts of the tables of history for the days to come. */
const openDays = upkeepJob('history-parts', openHistoryParts);

/** Days of trades that are older than the setting go into files. */
const archiveHistory = upkeepJob('history-archive', archiveWhenDue);

/** Parts of the journal for rows to come. */
const openJournal = upkeepJob('journal-parts', openJournalParts);

/** Messages past their retention. */
const deleteOldMessages = upkeepJob('message-retention', applyRetention);

/** Moves of many messages that a crash or the time of their request has interrupted. */
const finishLargeMoves = upkeepJob('topic-moves', (ctx) => finishMoves(ctx));

const forgetOldEchoes = upkeepJob('local-echoes', forgetEchoes);

/** Messages that were sent under a UUID, a day later. */
const forgetOldSends = upkeepJob('sent-once', forgetSentOnce);

/** Changes of facts that no process can still remember from before. */
const forgetOldFacts = upkeepJob('fact-changes', (ctx) => forgetFactChanges(ctx.db));

const removeOldFiles = upkeepJob('unreferenced-files', removeUnreferenced);

const removeOldUploads = upkeepJob('unfinished-uploads', removeUnfinished);

/** Email addresses of people who did not accept an invitation, or did so long ago. */
const forgetOldInvitations = upkeepJob('invitations', forgetInvitations);

const forgetSentMessages = upkeepJob('sent-schedule', forgetSent);

/** Emails that no mail server accepted, after a week. */
const forgetUndelivered = upkeepJob('unsent-letters', (ctx) => forgetUndeliveredEmails(ctx.db));

/** The person who requested a command may be gone before the engine answers; the result is recorded anyway. */
const tellOfCommands = upkeepJob('audit-outcomes', (ctx) => tellOutcomes(ctx));

/** Looks every minute whether the tiers of today are computed; the work itself is done once a day. */
const computeFeeTiers = upkeepJob('fee-day', (ctx) => runFeeDay(ctx));

/** Checks every minute; a setting decides how often it signs. */
const signAuditLog = upkeepJob('audit-head', signLogWhenDue);

/** Every minute while the log grows. */
const signEventLog = upkeepJob('public-log-head', (ctx) => signPublicLog(ctx));

/** Pages of private streams that nobody can resume from, and tickets that nobody used. */
const forgetPages = upkeepJob('stream-pages', (ctx) => forgetStreamPages(ctx.database.pool));
const forgetStreamTickets = upkeepJob('stream-tickets', forgetTickets);

const NAMES_AT_ONCE = 1000;

/** Adds keys to names written by an older release, so that they are compared faster. */
const keyOldNames = upkeepJob('name-keys', (ctx) => keyNames(ctx.db, NAMES_AT_ONCE));

export const UPKEEP: readonly ScheduledJob[] = [
  { cron: '*/10 * * * *', job: trimEventLog },
  { cron: '* * * * *', job: dropIdleQueues },
  { cron: '*/5 * * * *', job: turnClaimPartitions },
  { cron: '17 * * * *', job: forgetBuckets },
  { cron: '37 * * * *', job: forgetSignInStages },
  { cron: '47 * * * *', job: startFactorTime },
  { cron: '19 * * * *', job: forgetKnownPlaces },
  { cron: '21 * * * *', job: forgetMailedLinks },
  { cron: '* * * * *', job: finishAddresses },
  { cron: '* * * * *', job: moveRecoveries },
  { cron: '24 * * * *', job: forgetPasskeyChallenges },
  { cron: '27 * * * *', job: forgetSessions },
  { cron: '31 * * * *', job: forgetChatKeys },
  { cron: '* * * * *', job: forgetCommandLines },
  { cron: '33 * * * *', job: forgetProviderLogouts },
  { cron: '47 * * * *', job: forgetOldNotified },
  { cron: '*/10 * * * *', job: forgetProcesses },
  { cron: '7 * * * *', job: admitMembers },
  { cron: '23 * * * *', job: openPartitions },
  { cron: '13 * * * *', job: openDays },
  { cron: '29 * * * *', job: archiveHistory },
  { cron: '*/10 * * * *', job: openJournal },
  { cron: '*/10 * * * *', job: deleteOldMessages },
  { cron: '* * * * *', job: finishLargeMoves },
  { cron: '37 * * * *', job: forgetOldEchoes },
  { cron: '* * * * *', job: forgetOldSends },
  { cron: '* * * * *', job: forgetOldFacts },
  { cron: '43 * * * *', job: removeOldFiles },
  { cron: '*/10 * * * *', job: removeOldUploads },
  { cron: '43 * * * *', job: forgetSentMessages },
  { cron: '47 * * * *', job: forgetUndelivered },
  { cron: '57 * * * *', job: forgetOldInvitations },
  { cron: '* * * * *', job: tellOfCommands },
  { cron: '* * * * *', job: computeFeeTiers },
  { cron: '* * * * *', job: signAuditLog },
  { cron: '* * * * *', job: signEventLog },
  { cron: '* * * * *', job: keyOldNames },
  { cron: '* * * * *', job: forgetPages },
  { cron: '* * * * *', job: forgetStreamTickets },
];
