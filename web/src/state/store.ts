// The store: one state, driven by the events of the server, and everything that writes through it.
import type { Client } from '../api/client.ts';
import type { Link } from '../api/event-loop.ts';
import { forgetBoot, forgetCaches } from '../api/kept-boot.ts';
import { watchWake } from '../api/wake.ts';
import { createCore, type Batch } from './core.ts';
import { openDisk } from './disk.ts';
import { createDrafts, type Drafts } from './drafts.ts';
import type { Topic } from './entities.ts';
import { keepSnapshot, loadSnapshot } from './keep.ts';
import { createMarks, type Marks } from './marks.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { startPresence } from './presence.ts';
import type { State } from './state.ts';
import { startSync, type Sync } from './sync.ts';
import { holdTab, openTabs } from './tab.ts';
import { createTopics } from './topics-loader.ts';
import type { WireMessage } from './wire.ts';

export type { Batch } from './core.ts';

/** What the pill shows. */
export interface Connection {
  readonly kind: Link['kind'];
  /** When the trouble began, by the clock of the page; undefined while live. */
  readonly sinceMs: number | undefined;
  /** How many events are still to be applied, while replaying. */
  readonly left: number;
  /** When the server was last heard, heartbeats included. Nobody is told of a change of it alone. */
  readonly lastEventMs: number | undefined;
}

export interface Store {
  readonly client: Client;
  /** Read it through selectors; it is changed in place, and replaced after a new register. */
  readonly state: State;
  /** False until there is a state to show, from disk or from the server. */
  readonly isReady: boolean;
  /** The session has ended: the page has to sign in again. */
  readonly isSignedOut: boolean;
  /** Raised by every register: whatever was fetched under another number is unverified. */
  readonly generation: number;
  readonly connection: Connection;
  /** Called after each change; for `useSyncExternalStore`. */
  readonly subscribe: (listener: () => void) => () => void;
  /** For what follows events beside the state, such as the spans of a conversation. */
  readonly onBatch: (listener: (batch: Batch) => void) => () => void;
  /** Takes fetched messages in; a known one beats a fetched one. Gives the ids, in the order of `messages`. */
  addMessages(messages: readonly WireMessage[]): readonly number[];
  /** Fetches the topics of a channel unless they are known; they follow the events from then on. */
  loadTopics(channelId: number): Promise<readonly Topic[]>;
  readonly outbox: Outbox;
  readonly drafts: Drafts;
  readonly marks: Marks;
  /** Begins: the state from disk, then the server. Resolves when there is something to show; a second call waits for the first. */
  start(): Promise<void>;
  stop(): void;
  /** Forgets everything that this browser has stored; for signing out. */
  wipe(): Promise<void>;
}

export function createStore(client: Client): Store {
  const { chat, boot } = client;
  const userId = boot.user.id;
  const tabId = crypto.randomUUID();
  const core = createCore(userId);
  const disk = openDisk(userId);
  const queueKey = `rialto:queue:${userId}`;
  const endings: (() => void)[] = [];
  let sync: Sync | undefined;
  let lastEventMs: number | undefined;
  let connection = describe({ kind: 'reconnecting', sinceMs: Date.now() });
  let isSignedOut = false;

  function describe(link: Link): Connection {
    return {
      kind: link.kind,
      sinceMs: 'sinceMs' in link ? link.sinceMs : undefined,
      left: 'left' in link ? link.left : 0,
      get lastEventMs() {
        return lastEventMs;
      },
    };
  }

  const queueId = (): string | undefined => sync?.position?.queueId;
  const outbox = createOutbox({ chat, core, disk, tabId, queueId });
  const drafts = createDrafts({ chat, core, storage: localStorage, userId });
  const marks = createMarks(chat, core);
  const loadTopics = createTopics(chat, core);
  core.onBatch(outbox.follow);
  let isRestoring = false;
  core.onBatch((batch) => {
    // What a browser stored of the server's drafts may be older than the drafts here, which are written at once.
    if (!isRestoring) drafts.follow(batch);
  });

  const onLink = (link: Link): void => {
    if (link.kind === 'live' || link.kind === 'replaying') lastEventMs = Date.now();
    const wasLive = connection.kind === 'live';
    const next = describe(link);
    if (isSameLink(next, connection)) return;
    connection = next;
    if (link.kind === 'live' && !wasLive) {
      outbox.poke();
      drafts.poke();
    }
    core.notify();
  };

  /** The disk and the server are asked at once; what the server has said is not replaced by something older. */
  const restore = async (): Promise<void> => {
    const snapshot = await loadSnapshot(disk, userId);
    if (snapshot === undefined || core.isReady) return;
    isRestoring = true;
    core.replace(snapshot.state);
    isRestoring = false;
  };

  const begin = async (): Promise<void> => {
    outbox.start();
    void restore();
    endings.push(holdTab(tabId));
    sync = startSync({
      chat,
      core,
      userId,
      tabId,
      onLink,
      onLead: (signal) => {
        keepSnapshot({ core, disk, queueId, signal });
        void openTabs().then(outbox.adopt);
      },
      onSignedOut: () => {
        if (isSignedOut) return;
        isSignedOut = true;
        // Nothing of this person may leave the page any more.
        outbox.stop();
        drafts.stop();
        forgetBoot().catch(() => undefined);
        core.notify();
      },
      // Written at once, unlike the snapshot: a queue that was closed already is not closed again.
      oldQueueId: () => localStorage.getItem(queueKey) ?? undefined,
      keepQueueId: (id) => localStorage.setItem(queueKey, id),
    });
    const { wake, stop } = sync;
    endings.push(
      stop,
      watchWake(wake),
      // A poll may wait for a minute before it hears that the session has ended; any other call hears it at once.
      client.onRefused(wake),
      startPresence(chat, core, () => sync?.isLeader === true),
    );
    await ready();
  };

  let starting: Promise<void> | undefined;

  const ready = (): Promise<void> =>
    new Promise((resolve) => {
      if (core.isReady) {
        resolve();
        return;
      }
      const end = core.subscribe(() => {
        if (!core.isReady) return;
        end();
        resolve();
      });
    });

  const leave = (): void => {
    drafts.flush();
    marks.flush();
  };
  globalThis.addEventListener('pagehide', leave);

  const stop = (): void => {
    globalThis.removeEventListener('pagehide', leave);
    starting = undefined;
    for (const end of endings.splice(0)) end();
    outbox.stop();
    drafts.stop();
  };

  return {
    client,
    get state() {
      return core.state;
    },
    get isReady() {
      return core.isReady;
    },
    get isSignedOut() {
      return isSignedOut;
    },
    get generation() {
      return core.generation;
    },
    get connection() {
      return connection;
    },
    subscribe: core.subscribe,
    onBatch: core.onBatch,
    addMessages: core.addMessages,
    loadTopics,
    outbox,
    drafts,
    marks,
    start() {
      starting ??= begin();
      // One that failed may be begun again.
      starting.catch(() => (starting = undefined));
      return starting;
    },
    stop,
    async wipe() {
      stop();
      drafts.wipe();
      localStorage.removeItem(queueKey);
      await Promise.all([disk.wipe(), forgetCaches()]);
    },
  };
}

const isSameLink = (a: Connection, b: Connection): boolean =>
  a.kind === b.kind && a.sinceMs === b.sinceMs && a.left === b.left;
