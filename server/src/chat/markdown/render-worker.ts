// The thread in which messages are rendered. It answers each question in order, and knows nothing else.
import { parentPort } from 'node:worker_threads';
import type { RenderEnv } from './env.ts';
import { render } from './render.ts';

// What is loaded only when a message needs it is loaded now, before a message's time is counted.
render('$$x$$\n```js\n0\n```');

const tell = (answer: unknown): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread is no window.
  parentPort?.postMessage(answer);
};

parentPort?.on('message', ({ content, env }: { content: string; env: RenderEnv }) => {
  tell(render(content, env));
});
tell('ready');
