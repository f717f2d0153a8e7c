// Long answers come in pieces: entries for the lists and objects of a document. docs/explorer-api.md describes them.

export interface Piece {
  /** Where the list or object is: keys and numbers, from the outermost on. */
  at: (string | number)[];
  entries: unknown[] | Record<string, unknown>;
}

/** A document that grows. */
export class Pieces {
  whole: unknown = null;
  count = 0;

  add({ at, entries }: Piece): void {
    this.count += 1;
    if (at.length === 0 && this.whole === null) {
      this.whole = entries;
      return;
    }
    let here: unknown = this.whole;
    for (const step of at) here = here === null || typeof here !== 'object' ? undefined : (here as Record<string | number, unknown>)[step];
    if (Array.isArray(here) && Array.isArray(entries)) for (const entry of entries) here.push(entry);
    else if (here !== null && typeof here === 'object') Object.assign(here, entries);
  }
}
