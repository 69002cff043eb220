import { describe, expect, it } from 'vitest';
import type { startTransfer, Transfer } from './transfer.ts';
import { Uploads } from './uploads.ts';

type Told = Parameters<typeof startTransfer>[2];

/** A box with drafts as text, and transfers that end when the test says so. */
function createBox() {
  const drafts = new Map<string, string>([['one', 'Text one.\n']]);
  const transfers = new Map<string, Told>();
  const canceled: string[] = [];
  let current = 'one';
  const uploads = new Uploads(
    {
      csrfToken: 'token',
      limit: () => 100,
      load: async () => ({
        startTransfer: (file, _token, told): Transfer => {
          transfers.set(file.name, told);
          return {
            pause: () => undefined,
            resume: () => undefined,
            cancel: () => void canceled.push(file.name),
          };
        },
      }),
    },
    {
      onStart: (placeholder) => {
        drafts.set(current, `${drafts.get(current)}${placeholder}\n`);
        uploads.show(current);
        return current;
      },
      onDone: (draftId, placeholder, link) => {
        const id = draftId ?? current;
        drafts.set(
          id,
          (drafts.get(id) ?? '').replace(placeholder, () => link),
        );
      },
    },
  );
  uploads.show(current);
  const show = (id: string) => {
    current = id;
    if (!drafts.has(id)) drafts.set(id, '');
    uploads.show(id);
  };
  return { uploads, drafts, transfers, canceled, show };
}

const fileOf = (name: string, size = 10) => new File(['x'.repeat(size)], name);
const settle = () => new Promise((resolve) => setTimeout(resolve));

describe('a file that is on the way while somebody writes elsewhere', () => {
  it('ends up in the draft that it was added to', async () => {
    const { uploads, drafts, transfers, show } = createBox();
    uploads.add([fileOf('a.txt')]);
    await settle();
    expect(uploads.isBusy).toBe(true);
    show('two');
    expect(uploads.list()).toEqual([]);
    expect(uploads.isBusy).toBe(false);
    transfers.get('a.txt')?.onDone('/user_uploads/a.txt');
    expect(drafts.get('one')).toBe('Text one.\n[a.txt](/user_uploads/a.txt)\n');
    expect(drafts.get('two')).toBe('');
  });

  it('goes on when the other text is sent', async () => {
    const { uploads, transfers, canceled, show } = createBox();
    uploads.add([fileOf('a.txt')]);
    await settle();
    show('two');
    uploads.add([fileOf('b.txt')]);
    await settle();
    uploads.clear();
    expect(canceled).toEqual(['b.txt']);
    show('one');
    expect(uploads.list().map(({ name }) => name)).toEqual(['a.txt']);
    transfers.get('a.txt')?.onFailed(new Error('The disk is full.'));
    expect(uploads.list()).toMatchObject([{ state: 'failed', why: 'The disk is full.' }]);
  });
});

it('a transfer that was cut says so, and goes on by itself when the network is back', async () => {
  const { uploads, transfers } = createBox();
  uploads.add([fileOf('a.txt')]);
  await settle();
  transfers.get('a.txt')?.onProgress(9);
  transfers.get('a.txt')?.onFailed(Object.assign(new Error('tus'), { originalResponse: null }));
  expect(uploads.list()).toMatchObject([{ state: 'failed', why: 'network', sent: 9 }]);
  transfers.clear();
  globalThis.dispatchEvent?.(new Event('online'));
  uploads.resume(uploads.list()[0]?.id ?? '');
  await settle();
  expect(transfers.has('a.txt')).toBe(true);
  expect(uploads.list()).toMatchObject([{ state: 'sending', sent: 9 }]);
});

it('a file that is too big is refused at once, and the text stays as it is', async () => {
  const { uploads, drafts } = createBox();
  uploads.add([fileOf('big.bin', 101)]);
  await settle();
  expect(uploads.list()).toMatchObject([{ state: 'failed', why: 'size' }]);
  expect(drafts.get('one')).toBe('Text one.\n');
});
