import { Refusal } from '../../../platform/http/refusal.ts';
import { badRequest } from '../../http/errors.ts';

export const fileTooLarge = (mebibytes: number) =>
  badRequest(
    `File is larger than this server's configured maximum upload size (${mebibytes} MiB).`,
  );

export const noFile = () => badRequest('You must specify a file to upload');
export const severalFiles = () => badRequest('You may only upload one file at a time');

export const organizationIsFull = () =>
  new Refusal({
    code: 'REALM_UPLOAD_QUOTA',
    message: "Upload would exceed your organization's upload quota.",
    status: 400,
  });

export const personIsFull = () =>
  new Refusal({
    code: 'REALM_UPLOAD_QUOTA',
    message:
      'Upload would exceed the space that each person has for files. Delete some of yours first.',
    status: 400,
  });

export const tooManyUnfinished = (max: number) =>
  badRequest(
    `You have ${max} uploads that are not finished. Finish or cancel some of them before you begin another.`,
  );

export const noRoom = () =>
  new Refusal({
    code: 'SERVICE_UNAVAILABLE',
    message:
      'This server has no room for files at the moment. Nothing was kept; tell its administrator.',
    status: 503,
    headers: { 'retry-after': '60' },
  });

export const noSuchAttachment = () => badRequest('Invalid attachment');
export const invalidToken = () => badRequest('Invalid token');
