// Puts what happens into the queues of this node: events of the log in their order, and signals.
import { EVERYBODY, type LoggedEvent } from '../events/event.ts';
import type { Directory } from './directory.ts';
import type { HeldQueues } from './held-queues.ts';
import { isWanted, passes, toPending, type WantsEvent } from './queue.ts';

export interface DeliveryOptions {
  readonly queues: HeldQueues;
  readonly directory: Directory;
  readonly wantedByDefault: WantsEvent;
}

/** Takes the next event of the log, with what it does to rights. */
export function deliverEvent(options: DeliveryOptions, event: LoggedEvent): void {
  const { queues, directory } = options;
  // Rights change before the event is handed out: a person who gains a right by it is told of it.
  const { affected, gone } = directory.apply(event);
  pushToAudience(options, event);
  for (const queue of queues.ofUsers(affected)) {
    const { userId } = queue.description;
    queue.forget((earlier) => directory.mayKeep(userId, earlier.audience));
  }
  for (const queue of queues.ofUsers(gone)) {
    queue.forget(() => false);
    queues.drop(queue);
  }
  // People whose rights changed prove anew who they are before they get anything more.
  const { rightsOf } = event;
  for (const queue of queues.ofUsers(rightsOf.includes(EVERYBODY) ? 'everybody' : rightsOf)) {
    queue.release();
  }
}

function pushToAudience(
  { queues, directory, wantedByDefault }: DeliveryOptions,
  event: LoggedEvent,
): void {
  const isWithdrawn = directory.withdraws(event);
  for (const queue of queues.candidatesFor(event.audience)) {
    const { description } = queue;
    if (!queue.takesArrivals) continue;
    const isPassed = passes(description, event, wantedByDefault);
    // Also a client that does not ask for such events is not given what one of them took back.
    if (!isPassed && isWithdrawn === undefined) continue;
    if (!directory.admits(description, event.audience)) continue;
    const texts = directory.shape(event, description);
    if (isWithdrawn !== undefined && texts.length > 0) {
      queue.forget((earlier) => !isWithdrawn(earlier, description));
    }
    if (isPassed) queue.push(toPending(event, texts));
  }
}

/** A signal is in no log: only queues that are up to date take it. */
export function deliverSignal(
  { queues, directory, wantedByDefault }: DeliveryOptions,
  event: LoggedEvent,
): void {
  for (const queue of queues.candidatesFor(event.audience)) {
    const { description } = queue;
    if (!queue.takesSignals || !isWanted(description, event.type, wantedByDefault)) continue;
    if (directory.admits(description, event.audience)) {
      queue.signal(event, directory.shape(event, description));
    }
  }
}
