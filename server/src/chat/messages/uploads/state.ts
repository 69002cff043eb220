// Files are no part of a client's initial state: a route of their own lists them. Tests follow that list with the events.
import { notInState, type RegisterPart } from '../../register-part.ts';
import { ATTACHMENT_EVENTS, type Attachment, type AttachmentEvent } from './events.ts';

export function applyAttachmentEventInTests(
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

export const uploadsPart = {
  events: ATTACHMENT_EVENTS,
  applyInTests: { attachment: notInState },
} satisfies RegisterPart;
