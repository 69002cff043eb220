// The thread in which messages are rendered and compared. It answers requests in order.
import { parentPort } from 'node:worker_threads';
import { diffHtml } from './diff.ts';
import type { Question } from './render-pool.ts';
import { render } from './render.ts';

// Loads the optional parts now, so that loading does not count as a message's time.
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
