// How much script a view of the web client brings, by the manifest of its build.
import { PAGE_SOURCES, type Manifest } from '../../server/src/web/client/build.ts';
import { sourcesOf } from '../../server/src/web/client/views.ts';

export interface Budget {
  readonly view: string;
  /** Which chunks the view begins with besides the page's own, by their source. All that they import counts too. */
  readonly begins: readonly string[];
  /** In bytes, compressed by brotli. A kilobyte has a thousand. */
  readonly bytesMax: number;
}

/** In bytes. Both languages are in the same scripts, so there is one budget for both. */
const FIRST_LOAD_MAX = 200_000;

const firstLoad = (view: string, address: string, bytesMax = FIRST_LOAD_MAX): Budget => ({
  view,
  begins: sourcesOf(address),
  bytesMax,
});

/**
 * What a first visit to a view fetches before it can be used. Menus, dialogs, pickers and uploads come when the page has
 * nothing else to do, or somebody asks for them.
 */
export const BUDGETS: readonly Budget[] = [
  firstLoad('conversation', '/feed'),
  firstLoad('inbox', '/inbox'),
  firstLoad('list of recent conversations', '/recent'),
  firstLoad('trade view with its chart, form and account', '/trade/btcusdt', 260_000),
];

/** The scripts of the view, each once. */
export function scriptsOf(manifest: Manifest, { view, begins }: Budget): readonly string[] {
  const names = new Set<string>([...PAGE_SOURCES, ...begins]);
  // A view that was renamed would seem to cost nothing.
  if (begins.length === 0 || [...names].some((name) => manifest[name] === undefined))
    throw new Error(`The build has no file for the ${view}: see budget.ts.`);
  // A set is walked in the order of insertion, also over what is added on the way.
  for (const name of names) {
    for (const imported of manifest[name]?.imports ?? []) names.add(imported);
  }
  const files = [...names].flatMap((name) => manifest[name]?.file ?? []);
  return [...new Set(files)].filter((file) => file.endsWith('.js'));
}

export interface Spent {
  readonly view: string;
  readonly bytes: number;
  readonly bytesMax: number;
  readonly scripts: readonly { readonly file: string; readonly bytes: number }[];
}

/** `sizeOf` gives the bytes of a script as it is sent. */
export function spend(manifest: Manifest, budget: Budget, sizeOf: (file: string) => number): Spent {
  const scripts = scriptsOf(manifest, budget).map((file) => ({ file, bytes: sizeOf(file) }));
  const bytes = scripts.reduce((sum, script) => sum + script.bytes, 0);
  return { view: budget.view, bytes, bytesMax: budget.bytesMax, scripts };
}

export const describeSpent = ({ view, bytes, bytesMax, scripts }: Spent): string => {
  const kB = (count: number) => `${(count / 1000).toFixed(1)} kB`;
  const over = bytes > bytesMax ? `, ${kB(bytes - bytesMax)} too much` : '';
  const lines = scripts
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ file, bytes: size }) => `  ${kB(size).padStart(9)}  ${file}`);
  return [`The ${view} brings ${kB(bytes)} of script, of ${kB(bytesMax)}${over}:`, ...lines].join(
    '\n',
  );
};
