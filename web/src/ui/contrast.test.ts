// Reads the colours from tokens.css and measures each pair that components put on each other, as WCAG does.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { groundOf } from './avatar.tsx';

type Colours = ReadonlyMap<string, string>;

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');

function read(block: string, theme: 'light' | 'dark'): Map<string, string> {
  const found = new Map<string, string>();
  const line =
    /--color-([\w-]+):\s*(?:light-dark\(\s*(#[0-9a-f]+),\s*(#[0-9a-f]+)\s*\)|(#[0-9a-f]+));/giu;
  for (const [, name = '', light = '', dark = '', both] of block.matchAll(line))
    found.set(name, both ?? (theme === 'light' ? light : dark));
  return found;
}

function paletteBlock(name: string): string {
  return name === 'classic'
    ? ''
    : (css.split(`[data-palette='${name}'] {`)[1]?.split('}')[0] ?? '');
}

function coloursOf(theme: 'light' | 'dark', palette: string): Colours {
  const base = css.split('@theme static {')[1]?.split('\n}')[0] ?? '';
  return new Map([...read(base, theme), ...read(paletteBlock(palette), theme)]);
}

const channels = (colour: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = channels(colour).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function mix(front: string, back: string, share: number): string {
  const under = channels(back);
  const parts = channels(front).map((value, index) =>
    Math.round(value * share + (under[index] ?? 0) * (1 - share))
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${parts.join('')}`;
}

const surfaces = ['background', 'panel', 'raised', 'hover', 'pressed', 'selected', 'field'];
const tints = ['accent-tint', 'warning-tint', 'danger-tint', 'success-tint'];

/** What is read: at least 4.5 to 1. */
const texts: readonly (readonly [string, readonly string[]])[] = [
  ['text', [...surfaces, ...tints]],
  ['muted', [...surfaces, ...tints]],
  ['accent', ['background', 'panel', 'raised', 'hover', 'selected', 'field', 'accent-tint']],
  ['warning', ['background', 'panel', 'raised', 'hover', 'warning-tint']],
  ['danger', ['background', 'panel', 'raised', 'hover', 'danger-tint']],
  ['success', ['background', 'panel', 'raised', 'hover', 'success-tint']],
  ['up', ['background', 'panel', 'raised', 'hover']],
  ['down', ['background', 'panel', 'raised', 'hover']],
  ['background', ['text']],
  [
    'on-primary',
    [
      'primary',
      'primary-hover',
      'danger-fill',
      'danger-fill-hover',
      'buy',
      'buy-hover',
      'sell',
      'sell-hover',
    ],
  ],
];

/** What is seen: at least 3 to 1. */
const controls: readonly (readonly [string, readonly string[]])[] = [
  ['control', ['background', 'panel', 'raised', 'field']],
  ['focus', [...surfaces, ...tints]],
  ['primary', ['background', 'panel', 'raised']],
  ['danger', ['field', 'panel']],
];

const themes = ['light', 'dark'] as const;
const palettes = ['classic', 'colour-blind', 'red-up', 'monochrome'];
const dressings = themes.flatMap((theme) => palettes.map((palette) => ({ theme, palette })));

function weakPairs(
  colours: Colours,
  pairs: readonly (readonly [string, readonly string[]])[],
  least: number,
): string[] {
  const colour = (name: string) => {
    const value = colours.get(name);
    if (value === undefined) throw new Error(`tokens.css has no colour named ${name}.`);
    return value;
  };
  return pairs.flatMap(([front, backs]) =>
    backs.flatMap((back) => {
      const found = contrast(colour(front), colour(back));
      return found < least ? [`${front} on ${back}: ${found.toFixed(2)}`] : [];
    }),
  );
}

test.each(dressings)('Everything can be read and seen: $theme, $palette.', ({ theme, palette }) => {
  const colours = coloursOf(theme, palette);
  expect(weakPairs(colours, texts, 4.5)).toEqual([]);
  expect(weakPairs(colours, controls, 3)).toEqual([]);
});

test.each(dressings)(
  'Numbers on depth bars can be read: $theme, $palette.',
  ({ theme, palette }) => {
    const colours = coloursOf(theme, palette);
    for (const name of ['up', 'down']) {
      const [front = '', panel = ''] = [colours.get(name), colours.get('panel')];
      const bar = mix(front, panel, theme === 'dark' ? 0.16 : 0.1);
      for (const text of [front, colours.get('text') ?? ''])
        expect(contrast(text, bar), `${text} on the bar of ${name}`).toBeGreaterThanOrEqual(4.5);
    }
  },
);

test('Each palette changes what rises and falls.', () => {
  for (const palette of palettes.slice(1))
    expect(read(paletteBlock(palette), 'dark').size, palette).toBe(6);
});

test('White initials can be read on every ground.', () => {
  for (let id = 0; id < 12; id += 1)
    expect(contrast('#ffffff', groundOf(id)), groundOf(id)).toBeGreaterThanOrEqual(4.5);
});
