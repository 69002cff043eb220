// Requests about files.
import { asked, gateOnly, type Requests } from './request.ts';

export const FILES: Requests = {
  // A body without a file is refused to everybody who gets past the gate.
  'upload-file': gateOnly,
  // A file is for people who may read a message that contains it.
  'get-file-temporary-url': [{ on: 'message', needs: 'read the message' }],
  'get-attachments': asked({}),
  'remove-attachment': [{ on: 'file', needs: 'have it', isLast: true }],
};
