// Builds the client into dist/, which the server serves. Nothing is written into the page that a strict content policy
// would refuse: no inline script, no data: address.
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'vite';
import { ariaLanguages } from './aria-languages.ts';
import { prepareFiles } from './build/files.ts';
import { serviceWorker } from './build/service-worker.ts';

/** Tests build one part of the client by itself, with an entry of their own: `mode: 'part'`. */
const WHOLE: UserConfig['build'] = {
  rolldownOptions: {
    input: { client: 'src/main.tsx' },
    output: {
      entryFileNames: 'assets/[name]-[hash].js',
      // What every view needs comes in two files, not in one for each module that views share: over a slow line the
      // number of files costs more than their size. Libraries change seldom, so they stay cached over an upgrade.
      codeSplitting: {
        groups: [
          { name: 'libraries', tags: ['$initial'], test: /[\\/]node_modules[\\/]/, priority: 1 },
          { name: 'frame', tags: ['$initial'] },
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
