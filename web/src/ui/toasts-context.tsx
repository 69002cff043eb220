import { createContext, use } from 'react';
import { createToasts, type Toasts } from './toast.tsx';

const ToastsContext = createContext<Toasts>(createToasts());

/** Around everything that shows notices. The same notices belong to the page's `ToastRegion`. */
export const ToastsProvider = ToastsContext.Provider;

export function useToasts(): Toasts {
  return use(ToastsContext);
}
