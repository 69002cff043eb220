// Compiles a package of the repository into a folder that `npm publish` takes as it is. In the repository a package is
// used from its sources, so its manifest names them; the published one names what was compiled.
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Publishable {
  /** The folder of the package. */
  readonly home: string;
  /** The program that compiles it. */
  readonly compiler: string;
  /** A library that its declarations need beyond the usual ones. */
  readonly library?: string;
}

interface Manifest extends Readonly<Record<string, unknown>> {
  readonly devDependencies?: unknown;
  readonly scripts?: unknown;
  readonly private?: unknown;
}

export function buildPackage({ home, compiler, library }: Publishable, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  const project = join(home, 'tsconfig.build.json');
  execFileSync(process.execPath, [compiler, '-p', project, '--outDir', folder], { stdio: 'pipe' });
  for (const file of globSync('**/*.d.ts', { cwd: folder })) nameCompiled(join(folder, file));
  if (library !== undefined) {
    const index = join(folder, 'index.d.ts');
    writeFileSync(index, `/// <reference lib="${library}" />\n${readFileSync(index, 'utf8')}`);
  }
  for (const file of ['README.md', 'LICENSE']) cpSync(join(home, file), join(folder, file));
  const manifest = publishedManifest(home);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** The compiler leaves `.ts` in the imports of declarations, where not every tool looks for `.d.ts`. */
function nameCompiled(file: string): void {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replaceAll(/(['"])(\.{1,2}\/[^'"]+)\.ts\1/g, '$1$2.js$1'));
}

function publishedManifest(home: string): Manifest {
  const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as Manifest;
  const { devDependencies: _tools, scripts: _scripts, private: _private, ...published } = manifest;
  return {
    ...published,
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './package.json': './package.json',
    },
    types: './index.d.ts',
    files: ['**/*.js', '**/*.d.ts'],
  };
}
