import { describe, expect, it } from 'vitest';
import { createPathRouter } from '../../../server/src/contract/router.ts';

const find = createPathRouter(
  [
    ['get', '/api/tasks'],
    ['post', '/api/tasks'],
    ['get', '/api/tasks/{id}'],
    ['get', '/api/tasks/{id}/comments'],
    ['get', '/api/tasks/mine'],
  ].map(([method = '', path = '']) => ({ method, path, operation: `${method} ${path}` })),
);

describe('createPathTable', () => {
  it('finds the operations of a path by method', () => {
    expect([...(find('/api/tasks')?.byMethod.values() ?? [])]).toEqual(['get /api/tasks', 'post /api/tasks']);
  });

  it('reads parameters and decodes them', () => {
    expect(find('/api/tasks/a%2Fb%20c/comments')?.params).toEqual({ id: 'a/b c' });
  });

  it('prefers a name to a parameter', () => {
    expect(find('/api/tasks/mine')?.byMethod.get('get')).toBe('get /api/tasks/mine');
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
