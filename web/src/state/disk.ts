// What the browser keeps: the state of last time and messages that are on their way. Without a working IndexedDB, as in
// some private windows, nothing is kept, and everything else works.
import { DATABASE_PREFIX } from './databases.ts';
import type { Snapshot } from './snapshot.ts';

/** A message on its way, as it is stored. */
export interface StoredMessage {
  readonly localId: string;
  /** The tab that sends it. */
  readonly tabId: string;
  readonly row: unknown;
}

export interface Disk {
  loadSnapshot(): Promise<Snapshot | undefined>;
  saveSnapshot(snapshot: Snapshot): Promise<void>;
  listOutbox(): Promise<readonly StoredMessage[]>;
  putOutbox(message: StoredMessage): Promise<void>;
  removeOutbox(localId: string): Promise<void>;
  wipe(): Promise<void>;
}

const VERSION = 1;
const SNAPSHOT = 'snapshot';
const OUTBOX = 'outbox';
const KEY = 'latest';

export function openDisk(userId: number): Disk {
  const name = `${DATABASE_PREFIX}${userId}`;
  let opening: Promise<IDBDatabase> | undefined;
  const open = (): Promise<IDBDatabase> => (opening ??= openDatabase(name));

  const ask = async <T>(
    store: string,
    mode: IDBTransactionMode,
    request: (rows: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T | undefined> => {
    try {
      const database = await open();
      return await resultOf(request(database.transaction(store, mode).objectStore(store)));
    } catch {
      return undefined;
    }
  };

  return {
    loadSnapshot: () =>
      ask(SNAPSHOT, 'readonly', (rows) => rows.get(KEY) as IDBRequest<Snapshot | undefined>),
    async saveSnapshot(snapshot) {
      await ask(SNAPSHOT, 'readwrite', (rows) => rows.put(snapshot, KEY));
    },
    async listOutbox() {
      const rows = await ask(OUTBOX, 'readonly', (all) => all.getAll());
      return (rows ?? []) as readonly StoredMessage[];
    },
    async putOutbox(message) {
      await ask(OUTBOX, 'readwrite', (rows) => rows.put(message));
    },
    async removeOutbox(localId) {
      await ask(OUTBOX, 'readwrite', (rows) => rows.delete(localId));
    },
    async wipe() {
      try {
        (await opening)?.close();
        opening = undefined;
        await resultOf(indexedDB.deleteDatabase(name));
      } catch {
        // There was nothing, or the browser does not let anybody.
      }
    },
  };
}

function openDatabase(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, VERSION);
  request.addEventListener('upgradeneeded', () => {
    request.result.createObjectStore(SNAPSHOT);
    request.result.createObjectStore(OUTBOX, { keyPath: 'localId' });
  });
  return resultOf(request).then((database) => {
    // Another tab signs out and deletes it.
    database.addEventListener('versionchange', () => database.close());
    return database;
  });
}

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () =>
      reject(request.error ?? new Error('IndexedDB failed.')),
    );
    request.addEventListener('blocked', () => reject(new Error('IndexedDB is in use.')));
  });
