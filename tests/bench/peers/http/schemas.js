/** Parameters, requests and responses as JSON Schema, limited to keywords of OpenAPI 3.0. */
import { columns, fields } from './tasks.js';

const nullable = { type: 'string', nullable: true };

/** Each property that is not null by default is a string. */
const strings = Object.fromEntries(
  Object.entries(fields).map(([name, absent]) => [name, absent === null ? nullable : { type: 'string' }]),
);

export const task = {
  type: 'object',
  properties: Object.fromEntries(columns.map((name) => [name, strings[name] ?? nullable])),
};

export const envelope = { type: 'object', properties: { task } };

export const list = {
  type: 'object',
  properties: { tasks: { type: 'array', items: task }, count: { type: 'integer' } },
};

export const taskCreate = {
  type: 'object',
  required: ['title'],
  properties: { ...strings, title: { type: 'string', minLength: 1, maxLength: 1000 } },
};

export const id = { type: 'string', format: 'uuid' };

export const page = {
  limit: { type: 'integer', minimum: 0, maximum: 1000, default: 100 },
  offset: { type: 'integer', minimum: 0, default: 0 },
};
