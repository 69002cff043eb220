// Parts of the trade view that have files of their own.
import { later } from '../ui/later.ts';

export const Chart = later(() => import('./chart/chart.tsx').then((file) => file.default));
export const OrderForm = later(() => import('./form/form.tsx').then((file) => file.OrderForm));
export const AccountPanel = later(() =>
  import('./account/panel.tsx').then((file) => file.AccountPanel),
);

/** Those that it shows at once. */
export const loadParts = (): Promise<unknown> =>
  Promise.all([Chart, OrderForm, AccountPanel].map((part) => part.load()));
