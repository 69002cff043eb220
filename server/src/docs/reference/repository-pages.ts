// Pages that are files of the repository outside docs/guide: operating, the glossary, the public log, and the changes.
import { ZULIP_VERSION } from '../../chat/version.ts';
import type { Page, PageSource, SourceInput } from '../site/page.ts';
import { blocks } from './markdown.ts';

const OPERATING = 'docs/operating';
const CHANGES = 'docs/api/changes.md';
/** What operators read first comes first; a file that is not named here follows, in the order of the alphabet. */
const FIRST = ['deploying', 'operators', 'backups', 'upgrades', 'limits', 'sign-in', 'mail'];

export const listRepositoryPages: PageSource = (input) => [
  ...input
    .listFiles(OPERATING)
    .filter((file) => file.endsWith('.md'))
    .map((file, index) => operatingPage(file, index, input)),
  {
    ...read('docs/glossary.md', input),
    path: 'glossary',
    section: 'facts',
    order: 30,
  },
  {
    ...read('docs/api/public-log.md', input),
    path: 'public-log',
    section: 'facts',
    order: 20,
  },
  changesPage(input),
];

function operatingPage(file: string, index: number, input: SourceInput): Page {
  const name = file.slice(OPERATING.length + 1, -'.md'.length);
  const rank = FIRST.indexOf(name);
  return {
    ...read(file, input),
    path: `operating/${name}`,
    section: 'operating',
    order: rank === -1 ? 100 + index : rank + 1,
  };
}

type Text = Pick<Page, 'language' | 'title' | 'description' | 'markdown' | 'source'>;

/** The heading of the first level is the title, and the first sentence the description. */
function read(file: string, { readFile }: SourceInput): Text {
  const text = readFile(file);
  const [head = '', title = ''] = /^# (.+)\n+/.exec(text) ?? [];
  if (title === '') throw new Error(`${file} must begin with its title: "# Title".`);
  const markdown = text.slice(head.length);
  return { language: 'en', title, description: firstSentence(markdown), markdown, source: file };
}

function firstSentence(markdown: string): string {
  const [paragraph = ''] = markdown.split('\n\n', 1);
  const plain = paragraph
    .replaceAll(/\[([^\][]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/[*_`]/g, '')
    .replaceAll(/\s+/g, ' ');
  return /^.*?[.:](?=\s|$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain;
}

/** One table with long cells in the file; a list for each version on the page. */
function changesPage({ readFile }: SourceInput): Page {
  const rows = [...readFile(CHANGES).matchAll(/^\| *([\d.]+) *\| (.+?) *\|$/gm)];
  const versions = Map.groupBy(rows, ([, version = '']) => version);
  const level = String(ZULIP_VERSION.zulip_feature_level);
  return {
    path: 'changes',
    language: 'en',
    title: 'Changes',
    section: 'facts',
    order: 40,
    description: 'What a client can notice, by version and feature level.',
    markdown: blocks(
      `The chat advertises Zulip ${ZULIP_VERSION.zulip_version}, feature level ${level}: \`GET /server_settings\` and \`POST /register\` have both. A client compares \`zulip_feature_level\` with the level that a feature needs. The trading API keeps its version in the path, \`/v1\`; fields and codes are only added.`,
      ...[...versions].map(([version, those]) =>
        blocks(`## Version ${version}`, those.map(([, , text = '']) => `- ${text}`).join('\n')),
      ),
    ),
    source: CHANGES,
    keywords: ['zulip_feature_level', 'feature level', 'changelog'],
  };
}
