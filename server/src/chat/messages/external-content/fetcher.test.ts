// Fetching from a hostile server. It runs on this machine, so the fetcher is allowed to reach one private address; a
// second server, which it may not reach, stands for the rest of our network.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { drawAvatar } from '../../organization/assets/images.ts';
import { Busy, createFetcher, Unavailable, type Fetcher } from './fetcher.ts';

const PNG = drawAvatar(1, 100);
const MP4 = Buffer.concat([
  Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex'),
  Buffer.alloc(5_000_000, 7),
]);

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const answers = new Map<string, Answer>();
const asked: string[] = [];
let outside: ReturnType<typeof createServer>;
let inside: ReturnType<typeof createServer>;
let insideAsked = 0;
let origin = '';
let innerOrigin = '';
let nowMs = 0;
let fetcher: Fetcher;

async function listen(answer: Answer) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

beforeAll(async () => {
  ({ server: outside, origin } = await listen((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const answer = answers.get(path.replace(/\?.*/, ''));
    if (answer === undefined) response.writeHead(404).end();
    else answer(request, response);
  }));
  ({ server: inside, origin: innerOrigin } = await listen((_request, response) => {
    insideAsked += 1;
    response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
  }));
});
afterAll(() => {
  for (const server of [outside, inside]) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  answers.clear();
  asked.length = 0;
  insideAsked = 0;
  fetcher = createFetcher({
    nowMs: () => nowMs,
    mayBePrivate: (url) => url.origin === origin,
    timeoutMs: 2000,
  });
});

const give =
  (type: string, body: Buffer | string, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': type, ...headers }).end(body);
const refusedAt = async (path: string, range?: string) => {
  await expect(fetcher.fetch(`${origin}${path}`, range)).rejects.toThrow(Unavailable);
};

describe('a picture', () => {
  it('is fetched once for simultaneous requests, and kept for later ones', async () => {
    answers.set('/a.png', give('image/png; charset=x', PNG));
    const url = `${origin}/a.png`;
    const all = await Promise.all(Array.from({ length: 20 }, () => fetcher.fetch(url, undefined)));
    for (const { status, contentType, body } of all) {
      expect([status, contentType, body.equals(PNG)]).toEqual([200, 'image/png', true]);
    }
    expect(fetcher.find(url, undefined)?.body.equals(PNG)).toBe(true);
    expect(asked).toEqual(['/a.png']);
    nowMs += 3_600_000;
    expect(fetcher.find(url, undefined)).toBeUndefined();
  });

  it.each<[string, Answer]>([
    ['a page', give('text/html', '<script>alert(1)</script>')],
    [
      'an SVG with a script',
      give(
        'image/svg+xml',
        '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      ),
    ],
    ['a page labelled as a picture', give('image/png', '<html><script>alert(1)</script></html>')],
    [
      'an SVG labelled as a picture',
      give('image/png', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
    ],
    ['a video labelled as a picture', give('image/png', MP4.subarray(0, 4000))],
    ['compressed', give('image/png', PNG, { 'content-encoding': 'gzip' })],
    ['nothing', give('image/png', '')],
    ['without a type', (_request, response) => void response.end(PNG)],
    [
      'an error',
      (_request, response) =>
        void response.writeHead(500, { 'content-type': 'image/png' }).end(PNG),
    ],
    [
      'a part that was not requested',
      (_request, response) =>
        void response
          .writeHead(206, { 'content-type': 'image/png', 'content-range': 'bytes 0-9/10' })
          .end(PNG),
    ],
    [
      'announced as huge',
      (_request, response) =>
        void response
          .writeHead(200, {
            'content-type': 'image/png',
            'content-length': String(11 * 1024 * 1024),
          })
          .write(PNG),
    ],
    [
      'cut off',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'image/png', 'content-length': '100000' });
        response.write(PNG, () => response.destroy());
      },
    ],
    [
      'slow',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'image/png' });
        response.write(PNG.subarray(0, 20));
      },
    ],
    ['silent', () => undefined],
    [
      'endless',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'image/png' });
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        };
        response.on('drain', more);
        more();
      },
    ],
  ])('that is %s is refused, and not fetched again at once', async (_what, answer) => {
    answers.set('/a.png', answer);
    await refusedAt('/a.png');
    await refusedAt('/a.png');
    expect(asked).toEqual(['/a.png']);
    nowMs += 60_000;
    answers.set('/a.png', give('image/png', PNG));
    expect((await fetcher.fetch(`${origin}/a.png`, undefined)).status).toBe(200);
  });
});

