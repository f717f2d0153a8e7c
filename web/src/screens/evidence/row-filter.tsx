// Which variables a table or a wave shows.

import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { variablesOf } from '../../lib/columns';
import { one } from '../../lib/route';
import type { Run } from '../../lib/run';
import { useChoose, usePlace } from '../../ui/context';
import { useKeys } from '../../ui/keys';

/** The variables to show, after the filter in the address. */
export function useVariables(run: Run): string[] {
  const { route, models } = usePlace();
  const hidden = models[route.model]?.model.hidden;
  const changedOnly = one(route, 'changed') !== 'off';
  const filter = one(route, 'vars') ?? '';
  return useMemo(() => variablesOf(run, new Set(hidden), changedOnly && run.states.length > 1, filter), [run, hidden, changedOnly, filter]);
}

/** `marked`: variables that the failure depends on stay in sight, too. */
export function RowFilter({ marked = false }: { marked?: boolean }): JSX.Element {
  const { route } = usePlace();
  const choose = useChoose();
  const changedOnly = one(route, 'changed') !== 'off';
  useKeys([
    { keys: ['/'], help: 'choose variables', run: () => { document.getElementById('vars')?.focus(); } },
    { keys: ['d'], help: 'all variables, or those that change', run: () => { choose({ changed: changedOnly ? 'off' : null }); } },
  ]);
  return (
    <p class="steps-head">
      <label><input type="checkbox" checked={changedOnly} onChange={() => { choose({ changed: changedOnly ? 'off' : null }); }} /> only what changes{marked ? ', or is marked •' : ''} <kbd aria-hidden="true">d</kbd></label>
      <input id="vars" type="search" aria-label="names of variables" placeholder="names, or a regular expression" value={one(route, 'vars') ?? ''} onInput={event => { choose({ vars: event.currentTarget.value === '' ? null : event.currentTarget.value }, { quietly: true }); }} />
    </p>
  );
}
