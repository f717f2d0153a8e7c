// The list of keys.

import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { allKeys } from './keys';

const NAMES: Record<string, string> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→', Enter: 'Enter' };

export function Help({ onClose }: { onClose: () => void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);
  const seen = new Set<string>();
  const keys = allKeys().filter(key => !seen.has(key.help) && seen.add(key.help));
  return (
    <dialog ref={dialog} class="help" aria-label="keys" onClose={onClose} onKeyDown={event => { if (event.key === '?') dialog.current?.close(); event.stopPropagation(); }}>
      <h2>Keys on this screen</h2>
      <dl>
        {keys.map(key => (
          <div key={key.help}>
            <dt>{key.keys.map(each => <kbd key={each}>{NAMES[each] ?? each}</kbd>)}</dt>
            <dd>{key.help}</dd>
          </div>
        ))}
      </dl>
      <p>The address of the page says what you see: a link shows the same to others, and the back button undoes.</p>
      <button type="button" onClick={() => { dialog.current?.close(); }}>Close</button>
    </dialog>
  );
}
