import { describe, expect, it } from 'vitest';
import { parametersOf, requestFrom } from '../../../server/src/agents/skills/parameters.ts';

describe('parametersOf', () => {
  it('joins path, query and body of an operation, with what is required', () => {
    expect(parametersOf('createComment')).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string' },
        body: { type: 'string', maxLength: 65_536 },
      },
      required: ['id', 'body'],
    });
  });

  it('takes the parts of a schema together and leaves out what models do not need', () => {
    const schema = JSON.stringify(parametersOf('createTask'));

    expect(schema).toMatch(/"required":\["title"\]/);
    expect(schema).toMatch(/"priority":\{"type":\["string","number","boolean","null"\]/);
    expect(schema).not.toMatch(/allOf|\$ref|pattern|x-message/);
  });

  it('tells defaults that stand in place of those of the contract', () => {
    expect(parametersOf('listComments', { limit: 20 })).toMatchObject({
      properties: { limit: { type: 'integer', default: 20 }, offset: { default: 0 } },
    });
  });

  it('describes what is inside lists', () => {
    expect(parametersOf('renderPng')).toMatchObject({
      properties: {
        data: { items: { properties: { value: { type: 'number' } }, required: ['label', 'value'] } },
      },
    });
  });
});

describe('requestFrom', () => {
  it('puts values where the operation has them and leaves out others', () => {
    const values = { id: 'x', status: 'done', user_id: 'mallory' };

    expect(requestFrom('updateTask', values)).toEqual({
      path: { id: 'x' },
      query: {},
      body: { status: 'done' },
    });
  });
});
