// Drafts: in localStorage at once, one key each; at the server after two seconds; changes of other devices are merged in,
// and where both sides changed, both texts stay.
import type { Chat } from '@rialto/sdk';
import type { Batch, Core } from './core.ts';
import { draftFrom } from './convert.ts';
import {
  dropDraft,
  isDirty,
  mergeAll,
  mergeDraft,
  storedText,
  type LocalDraft,
  type Rows,
} from './drafts-merge.ts';
import type { Destination } from './entities.ts';
import { keyOf } from './keys.ts';

export type { LocalDraft } from './drafts-merge.ts';

export interface Drafts {
  /** Latest first. */
  list(): readonly LocalDraft[];
  /** The latest draft for this place. */
  latestFor(destination: Destination): LocalDraft | undefined;
  /** Writes it at once. Without `id` it is a new draft; an empty text removes it. */
  save(draft: {
    readonly id?: string | undefined;
    readonly destination: Destination;
    readonly content: string;
  }): LocalDraft | undefined;
  /** After sending, or because the person threw it away. */
  remove(id: string): void;
  /** Brings to the server what is not there yet; for the end of the page. */
  flush(): void;
}

/** What the rest of the store tells the drafts. */
export interface DraftsControl extends Drafts {
  follow(batch: Batch): void;
  /** The connection is back: what did not reach the server goes now. */
  poke(): void;
  stop(): void;
  wipe(): void;
}

export interface DraftsOptions {
  readonly chat: Pick<Chat, 'createDrafts' | 'editDraft' | 'deleteDraft'>;
  readonly core: Pick<Core, 'state' | 'notify'>;
  readonly storage: Storage;
  readonly userId: number;
}

const PUSH_AFTER_MS = 2000;
/** How long a change may take to come back as an event. */
const ECHO_WITHIN_MS = 15_000;
const DRAFTS_MAX = 1000;

