// The claims of a proof. What is not shown yet can be opened here.

import type { JSX } from 'preact';
import { many } from '../../lib/route';
import { proofRows } from '../../lib/proof-rows';
import { useChoose, usePlace } from '../../ui/context';
import { Prose } from '../../ui/words';
import type { Shown } from './index';

interface Props {
  shown: Shown;
  chosen: number | null;
  onChoose: (choice: string) => void;
}

export function Claims({ shown, chosen, onChoose }: Props): JSX.Element {
  const { route } = usePlace();
  const choose = useChoose();
  const { run, names, scene } = shown;
  const folded = new Set(many(route, 'fold').map(Number));
  const { rows, left } = proofRows(run.proof, new Set([...folded].map(name => names.indexOf(name))));
  const fold = (name: number): void => { choose({ fold: (folded.has(name) ? [...folded].filter(each => each !== name) : [...folded, name]).map(String) }); };
  const open = new Map(scene?.open.map(each => [each.node, each]));
  return (
    <>
      <h2>Claims <span class="at">{scene === null ? 'all of them are shown' : open.size === 0 ? 'everything is shown' : `${String(open.size)} ${open.size === 1 ? 'obligation is' : 'obligations are'} open`}</span></h2>
      <ol class="proof">
        {rows.map(({ node, depth, again, folded: hides }, at) => {
          const claim = run.proof[node];
          const name = names[node] ?? node;
          if (claim === undefined) return null;
          const obligation = open.get(name) ?? (claim.rule === null ? { node: name } : undefined);
          return (
            <li key={at} class={`claim${obligation === undefined ? '' : ' claim-open'}${chosen === name ? ' claim-chosen' : ''}`} style={{ marginLeft: `${String(depth * 16)}px` }}>
              {claim.premises.length > 0 && !again
                ? <button type="button" class="plain fold" aria-expanded={hides === 0} aria-label={hides === 0 ? 'fold' : 'unfold'} onClick={() => { fold(name); }}>{hides === 0 ? '▾' : '▸'}</button>
                : <span class="fold" aria-hidden="true">{obligation === undefined ? '=' : '?'}</span>}
              <button type="button" class="claim-text" aria-pressed={chosen === name} onClick={() => { choose({ claim: name, step: claim.state }); }}>
                <span class="claim-name">#{name}</span> {again ? <>see above: step {claim.state}</> : <Prose text={obligation !== undefined && 'claim' in obligation ? obligation.claim : shown.sentence(node)} />}
              </button>
              {scene === null || again ? null : (
                <span class="claim-tools">
                  {obligation === undefined
                    ? chosen === name ? (
                      <>
                        <button type="button" onClick={() => { onChoose(`next #${String(name)}`); }}>Another way</button>
                        <button type="button" onClick={() => { onChoose(`close #${String(name)}`); }}>Close</button>
                      </>
                    ) : null
                    : (
                      <>
                        <button type="button" onClick={() => { onChoose(`expand #${String(name)}`); }}>Show</button>
                        <button type="button" aria-expanded={scene.ways?.node === name} onClick={() => { choose({ ways: scene.ways?.node === name ? null : name, claim: name }); }}>Ways</button>
                      </>
                    )}
                </span>
              )}
              {scene?.ways?.node === name && !again ? (
                <ol class="ways">
                  {scene.ways.ways.map(way => (
                    <li key={way.way}><button type="button" onClick={() => { onChoose(`take ${String(way.way)} #${String(name)}`); }}><span class="claim-name">{way.way}</span> <Prose text={way.text} /></button></li>
                  ))}
                </ol>
              ) : null}
            </li>
          );
        })}
      </ol>
      {left > 0 ? <p class="notice">{left} more claims are not listed. Fold some.</p> : null}
    </>
  );
}
