// How a client's list of own files follows from the events.
import type { Attachment, AttachmentEvent } from './events.ts';

export function applyAttachmentEvent(
  files: readonly Attachment[],
  { op, attachment }: AttachmentEvent,
): Attachment[] {
  switch (op) {
    case 'add':
      return [...files, attachment];
    case 'update':
      return files.map((file) => (file.id === attachment.id ? attachment : file));
    default:
      return files.filter(({ id }) => id !== attachment.id);
  }
}
