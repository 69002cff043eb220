// Runs acts that the server guards: when it asks for a proof, a dialog asks the person, and the act is repeated.
import {
  createContext,
  lazy,
  Suspense,
  use,
  useCallback,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { demandIn, type Demand } from './demand.ts';

const StepUpDialog = lazy(() =>
  import('./dialog.tsx').then((file) => ({ default: file.StepUpDialog })),
);

/** A code for one act alone, if the server asked for that. */
export type Guarded<T> = (code: string | undefined) => Promise<T>;

/** The person closed the dialog: nothing was done, and nothing has to be said. */
export class NotConfirmed extends Error {
  override readonly name = 'NotConfirmed';
}

const StepUpContext = createContext<<T>(act: Guarded<T>) => Promise<T>>((act) => act(undefined));

/** `await guard((code) => …)`: the result of the act, or its refusal; `NotConfirmed` if the person thought better of it. */
export const useGuard = () => use(StepUpContext);

interface Asked {
  readonly demand: Demand;
  readonly resolve: (code: string | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** More wrong answers than that end the session anyway. */
const ROUNDS_MAX = 3;

export function StepUpProvider({ children }: { readonly children: ReactNode }) {
  const [asked, setAsked] = useState<Asked>();
  const latest = useRef<Asked>(undefined);
  const ask = useCallback(
    (demand: Demand) =>
      new Promise<string | undefined>((resolve, reject) => {
        latest.current?.reject(new NotConfirmed());
        latest.current = { demand, resolve, reject };
        setAsked(latest.current);
      }).finally(() => {
        latest.current = undefined;
        setAsked(undefined);
      }),
    [],
  );
  const guard = useMemo(() => {
    return async <T,>(act: Guarded<T>): Promise<T> => {
      let code: string | undefined;
      for (let round = 0; ; round += 1) {
        try {
          return await act(code);
        } catch (error) {
          const demand = demandIn(error);
          if (demand === undefined || round === ROUNDS_MAX) throw error;
          code = await ask(demand);
        }
      }
    };
  }, [ask]);
  return (
    <StepUpContext value={guard}>
      {children}
      {asked !== undefined && (
        <Suspense>
          <StepUpDialog
            demand={asked.demand}
            onProved={asked.resolve}
            onCancel={() => asked.reject(new NotConfirmed())}
          />
        </Suspense>
      )}
    </StepUpContext>
  );
}
