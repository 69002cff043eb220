// Refusals about recoveries, which say what to do instead.
import { Refusal } from '../../platform/http/refusal.ts';

const refusal = (code: string, status: number, message: string): Refusal =>
  new Refusal({ code, status, message });

export const notOneself = () =>
  refusal('SAME_PERSON', 403, 'Nobody recovers their own account: two other operators must.');

export const askedYourself = () =>
  refusal('SAME_PERSON', 403, 'You asked for this recovery. Another operator must approve it.');

export const noRecoveryOf = (email: string) =>
  refusal(
    'NOTHING_TO_RECOVER',
    409,
    `${email} is deactivated or a bot, so there is nothing to recover.`,
  );

export const alreadyOpen = (email: string) =>
  refusal(
    'RECOVERY_OPEN',
    409,
    `A recovery of ${email} is under way: rialto admin recovery list shows it. Cancel it to begin anew.`,
  );

export const noSuchRecovery = () =>
  refusal(
    'NO_SUCH_RECOVERY',
    404,
    'There is no such recovery. rialto admin recovery list shows them.',
  );

export const notAwaiting = (state: string) =>
  refusal('NOT_AWAITING', 409, `This recovery is ${state}, so that is not possible any more.`);

export const reasonMissing = (max: number) =>
  refusal('BAD_REQUEST', 400, `Say in 1 to ${max} characters how you know who the person is.`);

export const mailMissing = () =>
  refusal(
    'NO_MAIL_SERVER',
    409,
    'This server sends no emails, so the person could neither be warned nor get the link. Set SMTP_URL first.',
  );
