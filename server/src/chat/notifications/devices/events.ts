import { Type, type Static } from 'typebox';

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

export const DeviceInfo = Type.Object(
  {
    push_key_id: orNull(Type.Integer()),
    push_token_id: orNull(Type.String()),
    pending_push_token_id: orNull(Type.String()),
    push_token_last_updated_timestamp: orNull(Type.Integer({ description: 'Unix seconds' })),
    push_registration_error_code: orNull(Type.String()),
  },
  { additionalProperties: false },
);
export type DeviceInfo = Static<typeof DeviceInfo>;

const PushStatus = Type.Union(
  ['active', 'pending', 'failed'].map((status) => Type.Literal(status)),
);

/** A device of the older API. */
export const PushDeviceInfo = Type.Object(
  { status: PushStatus, error_code: orNull(Type.String()) },
  { additionalProperties: false },
);
export type PushDeviceInfo = {
  readonly status: 'active' | 'pending' | 'failed';
  readonly error_code: string | null;
};

export const PushDeviceChanged = Type.Object(
  {
    type: Type.Literal('push_device'),
    push_account_id: Type.String({ description: 'A number, as text.' }),
    status: PushStatus,
    error_code: Type.Optional(Type.String({ description: 'Only of a registration that failed.' })),
  },
  { additionalProperties: false },
);

export const DeviceAdded = Type.Object(
  { type: Type.Literal('device'), op: Type.Literal('add'), device_id: Type.Integer() },
  { additionalProperties: false },
);
export const DeviceRemoved = Type.Object(
  { type: Type.Literal('device'), op: Type.Literal('remove'), device_id: Type.Integer() },
  { additionalProperties: false },
);
export const DeviceUpdated = Type.Object(
  {
    type: Type.Literal('device'),
    op: Type.Literal('update'),
    device_id: Type.Integer(),
    ...DeviceInfo.properties,
  },
  { additionalProperties: false },
);

export const DEVICE_EVENTS = [PushDeviceChanged, DeviceAdded, DeviceRemoved, DeviceUpdated];
export type DeviceEvent =
  Static<typeof DeviceAdded> | Static<typeof DeviceRemoved> | Static<typeof DeviceUpdated>;
export type PushDeviceEvent = Static<typeof PushDeviceChanged>;

export const deviceAdded = (id: number) => ({ type: 'device', op: 'add', device_id: id }) as const;
export const deviceRemoved = (id: number) =>
  ({ type: 'device', op: 'remove', device_id: id }) as const;
export const deviceUpdated = (id: number, info: DeviceInfo) =>
  ({ type: 'device', op: 'update', device_id: id, ...info }) as const;

export const pushDeviceChanged = (accountId: number, { status, error_code }: PushDeviceInfo) =>
  ({
    type: 'push_device',
    push_account_id: String(accountId),
    status,
    ...(error_code !== null && { error_code }),
  }) as const;
