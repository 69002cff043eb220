// Fetches files from other servers for readers of messages: within limits, once for simultaneous requests, and with
// a small cache.
import { getOutbound, type Fetched } from '../../../platform/http/outbound.ts';
import { AUDIO_PATH, pathOfUrl, VIDEO_PATH } from '../../text/markdown/external.ts';
import { sniff, SNIFFED_BYTES } from '../uploads/content-type.ts';

export interface Content {
  readonly status: 200 | 206;
  readonly contentType: string;
  readonly contentRange: string | undefined;
  readonly body: Buffer;
}

/** The file could not be fetched, or fetching it was not tried. */
export class Unavailable extends Error {
  override name = 'Unavailable';
}

/** Too many fetches are running or waiting. */
export class Busy extends Error {
  override name = 'Busy';
}

const MIB = 1024 * 1024;
/** The largest file that is served as a whole. */
const FILE_BYTES_MAX = 10 * MIB;
/** The largest part of sound or video. Players ask for one part after the other. */
const PART_BYTES_MAX = 2 * MIB;
/** Time limit for one file, redirects included. */
const FETCH_MS_MAX = 8000;
/** Fetches that run at once: in all, and from one host; and those that may wait. */
const UNDER_WAY_MAX = 12;
const OF_ONE_HOST_MAX = 4;
const WAITING_MAX = 24;
/** The cache: bytes in all, bytes of one file, and its times. A failure is remembered too, and not retried at once. */
const KEPT_BYTES_MAX = 32 * MIB;
const KEPT_FILE_BYTES_MAX = 2 * MIB;
const KEPT_MS = 600_000;
const FAILURE_KEPT_MS = 30_000;
const FAILURES_MAX = 2000;

/** Formats that browsers can only show as a picture. SVG is missing, because it can contain scripts. */
const PICTURES: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
]);
const MEDIA: ReadonlySet<string> = new Set([
  'video/mp4',
  'video/webm',
  'audio/aac',
  'audio/flac',
  'audio/mp4',
  'audio/mpeg',
  'audio/wav',
  'audio/webm',
]);
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/x-ms-bmp', 'image/bmp'],
  ['audio/mp3', 'audio/mpeg'],
  ['audio/x-wav', 'audio/wav'],
  ['audio/wave', 'audio/wav'],
  ['audio/x-m4a', 'audio/mp4'],
  ['audio/x-flac', 'audio/flac'],
]);
const nameOf = (contentType: string): string => SYNONYMS.get(contentType) ?? contentType;

export interface Fetcher {
  /** From the cache only, without any request. */
  find(url: string, range: string | undefined): Content | undefined;
  fetch(url: string, range: string | undefined): Promise<Content>;
}

/** The last two are for tests only. */
export interface FetcherOptions {
  readonly nowMs: () => number;
  readonly mayBePrivate?: (url: URL) => boolean;
  readonly timeoutMs?: number;
}

export function createFetcher(options: FetcherOptions): Fetcher {
  const { nowMs } = options;
  const kept = new Map<string, { readonly content: Content; readonly untilMs: number }>();
  const failed = new Map<string, number>();
  const underWay = new Map<string, Promise<Content>>();
  const inTurn = createTurns();
  let keptBytes = 0;

  function forget(url: string): void {
    keptBytes -= kept.get(url)?.content.body.length ?? 0;
    kept.delete(url);
  }

  function keep(url: string, content: Content): void {
    if (content.status !== 200 || content.body.length > KEPT_FILE_BYTES_MAX) return;
    forget(url);
    kept.set(url, { content, untilMs: nowMs() + KEPT_MS });
    keptBytes += content.body.length;
    for (const oldest of kept.keys()) {
      if (keptBytes <= KEPT_BYTES_MAX) break;
      forget(oldest);
    }
  }

  function remember(url: string): void {
    failed.delete(url);
    failed.set(url, nowMs() + FAILURE_KEPT_MS);
    const [oldest] = failed.keys();
    if (failed.size > FAILURES_MAX && oldest !== undefined) failed.delete(oldest);
  }

  async function fetchAnew(url: string, part: Part | undefined): Promise<Content> {
    try {
      const content = await inTurn(new URL(url).host, () => read(url, part, options));
      keep(url, content);
      return content;
    } catch (error) {
      if (error instanceof Busy) throw error;
      remember(url);
      throw new Unavailable('not to be had', { cause: error });
    }
  }

  return {
    find(url, range) {
      const found = partOf(url, range) === undefined ? kept.get(url) : undefined;
      return found !== undefined && found.untilMs > nowMs() ? found.content : undefined;
    },
    fetch(url, range) {
      if ((failed.get(url) ?? 0) > nowMs()) return Promise.reject(new Unavailable('tried already'));
      const part = partOf(url, range);
      const key = part === undefined ? url : `${url} ${part.from}-${part.to}`;
      const running = underWay.get(key);
      if (running !== undefined) return running;
      const started = fetchAnew(url, part).finally(() => underWay.delete(key));
      underWay.set(key, started);
      return started;
    },
  };
}

