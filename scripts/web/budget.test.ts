import { expect, it } from 'vitest';
import type { Manifest } from '../../server/src/web/client/build.ts';
import { BUDGETS, describeSpent, scriptsOf, spend } from './budget.ts';

const MANIFEST: Manifest = {
  'src/main.ts': { file: 'assets/client.js' },
  'src/app/draw.tsx': { file: 'assets/frame.js', imports: ['src/main.ts', '_react.js'] },
  '_react.js': { file: 'assets/react.js' },
  'src/chat/conversation/conversation.tsx': {
    file: 'assets/conversation.js',
    imports: ['_react.js', '_virtual.js'],
  },
  '_virtual.js': { file: 'assets/virtual.js', imports: ['_react.js'] },
  'src/chat/conversation/rows.css': { file: 'assets/rows.css' },
  'src/admin/people.tsx': { file: 'assets/people.js', imports: ['_table.js'] },
  '_table.js': { file: 'assets/table.js' },
};
const [conversation] = BUDGETS;
if (conversation === undefined) throw new Error('The conversation has a budget.');

it('a view brings the client, its own parts and all that they import, each once, and no other view', () => {
  expect(scriptsOf(MANIFEST, conversation)).toEqual([
    'assets/client.js',
    'assets/frame.js',
    'assets/conversation.js',
    'assets/react.js',
    'assets/virtual.js',
  ]);
});

it('a budget whose view is not in the build fails, instead of counting the client alone', () => {
  const { 'src/chat/conversation/conversation.tsx': _gone, ...without } = MANIFEST;
  expect(() => scriptsOf(without, conversation)).toThrow('conversation');
  const { 'src/app/draw.tsx': _frame, ...frameless } = MANIFEST;
  expect(() => scriptsOf(frameless, conversation)).toThrow('conversation');
});

it('what is spent is named, the largest first, and what is too much is said', () => {
  const sizes: Record<string, number> = { 'assets/react.js': 190_000 };
  const spent = spend(
    MANIFEST,
    { ...conversation, bytesMax: 200_000 },
    (file) => sizes[file] ?? 5000,
  );
  expect(spent.bytes).toBe(210_000);
  const [head, first] = describeSpent(spent).split('\n');
  expect(head).toBe('The conversation brings 210.0 kB of script, of 200.0 kB, 10.0 kB too much:');
  expect(first).toContain('190.0 kB  assets/react.js');
});
