import { expect, it } from 'vitest';
import { getCustody, PARTS } from './overview-routes.ts';

it('shows nothing that the routes of its parts would keep from the same person', () => {
  const { grant, stepUp } = getCustody;
  for (const part of Object.values(PARTS)) {
    expect({ path: part.path, grant: part.grant, stepUp: part.stepUp }).toEqual({
      path: part.path,
      grant,
      stepUp,
    });
  }
});
