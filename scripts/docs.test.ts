// Checks the documents that strangers read: one way to write a command, links that work, examples
// for every shell.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGES = [
  ...globSync('*.md', { cwd: ROOT }),
  ...globSync('docs/**/*.md', { cwd: ROOT }),
  ...globSync('{server/src,packages/*,web}/**/README.md', {
    cwd: ROOT,
    exclude: ['**/node_modules/**', '**/dist/**'],
  }),
];
const SOURCES = globSync('{server/src,packages/*,web,scripts,e2e}/**/*.{ts,tsx}', {
  cwd: ROOT,
  exclude: ['**/node_modules/**', '**/dist/**'],
});
const COMMANDS =
  'serve|migrate|doctor|setup|admin|config|web-push-keys|audit-key|signing-key|verify-log|verify-receipt|fetch-log';
/** At the beginning of a line of an example, or of a piece of code in a sentence. */
const BARE_COMMAND = new RegExp(`(?:^|\`) *rialto (?:${COMMANDS})\\b`, 'gm');

const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');

describe.each(PAGES)('%s', (page) => {
  it('writes every command as `npx rialto …`', () => {
    expect(read(page).match(BARE_COMMAND) ?? []).toEqual([]);
  });

  it('links to existing files, and to its own headings', () => {
    // A link inside code is only an example.
    const text = read(page).replaceAll(/`[^`\n]*`/g, '');
    const anchors = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => anchorOf(title));
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [file = '', anchor] = target.split('#');
      if (file === '') expect(anchors, target).toContain(anchor);
      else expect(existsSync(join(ROOT, dirname(page), file)), target).toBe(true);
    }
  });

  it('names only sources that exist', () => {
    const named = [...read(page).matchAll(/`([\w./-]+\.ts)`/g)].map(([, name = '']) => name);
    const isKnown = (name: string) =>
      SOURCES.some((file) => `/${file}`.endsWith(`/${name}`)) ||
      existsSync(join(ROOT, dirname(page), name));
    expect(named.filter((name) => !isKnown(name))).toEqual([]);
  });
});

/** Words that make a reader stop, and what to write instead. The glossary itself names some of them. */
const RIDDLES: readonly (readonly [RegExp, string])[] = [
  [/\bwho(m|so)?ever\b/i, 'say who it is: "a person who …", "everybody who …"'],
  [/\brivals?\b/i, 'competing relays, workers or engines'],
  [/\bby letter\b|\bletterbox\b/i, 'email, or inbox'],
];

it.each(PAGES.filter((page) => page !== 'docs/glossary.md'))('%s uses the plain word', (page) => {
  for (const [riddle, instead] of RIDDLES) expect(read(page), instead).not.toMatch(riddle);
});

it('the list of decisions has every page, and says which numbers are unused', () => {
  const index = read('docs/decisions/README.md');
  const numbers = globSync('docs/decisions/[0-9]*.md', { cwd: ROOT })
    .map((path) => Number(basename(path).slice(0, 4)))
    .sort((a, b) => a - b);
  expect(numbers.length).toBeGreaterThan(40);
  for (let number = 1; number <= (numbers.at(-1) ?? 0); number += 1) {
    const name = String(number).padStart(4, '0');
    if (numbers.includes(number)) expect(index).toContain(`[${name}](${name}-`);
    else expect(index, `${name} has no page`).toContain(name);
  }
});

/** Builds heading anchors as GitHub does. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');

it("the README's examples work in sh, bash and zsh, on Linux and on macOS", () => {
  const blocks = [...read('README.md').matchAll(/```sh\n([^]*?)```/g)].map(([, text = '']) => text);
  expect(blocks.length).toBeGreaterThan(8);
  for (const block of blocks) {
    // zsh takes no comments at a prompt, and `date` prints no milliseconds on other systems.
    expect(block).not.toMatch(/(^|\s)#/m);
    expect(block).not.toMatch(/date [^)]*%\d?N/);
    const unquoted = block.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '');
    // Outside quotes, zsh expands file patterns and does not split a variable into words.
    expect(unquoted).not.toMatch(/[?*[]|\$[A-Z]/);
  }
});

describe('ARCHITECTURE.md', () => {
  const text = read('ARCHITECTURE.md');

  it('has every folder of the server on its map, and only folders that exist', () => {
    const [, map = ''] = text.split('## The tree');
    const mapped = [...(map.split('\n## ')[0] ?? '').matchAll(/^\| `([\w/-]+)`/gm)].map(
      ([, folder = '']) => folder,
    );
    expect(mapped.filter((folder) => !existsSync(join(ROOT, folder)))).toEqual([]);
    const folders = globSync(['server/src/*/', 'packages/*/'], { cwd: ROOT }).map((folder) =>
      folder.replace(/\/$/, ''),
    );
    expect(folders.length).toBeGreaterThan(8);
    expect(folders.filter((folder) => !mapped.includes(folder))).toEqual([]);
  });

  it('explains every import rule, and no other', () => {
    const named = (page: string, pattern: RegExp) =>
      [...new Set([...page.matchAll(pattern)].map(([, rule = '']) => rule))].sort();
    const rules = named(read('.dependency-cruiser.cjs'), /name: '([a-z-]+)'/g);
    expect(rules.length).toBeGreaterThan(10);
    const [, table = ''] = text.split('| Rule ');
    expect(named(table.split('\n\n')[0] ?? '', /^\| `([a-z-]+)`/gm)).toEqual(rules);
  });

  it('names its files, which are checked above', () => {
    expect(text.match(/`[\w./-]+\.ts`/g)?.length ?? 0).toBeGreaterThan(60);
  });
});

describe('the tutorial of adding a feature', () => {
  const page = 'docs/adding-a-feature.md';
  const example = 'server/src/chat/messages/drafts';
  const linksOf = (text: string) =>
    [...text.matchAll(/\]\((\.\.?\/[^)#\s]+|[a-z][^)#:\s]+)\)/g)].map(([, target = '']) =>
      join('docs', target),
    );

  it('links to every file of its example, and to each file that it names', () => {
    const text = read(page);
    const links = linksOf(text);
    const files = globSync(`${example}/*.ts`, { cwd: ROOT });
    expect(files.length).toBeGreaterThan(6);
    expect(files.filter((file) => !links.includes(file))).toEqual([]);
    const named = [...text.matchAll(/`([\w./-]+\.(?:ts|sql|json|md))`/g)].map(
      ([, name = '']) => name,
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !links.some((link) => `/${link}`.endsWith(`/${name}`)))).toEqual(
      [],
    );
  });

  it('quotes the files that it links to word for word', () => {
    const words = (code: string) => code.replaceAll(/\s+/g, ' ').trim();
    const quoted: string[] = [];
    for (const section of read(page).split(/^## /m)) {
      const files = linksOf(section).filter((file) => /\.(?:ts|sql)$/.test(file));
      const sources = files.map((file) => words(read(file)));
      for (const [, code = ''] of section.matchAll(/```(?:ts|sql)\n([^]*?)```/g)) {
        for (const piece of code.split(/^ *(?:\/\/|--) …$/m).map(words)) {
          quoted.push(piece);
          const where = `a file linked in "${section.split('\n', 1)[0] ?? ''}" has: ${piece}`;
          expect(
            sources.some((source) => source.includes(piece)),
            where,
          ).toBe(true);
        }
      }
    }
    expect(quoted.length).toBeGreaterThan(8);
  });

  it('is where newcomers look for it', () => {
    for (const from of ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md']) {
      expect(read(from), from).toContain(`](${page})`);
    }
  });
});

it('the README of testing/ names every file there, or the folder of a suite', () => {
  const folder = 'server/src/testing';
  const text = read(`${folder}/README.md`);
  const files = globSync('**/*.{ts,py}', { cwd: join(ROOT, folder) });
  expect(files.length).toBeGreaterThan(20);
  const isNamed = (path: string) => text.includes(`\`${path}\``);
  expect(files.filter((file) => !isNamed(file) && !isNamed(`${dirname(file)}/`))).toEqual([]);
});

it('the changelog begins with what is not released, and its newest release is the version of the packages', () => {
  const [unreleased, newest] = [...read('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(
    ([, title = '']) => title,
  );
  expect(unreleased).toBe('Unreleased');
  for (const manifest of ['package.json', 'server/package.json']) {
    const { version } = JSON.parse(read(manifest)) as { version: string };
    expect(newest?.replace(/\d{4}-\d{2}-\d{2}/, 'DATE'), manifest).toBe(`${version} (DATE)`);
  }
});
