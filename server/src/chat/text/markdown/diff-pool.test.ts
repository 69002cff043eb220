// Differences between versions, within the limits of time and waiting.
import { afterAll, expect, it, vi } from 'vitest';
import { diffBounded } from './diff-pool.ts';
import { diffHtml } from './diff.ts';
import { closeRenderPool } from './render-pool.ts';

vi.setConfig({ testTimeout: 60_000 });
afterAll(closeRenderPool);

const later = () => performance.now() + 30_000;

it('a thread computes the same difference as this process', async () => {
  const [before, after] = ['<p>one two</p>', '<p>one three</p>'];
  expect(await diffBounded(before, after, later())).toBe(diffHtml(before, after));
});

it('when the time is up, the new version is shown without marks', async () => {
  expect(await diffBounded('<p>one</p>', '<p>two</p>', performance.now())).toBe(
    '<div><p>two</p></div>',
  );
});

it('when too many wait, the others are shown without marks at once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_none, n) => diffBounded('<p>a</p>', `<p>${n}</p>`, later())),
  );
  const marked = answers.filter((html) => html.includes('highlight_text_inserted'));
  expect(marked).toHaveLength(50);
  expect(answers.at(-1)).toBe('<div><p>59</p></div>');
});
