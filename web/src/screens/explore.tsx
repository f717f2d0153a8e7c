import type { JSX } from 'preact';
import { Empty } from '../ui/words';

export function ExploreScreen(): JSX.Element {
  return <Empty title="Explore" />;
}
