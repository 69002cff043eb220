// Pages that people write: every file in docs/guide. Its first lines say what it is.
import { SECTIONS, type Page, type PageSource, type SectionId, type SourceInput } from './page.ts';

const FOLDER = 'docs/guide';
const HEAD = /^---\n([^]*?)\n---\n/;
const KNOWN = ['title', 'section', 'group', 'order', 'description', 'keywords'];

export const listGuidePages: PageSource = ({ listFiles, readFile }: SourceInput) =>
  listFiles(FOLDER)
    .filter((file) => file.endsWith('.md'))
    .map((file) => parseGuide(file, readFile(file)));

export function parseGuide(file: string, text: string): Page {
  const head = HEAD.exec(text);
  if (head === null) throw new Error(`${file} must begin with its facts between two lines "---".`);
  const facts = new Map<string, string>();
  for (const line of (head[1] ?? '').split('\n')) {
    const [, name = '', value = ''] = /^(\w+): (.+)$/.exec(line) ?? [];
    if (!KNOWN.includes(name)) {
      throw new Error(`${file}: "${line}" is no fact of a page. Known are ${KNOWN.join(', ')}.`);
    }
    facts.set(name, unquoted(value.trim()));
  }
  const fact = (name: string): string => {
    const value = facts.get(name);
    if (value === undefined) throw new Error(`${file} does not say its ${name}.`);
    return value;
  };
  const section = fact('section');
  if (!isSection(section)) throw new Error(`${file}: there is no section ${section}.`);
  const order = Number(fact('order'));
  if (!Number.isFinite(order)) throw new Error(`${file}: its order must be a number.`);
  const place = file.slice(FOLDER.length + 1, -'.md'.length);
  const group = facts.get('group');
  const keywords = facts.get('keywords');
  return {
    path: place.replace(/^fa(\/|$)/, '').replace(/(^|\/)index$/, ''),
    language: place.startsWith('fa/') ? 'fa' : 'en',
    title: fact('title'),
    section,
    order,
    description: fact('description'),
    markdown: text.slice(head[0].length),
    source: file,
    ...(group !== undefined && { group }),
    ...(keywords !== undefined && { keywords: keywords.split(',').map((word) => word.trim()) }),
  };
}

const isSection = (name: string): name is SectionId =>
  (SECTIONS as readonly string[]).includes(name);

/** Prettier and YAML put quotes around a value that has a colon. */
const unquoted = (value: string): string => /^(['"])(.*)\1$/.exec(value)?.[2] ?? value;
