// A proof as rows: claims below the claims that they show, a claim that goes on along the run on the same level.

import type { ProofNodeDoc } from '../api/wire';

export interface ProofRow {
  node: number;
  depth: number;
  /** The node stands above already. */
  again: boolean;
  /** How many rows a fold hides. */
  folded: number;
}

const DEEPEST = 24;

/** The rows of a proof; nodes in `folded` hide what shows them. */
export function proofRows(proof: readonly ProofNodeDoc[], folded: ReadonlySet<number>, most = 2000): { rows: ProofRow[]; left: number } {
  const rows: ProofRow[] = [];
  const seen = new Set<number>();
  const stack: { node: number; depth: number }[] = proof.length === 0 ? [] : [{ node: 0, depth: 0 }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { node, depth } = next;
    const claim = proof[node];
    if (claim === undefined) continue;
    const again = seen.has(node);
    if (rows.length >= most) return { rows, left: proof.length - seen.size };
    seen.add(node);
    const hides = !again && folded.has(node) && claim.premises.length > 0;
    rows.push({ node, depth, again, folded: hides ? claim.premises.length : 0 });
    if (again || hides) continue;
    // What is about this state comes first and further in; the step that goes on comes last, on this level.
    const here = claim.premises.filter(premise => proof[premise]?.state === claim.state);
    const onward = claim.premises.filter(premise => proof[premise]?.state !== claim.state);
    const deeper = Math.min(DEEPEST, depth + 1);
    const branches = onward.length > 1;
    for (const premise of [...onward].reverse()) stack.push({ node: premise, depth: branches ? deeper : depth });
    for (const premise of [...here].reverse()) stack.push({ node: premise, depth: deeper });
  }
  return { rows, left: 0 };
}
