// Keeps a fault in its own part of the page, and gives it a reference that people can send us.
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { Button } from '../ui/button.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { texts } from './texts.ts';

interface BoundaryProps {
  /** The part's name in reports, such as `nav`. */
  readonly part: string;
  /** Another value begins anew: the key of the view. */
  readonly resetKey?: string;
  readonly children: ReactNode;
}

interface Fault {
  readonly error: unknown;
  readonly reference: string;
  readonly resetKey: string | undefined;
}

export class Boundary extends Component<BoundaryProps, { readonly fault: Fault | undefined }> {
  override state: { readonly fault: Fault | undefined } = { fault: undefined };

  static getDerivedStateFromError(error: unknown): { fault: Fault } {
    return { fault: { error, reference: newReference(), resetKey: undefined } };
  }

  static getDerivedStateFromProps(
    { resetKey }: BoundaryProps,
    { fault }: { fault: Fault | undefined },
  ): { fault: Fault | undefined } {
    if (fault === undefined) return { fault };
    if (fault.resetKey === undefined) return { fault: { ...fault, resetKey: resetKey ?? '' } };
    return fault.resetKey === (resetKey ?? '') ? { fault } : { fault: undefined };
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    const { part } = this.props;
    const reference = this.state.fault?.reference ?? '';
    // What a person sends with the reference is in the console of their browser; nothing leaves it by itself.
    console.error(`Fault ${reference} in ${part}.`, error, componentStack);
  }

  override render(): ReactNode {
    const { fault } = this.state;
    if (fault === undefined) return this.props.children;
    return (
      <FaultNotice
        part={this.props.part}
        fault={fault}
        onRetry={() => this.setState({ fault: undefined })}
      />
    );
  }
}

function FaultNotice({
  part,
  fault,
  onRetry,
}: {
  readonly part: string;
  readonly fault: Fault;
  readonly onRetry: () => void;
}) {
  const t = useTexts(texts);
  if (isMissingFile(fault.error)) {
    return (
      <ErrorState
        what={t.viewFailed}
        why={t.newVersion}
        action={<Button onPress={() => location.reload()}>{t.reload}</Button>}
      />
    );
  }
  return (
    <ErrorState
      what={t.viewFailed}
      why={t.viewFailedWhy}
      onRetry={onRetry}
      reference={`${part}-${fault.reference}`}
    />
  );
}

/** After an update the files of the old version are gone at some time. */
const isMissingFile = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|module script/i.test(error.message);

const newReference = (): string => crypto.randomUUID().slice(0, 8);
