// Builds the client into dist/, which the server serves. Nothing is written into the page that a strict content policy
// would refuse: no inline script, no data: address.
import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Rolldown, type UserConfig } from 'vite';
import { ariaLanguages } from './aria-languages.ts';
import { prepareFiles } from './build/files.ts';
import { serviceWorker } from './build/service-worker.ts';

const START = join(import.meta.dirname, 'src/main.ts');
const FRAME = join(import.meta.dirname, 'src/app/draw.tsx');

type Naming = (id: string, context: Rolldown.ChunkingContext) => string | null;

/** Gives this name to the modules that `entry` needs at once. */
function nameNeeds(entry: string, name: string): Naming {
  let needed: ReadonlySet<string> | undefined;
  return (id, context) => {
    needed ??= importsOf(entry, context);
    return needed.has(id) ? name : null;
  };
}

/** A module and everything that it imports, but for what it imports later. */
function importsOf(entry: string, context: Rolldown.ChunkingContext): ReadonlySet<string> {
  const found = new Set([entry]);
  // A set is walked in the order of insertion, also over what is added on the way.
  for (const id of found) {
    for (const one of context.getModuleInfo(id)?.importedIds ?? []) found.add(one);
  }
  return found;
}

/** Tests build one part of the client by itself, with an entry of their own: `mode: 'part'`. */
const WHOLE: UserConfig['build'] = {
  rolldownOptions: {
    input: { client: START, draw: FRAME },
    output: {
      entryFileNames: 'assets/[name]-[hash].js',
      // What every view needs comes in three files, not in one for each module that views share: over a slow line the
      // number of files costs more than their size. The first asks the server, so it stands alone. Libraries change seldom,
      // so they stay cached over an upgrade.
      codeSplitting: {
        groups: [
          { name: nameNeeds(START, 'start'), tags: ['$initial'], priority: 3 },
          { name: 'libraries', tags: ['$initial'], test: /[\\/]node_modules[\\/]/, priority: 2 },
          { name: 'frame', tags: ['$initial'], priority: 1 },
        ],
      },
    },
  },
};

export default defineConfig(({ mode }) => ({
  // The server has the files under this path; its pages are everywhere else.
  base: '/web/',
  plugins: [react(), tailwindcss(), ariaLanguages(), prepareFiles(), serviceWorker()],
  build: {
    target: 'es2023',
    manifest: true,
    // Pages that were opened before this build still need the files of theirs.
    emptyOutDir: false,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    ...(mode !== 'part' && WHOLE),
  },
}));
