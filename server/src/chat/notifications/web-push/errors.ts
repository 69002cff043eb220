import { Refusal } from '../../../platform/http/refusal.ts';
import { badRequest } from '../../http/errors.ts';

export const noSuchSubscription = () => badRequest('Subscription does not exist');

/** `status` is its answer; without it there was none. */
export const pushServiceFailed = (status?: number) =>
  new Refusal({
    code: 'PUSH_SERVICE_FAILED',
    message:
      status === undefined
        ? 'The push service of this browser did not answer; retry later.'
        : `The push service of this browser answered ${status}; turn notifications off and on again, or retry later.`,
    status: 502,
  });
