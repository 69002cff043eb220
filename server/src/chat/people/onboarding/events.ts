import { Type, type Static } from 'typebox';

const OnboardingStep = Type.Object(
  { type: Type.Literal('one_time_notice'), name: Type.String() },
  { additionalProperties: false },
);
export type OnboardingStep = Static<typeof OnboardingStep>;

export const OnboardingChanged = Type.Object(
  { type: Type.Literal('onboarding_steps'), onboarding_steps: Type.Array(OnboardingStep) },
  { additionalProperties: false },
);
export const onboardingChanged = (steps: readonly OnboardingStep[]) =>
  ({ type: 'onboarding_steps', onboarding_steps: [...steps] }) as const;
