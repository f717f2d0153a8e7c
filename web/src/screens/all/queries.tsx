// Questions to the tagged graph, in openCypher or by name.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { NamedQueriesAnswer, QueryDocument } from '../../api/wire';
import { one } from '../../lib/route';
import { useChoose, usePlace } from '../../ui/context';
import { useAnswer } from '../../ui/use-answer';
import { Awaited } from '../../ui/waiting';

export function Queries({ number }: { number: number }): JSX.Element {
  const { route, source } = usePlace();
  const choose = useChoose();
  const asked = one(route, 'query') ?? '';
  const [text, setText] = useState(asked);
  const names = useAnswer<NamedQueriesAnswer>(`queries ${String(number)}`, signal => source.get(`analyses/${String(number)}/queries`, signal));
  const answer = useAnswer<QueryDocument>(asked === '' ? null : `query ${String(number)} ${asked}`, (signal, progress) =>
    source.ask(`analyses/${String(number)}/query`, { ...body(asked), max_rows: 100 }, signal, progress));
  return (
    <>
      <h3>Ask</h3>
      <form onSubmit={event => { event.preventDefault(); choose({ query: text.trim() === '' ? null : text.trim() }); }}>
        <textarea aria-label="query" rows={3} spellcheck={false} placeholder="MATCH (s:NEIGHBOURHOOD) RETURN s.id LIMIT 5" value={text} onInput={event => { setText(event.currentTarget.value); }} />
        <p class="buttons">
          <button type="submit">Ask</button>
          {names.state === 'ready' ? (
            <select aria-label="queries by name" value="" onChange={event => { setText(`:${event.currentTarget.value}`); }}>
              <option value="">by name…</option>
              {names.value.queries.map(each => <option key={each.name} value={[each.name, ...each.arguments].join(' ')}>{each.title}</option>)}
            </select>
          ) : null}
        </p>
      </form>
      <Awaited answer={answer}>{value => <>{value.queries.map((each, at) => <Rows key={at} answer={each} />)}</>}</Awaited>
    </>
  );
}

/** A query by name is written `:name argument argument`. */
function body(text: string): object {
  if (!text.startsWith(':')) return { text };
  const [name = '', ...rest] = text.slice(1).split(/\s+/);
  return { name, arguments: rest };
}

function Rows({ answer }: { answer: QueryDocument['queries'][number] }): JSX.Element {
  return (
    <>
      {[...(answer.warnings ?? []), ...(answer.note === undefined ? [] : [answer.note]), ...(answer.incomplete === undefined ? [] : [answer.incomplete])].map(each => <p key={each} class="notice">{each}</p>)}
      {answer.rows.length === 0 ? <p class="notice">Nothing matches.</p> : (
        <div class="table-box" tabIndex={0} role="region" aria-label="answer">
          <table class="deciding">
            <thead><tr>{answer.columns.map(column => <th key={column} scope="col">{column}</th>)}</tr></thead>
            <tbody>{answer.rows.map((row, at) => <tr key={at}>{row.map((cell, column) => <td key={column}><code>{cellText(cell)}</code></td>)}</tr>)}</tbody>
          </table>
        </div>
      )}
    </>
  );
}

/** A cell in short: a path is its actions, a node its number and labels. */
function cellText(cell: unknown): string {
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'object' && cell !== null) {
    if ('actions' in cell && Array.isArray(cell.actions)) return cell.actions.map(String).join(', ');
    if ('node' in cell && 'labels' in cell && Array.isArray(cell.labels)) return `${String(cell.node)} ${cell.labels.map(String).join(' ')}`;
  }
  return JSON.stringify(cell);
}
