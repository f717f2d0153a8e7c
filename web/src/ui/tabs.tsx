// Tabs, switched by clicks, arrows, or whatever keys the screen gives them.

import type { JSX } from 'preact';

export interface Tab {
  id: string;
  title: string;
  key?: string;
}

interface Props {
  label: string;
  tabs: readonly Tab[];
  selected: string;
  panel: string;
  onSelect: (id: string) => void;
}

export function Tabs({ label, tabs, selected, panel, onSelect }: Props): JSX.Element {
  const move = (event: KeyboardEvent, by: number): void => {
    const at = tabs.findIndex(tab => tab.id === selected);
    const next = tabs[(at + by + tabs.length) % tabs.length];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onSelect(next.id);
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label}>
      {tabs.map(tab => (
        <button
          key={tab.id}
          id={`tab-${tab.id}`}
          type="button"
          role="tab"
          aria-selected={tab.id === selected}
          aria-controls={panel}
          tabIndex={tab.id === selected ? 0 : -1}
          class="tab"
          onClick={() => { onSelect(tab.id); }}
          onKeyDown={event => {
            if (event.key === 'ArrowRight') move(event, 1);
            if (event.key === 'ArrowLeft') move(event, -1);
          }}
        >
          {tab.title}
          {tab.key === undefined ? null : <kbd aria-hidden="true">{tab.key}</kbd>}
        </button>
      ))}
    </div>
  );
}
