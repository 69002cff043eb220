// `npm run build -w @rialto/ccxt-adapter`: writes dist/, a folder that `npm publish` takes as it is.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPackage } from '../../../scripts/publish/build.ts';

const HOME = fileURLToPath(new URL('..', import.meta.url));
const COMPILER = fileURLToPath(
  new URL('../../../node_modules/typescript/bin/tsc', import.meta.url),
);

export function buildAdapter(folder: string): void {
  buildPackage({ home: HOME, compiler: COMPILER }, folder);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = join(HOME, 'dist');
  buildAdapter(folder);
  console.log(`${folder} is ready: npm publish ${folder}`);
}
