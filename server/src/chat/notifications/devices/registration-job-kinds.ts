// The jobs that register devices with the relay, apart from their work (registration.ts), for the code that queues
// them.
import { Type, type Static } from 'typebox';
import type { JobKind } from '../../../platform/jobs/kind.ts';

export const DeviceToRegister = Type.Object({
  deviceId: Type.Integer(),
  registration: Type.Integer(),
  relayPublicKey: Type.String(),
  sealedRegistration: Type.String(),
});

export const REGISTER_DEVICE: JobKind<Static<typeof DeviceToRegister>> = {
  name: 'register-push-device',
  input: DeviceToRegister,
  attemptsMax: 25,
};

export const TokenToRegister = Type.Object({
  userId: Type.Integer(),
  kind: Type.Union([Type.Literal('apns'), Type.Literal('fcm')]),
  token: Type.String(),
  appId: Type.String(),
});

export const REGISTER_TOKEN: JobKind<Static<typeof TokenToRegister>> = {
  name: 'register-push-token',
  input: TokenToRegister,
  attemptsMax: 10,
};
