import { Type } from 'typebox';
import { chatRoute } from '../../http/route.ts';
import { markSeen } from './actions.ts';

export const postOnboardingStep = chatRoute({
  name: 'mark-onboarding-step-as-read',
  method: 'POST',
  path: '/users/me/onboarding_steps',
  allow: 'guest',
  audit: { none: 'own settings' },
  bots: false,
  summary: 'Says that you have been shown something that clients explain once.',
  params: Type.Object({ onboarding_step: Type.String() }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { onboarding_step }) => {
    await markSeen(ctx, actor, onboarding_step);
    return {};
  },
});
