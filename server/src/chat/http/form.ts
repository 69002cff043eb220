// Reads the parameters of a request from the query string, a urlencoded body or a multipart body, for any method. Names
// and values are text here; params.ts gives them types.
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../platform/http/refusal.ts';
import { announcesBody } from '../../platform/http/unread.ts';
import { STRANGERS_BODY_BYTES_MAX } from '../../platform/http/server.ts';
import { badRequest, bodyTooLarge } from './errors.ts';

export type FormValues = ReadonlyMap<string, string>;

export interface UploadedFile {
  /** The name of the form field. */
  readonly field: string;
  readonly filename: string;
  readonly bytes: Buffer;
}

/** A file that is being received. */
export interface IncomingFile {
  readonly filename: string;
  readonly bytes: AsyncIterable<Buffer>;
}

export interface Form {
  readonly query: FormValues;
  readonly body: FormValues;
  /** In order; only where the path takes files. */
  readonly files: readonly UploadedFile[];
  /** The media type of a body that is not a form; empty when the request names none. */
  readonly unreadType?: string;
}

type Body = Omit<Form, 'query'>;

const FORM_BYTES_MAX = 1024 * 1024;
const NAMES_MAX = 1000;
const FILES_MAX = 10;
const NOTHING: FormValues = new Map();
const EMPTY: Body = { body: NOTHING, files: [] };

export interface FormLimits {
  /** How large all files together may be, if a route of the path takes files. */
  readonly fileBytesMax: number;
  /** The sender is not authenticated. */
  readonly isFromStranger: boolean;
}

interface Bytes {
  readonly form: number;
  readonly files: number;
}

/** Without a promise if no body comes with the request. */
export function readForm(request: FastifyRequest, limits: FormLimits): Form | Promise<Form> {
  const { query } = splitUrl(request);
  const { raw } = request;
  if (announcesBody(raw) || raw.headers['content-type'] !== undefined) {
    return readWhole(request, query, limits);
  }
  return { query, body: NOTHING, files: [] };
}

async function readWhole(
  request: FastifyRequest,
  query: FormValues,
  { fileBytesMax, isFromStranger }: FormLimits,
): Promise<Form> {
  const most = {
    form: isFromStranger ? STRANGERS_BODY_BYTES_MAX : FORM_BYTES_MAX,
    files: isFromStranger ? 0 : fileBytesMax,
  };
  return { query, ...(await readBody(request, most)) };
}

function splitUrl(request: FastifyRequest): Pick<Form, 'query'> {
  const { url } = request.raw;
  const mark = url?.indexOf('?') ?? -1;
  return { query: mark < 0 || url === undefined ? NOTHING : parseUrlEncoded(url.slice(mark + 1)) };
}

export interface StreamedForm {
  readonly query: FormValues;
  /** Filled as the parts arrive; complete when all files have been read. */
  readonly body: FormValues;
  readonly files: AsyncIterable<IncomingFile>;
}

/** The same for a body that does not fit into memory: its files are passed on as they arrive. */
export function streamForm(request: FastifyRequest): StreamedForm {
  const { query } = splitUrl(request);
  const body = new Map<string, string>();
  return { query, body, files: streamParts(request, body) };
}

/** Besides its files, such a form has few parts, and short ones. */
const STREAMED_LIMITS = {
  parts: 11,
  fieldSize: 64 * 1024,
  headerSize: 8 * 1024,
  headerPairs: 20,
  // The reader of the file checks its size.
  fileSize: Number.MAX_SAFE_INTEGER,
};

async function* streamParts(
  request: FastifyRequest,
  values: Map<string, string>,
): AsyncGenerator<IncomingFile, void> {
  if (!request.isMultipart()) return;
  const { raw } = request;
  try {
    for await (const part of request.parts({ limits: STREAMED_LIMITS })) {
      if (part.type !== 'file') {
        values.set(part.fieldname, asText(part.value));
        continue;
      }
      const { file, filename } = part;
      // The parser does not report to the file's reader that the caller has disconnected.
      const cut = () => {
        if (!raw.complete) file.destroy(unreadable());
      };
      raw.once('close', cut);
      try {
        yield { filename: filename ?? '', bytes: readable(file) };
      } finally {
        raw.off('close', cut);
        file.resume();
      }
    }
  } catch (error) {
    throw toReadable(error);
  } finally {
    // The rest is discarded, so that the client can read the answer.
    raw.unpipe();
    raw.resume();
  }
}

