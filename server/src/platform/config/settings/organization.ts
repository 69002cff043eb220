// Settings of the organization that its own administrators cannot change.
import { Type } from 'typebox';

export const ORGANIZATION = {
  ORGANIZATION_NAME: Type.String({
    minLength: 1,
    maxLength: 40,
    default: 'Rialto',
    description: 'Name of the organization, shown to chat clients.',
  }),
  WEB_PUBLIC_STREAMS_ENABLED: Type.String({
    pattern: '^(true|false)$',
    form: 'true or false',
    default: 'false',
    description:
      'Whether channels may be opened to everybody on the web, if the organization agrees.',
  }),
};

export const CONTENT = {
  EXTERNAL_CONTENT: Type.Union(
    [Type.Literal('proxied'), Type.Literal('direct'), Type.Literal('hidden')],
    {
      default: 'proxied',
      description:
        'How pictures, sound and video of other servers are shown in messages: fetched by us, so that those servers do not learn who reads (proxied), fetched by each reader directly (direct), or as links only (hidden). Applies to messages written from then on.',
    },
  ),
  TERMS_URL: Type.String({
    pattern: '^https?://[^\\s"<>]+$|^$',
    form: 'a URL that begins with http:// or https://',
    example: 'https://example.com/terms',
    default: '',
    description:
      'The address of the terms that new people have to accept. Empty: they are not asked.',
  }),
};
