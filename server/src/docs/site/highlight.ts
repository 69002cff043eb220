// Colours code when the site is built. Only the languages that the pages use are loaded.
import core from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import diff from 'highlight.js/lib/languages/diff';
import http from 'highlight.js/lib/languages/http';
import ini from 'highlight.js/lib/languages/ini';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import nginx from 'highlight.js/lib/languages/nginx';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import { escapeHtml } from '../../platform/std/html.ts';

const LANGUAGES = {
  bash,
  diff,
  http,
  ini,
  javascript,
  json,
  markdown,
  nginx,
  python,
  sql,
  typescript,
  yaml,
};
/** Its own: the chat writes other class names, and would change them for both. */
const highlighter = core.newInstance();
for (const [name, grammar] of Object.entries(LANGUAGES)) {
  highlighter.registerLanguage(name, grammar);
}

/** HTML of a piece of code; without colours if its language is none that we know. */
export function highlight(code: string, language: string): string {
  if (highlighter.getLanguage(language) === undefined) return escapeHtml(code);
  return highlighter.highlight(code, { language, ignoreIllegals: true }).value;
}