async function* readable(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  try {
    yield* file;
  } catch (error) {
    throw toReadable(error);
  }
}

const unreadable = () => badRequest('The multipart body could not be read.');

/** The parser throws plain errors for a broken body; our refusals and errors of limits have a status. */
const toReadable = (error: unknown): unknown =>
  error instanceof Refusal || (error instanceof Error && 'statusCode' in error)
    ? error
    : unreadable();

/** The body wins over the query, name by name. */
export function merge({ query, body }: Pick<Form, 'query' | 'body'>): FormValues {
  if (body.size === 0) return query;
  return query.size === 0 ? body : new Map([...query, ...body]);
}

async function readBody(request: FastifyRequest, most: Bytes): Promise<Body> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type === 'multipart/form-data' && request.isMultipart()) {
    return readMultipart(request, most);
  }
  const body = request.body ?? (await readUnparsed(request, most.form));
  if (!Buffer.isBuffer(body)) return EMPTY;
  if (type === 'application/x-www-form-urlencoded') {
    return { body: parseUrlEncoded(body.toString()), files: [] };
  }
  return saysSomething(body) ? { ...EMPTY, unreadType: type ?? '' } : EMPTY;
}

/** Bodies that programs send when they have no parameters. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(['', '{}', '[]', 'null', '""']);
const SAYS_NOTHING_BYTES_MAX = 16;

const saysSomething = (body: Buffer): boolean =>
  body.length > SAYS_NOTHING_BYTES_MAX || !SAYS_NOTHING.has(body.toString().replaceAll(/\s/g, ''));

/**
 * Decodes leniently: one client library does not percent-encode its values at all. Of two values of one name, the
 * last counts.
 */
function parseUrlEncoded(text: string): FormValues {
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    values.set(name, value);
    if (values.size > NAMES_MAX) throw badRequest('The request has too many parameters.');
  }
  return values;
}

/** The framework does not read the body of a GET, but some clients send one. */
async function readUnparsed(
  request: FastifyRequest,
  bytesMax: number,
): Promise<Buffer | undefined> {
  const { raw } = request;
  if (raw.readableEnded || (raw.method !== 'GET' && raw.method !== 'HEAD')) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of raw as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw bodyTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function readMultipart(request: FastifyRequest, most: Bytes): Promise<Body> {
  const { raw } = request;
  if (Number(raw.headers['content-length'] ?? 0) > most.form + most.files) throw bodyTooLarge();
  let bytes = 0;
  let refuse: (error: Error) => void = () => {};
  const overflow = new Promise<never>((_resolve, reject) => {
    refuse = reject;
  });
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= most.form + most.files) return;
    // The parser limits each field; this limits the whole body.
    raw.off('data', count);
    raw.unpipe();
    raw.resume();
    refuse(bodyTooLarge());
  };
  raw.on('data', count);
  try {
    return await Promise.race([collectParts(request, most), overflow]);
  } catch (error) {
    throw toReadable(error);
  } finally {
    raw.off('data', count);
  }
}

async function collectParts(request: FastifyRequest, most: Bytes): Promise<Body> {
  const values = new Map<string, string>();
  const files: UploadedFile[] = [];
  const fileSize = Math.max(most.form, most.files);
  const limits = { parts: NAMES_MAX, fieldSize: most.form, fileSize };
  for await (const part of request.parts({ limits })) {
    if (part.type !== 'file') values.set(part.fieldname, asText(part.value));
    // On paths that take no files, files are dropped and are not parameters.
    else if (most.files === 0 || files.length >= FILES_MAX) part.file.resume();
    else {
      const { fieldname: field, filename } = part;
      files.push({ field, filename, bytes: await part.toBuffer() });
    }
  }
  return { body: values, files };
}

/** The parser parses a field whose type is JSON; we want its text, like that of the others. */
const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
