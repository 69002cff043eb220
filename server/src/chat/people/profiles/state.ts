// Profile fields in a client's initial state, and how that state follows from it with the events. What people have filled
// in stands with the people.
import type { Static } from 'typebox';
import type { RegisterPart } from '../../register-part.ts';
import { fieldObject, FieldsChanged } from './events.ts';
import { FIELD_TYPES } from './field.ts';
import { listFields } from './store.ts';

export const profilesPart = {
  load: {
    custom_profile_fields: async ({ db }) => ({
      custom_profile_fields: (await listFields(db)).map(fieldObject),
      custom_profile_field_types: FIELD_TYPES,
    }),
  },
  events: [FieldsChanged],
  applyInTests: {
    custom_profile_fields: (_state: unknown, { fields }: Static<typeof FieldsChanged>) => ({
      custom_profile_fields: fields,
    }),
  },
} satisfies RegisterPart;
