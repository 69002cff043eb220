// Builds the image from the real Dockerfile and runs it as its own user, with Debian's buildah: it
// needs no container daemon, and works where containers may not be started.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import {
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findBinaries } from '../../server/src/platform/engines/process.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OUTPUT_MAX = 64 * 1024 * 1024;

/** Both come from Debian's packages of the same names. */
export const canBuild = ['buildah', 'mmdebstrap'].every((name) => findBinaries([name]).length > 0);

interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly StopSignal: string;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

export interface Container {
  readonly config: ImageConfig;
  /** The image's file system, as a folder of this machine. */
  readonly files: string;
  /** Runs a command as the image's user; returns its output, even if it failed. */
  command(
    environment: Record<string, string>,
    ...command: string[]
  ): Promise<{ code: number; output: string }>;
  /** Starts the image's default command. */
  start(environment: Record<string, string>): Started;
  remove(): Promise<void>;
}

export interface Started {
  readonly child: ChildProcess;
  /** The server process inside. */
  pid: () => Promise<number | undefined>;
  log(): string;
}

export async function buildContainer(): Promise<Container> {
  const folder = await mkdtemp(join(tmpdir(), 'rialto-image-'));
  const own = ['--root', join(folder, 'root'), '--runroot', join(folder, 'run')];
  const storage = [...own, '--storage-driver', 'vfs'];
  const buildah = async (command: string, ...args: string[]) => {
    const { stdout } = await run('buildah', [...storage, command, ...args], {
      cwd: ROOT,
      maxBuffer: OUTPUT_MAX,
    });
    return stdout.trim();
  };
  try {
    const base = await makeBase(folder);
    await buildah('bud', '--isolation=chroot', '--tag', 'base', base);
    const mounts = await npmMounts(folder);
    await buildah(
      'bud',
      '--isolation=chroot',
      // The only format that has a health check.
      '--format=docker',
      '--build-arg=BASE=localhost/base',
      ...mounts.map((mount) => `--volume=${mount}`),
      '--file=deploy/Dockerfile',
      '--tag=rialto',
      '.',
    );
    const inspected = await buildah('inspect', '--type', 'image', 'localhost/rialto');
    const { Docker } = JSON.parse(inspected) as { Docker: { config: ImageConfig } };
    const container = await buildah('from', 'localhost/rialto');
    const files = await buildah('mount', container);
    const inside = (environment: Record<string, string>, command: readonly string[]) => [
      ...storage,
      'run',
      '--isolation=chroot',
      ...Object.entries(environment).map(([name, value]) => `--env=${name}=${value}`),
      container,
      '--',
      ...command,
    ];
    return {
      config: Docker.config,
      files,
      command: (environment, ...command) =>
        run('buildah', inside(environment, command), { maxBuffer: OUTPUT_MAX }).then(
          ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
          (error: { code: number; stdout: string; stderr: string }) => ({
            code: error.code,
            output: error.stdout + error.stderr,
          }),
        ),
      start(environment) {
        const { Entrypoint, Cmd } = Docker.config;
        const child = spawn('buildah', inside(environment, [...Entrypoint, ...Cmd]), {
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let text = '';
        for (const stream of [child.stdout, child.stderr]) {
          stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
        }
        return { child, log: () => text, pid: () => findServer(child.pid) };
      },
      async remove() {
        await buildah('umount', container);
        await rm(folder, { recursive: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true });
    throw error;
  }
}

/**
 * What it shares with the base image of the Dockerfile: Node, npm, a shell, and a user with id
 * 1000.
 */
async function makeBase(folder: string): Promise<string> {
  const base = join(folder, 'base');
  await mkdir(join(base, 'etc'), { recursive: true });
  await copyFile(await debian(), join(base, 'debian.tar'));
  await copyFile(process.execPath, join(base, 'node'));
  // The link on PATH names a file in the folder `bin` of npm.
  const npm = realpathSync(findBinaries(['npm'])[0] ?? 'npm');
  await cp(dirname(dirname(npm)), join(base, 'npm'), { recursive: true });
  const people = ['root:x:0:0::/root:/bin/sh', 'node:x:1000:1000::/home/node:/bin/sh', ''];
  await writeFile(join(base, 'etc/passwd'), people.join('\n'));
  await writeFile(join(base, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
  const steps = [
    'FROM scratch',
    'ADD debian.tar /',
    'COPY etc /etc',
    'COPY node /usr/local/bin/node',
    'COPY npm /usr/local/lib/node_modules/npm',
    'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && mkdir -p /root /tmp && chmod 1777 /tmp',
    'ENV PATH=/usr/local/bin:/usr/bin:/bin',
    '',
  ];
  await writeFile(join(base, 'Containerfile'), steps.join('\n'));
  return base;
}

const PACKAGES = ['base-files', 'coreutils', 'dash', 'libc6', 'libstdc++6'];
const HOUR_MS = 3_600_000;
/** Debian's security updates are picked up after this long. */
const BASE_KEPT_MS = 7 * 24 * HOUR_MS;

/** A file system with the least of Debian that Node needs, kept between runs. */
async function debian(): Promise<string> {
  const release = await readFile('/etc/os-release', 'utf8');
  const suite = /^VERSION_CODENAME=(\w+)$/m.exec(release)?.[1] ?? 'stable';
  const folder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'rialto');
  const week = Math.floor(Date.now() / BASE_KEPT_MS);
  const path = join(folder, `base-${suite}-${process.arch}-${week}.tar`);
  if (existsSync(path)) return path;
  await mkdir(folder, { recursive: true });
  for (const old of await readdir(folder)) {
    if (old.startsWith('base-')) await rm(join(folder, old));
  }
  const fresh = join(folder, `making-${process.pid}.tar`);
  const include = `--include=${PACKAGES.join(',')}`;
  await run('mmdebstrap', ['--variant=extract', include, suite, fresh], { maxBuffer: OUTPUT_MAX });
  await rename(fresh, path);
  return path;
}

/** How npm reaches its registry from this machine, without leaving a trace in the image. */
async function npmMounts(folder: string): Promise<string[]> {
  const setting = async (name: string) =>
    (await run('npm', ['config', 'get', name], { cwd: ROOT })).stdout.trim();
  const [registry, cafile, cache] = [
    await setting('registry'),
    await setting('cafile'),
    await setting('cache'),
  ];
  const path = join(folder, 'npmrc');
  const certificates = ['', 'null'].includes(cafile) ? [] : [`${cafile}:/run/npm-ca.crt:ro`];
  const lines = [
    `registry=${registry}`,
    'cache=/run/npm-cache',
    'prefer-offline=true',
    'update-notifier=false',
    ...certificates.map(() => 'cafile=/run/npm-ca.crt'),
    '',
  ];
  await writeFile(path, lines.join('\n'));
  await mkdir(cache, { recursive: true });
  return [`${path}:/root/.npmrc:ro`, `${cache}:/run/npm-cache`, ...certificates];
}

/** The Node process below `root`; between the two are buildah's. */
async function findServer(root: number | undefined): Promise<number | undefined> {
  if (root === undefined) return undefined;
  // Each thread of a process has its own children.
  const threads = await readdir(`/proc/${root}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) =>
      readFile(`/proc/${root}/task/${thread}/children`, 'utf8').catch(() => ''),
    ),
  );
  for (const text of lists.join(' ').match(/\d+/g) ?? []) {
    const commandLine = await readFile(`/proc/${text}/cmdline`, 'utf8').catch(() => '');
    if (commandLine.startsWith('node\0')) return Number(text);
    const below = await findServer(Number(text));
    if (below !== undefined) return below;
  }
  return undefined;
}
