// A server with one more route: a signed write that inserts a row each time it acts. The replay
// test starts it as its own process, so that it can be killed.
import { Type } from 'typebox';
import { loadConfig } from '../server/src/platform/config/load.ts';
import { startProcess } from '../server/src/roles/start.ts';
import { tradingRoute } from '../server/src/trading/http/route.ts';

const act = tradingRoute({
  name: 'testAct',
  method: 'POST',
  path: '/private/test/act',
  access: 'trade',
  audit: { none: 'own orders' },
  summary: 'Acts, after a moment.',
  params: Type.Object({ what: Type.String() }),
  returns: Type.String(),
  async handle(ctx, _caller, { what }) {
    await ctx.database.pool.query('INSERT INTO acts (what) SELECT $1 FROM pg_sleep(0.05)', [what]);
    return 'done';
  },
});

await startProcess(loadConfig(process.env), {
  onFatal: () => process.exit(1),
  tradingRoutes: [act],
});