interface Part {
  readonly from: number;
  readonly to: number;
}

const RANGE = /^bytes=(\d{1,12})-(\d{0,12})$/;
const isMedia = (url: string): boolean => {
  const path = pathOfUrl(url);
  return VIDEO_PATH.test(path) || AUDIO_PATH.test(path);
};

/** The requested part, cut to the largest that is allowed. Pictures are served whole. */
function partOf(url: string, range: string | undefined): Part | undefined {
  const [, from, to = ''] = (isMedia(url) && RANGE.exec(range ?? '')) || [];
  if (from === undefined) return undefined;
  const last = Number(from) + PART_BYTES_MAX - 1;
  return { from: Number(from), to: to === '' ? last : Math.min(last, Number(to)) };
}

async function read(
  url: string,
  part: Part | undefined,
  { mayBePrivate, timeoutMs = FETCH_MS_MAX }: FetcherOptions,
): Promise<Content> {
  const types = isMedia(url) ? MEDIA : PICTURES;
  const fetched = await getOutbound({
    url,
    headers: {
      accept: [...types].join(', '),
      'user-agent': 'Rialto',
      ...(part !== undefined && { range: `bytes=${part.from}-${part.to}` }),
    },
    timeoutMs,
    bytesMax: FILE_BYTES_MAX,
    accepts: (type) => types.has(nameOf(type)),
    ...(mayBePrivate !== undefined && { mayBePrivate }),
  });
  return check(fetched, types, part);
}

const CONTENT_RANGE = /^bytes (\d{1,15})-\d{1,15}\/(?:\d{1,15}|\*)$/;

/** Checks that the bytes are what the content type says. The middle of a video has no bytes that tell. */
async function check(
  { status, contentType, contentRange, body }: Fetched,
  types: ReadonlySet<string>,
  part: Part | undefined,
): Promise<Content> {
  const isPart = status === 206;
  if (isPart !== (contentRange !== undefined) || (isPart && part === undefined) || status > 206)
    throw new Error(`The status ${status} does not fit the request.`);
  if (isPart && Number(CONTENT_RANGE.exec(contentRange ?? '')?.[1] ?? Number.NaN) !== part?.from)
    throw new Error('The answer has another part than was requested.');
  const isBeginning = !isPart || part?.from === 0;
  const real = isBeginning
    ? nameOf(await sniff(body.subarray(0, SNIFFED_BYTES), ''))
    : nameOf(contentType);
  const isKind = types.has(real) || (types === MEDIA && /^(?:audio|video)\//.test(real));
  if (!isKind) throw new Error(`The content type is ${contentType}, but the bytes are ${real}.`);
  return {
    status: isPart ? 206 : 200,
    contentType: types === PICTURES ? real : nameOf(contentType),
    contentRange,
    body,
  };
}

/** Runs a bounded number of tasks at once, fewer of them for one host. When too many wait, it refuses. */
function createTurns() {
  const ofHost = new Map<string, number>();
  const waiting: (() => void)[] = [];
  let running = 0;
  const mayRun = (host: string) =>
    running < UNDER_WAY_MAX && (ofHost.get(host) ?? 0) < OF_ONE_HOST_MAX;

  return async <T>(host: string, work: () => Promise<T>): Promise<T> => {
    while (!mayRun(host)) {
      if (waiting.length >= WAITING_MAX) throw new Busy('Too much is being fetched.');
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    running += 1;
    ofHost.set(host, (ofHost.get(host) ?? 0) + 1);
    try {
      return await work();
    } finally {
      running -= 1;
      const left = (ofHost.get(host) ?? 1) - 1;
      if (left === 0) ofHost.delete(host);
      else ofHost.set(host, left);
      // Each waiting task checks again whether it may run.
      for (const next of waiting.splice(0)) next();
    }
  };
}
