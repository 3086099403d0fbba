/** The request and response bodies as JSON Schema, limited to keywords of OpenAPI 3.0. */
const nullable = { type: 'string', nullable: true };
const timestamp = { type: 'string', format: 'date-time' };

const fields = {
  workspace_id: nullable,
  description: nullable,
  assignee_id: nullable,
  assignee_type: nullable,
  assignee_name: nullable,
  due_date: nullable,
  tags: nullable,
  metadata: nullable,
};

export const task = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    user_id: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'string' },
    priority: { type: 'string' },
    ...fields,
    created_at: timestamp,
    updated_at: timestamp,
  },
};

export const list = {
  type: 'object',
  properties: { tasks: { type: 'array', items: task }, count: { type: 'integer' } },
};

export const taskCreate = {
  type: 'object',
  required: ['title'],
  properties: {
    title: { type: 'string', minLength: 1, maxLength: 1000 },
    status: { type: 'string' },
    priority: { type: 'string' },
    ...fields,
  },
};
