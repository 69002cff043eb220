// Serves the files of the build: each by its exact name in one folder, in the form that the browser takes.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { takesEncoding } from '../../platform/http/encodings.ts';
import { fileHeaders } from './policy.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
};

/** As Vite names files. It has no slash and begins with no dot, so it stays in its folder. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}$/;

/** The smallest first. */
const FORMS = [
  { encoding: 'br', ending: '.br' },
  { encoding: 'gzip', ending: '.gz' },
] as const;

export interface FileOptions {
  readonly caching: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Undefined if there is no such file. */
export async function sendFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { folder, name }: { readonly folder: string; readonly name: string },
  { caching, headers: more = {} }: FileOptions,
): Promise<FastifyReply | undefined> {
  const type = TYPES[extname(name)];
  if (type === undefined || !NAME.test(name)) return undefined;
  const path = join(folder, name);
  const plain = await look(path);
  if (plain === undefined) return undefined;
  const tag = `"${isForever(caching) ? name : await hashOf(path)}"`;
  void reply.headers({
    ...fileHeaders(type),
    ...more,
    'cache-control': caching,
    vary: 'accept-encoding',
    // The same tag for all forms, so it is a weak one.
    etag: `W/${tag}`,
  });
  if (isKnown(headers['if-none-match'], tag)) return reply.code(304).send();
  for (const { encoding, ending } of FORMS) {
    const copy = takesEncoding(headers['accept-encoding'], encoding)
      ? await look(`${path}${ending}`)
      : undefined;
    if (copy !== undefined) {
      return reply
        .headers({ 'content-encoding': encoding, 'content-length': copy.size })
        .send(createReadStream(`${path}${ending}`));
    }
  }
  return reply.header('content-length', plain.size).send(createReadStream(path));
}

/** The name of such a file has a hash of its content. */
const isForever = (caching: string): boolean => caching.includes('immutable');

const hashOf = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('base64url')
    .slice(0, 22);

async function look(path: string): Promise<{ readonly size: number } | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() ? found : undefined;
  } catch {
    return undefined;
  }
}

const isKnown = (sent: string | undefined, tag: string): boolean =>
  sent !== undefined && (sent.trim() === '*' || sent.includes(tag));
