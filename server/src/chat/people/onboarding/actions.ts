// What clients explain to a person once. The server only remembers what was shown, whichever client showed it.
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { badRequest } from '../../http/errors.ts';
import { onboardingChanged, type OnboardingStep } from './events.ts';
import { insertSeen, listSeen } from './store.ts';

/** The notices that clients have, by the names that they know them by. */
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

/** Those that the person has not been shown. */
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
