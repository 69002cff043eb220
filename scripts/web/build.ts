// Builds the web client into web/dist, where the server of this repository finds it.
import { globSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CommandError } from '../../server/src/ops/trouble.ts';
import { command, ROOT } from '../tests.ts';

export const CLIENT = join(ROOT, 'web/dist');
export const MANIFEST = join(CLIENT, '.vite/manifest.json');

/** Everything that a build is made of. */
const SOURCES = [
  'web/{src,build,public}/**/*',
  'web/*.{ts,json}',
  'packages/sdk/src/**/*.ts',
  'package-lock.json',
];

/** Into another folder than the server's own, it is the only build there. */
export async function buildClient(folder = CLIENT): Promise<void> {
  // The one of the workspace, not the one that the tests bring.
  const vite = dirname(createRequire(join(ROOT, 'web/package.json')).resolve('vite/package.json'));
  const { passed, output } = await command(
    process.execPath,
    [
      join(vite, 'bin/vite.js'),
      'build',
      join(ROOT, 'web'),
      '--outDir',
      folder,
      '--logLevel',
      'error',
    ],
    false,
    // Tests say otherwise to what they start, and people would get React's own tests of the client.
    { NODE_ENV: 'production' },
  );
  if (!passed) throw new CommandError(`The web client could not be built.\n${output}`);
}

/** Builds if a source is newer than the build, or there is none. */
export async function buildClientIfChanged(): Promise<void> {
  if (timeOf(MANIFEST) <= newestSource()) await buildClient();
}

const newestSource = (): number =>
  Math.max(...SOURCES.flatMap((pattern) => globSync(pattern, { cwd: ROOT }).map(sourceTime)));

const sourceTime = (path: string): number => timeOf(join(ROOT, path));

/** In milliseconds; zero if there is no such file. */
const timeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
