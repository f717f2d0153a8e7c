import type { JSX } from 'preact';
import { Empty } from '../ui/words';

export function ProofScreen(): JSX.Element {
  return <Empty title="Proof" />;
}
