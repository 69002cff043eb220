#!/usr/bin/env node
// Plain JavaScript on purpose: an old Node must be able to read far enough to say what is wrong.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major !== 24 || minor < 12) {
  console.error(
    `Rialto needs Node 24.12 or a later 24, but this is ${process.versions.node}. ` +
      'Inside the repository use `npx rialto`, which brings its own Node.',
  );
  process.exit(1);
}
await import('../src/main.ts');
