import type { JSX } from 'preact';
import { Empty } from '../ui/words';

export function ReportScreen(): JSX.Element {
  return <Empty title="Report" />;
}
