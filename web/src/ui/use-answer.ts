// An answer that may take a while: asked when its key changes, cancelled when nobody waits any more.

import { useEffect, useState } from 'preact/hooks';
import { Refused, type Progress } from '../api/source';

export type Answer<T> =
  | { state: 'idle' }
  | { state: 'waiting'; progress: Progress | null; last: T | null }
  | { state: 'ready'; value: T }
  | { state: 'failed'; message: string; kind: string };

type Ask<T> = (signal: AbortSignal, progress: (event: Progress) => void) => Promise<T>;

/** Asks when the key changes; a null key asks nothing. */
export function useAnswer<T>(key: string | null, ask: Ask<T>): Answer<T> {
  const [answer, setAnswer] = useState<{ key: string | null; answer: Answer<T> }>({ key: null, answer: { state: 'idle' } });
  useEffect(() => {
    if (key === null) {
      setAnswer({ key, answer: { state: 'idle' } });
      return undefined;
    }
    const control = new AbortController();
    setAnswer(before => ({ key, answer: { state: 'waiting', progress: null, last: valueOf(before.answer) } }));
    ask(control.signal, progress => {
      setAnswer(before => (before.key === key && before.answer.state === 'waiting' ? { key, answer: { ...before.answer, progress } } : before));
    }).then(
      value => {
        if (!control.signal.aborted) setAnswer({ key, answer: { state: 'ready', value } });
      },
      (error: unknown) => {
        if (control.signal.aborted) return;
        const message = error instanceof Error ? error.message : String(error);
        setAnswer({ key, answer: { state: 'failed', message, kind: error instanceof Refused ? error.kind : 'unknown' } });
      },
    );
    return () => {
      control.abort();
    };
    // The key says all that the question depends on.
  }, [key]);
  return answer.key === key ? answer.answer : { state: 'waiting', progress: null, last: valueOf(answer.answer) };
}

/** The value, or the one before while a new one is awaited. */
export function valueOf<T>(answer: Answer<T>): T | null {
  if (answer.state === 'ready') return answer.value;
  return answer.state === 'waiting' ? answer.last : null;
}
