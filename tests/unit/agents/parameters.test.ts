import { describe, expect, it } from 'vitest';
import { parametersOf, requestFrom } from '../../../server/src/agents/skills/parameters.ts';

describe('parametersOf', () => {
  it('merges path, query and body of an operation, with the required parameters', () => {
    expect(parametersOf('createComment')).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string' },
        body: { type: 'string', maxLength: 65_536 },
      },
      required: ['id', 'body'],
    });
  });

  it('merges the parts of a schema and leaves out keywords that models do not need', () => {
    const schema = JSON.stringify(parametersOf('createTask'));

    expect(schema).toMatch(/"required":\["title"\]/);
    expect(schema).toMatch(/"priority":\{"type":\["string","number","boolean","null"\]/);
    expect(schema).not.toMatch(/allOf|\$ref|pattern|x-message/);
  });

  it('overrides the defaults of the contract', () => {
    expect(parametersOf('listComments', { limit: 20 })).toMatchObject({
      properties: { limit: { type: 'integer', default: 20 }, offset: { default: 0 } },
    });
  });

  it('describes the items of arrays', () => {
    expect(parametersOf('renderPng')).toMatchObject({
      properties: {
        data: { items: { properties: { value: { type: 'number' } }, required: ['label', 'value'] } },
      },
    });
  });
});

describe('requestFrom', () => {
  it('distributes the values to path, query and body, and drops unknown ones', () => {
    const values = { id: 'x', status: 'done', user_id: 'mallory' };

    expect(requestFrom('updateTask', values)).toEqual({
      path: { id: 'x' },
      query: {},
      body: { status: 'done' },
    });
  });
});
