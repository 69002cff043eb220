// The databases of this browser: one for each person who signed in here.
export const DATABASE_PREFIX = 'rialto-';

/** Pages that have one open close it when they hear of this; a page that does not answer ends it later. */
export async function forgetDatabases(databases: IDBFactory = indexedDB): Promise<void> {
  const names = (await databases.databases()).flatMap(({ name = '' }) =>
    name.startsWith(DATABASE_PREFIX) ? [name] : [],
  );
  await Promise.all(names.map((name) => ended(databases.deleteDatabase(name))));
}

const ended = (request: IDBOpenDBRequest): Promise<void> =>
  new Promise((resolve) => {
    for (const event of ['success', 'error', 'blocked']) {
      request.addEventListener(event, () => resolve());
    }
  });
