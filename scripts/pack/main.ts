// `npm run pack`: builds one tarball that `npm install` takes in an empty folder, and whose `npx
// rialto` runs there.
//   npm run pack -- --out FOLDER      (default: `dist`)
// Node strips no types below node_modules, so the server is compiled here. The packages that it
// needs are bundled, as the lockfile names them; only platform binaries are fetched at
// installation, by exact version.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { compile } from './compile.ts';
import { dependenciesOf, type Lock } from './dependencies.ts';
import { ROOT } from './root.ts';
import { parseFlags } from '../flags.ts';
import { buildClient } from '../web/build.ts';

const DOCUMENTS = [
  'LICENSE',
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'SECURITY.md',
  // The server makes its documentation from these.
  'docs',
  'contracts/examples',
  ...globSync('contracts/*.json', { cwd: ROOT }),
];
const PACKAGES = ['matching', 'public-log', 'chains', 'signer'] as const;
/** npm brings the runtime where it has one; elsewhere the launcher says what is missing. */
const RUNTIMES = /^node-linux-/;
/**
 * Files that never run here: TypeScript, which Node refuses below node_modules, source maps, tests.
 */
const NOT_RUN = /\.([cm]?ts|map)$|\/(tests?|__tests__)$|[./]tests?\.[cm]?js$/;

interface Manifest {
  readonly version: string;
  readonly description: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as unknown;

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** Our own packages go where Node looks for them, as further bundled packages. Gives their versions. */
function placePackages(compiled: string, folder: string): Readonly<Record<string, string>> {
  const versions: Record<string, string> = {};
  for (const name of PACKAGES) {
    const target = join(folder, 'node_modules/@rialto', name);
    cpSync(join(compiled, 'packages', name), target, { recursive: true });
    const manifest = read(`packages/${name}/package.json`) as Manifest;
    const exports = Object.entries(manifest.exports).map(([entry, file]) => [
      entry,
      file.replace(/\.ts$/, '.js'),
    ]);
    writeJson(join(target, 'package.json'), {
      ...manifest,
      exports: Object.fromEntries(exports),
    });
    versions[`@rialto/${name}`] = manifest.version;
  }
  return versions;
}

function placeDependencies(folder: string): Readonly<Record<string, string>> {
  const { bundled, binaries } = dependenciesOf(read('package-lock.json') as Lock, 'server');
  for (const { from, to } of bundled) {
    const source = join(ROOT, from);
    cpSync(source, join(folder, to), {
      recursive: true,
      // Bundled packages keep their own paths.
      filter: (path) => path === source || !(NOT_RUN.test(path) || path.endsWith('/node_modules')),
    });
  }
  return binaries;
}

function writeManifest(
  folder: string,
  packages: Readonly<Record<string, string>>,
  binaries: Readonly<Record<string, string>>,
): void {
  const workspace = read('package.json') as Manifest;
  // Node comes along, and where it does not the launcher says so; npm need not warn about its own
  // Node.
  const {
    private: _private,
    engines: _engines,
    ...server
  } = read('server/package.json') as Manifest & Readonly<Record<string, unknown>>;
  const runtimes = Object.entries(workspace.optionalDependencies).filter(([name]) =>
    RUNTIMES.test(name),
  );
  const dependencies = { ...server.dependencies, ...packages };
  writeJson(join(folder, 'package.json'), {
    ...server,
    description: workspace.description,
    dependencies,
    bundleDependencies: Object.keys(dependencies),
    optionalDependencies: { ...Object.fromEntries(runtimes), ...binaries },
  });
}

const { values } = parseFlags({ options: { out: { type: 'string', default: 'dist' } } });
const out = resolve(values.out);
const work = mkdtempSync(join(tmpdir(), 'rialto-pack-'));
try {
  const compiled = join(work, 'compiled');
  mkdirSync(compiled);
  compile(compiled);
  const folder = join(compiled, 'server');
  const binaries = placeDependencies(folder);
  writeManifest(folder, placePackages(compiled, folder), binaries);
  for (const document of DOCUMENTS) {
    cpSync(join(ROOT, document), join(folder, document), { recursive: true });
  }
  await buildClient(join(folder, 'web/dist'));
  mkdirSync(out, { recursive: true });
  const name = execFileSync(
    'npm',
    ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', out],
    { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
  console.log(join(out, basename(name.trim())));
} finally {
  rmSync(work, { recursive: true, force: true });
}
