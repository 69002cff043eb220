// Files of the repository that the server reads: in the repository they stand beside the server's folder, in a package
// inside it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const SERVER = join(import.meta.dirname, '../../..');

/** By its path from the root of the repository; undefined if it is not installed. */
export const findInstalled = (path: string): string | undefined =>
  [SERVER, join(SERVER, '..')].map((folder) => join(folder, path)).find(existsSync);
