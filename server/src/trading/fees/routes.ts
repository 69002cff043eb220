import { Type } from 'typebox';
import { tradingRoute } from '../http/route.ts';
import { FeeTierRow, toFeeTierRow } from './tier.ts';

export const getFees = tradingRoute({
  name: 'publicFees',
  method: 'GET',
  path: '/public/fees',
  access: 'public',
  summary: 'The fee tiers.',
  params: Type.Object({}),
  returns: Type.Array(FeeTierRow),
  handle: async (ctx) => (await ctx.feeTiers()).map(toFeeTierRow),
});
