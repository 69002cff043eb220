// Finds the packages that the server needs, in the versions and at the paths that the lockfile
// gives.
import { posix } from 'node:path';

interface Locked {
  readonly version?: string;
  readonly link?: boolean;
  /** Of a link: the folder of the workspace. */
  readonly resolved?: string;
  readonly os?: unknown;
  readonly cpu?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface Lock {
  readonly packages: Readonly<Record<string, Locked>>;
}

export interface Dependency {
  /** Where it is in the repository, such as `server/node_modules/diff`. */
  readonly from: string;
  /** Where it goes in the package, such as `node_modules/diff`. */
  readonly to: string;
}

export interface Dependencies {
  readonly bundled: readonly Dependency[];
  /** Packages with a binary, by exact version: each machine fetches its own. */
  readonly binaries: Readonly<Record<string, string>>;
}

/** Supported systems; packages for others are left out. */
const SYSTEM = /-(linux|linuxmusl|darwin)-(x64|arm64)(-gnu|-musl)?$/;

/**
 * Everything that the package at `start` needs, directly or through a workspace. The caller places
 * the workspaces themselves.
 */
export function dependenciesOf({ packages }: Lock, start: string): Dependencies {
  const bundled = new Map<string, Dependency>();
  const binaries: Record<string, string> = {};
  const waiting = [start];
  const workspaces = new Set<string>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { dependencies = {}, optionalDependencies = {} } = packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const from = placeOf(packages, path, name);
      if (from === undefined) {
        if (name in optionalDependencies) continue;
        throw new Error(`${path} needs ${name}, which the lockfile does not have.`);
      }
      const { version = '', os, cpu, link, resolved } = packages[from] ?? {};
      if (link === true) {
        // A package of ours, which the caller places; what it needs has to come along.
        if (resolved !== undefined && !workspaces.has(resolved)) {
          workspaces.add(resolved);
          waiting.push(resolved);
        }
        continue;
      }
      if (os !== undefined || cpu !== undefined) {
        if (SYSTEM.test(name)) binaries[name] = version;
        continue;
      }
      const to = placeInPackage(from, start);
      const known = bundled.get(to);
      if (known?.from === from) continue;
      if (known !== undefined) {
        throw new Error(
          `${known.from} and ${from} would both be ${to}: give both the same version, or nest one of them.`,
        );
      }
      bundled.set(to, { from, to });
      waiting.push(from);
    }
  }
  return { bundled: [...bundled.values()], binaries };
}

/** What a workspace has for itself stays beside it, where the package has that workspace. */
function placeInPackage(from: string, start: string): string {
  if (from.startsWith(`${start}/`)) return from.slice(start.length + 1);
  return from.replace(/^packages\/([^/]+)\//, 'node_modules/@rialto/$1/');
}

/** The nearest node_modules folder upwards that has it, as Node searches. */
function placeOf(packages: Lock['packages'], path: string, name: string): string | undefined {
  for (let folder = path; ; folder = posix.dirname(folder)) {
    const place = posix.join(folder === '.' ? '' : folder, 'node_modules', name);
    if (place in packages) return place;
    if (folder === '.') return undefined;
  }
}
