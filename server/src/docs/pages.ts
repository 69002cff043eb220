// Every source of pages, one line each.
import { listErrorPages } from './reference/error-pages.ts';
import { listEventPages } from './reference/event-pages.ts';
import { listLimitsPage } from './reference/limits-page.ts';
import { listOperationPages } from './reference/operation-pages.ts';
import { listRepositoryPages } from './reference/repository-pages.ts';
import { listStreamPages } from './reference/stream-pages.ts';
import { listGuidePages } from './site/guide-files.ts';
import type { Page, PageSource, SourceInput } from './site/page.ts';

const SOURCES: readonly PageSource[] = [
  listGuidePages,
  listOperationPages,
  listStreamPages,
  listEventPages,
  listErrorPages,
  listLimitsPage,
  listRepositoryPages,
];

export const listPages = (input: SourceInput): readonly Page[] =>
  SOURCES.flatMap((source) => source(input));
