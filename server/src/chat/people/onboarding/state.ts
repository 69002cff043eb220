// Onboarding in a client's initial state, and how that state follows from it with the events.
import type { Static } from 'typebox';
import type { RegisterPart } from '../../register-part.ts';
import { listSteps } from './actions.ts';
import { OnboardingChanged } from './events.ts';

export const onboardingPart = {
  load: {
    onboarding_steps: async ({ db, user }) => ({
      onboarding_steps: await listSteps(db, user.id),
      navigation_tour_video_url: null,
    }),
  },
  events: [OnboardingChanged],
  applyInTests: {
    onboarding_steps: (
      _state: unknown,
      { onboarding_steps }: Static<typeof OnboardingChanged>,
    ) => ({ onboarding_steps }),
  },
} satisfies RegisterPart;
