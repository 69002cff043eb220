// Rendering in real threads: their answers, and what happens when a thread fails.
import { afterAll, describe, expect, it, vi } from 'vitest';
import { EMPTY_ENV } from './env.ts';
import { closeRenderPool, createRenderPool, isQuick, renderBounded } from './render-pool.ts';
import { render } from './render.ts';
import { EXAMPLE_ENV } from './test-env.ts';

vi.setConfig({ testTimeout: 60_000 });
afterAll(closeRenderPool);

/** A thread's program, as a URL. */
const program = (code: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads';${code}`)}`,
  );
const SLEEPER = program(
  `parentPort.on('message', () => { for (;;); }); parentPort.postMessage('ready');`,
);
const CRASHER = program(
  `parentPort.on('message', () => { throw new Error('x'); }); parentPort.postMessage('ready');`,
);
const NEVER_READY = program(`for (;;);`);

describe('rendering in threads', () => {
  it('gives the same result as rendering in this thread', async () => {
    const texts = [
      '**a** @**Ada Lovelace** #123 :parrot:',
      '```python\nx = 1\n```',
      '$$x^2$$',
      `${'long '.repeat(500)}<script>`,
    ];
    for (const text of texts)
      expect(await renderBounded(text, EXAMPLE_ENV)).toEqual(render(text, EXAMPLE_ENV));
  });

  it('matches answers to their requests', async () => {
    const pool = createRenderPool({ threads: 2 });
    const texts = Array.from({ length: 50 }, (_none, index) => `$$${index}$$ text ${index}`);
    const answers = await Promise.all(texts.map((text) => pool.render(text, EMPTY_ENV)));
    expect(answers.map(({ html }) => html)).toEqual(texts.map((text) => render(text).html));
    await pool.close();
  });

  it('ends a thread that takes too long, and shows the plain text', async () => {
    const pool = createRenderPool({ threads: 1, deadlineMs: 50, program: SLEEPER });
    const began = performance.now();
    const answers = await Promise.all([
      pool.render('**one** <b>', EMPTY_ENV),
      pool.render('two', EMPTY_ENV),
    ]);
    expect(answers).toMatchObject([
      { html: '<p>**one** &lt;b&gt;</p>', isPlain: true },
      { html: '<p>two</p>', isPlain: true },
    ]);
    expect(performance.now() - began).toBeLessThan(20_000);
    await pool.close();
  });

  it('survives a thread that crashes or never starts', async () => {
    for (const broken of [CRASHER, NEVER_READY]) {
      const pool = createRenderPool({ threads: 1, startMs: 300, program: broken });
      expect(await pool.render('**a**', EMPTY_ENV)).toMatchObject({ isPlain: true });
      await pool.close();
    }
  });

  it('limits how many messages wait', async () => {
    const pool = createRenderPool({ threads: 1, maxWaiting: 1, deadlineMs: 200, program: SLEEPER });
    const all = Array.from({ length: 5 }, () => pool.render('x', EMPTY_ENV));
    // The thread has the first, the second waits, and the others are answered at once.
    await Promise.all(all.slice(2));
    await pool.close();
    expect((await Promise.all(all)).every(({ isPlain }) => isPlain)).toBe(true);
    expect(await pool.render('late', EMPTY_ENV)).toMatchObject({ isPlain: true });
  });

  it('is used only for texts that could be slow', () => {
    expect(isQuick('**a** @**b**', EMPTY_ENV)).toBe(true);
    expect(isQuick('x'.repeat(1001), EMPTY_ENV)).toBe(false);
    for (const text of ['$$x$$', '```\nx\n```', '~~~\nx'])
      expect(isQuick(text, EMPTY_ENV)).toBe(false);
    expect(isQuick('a', EXAMPLE_ENV)).toBe(false);
    const env = { ...EMPTY_ENV, defaultCodeLanguage: 'python' };
    expect(isQuick('a', env)).toBe(true);
    expect(isQuick('    a', env)).toBe(false);
  });
});
