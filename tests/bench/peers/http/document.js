/** An OpenAPI document of the three operations, for the peers that need one. */
import { list, task, taskCreate } from './schemas.js';

const user = { name: 'x-user', in: 'header', required: true, schema: { type: 'string', minLength: 1 } };
const envelope = { type: 'object', properties: { task } };

export const document = {
  openapi: '3.0.3',
  info: { title: 'Tasks', version: '1.0.0' },
  paths: {
    '/api/tasks': {
      get: {
        operationId: 'listTasks',
        parameters: [
          user,
          {
            name: 'limit',
            in: 'query',
            schema: { type: 'integer', minimum: 0, maximum: 1000, default: 100 },
          },
          { name: 'offset', in: 'query', schema: { type: 'integer', minimum: 0, default: 0 } },
        ],
        responses: { 200: json('The tasks.', list) },
      },
      post: {
        operationId: 'createTask',
        parameters: [user],
        requestBody: { required: true, content: { 'application/json': { schema: taskCreate } } },
        responses: { 201: json('The task.', envelope) },
      },
    },
    '/api/tasks/{id}': {
      get: {
        operationId: 'getTask',
        parameters: [
          user,
          { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
        ],
        responses: { 200: json('The task.', envelope) },
      },
    },
  },
};

function json(description, schema) {
  return { description, content: { 'application/json': { schema } } };
}
