import { expect, it } from 'vitest';
import { createClient } from '../../sdk/src/index.ts';
import { journey } from '../sdk/journey.ts';
import { deletesWhatIsNew, token, url } from './target.ts';

deletesWhatIsNew();

it('the SDK does everything that it offers, streams included', async () => {
  const shapes = await journey(createClient({ baseUrl: url, token }));
  const failures = Object.entries(shapes).filter(
    ([, shape]) => typeof shape === 'string' && shape.includes('Error'),
  );

  expect(Object.fromEntries(failures)).toEqual({
    'get it once it is deleted': 'NotFoundError Task not found',
    'create a task without a title': 'BadRequestError VALIDATION_ERROR',
    'change it by an old version': 'PreconditionFailedError Precondition failed',
  });
  expect(shapes['get it if it has changed']).toBeUndefined();
  expect(shapes).toMatchObject({
    'run an agent without waiting': { status: 202, applied: 'respond-async', isOfRun: true },
    'run it as a stream': ['run.started', 'run.completed'],
  });
});
