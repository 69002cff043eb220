// The thread that builds the site, so that nothing else waits for it. It sends each file as soon as it is ready, the
// page that was asked for first, and ends.
import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { listPages } from '../pages.ts';
import { readAssets, readPicture } from './assets.ts';
import { listFiles, listPaths, planSite } from './build.ts';
import { findRoot, readFrom } from './files.ts';
import type { Message, Order, ServedFile } from './served.ts';

const { first, origin, base, version, settings, limits } = workerData as Order;
const plan = planSite(listPages({ ...readFrom(findRoot()), settings, limits }), {
  origin,
  base,
  isStatic: false,
  version,
  assets: readAssets(),
  picture: readPicture(),
});
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread is no window.
const send = (message: Message) => parentPort?.postMessage(message);

send(listPaths(plan));
for (const [path, { type, text, isForever }] of listFiles(plan, first)) {
  const tag = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  const file: ServedFile = { type, isForever, tag, gzipped: gzipSync(text) };
  send({ path, file });
}
