// Which files of the build a view begins with, so that browsers fetch them while they still read the page's own script.

/** Sources by the address of the view. A fragment never reaches the server: at `/` the inbox is the likeliest. */
const BEGINS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^\/(?:inbox)?$/, ['src/chat/inbox/inbox.tsx']],
  [/^\/recent$/, ['src/chat/recent/recent.tsx']],
  [/^\/(?:feed|mentions|starred)$/, ['src/chat/conversation/conversation.tsx']],
  [
    /^\/trade(?:\/|$)/,
    [
      'src/app/trade-view.tsx',
      'src/trade/form/form.tsx',
      'src/trade/account/panel.tsx',
      'src/trade/chart/chart.tsx',
    ],
  ],
];

/** Empty for views that begin with nothing of their own, or are seldom opened first. */
export const sourcesOf = (pathname: string): readonly string[] =>
  BEGINS.find(([path]) => path.test(pathname))?.[1] ?? [];
