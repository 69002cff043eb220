// The public log: whether it keeps up with the engine, holds together, and is signed.
import type pg from 'pg';
import type { Config } from '../../platform/config/schema.ts';
import { MINUTE_MS } from '../../platform/std/time.ts';
import { readPublicLogOverview } from '../../trading/public-log/overview.ts';
import { broken, ok, warning, type Finding } from './finding.ts';

const LAG_WARNING_SECONDS = 60;
const LAG_BROKEN_SECONDS = 600;
/** A head is due every minute while the log grows. */
const UNSIGNED_MS_MAX = 10 * MINUTE_MS;

export async function checkPublicLog(client: pg.Client, config: Config): Promise<Finding> {
  const { lastEvent, lagSeconds, head, bytes, trouble } = await readPublicLogOverview(client);
  const size = `${lastEvent} events, ${(bytes / 1024 ** 2).toFixed(1)} MB`;
  if (trouble !== undefined) {
    return broken('public log', {
      what: trouble,
      why: 'Everybody who verifies the log sees that it was changed, and no more heads are signed.',
      fix: 'Compare the tables public_log_pages and public_log_tail with a backup, and look into who had access to the database.',
    });
  }
  if (config.PUBLIC_LOG !== 'true') {
    return ok('public log', `It is switched off (PUBLIC_LOG=false); ${size} are there.`);
  }
  if (lagSeconds >= LAG_WARNING_SECONDS) {
    const late = {
      what: `It is ${Math.round(lagSeconds)} s behind the engine (${size}).`,
      why: 'Strangers cannot check what the venue does now, and no newer head is signed.',
      fix: 'See that a process with the role worker runs; its log says "The public log could not be written." if it cannot.',
    };
    return lagSeconds < LAG_BROKEN_SECONDS
      ? warning('public log', late)
      : broken('public log', late);
  }
  if (lastEvent === 0) return ok('public log', 'It has not begun yet.');
  if (config.PUBLIC_SIGNING_KEY === '') {
    return warning('public log', {
      what: `Its heads are not signed: PUBLIC_SIGNING_KEY is empty here (${size}).`,
      why: 'The venue could write the log anew, and orders get no receipts.',
      fix: 'Make a key with `rialto signing-key`, and give it to the processes with the roles worker and api.',
    });
  }
  const isSigned = head?.event === lastEvent;
  if (!isSigned && (head === undefined || Date.now() - head.timeMs > UNSIGNED_MS_MAX)) {
    return warning('public log', {
      what:
        head === undefined
          ? `No head of it was signed yet (${size}).`
          : `Its newest head covers event ${head.event} of ${lastEvent}, and is more than ${UNSIGNED_MS_MAX / MINUTE_MS} minutes old.`,
      why: 'What came since could be written anew without a trace.',
      fix: 'See that a process with the role worker runs and has PUBLIC_SIGNING_KEY; its log says why it does not sign.',
    });
  }
  return ok('public log', `${size}; the newest head covers event ${head?.event ?? 0}.`);
}
