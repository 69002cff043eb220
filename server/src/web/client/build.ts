// What Vite has built of the client: which files the page needs, by the manifest of the build.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the files are served. */
export const ASSETS = '/web/assets/';

/** What the page of every view begins with: the first asks the server, the second draws. */
export const PAGE_SOURCES = ['src/main.ts', 'src/app/draw.tsx'] as const;

/** Addresses of the files that the page begins with. */
export interface PageFiles {
  readonly script: string;
  /** What the script imports, so that browsers need not read it first. */
  readonly imports: readonly string[];
  readonly styles: readonly string[];
}

export interface ClientBuild {
  readonly page: PageFiles;
  /** Scripts that these sources need beyond the page's own. */
  viewScripts(sources: readonly string[]): readonly string[];
  /** The font of Persian letters, if there is one. */
  readonly persianFont: string | undefined;
}

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
}
export type Manifest = Readonly<Record<string, Chunk>>;

/** Undefined if what the page begins with is missing. */
export function readManifest(manifest: Manifest): ClientBuild | undefined {
  const [script, frame] = PAGE_SOURCES.map((source) => filesOf(manifest, source));
  if (script === undefined || frame === undefined) return undefined;
  const page = {
    script: script.script,
    imports: [...new Set([...script.imports, frame.script, ...frame.imports])].filter(
      (one) => one !== script.script,
    ),
    styles: [...new Set([...script.styles, ...frame.styles])],
  };
  const files = Object.values(manifest).flatMap(({ file, assets = [] }) => [file, ...assets]);
  const font = files.find((file) => /vazirmatn-arabic[^/]*\.woff2$/.test(file));
  const own = new Set([page.script, ...page.imports]);
  return {
    page,
    viewScripts(sources) {
      const scripts = sources.flatMap((source) => {
        const view = filesOf(manifest, source);
        return view === undefined ? [] : [view.script, ...view.imports];
      });
      return [...new Set(scripts)].filter((script) => !own.has(script));
    },
    persianFont: font && addressOf(font),
  };
}

function filesOf(manifest: Manifest, name: string): PageFiles | undefined {
  const entry = manifest[name];
  if (entry === undefined) return undefined;
  const chunks = new Set<Chunk>([entry]);
  // A set is walked in the order of insertion, also over what is added on the way.
  for (const { imports = [] } of chunks) {
    for (const one of imports) {
      const chunk = manifest[one];
      if (chunk !== undefined) chunks.add(chunk);
    }
  }
  const [, ...imported] = chunks;
  return {
    script: addressOf(entry.file),
    imports: imported.map(({ file }) => addressOf(file)),
    styles: [...new Set([...chunks].flatMap(({ css = [] }) => css))].map(addressOf),
  };
}

const addressOf = (file: string): string => `/web/${file}`;

/** How long the build on the disk counts as known. A developer builds while the server runs. */
const FRESH_MS = 1000;

/** Reads the build in `folder` when it is asked for, and again when it has changed; undefined while there is none. */
export function watchBuild(
  folder: string | undefined,
  nowMs: () => number,
): () => Promise<ClientBuild | undefined> {
  let known: Promise<ClientBuild | undefined> = Promise.resolve(undefined);
  let lookedMs = -Infinity;
  let builtMs = 0;

  async function look(path: string): Promise<ClientBuild | undefined> {
    const before = await known;
    try {
      const { mtimeMs } = await stat(path);
      if (before !== undefined && mtimeMs === builtMs) return before;
      const build = readManifest(JSON.parse(await readFile(path, 'utf8')) as Manifest);
      builtMs = mtimeMs;
      return build;
    } catch {
      // Not built, or in the middle of a build: what was there still is, since old files stay.
      return before;
    }
  }

  return () => {
    if (folder === undefined) return Promise.resolve(undefined);
    if (nowMs() - lookedMs > FRESH_MS) {
      lookedMs = nowMs();
      known = look(join(folder, '.vite/manifest.json'));
    }
    return known;
  };
}
