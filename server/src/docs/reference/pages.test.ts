import { describe, expect, it } from 'vitest';
import { listPages } from '../pages.ts';
import { findRoot, readFrom } from '../site/files.ts';
import type { SourceInput } from '../site/page.ts';
import { defaultSettings, toldLimits } from '../site/settings.ts';
import { readBook } from './endpoints.ts';
import { EVENT_MEANINGS } from './event-meanings.ts';
import { readEventShapes } from './event-pages.ts';
import { EXPLAINED } from './parameter-meanings.ts';
import { channelPath, operationPath, readStreams } from './stream-pages.ts';

const input: SourceInput = {
  ...readFrom(findRoot()),
  settings: defaultSettings(),
  limits: toldLimits,
};
const pages = listPages(input);
const english = new Map(
  pages.filter(({ language }) => language === 'en').map((page) => [page.path, page]),
);

describe('the pages', () => {
  it('have every operation of the three contracts, each with parameters, example and errors', () => {
    for (const api of ['trading', 'chat', 'administration'] as const) {
      for (const { page, id, parameters } of readBook(api, input).endpoints) {
        const text = english.get(page)?.markdown ?? '';
        expect(text, id).toContain('## Example');
        expect(text, id).toContain('## Answer');
        for (const { name } of parameters) expect(text, id).toContain(`\`${name}\``);
      }
    }
  });

  it('say what every parameter means, and explain no name that is gone', () => {
    const all = (['trading', 'chat', 'administration'] as const).flatMap((api) =>
      readBook(api, input).endpoints.flatMap(({ id, parameters }) =>
        parameters.map((parameter) => ({ id, ...parameter })),
      ),
    );
    const silent = all.filter(({ description }) => description === undefined);
    expect(silent.map(({ id, name }) => `${id} ${name}`)).toEqual([]);
    const names = new Set(all.map(({ name }) => name));
    expect(EXPLAINED.filter((name) => !names.has(name))).toEqual([]);
  });

  it('have every shape of an event, and say when each type comes', () => {
    const names = Object.keys(readEventShapes(input));
    expect(names.length).toBeGreaterThan(70);
    for (const name of names) {
      const [type = '', op] = name.split('/');
      expect(english.get(`events/${type}`)?.markdown, name).toContain(
        op === undefined ? '## Fields' : `## With op ${op}`,
      );
      expect(EVENT_MEANINGS[type], type).toMatch(/^[A-Z].*\.$/);
    }
    const types = new Set(names.map((name) => name.split('/', 1)[0]));
    expect(Object.keys(EVENT_MEANINGS).filter((type) => !types.has(type))).toEqual([]);
  });

  it('have every channel, operation and close code of the streams', () => {
    const streams = readStreams(input);
    expect(streams.channels.length).toBeGreaterThan(7);
    for (const { pattern, access } of streams.channels) {
      const text = english.get(channelPath(pattern))?.markdown ?? '';
      expect(text, pattern).toContain('## Update');
      expect(text.includes('docs:streams/login'), pattern).toBe(access === 'private');
    }
    for (const { name } of streams.operations) {
      expect(english.get(operationPath(name))?.markdown, name).toContain('## Result');
    }
    for (const { code } of streams.closeCodes) {
      expect(english.get('streams')?.markdown).toContain(`| ${code} |`);
    }
  });

  it('have one address each, a description, and links to pages that exist', () => {
    const addresses = pages.map(({ language, path }) => `${language} ${path}`);
    expect(new Set(addresses).size).toBe(addresses.length);
    for (const { path, description, markdown, title } of pages) {
      expect(title, path).not.toBe('');
      expect(description, path).toMatch(/\S{2,}/);
      for (const [, target = ''] of markdown.matchAll(/\]\(docs:([^)#]*)/g)) {
        expect(english.has(target), `${path} leads to ${target}`).toBe(true);
      }
    }
  });

  it('tell the limits of the settings', () => {
    const text = english.get('limits')?.markdown;
    expect(text).toContain('10 a second, sliding');
    expect(text).toContain('256 KiB');
  });

  it('have a Persian sister for what people read first', () => {
    const persian = pages.filter(({ language }) => language === 'fa').map(({ path }) => path);
    for (const path of ['', 'start/trader', 'start/chat-administrator', 'glossary']) {
      expect(persian).toContain(path);
      expect(english.has(path), path).toBe(true);
    }
  });
});
