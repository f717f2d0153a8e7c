import type { JSX } from 'preact';
import { Empty } from '../ui/words';

export function CompareScreen(): JSX.Element {
  return <Empty title="Compare" />;
}
