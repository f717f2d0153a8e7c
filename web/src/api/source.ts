// Where answers come from: a server, or the report that the page is.

import { pauses } from '../lib/slices';
import type { CheckDocument, FailureAnswer, ReportDocument } from './wire';
import { reportOf } from './report';
import { Pieces, type Piece } from './pieces';

/** A request that was refused, in words. */
export class Refused extends Error {
  readonly status: number;
  readonly kind: string;

  constructor(status: number, kind: string, message: string) {
    super(message);
    this.status = status;
    this.kind = kind;
  }
}

export interface Progress {
  phase: string;
  done?: number;
}

export interface Source {
  /** Whether questions can be asked that nobody has asked before. */
  live: boolean;
  /** What a report left out, as sentences. */
  leftOut: string[];
  /** Whether this answer can be had. */
  has(route: string): boolean;
  get<T>(route: string, signal?: AbortSignal, progress?: (event: Progress) => void): Promise<T>;
  ask<T>(route: string, body: object, signal?: AbortSignal, progress?: (event: Progress) => void): Promise<T>;
  /** The address of a file. */
  address(route: string): string;
}

/** The source of this page: a report if data are inside, the server that it came from otherwise. */
export function sourceOf(embedded: unknown): Source {
  return isReport(embedded) ? reportSource(embedded) : isDocument(embedded) ? reportSource(reportOf(embedded)) : serverSource();
}

/** Reads the data inside the page. */
export function embeddedData(page: Pick<globalThis.Document, 'getElementById'>): unknown {
  const text = page.getElementById('wherefore-data')?.textContent ?? 'null';
  return JSON.parse(text) as unknown;
}

function isReport(data: unknown): data is ReportDocument {
  return typeof data === 'object' && data !== null && 'responses' in data;
}

export function isDocument(data: unknown): data is CheckDocument {
  return typeof data === 'object' && data !== null && 'models' in data && Array.isArray(data.models);
}

export function reportSource(report: ReportDocument): Source {
  return {
    live: false,
    leftOut: report.left_out ?? [],
    has: route => route in report.responses,
    get: <T>(route: string) =>
      route in report.responses
        ? Promise.resolve(report.responses[route] as T)
        : Promise.reject(new Refused(404, 'not-found', 'This report does not have the answer. Open the model with `wherefore open` to ask.')),
    ask: () => Promise.reject(new Refused(404, 'not-found', 'A report answers no new questions. Open the model with `wherefore open` to ask.')),
    address: () => '',
  };
}

function serverSource(): Source {
  const address = (route: string): string => `api/1/${route}`;
  const request = async <T>(route: string, init: RequestInit, progress?: (event: Progress) => void): Promise<T> => {
    const stream = progress !== undefined;
    const headers = { ...(init.body === undefined ? {} : { 'Content-Type': 'application/json' }), Accept: stream ? 'application/x-ndjson;pieces=1' : 'application/json' };
    const response = await fetch(address(route), { ...init, headers }).catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') throw error;
      throw new Refused(0, 'gone', 'The server does not answer. Is `wherefore open` still running?');
    });
    if (!response.ok) throw refusal(response.status, await response.json().catch(() => null));
    const lines = response.headers.get('Content-Type')?.includes('x-ndjson') ?? false;
    return stream && lines ? readStream<T>(response, progress, init.signal ?? undefined) : ((await response.json()) as T);
  };
  return {
    live: true,
    leftOut: [],
    has: () => true,
    get: (route, signal, progress) => request(route, signal === undefined ? {} : { signal }, progress),
    ask: (route, body, signal, progress) =>
      request(route, { method: 'POST', body: JSON.stringify(body), ...(signal === undefined ? {} : { signal }) }, progress),
    address,
  };
}

function refusal(status: number, body: unknown): Refused {
  const error = typeof body === 'object' && body !== null && 'error' in body ? (body as FailureAnswer).error : null;
  const details = error?.diagnostics.map(each => each.message) ?? [];
  const message = [error?.message ?? `The server answers with status ${String(status)}.`, ...details.filter(each => each !== error?.message)].join(' ');
  return new Refused(status, error?.kind ?? 'unknown', message);
}

type StreamEvent =
  | { event: 'result'; result?: unknown; pieces?: number }
  | ({ event: 'piece' } & Piece)
  | { event: 'error'; status: number; error: FailureAnswer['error'] }
  | { event: 'progress'; phase: string; done?: number }
  | { event: 'other' };

/** How much of a long answer is there before it is told that it is coming, in pieces. */
const WORTH_TELLING = 8;

/** Reads the lines of an answer that comes bit by bit. A long one is read in slices, so that the page does not stand still. */
async function readStream<T>(response: Response, progress: (event: Progress) => void, signal?: AbortSignal): Promise<T> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const pieces = new Pieces();
  const pause = pauses(signal);
  let rest = '';
  for (;;) {
    const chunk = await reader?.read();
    const [first = '', ...others] = (chunk?.value ?? '').split('\n');
    rest += first;
    for (const next of others) {
      const line = rest;
      rest = next;
      if (line.trim() === '') continue;
      const event = JSON.parse(line) as StreamEvent;
      if (event.event === 'result') return whole<T>(event, pieces);
      if (event.event === 'error') throw refusal(event.status, { error: event.error });
      if (event.event === 'progress') progress(event);
      if (event.event === 'piece') {
        pieces.add(event);
        if (pieces.count % WORTH_TELLING === 0) progress({ phase: 'reading a long answer, in pieces', done: pieces.count });
      }
      const wait = pause();
      if (wait !== null) await wait;
    }
    if (chunk === undefined || chunk.done) throw new Refused(0, 'gone', 'The answer ended before it was complete.');
  }
}

function whole<T>({ result, pieces: sent }: { result?: unknown; pieces?: number }, pieces: Pieces): T {
  if (sent === undefined) return result as T;
  if (sent !== pieces.count) throw new Refused(0, 'gone', 'The answer is not complete.');
  return pieces.whole as T;
}
