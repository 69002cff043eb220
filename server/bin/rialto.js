#!/usr/bin/env node
// Plain JavaScript on purpose: an old Node must be able to read far enough to say what is wrong.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major !== 24 || minor < 12) {
  console.error(
    `Rialto needs Node 24.12 or a later 24, but this is ${process.versions.node}. ` +
      'On Linux start it as `npx rialto`, which brings its own Node; elsewhere install Node 24.',
  );
  process.exit(1);
}
// What was compiled once is not compiled at every start: an engine that replaces another is waited for. Beside
// the code and not in a folder that others can write to; where it cannot be written, nothing is lost but time.
const { enableCompileCache, flushCompileCache } = await import('node:module');
const { fileURLToPath } = await import('node:url');
enableCompileCache(
  process.env['NODE_COMPILE_CACHE'] ??
    fileURLToPath(new URL('../node_modules/.cache/rialto', import.meta.url)),
);
// The signer is a program of its own, which holds the seed: nothing of the server is loaded beside it.
await (process.argv[2] === 'signer' ? import('@rialto/signer/main') : import('../src/main.ts'));
flushCompileCache();
