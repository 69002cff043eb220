// Who may import whom. Each rule is named as a sentence, so that a failing check explains itself.
// `npm run check` runs these rules, and fails as well when they were applied to no file at all.

const { AGAINST_THE_ORDER, FEATURES, SHARED_STORES } = require('./scripts/wings.ts');

// Tests, and what they share within one feature.
const TEST = String.raw`(\.(test|e2e)|/test-[a-z-]+)\.ts$`;
const SRC = '^server/src';
const CHAT = `${SRC}/chat`;

const literally = (path) => path.replaceAll('.', '\\.');
const anyOf = (paths) => `(${paths.map(literally).join('|')})`;

// One rule for each feature, and one for each file that is excepted, with the exception left out of what it forbids.
const FEATURES_FORM_A_TREE = FEATURES.flatMap((feature, place) => {
  const above = FEATURES.slice(place + 1);
  if (above.length === 0) return [];
  const exceptions = AGAINST_THE_ORDER.filter(({ from }) => from.startsWith(`${feature}/`));
  const rule = (from, to) => ({
    name: 'features-form-a-tree',
    comment:
      'A feature imports only what stands below it in the plan of the chat (scripts/wings.ts). Move the file to ' +
      'where it belongs, or split it. If neither is right, add the import to AGAINST_THE_ORDER with its reason.',
    severity: 'error',
    from,
    to: { path: `${CHAT}/${anyOf(above)}/`, ...to },
  });
  return [
    rule(
      {
        path: `${CHAT}/${literally(feature)}/`,
        pathNot: [TEST, ...exceptions.map(({ from }) => `${CHAT}/${literally(from)}$`)],
      },
      {},
    ),
    ...exceptions.map(({ from, to }) =>
      rule({ path: `${CHAT}/${literally(from)}$` }, { pathNot: `${CHAT}/${literally(to)}$` }),
    ),
  ];
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Two files that need each other are one file, or lack a third. Types count too.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'matching-is-pure',
      comment: 'Nothing outside its own src, not even a built-in module of Node.',
      severity: 'error',
      from: { path: '^packages/matching/src/', pathNot: TEST },
      to: { pathNot: '^packages/matching/src/' },
    },
    {
      name: 'web-uses-what-everybody-may',
      comment:
        'The web client does what a bot can do: it takes the SDK, the check of the reserves and the libraries of a browser, nothing of the server.',
      severity: 'error',
      from: { path: '^web/src/', pathNot: String.raw`\.test\.tsx?$` },
      to: {
        path: [
          '^(server|scripts|e2e)/',
          '^packages/(?!(sdk/src/index|chains/src/reserves-file)\\.ts$)',
          '^@rialto/(?!(sdk|chains/reserves)$)',
        ],
      },
    },
    {
      name: 'public-log-stands-alone',
      comment:
        'A stranger checks the venue with it: the core and the hashing of Node, and nothing else.',
      severity: 'error',
      from: { path: '^packages/public-log/src/', pathNot: TEST },
      to: {
        pathNot: ['^packages/public-log/src/', '^@rialto/matching$', '^(node:)?crypto$'],
      },
    },
    {
      name: 'chains-stand-alone',
      comment:
        'The server and the signer derive addresses with it: libraries of keys and curves, and nothing of ours.',
      severity: 'error',
      from: { path: '^packages/chains/src/', pathNot: TEST },
      to: {
        pathNot: ['^packages/chains/src/', '(^|node_modules/)@(noble|scure)/'],
      },
    },
    {
      name: 'the-signer-stands-alone',
      comment:
        'It holds the seed: the chains, and libraries for keys, schemas and the command line. Nothing of the server runs beside it.',
      severity: 'error',
      from: { path: '^packages/signer/src/', pathNot: TEST },
      to: {
        pathNot: [
          '^packages/signer/src/',
          '^@rialto/chains$',
          '^packages/chains/src/index\\.ts$',
          '(^|node_modules/)(@scure/(bip39|btc-signer)|typebox|commander)(/|$)',
          '^(node:)?(crypto|fs|fs/promises|net|path|tls)$',
        ],
      },
    },
    {
      name: 'nobody-imports-the-signer',
      comment: 'The server and the signer share a socket and a protocol, no code.',
      severity: 'error',
      from: { pathNot: ['^packages/signer/', '^server/bin/rialto\\.js$'] },
      to: { path: ['^packages/signer/', '^@rialto/signer'] },
    },
    {
      name: 'sdk-stands-alone',
      comment:
        'The SDK runs in Node and in browsers, in programs of others: it imports only itself.',
      severity: 'error',
      from: { path: '^packages/sdk/src/', pathNot: TEST },
      to: { pathNot: '^packages/sdk/src/' },
    },
    {
      name: 'the-ccxt-adapter-stands-alone',
      comment: 'It runs in bots of others: itself, ccxt, and the signing of Node.',
      severity: 'error',
      from: { path: '^packages/ccxt-adapter/src/', pathNot: TEST },
      to: {
        pathNot: ['^packages/ccxt-adapter/src/', '(^|node_modules/)ccxt(/|$)', '^(node:)?crypto$'],
      },
    },
    {
      name: 'platform-knows-no-product',
      comment: 'The platform serves chat and trading alike: it imports only itself.',
      severity: 'error',
      from: { path: `${SRC}/platform/`, pathNot: TEST },
      to: { path: `${SRC}/`, pathNot: `${SRC}/platform/` },
    },
    {
      name: 'accounts-looks-down',
      comment: 'Who somebody is does not depend on what they do here.',
      severity: 'error',
      from: { path: `${SRC}/accounts/`, pathNot: TEST },
      to: { path: `${SRC}/`, pathNot: `${SRC}/(accounts|platform)/` },
    },
    {
      name: 'chat-and-trading-are-strangers',
      comment: 'They share the users and the event log, and nothing else.',
      severity: 'error',
      from: { path: `${SRC}/(chat|trading)/` },
      to: { path: `${SRC}/(chat|trading)/`, pathNot: `${SRC}/$1/` },
    },
    {
      name: 'products-do-not-know-who-runs-them',
      comment: 'Roles start the products; a product that imports a role cannot be moved.',
      severity: 'error',
      from: { path: `${SRC}/(chat|trading|web|docs|bridges)/`, pathNot: TEST },
      to: { path: `${SRC}/(roles|ops|main|testing)` },
    },
    {
      name: 'bridges-look-down',
      comment:
        'A bridge knows both products, and no pages. The products offer what it needs; they do not know it.',
      severity: 'error',
      from: { path: `${SRC}/bridges/`, pathNot: TEST },
      to: { path: `${SRC}/`, pathNot: `${SRC}/(bridges|chat|trading|accounts|platform)/` },
    },
    {
      name: 'only-roles-build-bridges',
      comment:
        'A role builds a bridge and passes it in, as an interface of the platform. An importer would know both products.',
      severity: 'error',
      from: { path: `${SRC}/`, pathNot: [TEST, `${SRC}/(bridges|roles|testing)/`] },
      to: { path: `${SRC}/bridges/` },
    },
    {
      name: 'nobody-needs-the-documentation',
      comment:
        'The documentation tells about everything and serves nobody: only roles, which mount it, and scripts, which ' +
        'write it, import it. It stands beside the pages of web.',
      severity: 'error',
      from: { path: `${SRC}/`, pathNot: [TEST, `${SRC}/(docs|roles)/`] },
      to: { path: `${SRC}/docs/` },
    },
    {
      name: 'documentation-needs-no-pages',
      comment:
        'The pages of web are not the documentation. Both look alike because they read the same style.',
      severity: 'error',
      from: { path: `${SRC}/docs/`, pathNot: TEST },
      to: { path: `${SRC}/web/` },
    },
    ...FEATURES_FORM_A_TREE,
    {
      name: 'the-lists-of-the-chat-look-down',
      comment:
        'Facts at the root of the chat serve every wing; routes.ts and mount.ts alone see all of them.',
      severity: 'error',
      from: { path: `${CHAT}/(?!routes|mount)[^/]+\\.ts$`, pathNot: TEST },
      to: { path: `${CHAT}/[^/]+/` },
    },
    {
      name: 'a-store-is-private',
      comment:
        "A feature's store.ts is used from its own folder only; others go through access or actions. " +
        "Its types are everybody's. SHARED_STORES in scripts/wings.ts lists those that a noun shares " +
        "between its features. Operators' commands, which have no caller to authorise, may use the stores of " +
        'accounts.',
      severity: 'error',
      from: { path: `${SRC}/(.+)/[^/]+$`, pathNot: [TEST, `${SRC}/testing/`, `${SRC}/ops/`] },
      to: {
        path: `${SRC}/(accounts|chat|trading)/.+/store\\.ts$`,
        pathNot: [
          `${SRC}/$1/[^/]+$`,
          ...SHARED_STORES.map(({ store }) => `${CHAT}/${literally(store)}/store\\.ts$`),
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    ...SHARED_STORES.map(({ store, with: others, because }) => ({
      name: 'a-store-is-private',
      comment: because,
      severity: 'error',
      from: { path: `${SRC}/`, pathNot: [TEST, `${CHAT}/${anyOf([store, ...others])}/`] },
      to: {
        path: `${CHAT}/${literally(store)}/store\\.ts$`,
        dependencyTypesNot: ['type-only'],
      },
    })),
    {
      name: 'operators-use-only-the-stores-of-accounts',
      comment: 'What trading and chat keep is changed by their actions, for operators too.',
      severity: 'error',
      from: { path: `${SRC}/ops/`, pathNot: TEST },
      to: { path: `${SRC}/(chat|trading)/.+/store\\.ts$` },
    },
    {
      name: 'routes-are-leaves',
      comment:
        "Only the area's list imports a feature's routes.ts. Operations of streams are routes of the list.",
      severity: 'error',
      from: {
        pathNot: [
          TEST,
          `${SRC}/(chat|trading)/(routes|mount)\\.ts$`,
          `${SRC}/trading/streams/order-operations\\.ts$`,
          '^scripts/',
        ],
      },
      to: { path: `${SRC}/.+/routes\\.ts$` },
    },
    {
      name: 'stores-touch-only-the-database',
      comment:
        'A store turns rows into objects: it knows the database, the shapes of its own feature and ' +
        'those at the root of its area. Decisions, events and HTTP live elsewhere.',
      severity: 'error',
      from: { path: `${SRC}/(accounts|chat|trading)/(.+)/store\\.ts$` },
      to: {
        path: `${SRC}/`,
        pathNot: [
          `${SRC}/platform/(db|std)/`,
          `${SRC}/($1|accounts)/(?!routes|mount|context)[^/]+$`,
          `${SRC}/$1/$2/(?!routes|actions|access|jobs)[^/]+$`,
        ],
      },
    },
    {
      name: 'tests-help-only-tests',
      comment: 'What testing/ offers must not end up in the server.',
      severity: 'error',
      from: { path: `${SRC}/`, pathNot: [TEST, `${SRC}/testing/`] },
      to: { path: `${SRC}/testing/` },
    },
    {
      name: 'only-end-to-end-tests-import-end-to-end-tests',
      comment:
        'e2e/ may use scripts/ and the server, and neither of them uses e2e/. What both need is in ' +
        'server/src/testing/.',
      severity: 'error',
      from: { pathNot: '^e2e/' },
      to: { path: '^e2e/' },
    },
    {
      name: 'what-features-share-in-tests-is-in-testing',
      comment:
        'A test-….ts helps the tests of its own folder. What a second feature needs moves to testing/.',
      severity: 'error',
      from: { path: `${SRC}/(.+)/[^/]+$` },
      to: { path: `${SRC}/.+/test-[^/]+(/|\\.ts$)`, pathNot: `${SRC}/$1/` },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['schema\\.generated\\.ts$', '^packages/(sdk|ccxt-adapter)/dist/'] },
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json'],
      conditionNames: ['import', 'node'],
    },
  },
};
