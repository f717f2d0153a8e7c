import { describe, expect, test } from 'vitest';
import { stopsOf, TOUR, TOURED } from '../../src/lib/tour';

describe('the tour', () => {
  test('a command is a stop, with what is told before it', () => {
    const stops = stopsOf('1. First\nWe\nask.\n$ wherefore check elevator.smv -p third --count 4 --distinct-by floor\nAnd so on.\n$ wherefore check button.smv -e "EF (p & q)"\nThe end.\n2. Second\n');
    expect(stops).toEqual([
      {
        heading: '1. First', told: ['We ask.'], command: 'wherefore check elevator.smv -p third --count 4 --distinct-by floor', after: [],
        place: { screen: 'evidence', property: 'third', query: { count: ['4'], distinct: ['floor'] } },
      },
      { heading: '1. First', told: ['And so on.'], command: 'wherefore check button.smv -e "EF (p & q)"', after: ['The end.'], place: null },
    ]);
  });

  test('strategies keep their order and their blanks', () => {
    const [stop] = stopsOf('$ wherefore check elevator.smv -p third --strategy "avoid:floor = 1" --strategy "avoid:floor = 2"');
    expect(stop?.place?.query).toEqual({ strategy: ['avoid:floor = 1', 'avoid:floor = 2'] });
  });

  test('the text of the terminal has stops that the page can show', () => {
    expect(TOUR.length).toBeGreaterThan(8);
    expect([...TOURED].sort()).toEqual(['served', 'third', 'upstairs']);
    expect(TOUR.filter(stop => stop.place !== null).length).toBeGreaterThan(TOUR.length / 2);
  });
});
