// Keys: every screen says which it answers, and the help lists them.

import { useLayoutEffect, useRef } from 'preact/hooks';

export interface Key {
  /** As the browser names them: `j`, `ArrowDown`, `?`; arrows with the shift key are `Shift+ArrowDown`. */
  keys: string[];
  help: string;
  run: () => void;
}

const layers: { current: Key[] }[] = [];

/** Answers keys while the component is there, from the moment it is drawn; later components come first. */
export function useKeys(keys: Key[]): void {
  const layer = useRef(keys);
  layer.current = keys;
  useLayoutEffect(() => {
    layers.push(layer);
    return () => {
      layers.splice(layers.indexOf(layer), 1);
    };
  }, []);
}

/** All keys that are answered at the moment. */
export function allKeys(): Key[] {
  return layers.flatMap(layer => layer.current);
}

/** Whether somebody is typing, so that keys are letters. */
function typing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName)) return true;
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range'].includes(target.type);
}

/** Keys that a control answers on its own. */
function ownedByControl(event: KeyboardEvent): boolean {
  const { target } = event;
  return target instanceof Element && ['Enter', ' '].includes(event.key) && target.closest('button, a, summary, [role="button"]') !== null;
}

export function listen(): () => void {
  const pressed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || ownedByControl(event)) return;
    const name = event.shiftKey && event.key.startsWith('Arrow') ? `Shift+${event.key}` : event.key;
    for (const layer of [...layers].reverse()) {
      const key = layer.current.find(each => each.keys.includes(name));
      if (key !== undefined) {
        event.preventDefault();
        key.run();
        return;
      }
    }
  };
  addEventListener('keydown', pressed);
  return () => {
    removeEventListener('keydown', pressed);
  };
}
