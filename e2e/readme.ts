// Takes the README's examples as they are and types them into shells.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const README = readFileSync(`${ROOT}/README.md`, 'utf8');
const MARKED = /<!-- run: ([a-z ]+) -->\n\n```sh\n([^]*?)```/g;

export interface Shell {
  readonly name: string;
  readonly args: readonly string[];
}

/**
 * zsh as at a terminal, where it takes no comments and expands "?"; neither reads any user's
 * settings.
 */
export const SHELLS: readonly Shell[] = [
  { name: 'sh', args: [] },
  { name: 'bash', args: ['--norc'] },
  { name: 'zsh', args: ['-f', '-i'] },
];

/** The blocks that are marked `<!-- run: GROUP -->`, in their order. */
export const readmeBlocks = (group: string): string[] =>
  [...README.matchAll(MARKED)].flatMap(([, of, text = '']) => (of === group ? [text] : []));

/** The statements for a superuser of PostgreSQL. */
export const readmeSql = (): string => /```sql\n([^]*?)```/.exec(README)?.[1] ?? '';

interface ShellOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Types `text` into a shell; returns what it printed. */
export async function runBlock(
  { name, args }: Shell,
  text: string,
  { cwd = ROOT, env = { PATH: process.env['PATH'], HOME: process.env['HOME'] } }: ShellOptions = {},
): Promise<string> {
  const child = spawn(name, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  let [printed, complaints] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  // A shell that ends early is detected by its exit code.
  child.stdin.on('error', () => {});
  child.stdin.end(`${text}\nexit $?\n`);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return printed;
  throw new Error(`${name} ended with ${code}.\n${text}\n${printed}\n${complaints}`);
}
