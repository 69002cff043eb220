// Events that wait for a slow consumer: never more than `max`, and never lost without a word. When it is full, the channel
// with the most waiting events gives way, by its policy. Notices of loss are kept beside the events, one per channel.
import { slowPolicyOf } from './channels.ts';

interface Waiting {
  readonly channel: string;
  readonly type: string;
}

export interface Notice {
  readonly channel: string;
  readonly type: 'gap' | 'reset';
  readonly dropped: number;
}

export interface EventBuffer<E extends Waiting> {
  readonly size: number;
  /** Events that were dropped so far. */
  readonly dropped: number;
  /** Keeps the event; returns the channel that has to start again with a snapshot, if one has. */
  push(event: E): string | undefined;
  /** The oldest event, or the notice that belongs before it. */
  shift(): E | Notice | undefined;
  clear(): void;
}

export function createBuffer<E extends Waiting>(max: number): EventBuffer<E> {
  let events: E[] = [];
  const counts = new Map<string, number>();
  const notices = new Map<string, Notice>();
  let dropped = 0;

  function fullest(): string {
    let found = '';
    for (const [channel, count] of counts) {
      if (count > (counts.get(found) ?? 0)) found = channel;
    }
    return found;
  }

  function drop(channel: string, how: 'oldest' | 'all'): number {
    const before = events.length;
    if (how === 'all') events = events.filter((event) => event.channel !== channel);
    else
      events.splice(
        events.findIndex((event) => event.channel === channel),
        1,
      );
    const count = before - events.length;
    counts.set(channel, (counts.get(channel) ?? 0) - count);
    dropped += count;
    return count;
  }

  function giveWay(channel: string): string | undefined {
    const policy = slowPolicyOf(channel);
    const isWhole = policy === 'anew' || policy === 'reset';
    const count = drop(channel, isWhole ? 'all' : 'oldest');
    if (policy === 'gap' || policy === 'reset') {
      const sofar = notices.get(channel)?.dropped ?? 0;
      notices.set(channel, { channel, type: policy, dropped: sofar + count });
    }
    return isWhole ? channel : undefined;
  }

  return {
    get size() {
      return events.length;
    },
    get dropped() {
      return dropped;
    },
    push(event) {
      const restart = events.length >= max ? giveWay(fullest()) : undefined;
      // What follows a loss makes no sense before the snapshot; a snapshot always does.
      if (restart === event.channel && event.type !== 'snapshot') {
        dropped += 1;
        const notice = notices.get(restart);
        if (notice !== undefined) notices.set(restart, { ...notice, dropped: notice.dropped + 1 });
        return restart;
      }
      events.push(event);
      counts.set(event.channel, (counts.get(event.channel) ?? 0) + 1);
      return restart;
    },
    shift() {
      const [event] = events;
      const channel = event?.channel ?? notices.keys().next().value;
      const notice = channel === undefined ? undefined : notices.get(channel);
      if (notice !== undefined) {
        notices.delete(notice.channel);
        return notice;
      }
      if (event === undefined) return undefined;
      events.shift();
      counts.set(event.channel, (counts.get(event.channel) ?? 0) - 1);
      return event;
    },
    clear() {
      events = [];
      counts.clear();
      notices.clear();
    },
  };
}
