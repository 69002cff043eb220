// The thread that estimates passwords. It answers each question in order, and knows nothing else.
import { parentPort } from 'node:worker_threads';
import { estimate } from './estimate.ts';

const tell = (answer: unknown): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread is no window.
  parentPort?.postMessage(answer);
};

parentPort?.on('message', ({ password, words }: { password: string; words: readonly string[] }) => {
  tell(estimate(password, words));
});
tell('ready');
