// The colours of the page, as a canvas takes them: read from elements that have them by class, and again whenever the
// theme or the palette changes.
import { useEffect, useState } from 'react';

const NAMES = ['up', 'down', 'text', 'muted', 'line', 'panel', 'accent'] as const;
export type Colours = Readonly<Record<(typeof NAMES)[number], string>>;

const CLASSES: Colours = {
  up: 'text-up',
  down: 'text-down',
  text: 'text-text',
  muted: 'text-muted',
  line: 'text-line',
  panel: 'text-panel',
  accent: 'text-accent',
};

function readColours(): Colours {
  const probe = document.createElement('span');
  probe.hidden = true;
  document.body.append(probe);
  const entries = NAMES.map((name) => {
    probe.className = CLASSES[name];
    return [name, getComputedStyle(probe).color] as const;
  });
  probe.remove();
  return Object.fromEntries(entries) as unknown as Colours;
}

export function useColours(): Colours {
  const [colours, setColours] = useState(readColours);
  useEffect(() => {
    const again = () => setColours(readColours());
    const watch = new MutationObserver(again);
    watch.observe(document.documentElement, {
      attributes: true,
      attributeFilter: ['data-theme', 'data-palette'],
    });
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', again);
    return () => {
      watch.disconnect();
      system.removeEventListener('change', again);
    };
  }, []);
  return colours;
}

/** The same colour, but see-through. Browsers give `rgb(…)` for the colours of the page. */
export const fade = (colour: string, share: number): string =>
  colour.replace(/^rgb\((.*)\)$/u, `rgba($1, ${share})`);