export function createDrafts({ chat, core, storage, userId }: DraftsOptions): DraftsControl {
  const prefix = `rialto:draft:${userId}:`;
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const inFlight = new Map<string, string>();
  let rows: Rows = readAll(storage, prefix);
  let list: readonly LocalDraft[] | undefined;

  /** Writes what differs, and tells. */
  const replace = (next: Rows): void => {
    if (next === rows) return;
    for (const id of rows.keys()) if (!next.has(id)) storage.removeItem(prefix + id);
    for (const [id, row] of next) if (rows.get(id) !== row) write(id, row);
    rows = next;
    list = undefined;
    pushDirty();
    core.notify();
  };

  const write = (id: string, row: LocalDraft): void => {
    try {
      storage.setItem(prefix + id, JSON.stringify(row));
    } catch {
      // The storage is full: the text is still in memory and at the server.
    }
  };

  const isSynchronised = (): boolean =>
    core.state.settings['enable_drafts_synchronization'] !== false;

  const lengthMax = (): number => core.state.organization.limits['messageLength'] ?? 10_000;

  const pushLater = (id: string): void => {
    clearTimeout(timers.get(id));
    if (!isSynchronised()) return;
    timers.set(
      id,
      setTimeout(() => {
        timers.delete(id);
        void push(id);
      }, PUSH_AFTER_MS),
    );
  };

  const pushDirty = (): void => {
    for (const row of rows.values()) if (isDirty(row) && !timers.has(row.id)) pushLater(row.id);
  };

  const push = async (id: string): Promise<void> => {
    const row = rows.get(id);
    if (row === undefined || !isDirty(row) || !isSynchronised()) return;
    if (inFlight.has(id)) {
      pushLater(id);
      return;
    }
    const { serverId } = row;
    const content = storedText(row.content);
    // The server would cut it, and what it kept would look like the text of another device.
    if (content.length > lengthMax()) return;
    inFlight.set(id, content);
    const draft = wireOf(row);
    try {
      if (serverId === undefined) {
        const { ids } = await chat.createDrafts({ drafts: [draft] });
        confirm(id, content, ids[0]);
      } else {
        await chat.editDraft({ draft_id: serverId, draft });
        confirm(id, content, serverId);
      }
      setTimeout(() => land(id, content), ECHO_WITHIN_MS);
    } catch {
      inFlight.delete(id);
      // Its next edit, the next connection or the next start tries again.
    }
  };

  const confirm = (id: string, content: string, serverId: number | undefined): void => {
    const row = rows.get(id);
    if (row !== undefined) replace(new Map(rows).set(id, { ...row, serverId, synced: content }));
    // Thrown away while it was being created.
    else if (serverId !== undefined) discard(serverId);
  };

  const land = (id: string, content: string): void => {
    if (inFlight.get(id) === content) inFlight.delete(id);
  };

  const discard = (serverId: number): void => {
    chat.deleteDraft({ draft_id: serverId }).catch(() => undefined);
  };

  const remove = (id: string): void => {
    const row = rows.get(id);
    if (row === undefined) return;
    clearTimeout(timers.get(id));
    timers.delete(id);
    const next = new Map(rows);
    next.delete(id);
    replace(next);
    if (row.serverId !== undefined && isSynchronised()) discard(row.serverId);
  };

  const onStorage = (event: StorageEvent): void => {
    if (event.key !== null && !event.key.startsWith(prefix)) return;
    rows = readAll(storage, prefix);
    list = undefined;
    core.notify();
  };
  globalThis.addEventListener?.('storage', onStorage);

  const all = (): readonly LocalDraft[] =>
    (list ??= [...rows.values()].sort((a, b) => b.editedAtMs - a.editedAtMs));

  return {
    list: all,
    latestFor(destination) {
      const place = placeOf(destination, userId);
      return all().find((row) => placeOf(row.destination, userId) === place);
    },
    save({ id = crypto.randomUUID(), destination, content }) {
      if (content.trim() === '') {
        remove(id);
        return undefined;
      }
      const before = rows.get(id);
      if (before === undefined && rows.size >= DRAFTS_MAX) remove(all().at(-1)?.id ?? '');
      const row: LocalDraft = {
        id,
        destination,
        content,
        editedAtMs: Date.now(),
        serverId: before?.serverId,
        synced:
          before !== undefined && isSamePlace(before, destination) ? before.synced : undefined,
      };
      replace(new Map(rows).set(id, row));
      pushLater(id);
      return row;
    },
    remove,
    flush() {
      for (const [id, timer] of timers) {
        clearTimeout(timer);
        timers.delete(id);
        void push(id);
      }
    },
    follow(batch) {
      if (!isSynchronised()) return;
      if (batch.kind === 'reset') {
        replace(mergeAll(rows, core.state.drafts.values(), inFlight));
        return;
      }
      for (const event of batch.events) {
        if (event.type !== 'drafts') continue;
        if (event.op === 'remove') {
          replace(dropDraft(rows, event.draft_id));
          continue;
        }
        for (const row of event.op === 'add' ? event.drafts : [event.draft]) {
          const draft = draftFrom(row, userId);
          replace(mergeDraft(rows, draft, inFlight));
          for (const [id, content] of inFlight) if (content === draft.content) inFlight.delete(id);
        }
      }
    },
    poke: pushDirty,
    stop() {
      globalThis.removeEventListener?.('storage', onStorage);
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
    wipe() {
      for (const key of keysOf(storage, prefix)) storage.removeItem(key);
    },
  };
}

const placeOf = (destination: Destination, userId: number): string =>
  destination.kind === 'nowhere' ? '' : keyOf(destination, userId);

const isSamePlace = ({ destination }: LocalDraft, other: Destination): boolean =>
  JSON.stringify(destination) === JSON.stringify(other);

function wireOf({ destination: to, editedAtMs, ...row }: LocalDraft) {
  const content = storedText(row.content);
  const timestamp = Math.floor(editedAtMs / 1000);
  switch (to.kind) {
    case 'topic':
      return { type: 'stream', to: [to.channelId], topic: to.topic, content, timestamp } as const;
    case 'direct':
      return { type: 'private', to: to.userIds, topic: '', content, timestamp } as const;
    default:
      return { type: '', to: [], topic: '', content, timestamp } as const;
  }
}

const keysOf = (storage: Storage, prefix: string): readonly string[] =>
  Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '').filter((key) =>
    key.startsWith(prefix),
  );

function readAll(storage: Storage, prefix: string): Rows {
  const rows = new Map<string, LocalDraft>();
  for (const key of keysOf(storage, prefix)) {
    try {
      const row = JSON.parse(storage.getItem(key) ?? '') as LocalDraft;
      rows.set(row.id, row);
    } catch {
      // Somebody else's, or broken: left alone.
    }
  }
  return rows;
}
