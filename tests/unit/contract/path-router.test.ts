import { describe, expect, it } from 'vitest';
import { createPathRouter } from '../../../server/src/contract/router.ts';

const find = createPathRouter([
  { operationId: 'listTasks', method: 'get', path: '/api/tasks', responses: {} },
  { operationId: 'createTask', method: 'post', path: '/api/tasks', responses: {} },
  { operationId: 'getTask', method: 'get', path: '/api/tasks/{id}', responses: {} },
  { operationId: 'listComments', method: 'get', path: '/api/tasks/{id}/comments', responses: {} },
  { operationId: 'countTasks', method: 'get', path: '/api/tasks/mine', responses: {} },
]);

describe('createPathRouter', () => {
  it('finds the operations of a path by method', () => {
    const { byMethod } = find('/api/tasks') ?? {};

    expect(byMethod?.get('get')?.operationId).toBe('listTasks');
    expect(byMethod?.get('post')?.operationId).toBe('createTask');
    expect(byMethod?.size).toBe(2);
  });

  it('reads parameters and decodes them', () => {
    expect(find('/api/tasks/a%2Fb%20c/comments')?.params).toEqual({ id: 'a/b c' });
  });

  it('prefers a name to a parameter', () => {
    expect(find('/api/tasks/mine')?.byMethod.get('get')?.operationId).toBe('countTasks');
  });

  it.each(['/api/tasks/', '/api/tasks//'])('takes %s without the slashes at its end', (path) => {
    expect(find(path)?.byMethod.has('post')).toBe(true);
  });

  it.each(['/', '', '//', '/api', '/api/tasks//comments', '/api/tasks/1/2', '/API/tasks', '/constructor'])(
    'knows nothing at "%s"',
    (path) => {
      expect(find(path)).toBeUndefined();
    },
  );
});
