import { Type } from 'typebox';

export const roleParam = Type.Union(
  [Type.Literal(100), Type.Literal(200), Type.Literal(300), Type.Literal(400), Type.Literal(600)],
  { description: '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest' },
);
