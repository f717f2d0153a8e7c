import type { JSX } from 'preact';
import { Empty } from '../ui/words';

export function AllScreen(): JSX.Element {
  return <Empty title="All" />;
}
