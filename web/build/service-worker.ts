// Builds the service worker after the client, as one file without imports: browsers load it by itself. It gets the name
// of the build, so that every build brings a new one, and the files of the views that are read without a network.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import { prepareFiles } from './files.ts';

const ENTRY = join(import.meta.dirname, '../src/sw/worker.ts');
/** Reading and writing; settings and the like need the server anyway. */
const READ_OFFLINE =
  /\/src\/chat\/(?:conversation\/conversation|inbox\/inbox|recent\/recent|lists\/drafts)\.tsx$/;

export function serviceWorker(): Plugin {
  let base = '/';
  return {
    name: 'service-worker',
    apply: 'build',
    configResolved(config) {
      base = config.base;
    },
    async writeBundle({ dir = '' }, bundle) {
      const views = viewFiles(bundle).map((file) => `${base}${file}`);
      await build({
        configFile: false,
        root: join(import.meta.dirname, '..'),
        logLevel: 'error',
        plugins: [prepareFiles()],
        define: { BUILD: JSON.stringify(nameOf(bundle)), VIEWS: JSON.stringify(views) },
        build: {
          target: 'es2023',
          outDir: dir,
          emptyOutDir: false,
          copyPublicDir: false,
          rolldownOptions: {
            input: ENTRY,
            // A service worker keeps its address, by which browsers find the next one.
            output: { format: 'iife', entryFileNames: 'sw.js' },
          },
        },
      });
    },
  };
}

/** The same for the same files: their names have hashes of what is in them. */
const nameOf = (bundle: Rolldown.OutputBundle): string =>
  createHash('sha256')
    .update(Object.keys(bundle).sort().join('\n'))
    .digest('base64url')
    .slice(0, 12);

/** The scripts and styles of these views, with everything that they import. */
export function viewFiles(bundle: Rolldown.OutputBundle): readonly string[] {
  const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
  const names = new Set(
    chunks
      .filter(({ facadeModuleId }) => READ_OFFLINE.test(facadeModuleId ?? ''))
      .map(({ fileName }) => fileName),
  );
  const styles = new Set<string>();
  // A set is walked in the order of insertion, also over what is added on the way.
  for (const name of names) {
    const chunk = chunks.find(({ fileName }) => fileName === name);
    for (const one of chunk?.imports ?? []) names.add(one);
    const { viteMetadata } = (chunk ?? {}) as {
      readonly viteMetadata?: { readonly importedCss: ReadonlySet<string> };
    };
    for (const one of viteMetadata?.importedCss ?? []) styles.add(one);
  }
  return [...names, ...styles];
}
