// Applies the organization's linkifiers, patterns that turn text such as #123 into links. People write the patterns,
// so they run in RE2, whose time grows only linearly with the text.
import { RE2JS, RE2JSException } from 're2js';
import type { EnvLinkifier } from './env.ts';
import { MAX_LINKIFIED, MAX_PATTERN_WORK } from './limits.ts';
import { safeUrl } from './urls.ts';
import { parseUrlTemplate, type UrlTemplate } from './url-template.ts';

interface Linkifier {
  readonly regex: RE2JS;
  readonly template: UrlTemplate;
  readonly groups: readonly string[];
}

const MATCH = 'rialto_whole_match';
/**
 * What may precede a match: every kind of white space, including those that RE2's own class leaves out, and opening
 * or separating punctuation.
 */
const BEFORE = String.raw`^|[\s\x{85}\pZ"'(<,:]`;
const AFTER = String.raw`$|[^\pL\pN]`;

/** A match must follow a space or opening punctuation, and must not be followed by a letter or digit. */
const surround = (pattern: string): string => `(?:${BEFORE})(?P<${MATCH}>${pattern})(?:${AFTER})`;

const compiled = new Map<string, Linkifier | undefined>();
const MAX_COMPILED = 1_000;

/** Compiled once per pattern; undefined for an unusable pattern, which then links nothing. */
function compile({ pattern, urlTemplate }: EnvLinkifier): Linkifier | undefined {
  const key = JSON.stringify([pattern, urlTemplate]);
  if (!compiled.has(key)) {
    if (compiled.size >= MAX_COMPILED) compiled.clear();
    compiled.set(key, tryCompile(pattern, urlTemplate));
  }
  return compiled.get(key);
}

function tryCompile(pattern: string, urlTemplate: string): Linkifier | undefined {
  const template = parseUrlTemplate(urlTemplate);
  if (template === undefined) return undefined;
  try {
    const regex = RE2JS.compile(surround(pattern));
    const groups = Object.keys(regex.namedGroups()).filter((name) => name !== MATCH);
    return { regex, template, groups };
  } catch {
    return undefined;
  }
}

export interface FoundLink {
  readonly index: number;
  readonly length: number;
  readonly url: string;
}

/** The remaining work that linkifiers may do for one message, shared by all its paragraphs. */
export interface PatternBudget {
  work: number;
  links: number;
}

export const patternBudget = (): PatternBudget => ({
  work: MAX_PATTERN_WORK,
  links: MAX_LINKIFIED,
});

/** The links in a text, in order and without overlap: an earlier linkifier wins over a later one. */
export function findLinkified(
  text: string,
  linkifiers: readonly EnvLinkifier[],
  budget: PatternBudget,
): FoundLink[] {
  const found: FoundLink[] = [];
  for (const entry of linkifiers) {
    const linkifier = compile(entry);
    if (linkifier === undefined) continue;
    budget.work -= text.length;
    if (budget.work < 0 || budget.links <= 0) break;
    const matcher = linkifier.regex.matcher(text);
    for (let from = 0; from <= text.length && budget.links > 0 && matcher.find(from);) {
      const [index, end] = [matcher.start(MATCH), matcher.end(MATCH)];
      // An empty match would repeat at every position.
      if (end <= index) break;
      from = end;
      budget.links -= 1;
      const values = Object.fromEntries(
        linkifier.groups.map((name) => [name, matcher.group(name) ?? undefined]),
      );
      const url = safeUrl(linkifier.template.expand(values));
      const overlaps = found.some(
        (other) => index < other.index + other.length && other.index < end,
      );
      if (url !== undefined && !overlaps) found.push({ index, length: end - index, url });
    }
  }
  return found.sort((left, right) => left.index - right.index);
}

/** Why the linkifier cannot be saved, in the API's words; undefined if it can. */
export function findLinkifierProblem(pattern: string, urlTemplate: string): string | undefined {
  let groups: string[];
  try {
    groups = Object.keys(RE2JS.compile(surround(pattern)).namedGroups());
    // The pattern must also compile alone: `a)(b` is valid only inside our brackets.
    RE2JS.compile(pattern);
  } catch (error) {
    const detail = error instanceof RE2JSException ? error.message : 'cannot be compiled';
    return `Bad regular expression: ${detail}`;
  }
  const template = parseUrlTemplate(urlTemplate);
  if (template === undefined) return 'Invalid URL template.';
  const named = groups.filter((name) => name !== MATCH);
  const absent = template.variables.find((name) => !named.includes(name));
  if (absent !== undefined)
    return `Group '${absent}' in URL template is not present in linkifier pattern.`;
  const unused = named.find((name) => !template.variables.includes(name));
  if (unused !== undefined)
    return `Group '${unused}' in linkifier pattern is not present in URL template.`;
  return undefined;
}
