// Puts events of the log (in order) and signals into the queues of this node.
import { EVERYBODY, type LoggedEvent } from '../events/event.ts';
import type { Directory } from './directory.ts';
import { expandedFrom, type Expander } from './expander.ts';
import type { HeldQueues } from './held-queues.ts';
import {
  createSharedPending,
  isNews,
  isWanted,
  passes,
  toPending,
  type WantsEvent,
} from './queue.ts';

export interface DeliveryOptions {
  readonly queues: HeldQueues;
  readonly directory: Directory;
  readonly expander: Expander | undefined;
  readonly wantedByDefault: WantsEvent;
}

/** Delivers the next event of the log, after applying its changes of rights. */
export function deliverEvent(options: DeliveryOptions, event: LoggedEvent): void {
  const { queues, directory, expander } = options;
  expander?.apply(event);
  // Rights change first, so that a person who gains a right by this event also gets the event.
  const { affected, gone } = directory.apply(event);
  if (event.type === expander?.source) pushExpanded(queues, expander, event);
  else pushToAudience(options, event);
  for (const queue of queues.ofUsers(affected)) {
    const { userId } = queue.description;
    queue.forget((earlier) => directory.mayKeep(userId, earlier.audience));
  }
  for (const queue of queues.ofUsers(gone)) {
    queue.forget(() => false);
    queues.drop(queue);
  }
  // This ends the waiting polls of people whose rights changed: they authenticate again with the next poll.
  const { rightsOf } = event;
  for (const queue of queues.ofUsers(rightsOf.includes(EVERYBODY) ? 'everybody' : rightsOf)) {
    queue.release();
  }
}

/** A row costs nothing here while no queue wants what comes of it. */
function pushExpanded(queues: HeldQueues, expander: Expander, row: LoggedEvent): void {
  if (!queues.isExpanding) return;
  try {
    for (const queue of queues.expandingOf(expander.concerned(row))) {
      const { description } = queue;
      if (!queue.takesArrivals || !isNews(description, row)) continue;
      queue.push(toPending(expandedFrom(row), expander.expand(row, description)));
    }
  } catch (error) {
    // Nobody knows whom it concerns, so all of them read the log again, and fail until it can be read.
    for (const queue of queues.expandingOf('everybody')) queue.chill();
    throw error;
  }
}

function pushToAudience(
  { queues, directory, wantedByDefault }: DeliveryOptions,
  event: LoggedEvent,
): void {
  const isWithdrawn = directory.withdraws(event);
  const pendingOf = createSharedPending(event);
  for (const queue of queues.candidatesFor(event.audience)) {
    const { description } = queue;
    if (!queue.takesArrivals) continue;
    const isPassed = passes(description, event, wantedByDefault);
    // A withdrawal (such as a deleted message) also applies to clients that do not want withdrawal events.
    if (!isPassed && isWithdrawn === undefined) continue;
    if (!directory.admits(description, event.audience)) continue;
    const texts = directory.shape(event, description);
    if (isWithdrawn !== undefined && texts.length > 0) {
      queue.forget((earlier) => !isWithdrawn(earlier, description));
    }
    if (isPassed) queue.push(pendingOf(texts));
  }
}

/** Delivers a signal. It is in no log, so only queues that are up to date get it. */
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
