// The thread in which messages are rendered and compared. It answers each question in order, and knows nothing else.
import { parentPort } from 'node:worker_threads';
import { diffHtml } from './diff.ts';
import type { Question } from './render-pool.ts';
import { render } from './render.ts';

// What is loaded only when a message needs it is loaded now, before a message's time is counted.
render('$$x$$\n```js\n0\n```');

const tell = (said: unknown): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread is no window.
  parentPort?.postMessage(said);
};

parentPort?.on('message', (question: Question) => {
  const answer =
    'before' in question
      ? diffHtml(question.before, question.after)
      : render(question.content, question.env);
  tell({ answer });
});
tell('ready');
