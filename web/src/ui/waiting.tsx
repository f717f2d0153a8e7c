// What is shown while an answer is awaited, or when there is none.

import type { ComponentChildren, JSX } from 'preact';
import { count } from '../lib/values';
import { Prose } from './words';
import type { Answer } from './use-answer';

/** Shows the value once it is there; before that, what is being done. */
export function Awaited<T>({ answer, children }: { answer: Answer<T>; children: (value: T) => ComponentChildren }): JSX.Element {
  switch (answer.state) {
    case 'idle': return <></>;
    case 'ready': return <>{children(answer.value)}</>;
    case 'failed': return <p class="refused" role="alert"><Prose text={answer.message} /></p>;
    case 'waiting': return (
      <>
        <p class="waiting" role="status">
          {answer.progress === null ? 'Asking…' : `${answer.progress.phase}${answer.progress.done === undefined ? '' : `: ${count(answer.progress.done)}`}…`}
        </p>
        {answer.last === null ? null : children(answer.last)}
      </>
    );
  }
}
