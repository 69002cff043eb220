// Renders Markdown to HTML: a pure function of the text and of what its names mean.
import { EMPTY_ENV, type Rendered, type RenderEnv } from './env.ts';
import { plainHtml } from './html.ts';
import { MAX_HTML, MAX_UNITS } from './limits.ts';
import { writeOutput } from './output.ts';
import { createParser } from './parser.ts';
import { hasTooManyPreviews } from './previews.ts';
import { findUnsafe } from './sanitize.ts';
import { Work } from './work.ts';

const parser = createParser();

/** Whether the author writes about themself in the third person. */
export const isMeMessage = (content: string): boolean => content.startsWith('/me ');

/** Never throws: a text that cannot be rendered is shown as it was written. */
export function render(content: string, env: RenderEnv = EMPTY_ENV): Rendered {
  if (content.length > MAX_UNITS) return renderPlain(content);
  try {
    return renderOnce(content, env) ?? renderPlain(content);
  } catch {
    return renderPlain(content);
  }
}

/** The text as it was written, escaped, without mentions. */
export const renderPlain = (content: string): Rendered => ({
  html: plainHtml(cut(content.toWellFormed())),
  text: content,
  mentions: { userIds: [], groupIds: [], hasChannelWildcard: false, hasTopicWildcard: false },
  links: [],
  uploadPaths: [],
  previewUrls: [],
  hasLink: false,
  hasImage: false,
  hasAttachment: false,
  isPlain: true,
});

const cut = (text: string): string =>
  text.length <= MAX_UNITS
    ? text
    : `${text.slice(0, MAX_UNITS).toWellFormed()}\n[message truncated]`;

function renderOnce(content: string, env: RenderEnv): Rendered | undefined {
  const work = new Work(env);
  // Replaces halves of surrogate pairs, which the database could not store.
  const tokens = parser.parse(content.toWellFormed(), { work });
  const hrefs = tokens.flatMap(({ children }) =>
    (children ?? []).flatMap((token) => token.attrGet('href')?.toString() ?? []),
  );
  const isCrowded = hasTooManyPreviews(hrefs);
  const writing = isCrowded ? withoutPreviews(work) : work;
  const { html, text } = writeOutput(tokens, writing);
  if (html.length > MAX_HTML || findUnsafe(html) !== undefined) return undefined;
  const { found } = writing;
  return {
    html,
    text,
    mentions: {
      userIds: [...found.userIds],
      groupIds: [...found.groupIds],
      hasChannelWildcard: found.hasChannelWildcard,
      hasTopicWildcard: found.hasTopicWildcard,
    },
    links: [...found.links],
    uploadPaths: [...found.uploadPaths],
    previewUrls: [...found.previewUrls].filter((url) => /^https?:/i.test(url)),
    hasLink: found.links.size > 0,
    hasImage: found.hasImage,
    hasAttachment: found.uploadPaths.size > 0,
    isPlain: false,
  };
}

/** A fresh `Work` for writing: the parsed tokens hold everything else that is needed. */
const withoutPreviews = ({ env }: Work): Work =>
  new Work({ ...env, hasImagePreviews: false, hasLinkPreviews: false });
