// `npm run build -w @rialto/sdk`: writes dist/, a folder that `npm publish` takes as it is.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPackage } from '../../../scripts/publish/build.ts';

const HOME = fileURLToPath(new URL('..', import.meta.url));

export function buildSdk(folder: string): void {
  // The compiler of this workspace, which is not the one of the repository.
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  // `using` is newer than the library that most programs are compiled with.
  buildPackage({ home: HOME, compiler, library: 'esnext.disposable' }, folder);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = join(HOME, 'dist');
  buildSdk(folder);
  console.log(`${folder} is ready: npm publish ${folder}`);
}