describe('a redirect', () => {
  const to =
    (location: string): Answer =>
    (_request, response) =>
      void response.writeHead(302, { location }).end();

  it('is followed, up to a limit', async () => {
    answers.set('/a.png', to('/b'));
    answers.set('/b', to(`${origin}/c`));
    answers.set('/c', give('image/png', PNG));
    expect((await fetcher.fetch(`${origin}/a.png`, undefined)).contentType).toBe('image/png');
    answers.set('/round.png', to('/round.png'));
    await refusedAt('/round.png');
    expect(asked.filter((path) => path === '/round.png')).toHaveLength(4);
  });

  it('into our network is not followed', async () => {
    const { port } = new URL(innerOrigin);
    for (const [index, location] of [
      `${innerOrigin}/a.png`,
      `http://localhost:${port}/a.png`,
      `http://2130706433:${port}/a.png`,
      `http://[::ffff:127.0.0.1]:${port}/a.png`,
      'http://169.254.169.254/latest/meta-data/',
      'https://localhost/a.png',
      'file:///etc/passwd',
      'data:image/png;base64,AAAA',
    ].entries()) {
      answers.set(`/${index}.png`, to(location));
      await refusedAt(`/${index}.png`);
    }
    expect(insideAsked).toBe(0);
  });
});

it('nothing in our own network is fetched', async () => {
  const strict = createFetcher({ nowMs: () => 0 });
  const { port } = new URL(innerOrigin);
  for (const url of [
    `${innerOrigin}/a.png`,
    `http://localhost:${port}/a.png`,
    'https://localhost/a.png',
    'https://ada:secret@pictures.example/a.png',
    'ftp://pictures.example/a.png',
    'not an address',
  ])
    await expect(strict.fetch(url, undefined), url).rejects.toThrow();
  expect(insideAsked).toBe(0);
});

describe('a video', () => {
  const film: Answer = (request, response) => {
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const part = MP4.subarray(Number(from), to === '' ? undefined : Number(to) + 1);
    response
      .writeHead(206, {
        'content-type': 'video/mp4',
        'content-range': `bytes ${from}-${Number(from) + part.length - 1}/${MP4.length}`,
      })
      .end(part);
  };

  it('is served in parts of a bounded size', async () => {
    answers.set('/v.mp4', film);
    const first = await fetcher.fetch(`${origin}/v.mp4`, 'bytes=0-');
    expect([first.status, first.contentType, first.body.length]).toEqual([
      206,
      'video/mp4',
      2_097_152,
    ]);
    expect(first.contentRange).toBe(`bytes 0-2097151/${MP4.length}`);
    const last = await fetcher.fetch(`${origin}/v.mp4`, `bytes=${MP4.length - 10}-`);
    expect(last.body.length).toBe(10);
  });

  it.each<[string, Answer]>([
    [
      'another part',
      (_request, response) =>
        void response
          .writeHead(206, { 'content-type': 'video/mp4', 'content-range': 'bytes 5-14/100' })
          .end(MP4.subarray(5, 15)),
    ],
    ['a page', give('text/html', '<script>alert(1)</script>')],
    ['a page labelled as a video', give('video/mp4', '<script>alert(1)</script>')],
    ['a playlist', give('application/vnd.apple.mpegurl', '#EXTM3U')],
  ])('that is %s is refused', async (_what, answer) => {
    answers.set('/v.mp4', answer);
    await refusedAt('/v.mp4', 'bytes=0-');
  });
});

it('one slow server does not block the others, and the queue is bounded', async () => {
  answers.set('/hangs.png', () => undefined);
  const hanging = Array.from({ length: 40 }, (_none, index) =>
    fetcher.fetch(`${origin}/hangs.png?${index}`, undefined).then(
      () => 'came',
      (error: unknown) => (error instanceof Busy ? 'busy' : 'failed'),
    ),
  );
  await expect.poll(() => asked.length, { timeout: 10_000 }).toBe(4);
  const ended = await Promise.race([Promise.all(hanging.slice(28)), Promise.all(hanging)]);
  expect(ended.filter((end) => end === 'busy')).toHaveLength(12);
  // Another host still gets its turn: the fetch fails, but it is not refused as busy.
  await expect(fetcher.fetch('https://localhost/x.png', undefined)).rejects.toThrow(Unavailable);
});
