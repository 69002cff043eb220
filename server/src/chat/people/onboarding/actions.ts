// One-time notices that clients show to new people. The server only remembers which ones were shown, by any client.
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { badRequest } from '../../http/errors.ts';
import { onboardingChanged, type OnboardingStep } from './events.ts';
import { insertSeen, listSeen } from './store.ts';

/** The names that clients have for these notices. */
const STEPS = [
  'visibility_policy_banner',
  'intro_inbox_view_modal',
  'intro_recent_view_modal',
  'first_stream_created_banner',
  'jump_to_conversation_banner',
  'non_interleaved_view_messages_fading',
  'interleaved_view_messages_fading',
  'intro_resolve_topic',
  'navigation_tour_video',
];

/** The notices that the person has not seen yet. */
export async function listSteps(db: Db, userId: number): Promise<OnboardingStep[]> {
  const seen = await listSeen(db, userId);
  return STEPS.filter((name) => !seen.has(name)).map((name) => ({ type: 'one_time_notice', name }));
}

export async function markSeen(ctx: Context, actor: User, step: string): Promise<void> {
  if (!STEPS.includes(step)) throw badRequest(`Unknown onboarding_step: ${step.slice(0, 100)}`);
  await ctx.inTransaction(async (tx) => {
    if (!(await insertSeen(tx, actor.id, step))) return;
    tx.emit(onboardingChanged(await listSteps(tx, actor.id)), { users: [actor.id] });
  });
}
