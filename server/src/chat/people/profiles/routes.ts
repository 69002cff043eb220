// Routes for custom profile fields and for the values that people give them.
import { Type } from 'typebox';
import { chatRoute } from '../../http/route.ts';
import { listFields } from './access.ts';
import {
  changeField,
  changeOwnProfile,
  clearOwnProfile,
  createField,
  removeField,
  reorderFields,
} from './actions.ts';
import { fieldObject, FieldObject } from './events.ts';
import { ProfileDatum } from './params.ts';
import { HINT_MAX, NAME_MAX } from './rules.ts';

const DATA_MAX = 100;

const about = {
  name: Type.Optional(Type.String({ maxLength: NAME_MAX })),
  hint: Type.Optional(Type.String({ maxLength: HINT_MAX })),
  field_data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  display_in_profile_summary: Type.Optional(Type.Boolean()),
  required: Type.Optional(Type.Boolean()),
  editable_by_user: Type.Optional(Type.Boolean()),
  use_for_user_matching: Type.Optional(Type.Boolean()),
};

export const getProfileFields = chatRoute({
  name: 'get-profile-fields',
  method: 'GET',
  path: '/realm/profile_fields',
  allow: 'guest',
  grows: 'organization',
  summary: 'What people can say of themselves.',
  params: Type.Object({}),
  returns: Type.Object({ custom_fields: Type.Array(FieldObject) }),
  handle: async (ctx) => ({ custom_fields: (await listFields(ctx.db)).map(fieldObject) }),
});

export const postProfileField = chatRoute({
  name: 'create-profile-field',
  method: 'POST',
  path: '/realm/profile_fields',
  allow: 'administrator',
  audit: ['profile_field create'],
  summary: 'Makes a custom profile field.',
  params: Type.Object({ field_type: Type.Integer(), ...about }),
  returns: Type.Object({ id: Type.Integer() }),
  handle: async (ctx, _actor, given) => ({
    id: await createField(ctx, {
      type: given.field_type,
      name: given.name,
      hint: given.hint,
      fieldData: given.field_data ?? {},
      displayInProfileSummary: given.display_in_profile_summary ?? false,
      isRequired: given.required ?? false,
      editableByUser: given.editable_by_user ?? true,
      useForUserMatching: given.use_for_user_matching ?? false,
    }),
  }),
});

export const patchProfileFieldOrder = chatRoute({
  name: 'reorder-profile-fields',
  method: 'PATCH',
  path: '/realm/profile_fields',
  allow: 'administrator',
  audit: ['profile_field order'],
  summary: 'Puts the custom profile fields in order.',
  params: Type.Object({ order: Type.Array(Type.Integer(), { maxItems: DATA_MAX }) }),
  returns: Type.Object({}),
  handle: async (ctx, _actor, { order }) => {
    await reorderFields(ctx, order);
    return {};
  },
});

export const patchProfileField = chatRoute({
  name: 'update-profile-field',
  method: 'PATCH',
  path: '/realm/profile_fields/{field_id:int}',
  allow: 'administrator',
  audit: ['profile_field change'],
  summary: 'Changes a custom profile field.',
  params: Type.Object(about),
  returns: Type.Object({}),
  handle: async (ctx, _actor, { field_id, ...given }) => {
    await changeField(ctx, field_id, {
      name: given.name,
      hint: given.hint,
      fieldData: given.field_data,
      displayInProfileSummary: given.display_in_profile_summary,
      isRequired: given.required,
      editableByUser: given.editable_by_user,
      useForUserMatching: given.use_for_user_matching,
    });
    return {};
  },
});

export const deleteProfileField = chatRoute({
  name: 'delete-profile-field',
  method: 'DELETE',
  path: '/realm/profile_fields/{field_id:int}',
  allow: 'administrator',
  audit: ['profile_field remove'],
  summary: 'Removes a custom profile field, with what people wrote into it.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, _actor, { field_id }) => {
    await removeField(ctx, field_id);
    return {};
  },
});

export const patchOwnProfile = chatRoute({
  name: 'update-profile-data',
  method: 'PATCH',
  path: '/users/me/profile_data',
  allow: 'guest',
  audit: { none: 'own content' },
  bots: false,
  summary: 'Writes into your custom profile fields.',
  params: Type.Object({ data: Type.Array(ProfileDatum, { maxItems: DATA_MAX }) }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { data }) => {
    await changeOwnProfile(ctx, actor, data);
    return {};
  },
});

export const deleteOwnProfile = chatRoute({
  name: 'remove-profile-data',
  method: 'DELETE',
  path: '/users/me/profile_data',
  allow: 'guest',
  audit: { none: 'own content' },
  bots: false,
  summary: 'Empties your custom profile fields.',
  params: Type.Object({ data: Type.Array(Type.Integer(), { maxItems: DATA_MAX }) }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { data }) => {
    await clearOwnProfile(ctx, actor, data);
    return {};
  },
});
