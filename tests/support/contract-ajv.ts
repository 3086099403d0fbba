import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { eventFieldsFrom } from './events.ts';

/** Validates by the contract, including the JSON inside texts and the events of streams. */
export const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  allErrors: true,
  // Adds the invalid value to each error.
  verbose: true,
  keywords: ['x-message', 'x-visible'],
});
addFormats.default(ajv);
// `contentSchema` is the schema of JSON inside a text, which Ajv itself does not check.
ajv.removeKeyword('contentSchema');
ajv.addKeyword({
  keyword: 'contentSchema',
  type: 'string',
  compile: (schema: object) => {
    const validate = ajv.compile(schema);
    return (text: string) => validate(JSON.parse(text));
  },
});
// `x-event` is the schema of each event in a stream.
ajv.addKeyword({
  keyword: 'x-event',
  type: 'string',
  compile: (schema: object) => {
    const validate = ajv.compile(schema);
    return (text: string) => eventFieldsFrom(text).every((event) => validate(event));
  },
});
