// `npm run docs`: writes the documentation as static files, which work from any host and below any path.
//   npm run docs -- --out FOLDER            (default: `dist/docs`)
//   npm run docs -- --origin https://…      the server that the examples speak of
//   npm run docs -- --base /some/folder/    where the host shows the files (default: `/`)
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { listPages } from '../server/src/docs/pages.ts';
import { readAssets, readPicture } from '../server/src/docs/site/assets.ts';
import { buildSite } from '../server/src/docs/site/build.ts';
import { findRoot, readFrom } from '../server/src/docs/site/files.ts';
import { EXAMPLE_ORIGIN } from '../server/src/docs/site/page.ts';
import { defaultSettings, toldLimits } from '../server/src/docs/site/settings.ts';
import { parseFlags } from './flags.ts';

const { values } = parseFlags({
  options: {
    out: { type: 'string', default: 'dist/docs' },
    origin: { type: 'string', default: EXAMPLE_ORIGIN },
    base: { type: 'string', default: '/' },
  },
});
const pages = listPages({
  ...readFrom(findRoot()),
  settings: defaultSettings(),
  limits: toldLimits,
});
const { files, problems } = buildSite(pages, {
  origin: values.origin.replace(/\/$/, ''),
  base: values.base.endsWith('/') ? values.base : `${values.base}/`,
  isStatic: true,
  version: manifest.version,
  assets: readAssets(),
  picture: readPicture(),
});
const out = resolve(values.out);
for (const [path, { text }] of files) {
  const file = join(out, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
console.log(`${pages.length} pages, ${files.size} files in ${out}`);
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}
