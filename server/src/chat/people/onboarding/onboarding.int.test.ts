// One-time notices over HTTP.
import { expect, it } from 'vitest';
import { verifyEvents } from '../../../testing/verify-events.ts';
import { ok, useMessageWorld, refused } from '../../../testing/chat/world.ts';

const world = useMessageWorld();

it('a one-time notice is shown once, by one of the person’s clients', async () => {
  const { server, ada, bob } = world;
  const mark = (onboarding_step: string) =>
    ada.client.post('/users/me/onboarding_steps', { onboarding_step });
  const [own, other] = await verifyEvents(server, [ada, bob], async () => {
    ok(await mark('intro_resolve_topic'));
    ok(await mark('intro_resolve_topic'));
  });
  expect(own).toHaveLength(1);
  expect(JSON.stringify(own)).not.toContain('intro_resolve_topic');
  expect(JSON.stringify(own)).toContain('intro_inbox_view_modal');
  expect(other).toEqual([]);
  expect(refused(await mark('unknown')).msg).toBe('Unknown onboarding_step: unknown');
});
