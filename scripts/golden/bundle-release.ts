// Packs the server of this tree into one file, so that later releases can be tested beside it:
//   node scripts/golden/bundle-release.ts --version N      (N is the version of the core that it
// runs)
// The result is e2e/releases/core-N.json.br: file names and their texts. It holds Rialto's own
// code, minified, with its migrations; packages come from node_modules. As with golden journals, a
// release is packed only once.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { rolldown, type Plugin } from 'rolldown';
import { parseFlags } from '../flags.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Programs that the server starts by file path, beside its own. */
const PROGRAMS = {
  rialto: 'server/src/main.ts',
  snapshot: 'server/src/trading/engine/snapshot-thread.ts',
  render: 'server/src/chat/text/markdown/render-worker.ts',
  resize: 'server/src/platform/images/resize-process.ts',
};
const ASSETS = ['server/src/web/style.css', 'server/src/web/favicon.svg'];
const MIGRATIONS = 'server/migrations';

/** A file finds others relative to its own path, so it keeps its original path. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return undefined;
    const place = JSON.stringify(relative(ROOT, id));
    return code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`);
  },
};

async function bundle(): Promise<Record<string, string>> {
  const build = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(
      Object.entries(PROGRAMS).map(([name, file]) => [name, join(ROOT, file)]),
    ),
    platform: 'node',
    external: (id) => /^[^./]/.test(id) && !id.startsWith('@rialto/'),
    plugins: [keepPlaces],
  });
  const { output } = await build.generate({
    format: 'esm',
    minify: true,
    entryFileNames: '[name].mjs',
    chunkFileNames: 'chunk-[hash].mjs',
  });
  await build.close();
  const files: Record<string, string> = {};
  for (const chunk of output) {
    if (chunk.type !== 'chunk') throw new Error(`${chunk.fileName} is no program`);
    files[chunk.fileName] = chunk.code;
  }
  // The programs lie side by side; the path of a thread's program is rewritten to match.
  for (const [name, file] of Object.entries(PROGRAMS)) {
    const up = '../'.repeat(file.split('/').length - 1);
    files[file] = `import '${up}${name}.mjs';\n`;
  }
  return files;
}

const { values } = parseFlags({ options: { version: { type: 'string' } } });
if (!/^\d+$/.test(values.version ?? ''))
  throw new Error('Name the version of the core: --version 1.');
const target = join(ROOT, 'e2e/releases', `core-${values.version}.json.br`);
if (existsSync(target)) throw new Error(`${target} exists, and a release is packed only once.`);

const files = await bundle();
const migrations = readdirSync(join(ROOT, MIGRATIONS)).map((name) => `${MIGRATIONS}/${name}`);
for (const file of [...ASSETS, ...migrations]) files[file] = readFileSync(join(ROOT, file), 'utf8');
const text = JSON.stringify(files);
const packed = brotliCompressSync(text, {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  },
});
writeFileSync(target, packed);
console.log(
  `${relative(ROOT, target)}: ${Object.keys(files).length} files, ${Math.ceil(text.length / 1024)} KiB, packed ${Math.ceil(packed.length / 1024)} KiB`,
);
