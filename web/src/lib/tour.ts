// The tour of the elevator: the same text that `wherefore demo elevator --tour` tells in a terminal. Each command is a
// stop; where the page can show what it shows, the stop has a place there.

import text from '../../../crates/cli/src/demo/tour.txt?raw';
import type { Route } from './route';

export interface TourStop {
  /** The heading of the part it belongs to. */
  heading: string;
  /** What is told before the command, as paragraphs. */
  told: string[];
  /** The command of the terminal. */
  command: string;
  /** What is told after it, at the end of its part. */
  after: string[];
  /** Where the page shows the same; null: only the terminal does. */
  place: Pick<Route, 'screen' | 'property' | 'query'> | null;
}

const PROMPT = '$ wherefore ';
/** The file that the page has to be open on. */
const FILE = 'elevator.smv';
/** Options that choose evidence, and the choices of the address that do so. */
const CHOICES: Record<string, string> = { '--count': 'count', '--distinct-by': 'distinct', '--strategy': 'strategy' };

/** The stops of a tour. */
export function stopsOf(tour: string): TourStop[] {
  const stops: TourStop[] = [];
  let heading = '';
  let paragraph: string[] = [];
  let told: string[] = [];
  const close = (): void => {
    if (paragraph.length > 0) told.push(paragraph.join(' '));
    paragraph = [];
  };
  for (const line of tour.split('\n')) {
    if (line.startsWith(PROMPT)) {
      close();
      const command = line.slice(PROMPT.length);
      stops.push({ heading, told, command: `wherefore ${command}`, after: [], place: placeOf(words(command)) });
      told = [];
    } else if (/^\d+\. /.test(line)) {
      close();
      stops.at(-1)?.after.push(...told);
      told = [];
      heading = line;
    } else if (line.trim() === '') {
      close();
    } else {
      paragraph.push(line);
    }
  }
  return stops;
}

/** All stops. */
export const TOUR: readonly TourStop[] = stopsOf(text.slice(text.indexOf('\n\n')));

/** The properties that a model needs for the tour. */
export const TOURED: ReadonlySet<string> = new Set(TOUR.flatMap(stop => stop.place?.property ?? []));

/** The words of a command; quotes keep words together. */
function words(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

function placeOf([, file, ...options]: string[]): TourStop['place'] {
  const query: Record<string, string[]> = {};
  let property: string | undefined;
  let screen: Route['screen'] = 'evidence';
  options.forEach((option, at) => {
    const value = options[at + 1] ?? '';
    const choice = CHOICES[option];
    if (option === '-p') property = value;
    else if (option === '--view' && value === 'proof') screen = 'proof';
    else if (choice !== undefined) (query[choice] ??= []).push(value);
  });
  return file === FILE && property !== undefined ? { screen, property, query } : null;
}
