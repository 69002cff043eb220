// The demo's world in a folder: loading it takes most of a start, and end-to-end tests start the demo a dozen times.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../../server/src/ops/trouble.ts';
import type { World } from './world.ts';

export interface StoredWorld {
  readonly world: World;
  /** What the data is sealed and signed with. */
  readonly secrets: { readonly MASTER_KEY: string; readonly PUBLIC_SIGNING_KEY: string };
  readonly dataDir: string;
}

/** `dataDir` belongs to a PostgreSQL that has been stopped. */
export function storeWorld(
  folder: string,
  dataDir: string,
  { world, secrets }: Omit<StoredWorld, 'dataDir'>,
): void {
  // PostgreSQL runs as another user when this one is root: the copy has the same owner, who can reach it.
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  execFileSync('cp', ['-a', dataDir, join(folder, 'data')]);
  // Written last: it marks a complete world.
  writeFileSync(join(folder, 'world.json'), JSON.stringify({ world, secrets }), { mode: 0o600 });
}

export function readStoredWorld(folder: string): StoredWorld {
  const file = join(folder, 'world.json');
  if (!existsSync(file)) {
    throw new CommandError(
      `There is no world in ${folder}. Make one: npm run demo -- --save ${folder}`,
    );
  }
  return {
    ...(JSON.parse(readFileSync(file, 'utf8')) as Omit<StoredWorld, 'dataDir'>),
    dataDir: join(folder, 'data'),
  };
}
