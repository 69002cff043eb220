import { Type, type Static } from 'typebox';

export const Snippet = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String(),
    content: Type.String(),
    date_created: Type.Integer({ description: 'Unix seconds' }),
  },
  { additionalProperties: false },
);
export type Snippet = Static<typeof Snippet>;

export const SnippetAdded = Type.Object(
  { type: Type.Literal('saved_snippets'), op: Type.Literal('add'), saved_snippet: Snippet },
  { additionalProperties: false },
);
export const SnippetUpdated = Type.Object(
  { type: Type.Literal('saved_snippets'), op: Type.Literal('update'), saved_snippet: Snippet },
  { additionalProperties: false },
);
export const SnippetRemoved = Type.Object(
  {
    type: Type.Literal('saved_snippets'),
    op: Type.Literal('remove'),
    saved_snippet_id: Type.Integer(),
  },
  { additionalProperties: false },
);

export const SNIPPET_EVENTS = [SnippetAdded, SnippetUpdated, SnippetRemoved];
export type SnippetEvent =
  Static<typeof SnippetAdded> | Static<typeof SnippetUpdated> | Static<typeof SnippetRemoved>;

export const snippetSaved = <const Op extends 'add' | 'update'>(op: Op, snippet: Snippet) =>
  ({ type: 'saved_snippets', op, saved_snippet: snippet }) as const;
export const snippetRemoved = (id: number) =>
  ({ type: 'saved_snippets', op: 'remove', saved_snippet_id: id }) as const;
