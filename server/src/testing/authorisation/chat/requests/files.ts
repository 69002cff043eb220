// Requests about files.
import { asked, gateOnly, type Requests } from './request.ts';

export const FILES: Requests = {
  // A body without a file is refused to everybody who gets past the gate.
  'upload-file': gateOnly,
  // People who may read a message with the file may have the file.
  'get-file-temporary-url': [{ on: 'message', needs: 'read the message' }],
  'get-attachments': asked({}),
  'remove-attachment': [{ on: 'file', needs: 'have it', isLast: true }],
};
