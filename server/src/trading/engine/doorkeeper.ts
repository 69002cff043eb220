// The engine's side of its door. It accepts only messages that are signed for this engine, are new,
// and contain requests that a client may make on behalf of the signed account.
import type { Log } from '../../platform/observe/log.ts';
import type { Metrics } from '../../platform/observe/metrics.ts';
import type { DoorReason } from '../../platform/observe/metrics/engine.ts';
import { rarely } from '../../platform/observe/rarely.ts';
import type { Admission } from './admission.ts';
import { REQUESTS_PER_MESSAGE, TABLES_BEHIND } from './door.ts';
import { openIntakes } from './intakes.ts';
import { failureLine, refusalOfAll, REQUESTS_BYTES_MAX, splitLines } from './request-lines.ts';
import type { Poisons } from './poisons.ts';
import type { IntakeQueue } from './queue.ts';
import { Senders } from './senders.ts';
import type { Signer } from './signature.ts';
import type { EngineTime } from './time.ts';

export interface DoorkeeperOptions {
  readonly shard: number;
  readonly epoch: number;
  readonly signer: Signer;
  readonly queue: IntakeQueue;
  readonly poisons: Poisons;
  readonly admission: Admission;
  readonly metrics: Metrics;
  readonly log: Log;
  /** How far the clocks of senders may be from the engine's. */
  readonly toleranceMs: number;
  readonly time: EngineTime;
  isStopping(): boolean;
}

const COMPLAIN_EVERY_MS = 1000;
const LOGGED_MAX = 300;
const TOO_MUCH = 'The engine has too much to do. Nothing was done.';

/**
 * Takes a message, and returns the answer when all of its requests are answered. Created again for
 * every epoch.
 */
export function createDoorkeeper(options: DoorkeeperOptions): (message: string) => Promise<string> {
  const { shard, epoch, signer, queue, poisons, admission, metrics, log, time, isStopping } =
    options;
  const senders = new Senders(options.toleranceMs);
  /** One for each reason: a flood of one kind must not hide another. */
  const complaints = new Map<DoorReason, ReturnType<typeof rarely>>();

  function note(reason: DoorReason, details: object): void {
    metrics.engineDoorRefused(reason);
    const complain = complaints.get(reason) ?? rarely(COMPLAIN_EVERY_MS);
    complaints.set(reason, complain);
    complain((keptBack) =>
      log.error(
        { reason, ...details, keptBack },
        'The engine refused what came to its door. Nothing was done.',
      ),
    );
  }

  /**
   * Not signed, because this may be the second copy of a message that was carried out: the sender
   * of the first must not be told that nothing was done.
   */
  function dismiss(reason: DoorReason, hint: string, message: string): string {
    note(reason, { hint, message: message.slice(0, LOGGED_MAX), length: message.length });
    return `${reason}: ${hint}`;
  }

  return async (message) => {
    const request = signer.openRequest(message);
    if (request === undefined) {
      return dismiss(
        'forged',
        'The message does not bear a signature of this deployment.',
        message,
      );
    }
    const { stamp, body, signature } = request;
    if (stamp.shard !== shard || stamp.epoch !== epoch) {
      return dismiss('wrong_door', 'The message was signed for another engine.', message);
    }
    const judgement = senders.take(stamp, time);
    if (judgement !== 'taken') return dismiss(judgement, HINTS[judgement], message);

    // From here on the message cannot be carried out again, so answers about it are signed.
    const refuseAll = (kind: 'unavailable' | 'refused', why: string) =>
      signer.signAnswer(signature, refusalOfAll(kind, why));
    if (isStopping() || !queue.isOpen) {
      metrics.engineRefused(1);
      return refuseAll('unavailable', TOO_MUCH);
    }
    let lines: string[];
    try {
      lines = splitLines(body, REQUESTS_BYTES_MAX);
    } catch (error) {
      note('malformed', { err: error, sender: stamp.sender, length: message.length });
      return refuseAll('refused', 'The message cannot be unpacked. Nothing was done.');
    }
    if (lines.length > REQUESTS_PER_MESSAGE) {
      note('malformed', { requests: lines.length, sender: stamp.sender });
      return refuseAll('refused', `A message holds at most ${REQUESTS_PER_MESSAGE} requests.`);
    }
    return new Promise((resolve) => {
      let refused = 0;
      let heldBack = 0;
      const items = openIntakes(
        lines,
        (text) => resolve(signer.signAnswer(signature, text)),
        ({ reason, ...details }) => note(reason, { ...details, sender: stamp.sender }),
      );
      for (const item of items) {
        const fault = item.kind === 'command' ? poisons.find(item.command, 'client') : undefined;
        if (fault !== undefined) {
          note('poisoned', { sender: stamp.sender });
          item.answer(failureLine('fault', `${fault} It was not done.`));
          continue;
        }
        if (item.kind === 'command' && !admission.admits(item.command)) {
          heldBack += 1;
          item.answer(failureLine('unavailable', TABLES_BEHIND));
          continue;
        }
        if (queue.push(item)) continue;
        refused += 1;
        item.answer(failureLine('unavailable', TOO_MUCH));
      }
      if (refused > 0) metrics.engineRefused(refused);
      if (heldBack > 0) metrics.engineHeldBack(heldBack);
    });
  };
}

const HINTS = {
  replayed: 'The message has come before.',
  stale: 'The sender’s clock is further from the engine’s than ENGINE_CLOCK_TOLERANCE_MS allows.',
  too_many_senders: 'More processes speak to the engine than it keeps account of.',
} as const;
