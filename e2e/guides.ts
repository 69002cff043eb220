// Takes the examples of the guides as they are, and runs them in their languages.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const EXAMPLE_ORIGIN = 'https://rialto.example';
const FENCE = /^```(\w+)([^\n]*)\n([^]*?)^```$/gm;
const BLOCK_MS = 120_000;
/** The venue takes ten requests a second from one address. A reader is slower; a test lets that second pass. */
const PAUSE_MS = 1100;

/** How a block of this language is run; others (json, text) are no programs. */
const RUNNERS: Readonly<Record<string, readonly [extension: string, ...command: string[]]>> = {
  sh: ['sh', 'sh', '-e'],
  ts: ['ts', process.execPath],
  python: ['py', 'python3'],
};

export interface Block {
  readonly language: string;
  readonly text: string;
  /** Why it is not run. */
  readonly skip?: string;
}

export const GUIDES: readonly string[] = globSync('docs/guide/**/*.md', { cwd: ROOT }).sort();

/** The programs of a guide, in their order. */
export const blocksOf = (guide: string): Block[] =>
  [...readFileSync(join(ROOT, guide), 'utf8').matchAll(FENCE)].flatMap(
    ([, language = '', info = '', text = '']) => {
      if (!(language in RUNNERS)) return [];
      const [, skip] = /\bskip="([^"]+)"/.exec(info) ?? [];
      return [{ language, text, ...(skip !== undefined && { skip }) }];
    },
  );

/** Runs a block in `folder`; returns what it printed, or throws with everything that it said. */
export async function runGuideBlock(
  { language, text }: Block,
  folder: string,
  origin: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const [extension = '', program = '', ...args] = RUNNERS[language] ?? [];
  const file = join(folder, `block.${extension}`);
  await writeFile(file, text.replaceAll(EXAMPLE_ORIGIN, origin));
  await sleep(PAUSE_MS);
  const child = spawn(program, [...args, file], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: BLOCK_MS,
  });
  let [printed, complaints] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code === 0) return printed;
  throw new Error(`It ended with ${code ?? signal}.\n${text}\n${printed}\n${complaints}`);
}
