import type MiniSearch from 'minisearch';
import type { Options, SearchResult } from 'minisearch';
import type { Language } from '../../../platform/std/language.ts';
import type { SearchEntry } from '../search-index.ts';

export declare function normalise(text: string): string;
export declare function listWords(text: string): string[];
export declare function nameOf(text: string): string;
export declare const INDEX_OPTIONS: Options<SearchEntry>;
export type Found = SearchResult &
  Pick<SearchEntry, 'url' | 'title' | 'heading' | 'excerpt' | 'language' | 'section' | 'names'>;
export declare function find(
  index: MiniSearch<SearchEntry>,
  query: string,
  language: Language,
): Found[];
