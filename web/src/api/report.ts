// A report made of a plain document.

import type { AnsweredProperty } from './values';
import type { AboutAnswer, CheckDocument, ModelEntryDoc, ModelsAnswer, ReportDocument } from './wire';

/** The answers that a plain document of `check --format json` amounts to. */
export function reportOf(document: CheckDocument): ReportDocument {
  const responses: Record<string, unknown> = {};
  const models: ModelEntryDoc[] = document.models.map((model, id) => ({
    id,
    model: {
      ...model,
      properties: model.properties.map((property, number) => {
        const { evidence } = property;
        return { ...property, evidence: null, id: number, size: evidence === null ? null : { shape: evidence.shape, steps: evidence.minimal.length, because: '' } };
      }),
    },
    checking: 'done',
    abilities: [],
    variables: [],
    source: null,
  }));
  const about: AboutAnswer = {
    schema: 'wherefore-explorer/1', tool: document.tool, start: { model: 0, property: null }, live: false, command: '', formats: [],
  };
  responses['about'] = about;
  responses['models'] = { models } satisfies ModelsAnswer;
  document.models.forEach((model, id) => {
    model.properties.forEach((property, number) => {
      const answer: AnsweredProperty = { model: id, id: number, property, told: null, formula: property.evidence?.formula ?? [] };
      responses[`models/${String(id)}/properties/${String(number)}`] = answer;
    });
  });
  return { schema: 'wherefore-explorer/1', responses, left_out: [] };
}
