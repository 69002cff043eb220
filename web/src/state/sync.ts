// Keeps the state of this tab with the server: as the leading tab by polling, otherwise by what the leading tab says.
import type { Chat, QueueEvent, QueuePosition } from '@rialto/sdk';
import { startLoop, type Link, type Loop } from '../api/event-loop.ts';
import { joinTabs, type Tabs, type TabsOptions } from '../api/leader.ts';
import { EVENT_TYPES } from './apply/apply.ts';
import type { Core } from './core.ts';
import { loadState } from './load.ts';
import { REGISTER } from './register.ts';
import { withoutMessages } from './snapshot.ts';
import type { State } from './state.ts';
import type { Registered } from './wire.ts';

/** The events of one poll, and between which positions of the queue they stand. */
interface EventsMessage {
  readonly kind: 'events';
  readonly events: readonly QueueEvent[];
  readonly after: QueuePosition;
  readonly position: QueuePosition;
}

type TabMessage =
  /** A tab that knows nothing, or up to `position`. */
  | { readonly kind: 'hello'; readonly tabId: string; readonly position: QueuePosition | undefined }
  | {
      readonly kind: 'state';
      /** Undefined: for all, after a register. */
      readonly to: string | undefined;
      readonly state: State;
      readonly position: QueuePosition;
      readonly link: Link;
    }
  | EventsMessage
  | { readonly kind: 'link'; readonly link: Link }
  /** The session has ended. */
  | { readonly kind: 'ended' };

export interface SyncOptions {
  readonly chat: Pick<Chat, 'registerQueue' | 'getEvents' | 'deleteQueue'>;
  readonly core: Core;
  readonly userId: number;
  readonly tabId: string;
  readonly onLink: (link: Link) => void;
  /** This tab begins to lead. */
  readonly onLead: (signal: AbortSignal) => void;
  readonly onSignedOut: () => void;
  /** A queue of an earlier visit, to be closed once a new one is open. */
  readonly oldQueueId: () => string | undefined;
  /** A new queue is open; the next visit closes it. */
  readonly keepQueueId: (queueId: string) => void;
  readonly tabs?: Pick<TabsOptions<never>, 'locks' | 'openChannel' | 'isVisible'>;
}

export interface Sync {
  readonly isLeader: boolean;
  readonly position: QueuePosition | undefined;
  /** What is known may be old. */
  wake(): void;
  stop(): void;
}

/** So many polls are kept for tabs that slept: they get what they missed instead of everything. */
const RECENT_MAX = 200;

const isSame = (a: QueuePosition | undefined, b: QueuePosition): boolean =>
  a?.queueId === b.queueId && a.lastEventId === b.lastEventId;

export function startSync(options: SyncOptions): Sync {
  const { chat, core, tabId } = options;
  let position: QueuePosition | undefined;
  let link: Link = { kind: 'reconnecting', sinceMs: Date.now() };
  let loop: Loop | undefined;
  let hasEnded = false;
  let tabs: Tabs<TabMessage>;
  const recent: EventsMessage[] = [];

  /** One poll further; every tab keeps what the last ones brought, as any of them may lead next. */
  const advance = (message: EventsMessage): void => {
    core.applyEvents(message.events);
    position = message.position;
    recent.push(message);
    if (recent.length > RECENT_MAX) recent.shift();
  };

  const setLink = (next: Link): void => {
    link = next;
    options.onLink(next);
  };

  const tellState = (to: string | undefined): void => {
    if (position === undefined) return;
    tabs.post({ kind: 'state', to, state: withoutMessages(core.state), position, link });
  };

  const lead = (signal: AbortSignal): void => {
    loop = startLoop({
      chat,
      types: EVENT_TYPES,
      register: REGISTER,
      resume: position,
      signal,
      onRegister(answer, next) {
        const old = position?.queueId ?? options.oldQueueId();
        // Built aside, then put in place: what is on the screen stays until then.
        core.replace(loadState(answer as Registered));
        position = next;
        options.keepQueueId(next.queueId);
        tellState(undefined);
        if (old !== undefined) chat.deleteQueue({ queue_id: old }).catch(() => undefined);
      },
      onEvents(events, next) {
        if (position === undefined) return;
        const message: EventsMessage = { kind: 'events', events, after: position, position: next };
        advance(message);
        tabs.post(message);
      },
      onLink(next) {
        setLink(next);
        tabs.post({ kind: 'link', link: next });
      },
      onSignedOut: () => {
        hasEnded = true;
        tabs.post({ kind: 'ended' });
        options.onSignedOut();
      },
    });
    loop.done.catch(() => undefined);
    signal.addEventListener('abort', () => (loop = undefined), { once: true });
    options.onLead(signal);
  };

  const sayHello = (): void => tabs.post({ kind: 'hello', tabId, position });

  const hear = (message: TabMessage): void => {
    if (tabs.isLeader) {
      if (message.kind !== 'hello') return;
      answer(message);
      return;
    }
    switch (message.kind) {
      case 'state':
        if (message.to !== undefined && message.to !== tabId) return;
        if (!isSame(position, message.position)) core.replace(message.state);
        position = message.position;
        setLink(message.link);
        return;
      case 'events':
        hearEvents(message);
        return;
      case 'link':
        setLink(message.link);
        return;
      case 'ended':
        options.onSignedOut();
        return;
      default:
    }
  };

  /** Somebody is new, or has missed something: gets the events if they are still here, or else the state. */
  const answer = (hello: Extract<TabMessage, { kind: 'hello' }>): void => {
    if (hasEnded) {
      tabs.post({ kind: 'ended' });
      return;
    }
    const isUpToDate = position !== undefined && isSame(hello.position, position);
    const from = recent.findIndex(({ after }) => isSame(hello.position, after));
    if (!isUpToDate && from < 0) {
      tellState(hello.tabId);
      return;
    }
    if (!isUpToDate) for (const message of recent.slice(from)) tabs.post(message);
    tabs.post({ kind: 'link', link });
  };

  const hearEvents = (message: EventsMessage): void => {
    if (isSame(position, message.after)) {
      advance(message);
      return;
    }
    const isOld =
      position?.queueId === message.position.queueId &&
      position.lastEventId >= message.position.lastEventId;
    // Something was missed, as by a page that was frozen.
    if (!isOld) sayHello();
  };

  tabs = joinTabs<TabMessage>({
    name: `rialto-${options.userId}`,
    onLead: lead,
    onMessage: hear,
    ...options.tabs,
  });
  sayHello();
  return {
    get isLeader() {
      return tabs.isLeader;
    },
    get position() {
      return position;
    },
    wake() {
      if (loop !== undefined) loop.wake();
      else sayHello();
    },
    stop: () => tabs.close(),
  };
}
