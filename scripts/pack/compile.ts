// Compiles the server and everything it loads by file path: programs of threads, styles,
// migrations.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from './root.ts';

const SETTINGS = 'tsconfig.pack.json';
/**
 * How a file names another one that it does not import. Other forms are not found, and fail when
 * used.
 */
const BESIDE = /new URL\('([^']+)', import\.meta\.url\)/g;

/**
 * Writes the JavaScript of the server and of the core into `target`, with the repository's folders.
 */
export function compile(target: string): void {
  const settings = JSON.parse(readFileSync(join(ROOT, SETTINGS), 'utf8')) as { files: string[] };
  const files = [...settings.files, ...programs()].map((file) => join(ROOT, file));
  const file = join(target, 'tsconfig.json');
  writeFileSync(
    file,
    JSON.stringify({
      extends: join(ROOT, SETTINGS),
      compilerOptions: {
        rootDir: ROOT,
        outDir: target,
        typeRoots: [join(ROOT, 'node_modules/@types')],
      },
      files,
    }),
  );
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['--project', file], { stdio: 'inherit' });
  for (const path of globSync('{server,packages}/**/*.js', { cwd: target })) {
    bringAlong(target, path);
  }
}

/** Programs of threads and processes: nothing imports them, so the compiler would not see them. */
function programs(): string[] {
  return globSync('server/src/**/*.ts', { cwd: ROOT })
    .filter((path) => !/\.test\.ts$|\/test-[^/]*$|\/testing\//.test(path))
    .flatMap((path) =>
      [...readFileSync(join(ROOT, path), 'utf8').matchAll(BESIDE)]
        .map(([, name = '']) => join(dirname(path), name))
        .filter((name) => name.endsWith('.ts')),
    );
}

/** Corrects the paths of programs in a compiled file, and copies everything else that it names. */
function bringAlong(target: string, path: string): void {
  const file = join(target, path);
  const code = readFileSync(file, 'utf8');
  const corrected = code.replaceAll(BESIDE, (whole, name: string) => {
    if (name.includes('node_modules')) return whole;
    if (name.endsWith('.ts')) {
      const compiled = name.replace(/\.ts$/, '.js');
      if (!existsSync(join(dirname(file), compiled))) throw new Error(`${path} needs ${compiled}.`);
      return whole.replace(name, compiled);
    }
    const source = join(ROOT, dirname(path), name);
    cpSync(source, join(target, relative(ROOT, source)), { recursive: true });
    return whole;
  });
  if (corrected !== code) writeFileSync(file, corrected);
}
