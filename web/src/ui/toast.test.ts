import { expect, test } from 'vitest';
import { createToasts } from './toast.tsx';

test('At most three notices are shown; the oldest makes room, and each can be closed.', () => {
  const toasts = createToasts();
  let told = 0;
  const stop = toasts.subscribe(() => (told += 1));
  for (const text of ['a', 'b', 'c', 'd']) toasts.show({ text });
  expect(toasts.shown().map(({ text }) => text)).toEqual(['b', 'c', 'd']);
  toasts.close(toasts.shown()[1]?.id ?? 0);
  expect(toasts.shown().map(({ text }) => text)).toEqual(['b', 'd']);
  stop();
  toasts.show({ text: 'e' });
  expect(told).toBe(5);
});
