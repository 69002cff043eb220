// What a page of the documentation is, before it becomes HTML. README.md of this folder shows how its Markdown is
// written.
import type { LIMITS } from '../../chat/limits.ts';
import type { Config } from '../../platform/config/schema.ts';
import type { Language } from '../../platform/std/language.ts';

/** In the order of the navigation. */
export const SECTIONS = [
  'start',
  'concepts',
  'sdk',
  'trading',
  'streams',
  'chat',
  'events',
  'administration',
  'errors',
  'facts',
  'operating',
] as const;
export type SectionId = (typeof SECTIONS)[number];

export interface Page {
  /** Below `/docs/`, without slashes at the ends: `concepts/signing`. The first page of all has the empty path. */
  readonly path: string;
  /** A Persian page has the path of its English sister, and is served below `/docs/fa/`. */
  readonly language: Language;
  readonly title: string;
  readonly section: SectionId;
  /** A heading in the navigation that pages of one section share, such as the tag of an operation. */
  readonly group?: string;
  /** Among the pages of its section and group; groups follow their first page. */
  readonly order: number;
  /** One sentence: for lists, search engines and `llms.txt`. */
  readonly description: string;
  /** Without the title. Its highest heading is `##`. */
  readonly markdown: string;
  /** Exact names that lead to this page: codes of errors, operations, types of events. Search finds them first. */
  readonly keywords?: readonly string[];
  /** The file in the repository, if the text is one. Its links to other files are relative to it. */
  readonly source?: string;
}

/** Settings whose values pages may tell. They are public; no secret may ever be among them. */
export const TOLD_SETTINGS = [
  'TRADING_RATE_LIMIT',
  'TRADING_RATE_WINDOW_MS',
  'TRADING_DAILY_ORDERS_MAX',
  'TRADING_SUB_ACCOUNTS_MAX',
  'TRADING_STATEMENT_ENTRIES_MAX',
  'CHAT_RATE_LIMIT',
  'CHAT_RATE_LIMIT_POLLS',
  'CHAT_RATE_LIMIT_ANONYMOUS',
  'CHAT_BOTS_LIMIT_FACTOR',
  'CHAT_BOTS_PER_OWNER_MAX',
  'WEB_RATE_LIMIT',
  'QUEUES_PER_USER_MAX',
  'QUEUE_REPLAY_MAX',
] as const satisfies readonly (keyof Config)[];
export type ToldSettings = Readonly<Pick<Config, (typeof TOLD_SETTINGS)[number]>>;

/** Constants of the code whose values pages tell. They are given, because loading that code takes the builder long. */
export interface ToldLimits {
  readonly chat: typeof LIMITS;
  readonly tradingBodyBytes: number;
}

export interface SourceInput {
  /** The text of a file, by its path from the root of the repository, such as `contracts/chat.openapi.json`. */
  readFile(path: string): string;
  /** The files in a folder and below it, as such paths, sorted. */
  listFiles(folder: string): readonly string[];
  readonly settings: ToldSettings;
  readonly limits: ToldLimits;
}

export type PageSource = (input: SourceInput) => readonly Page[];

/**
 * In every text this origin stands for that of the server, which the site puts in its place. The contracts use it
 * too.
 */
export const EXAMPLE_ORIGIN = 'https://rialto.example';
