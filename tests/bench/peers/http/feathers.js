/** Feathers on Koa with a Knex service, with schemas, resolvers and transaction hooks as its generator writes them. */
import { feathers } from '@feathersjs/feathers';
import { KnexService, transaction } from '@feathersjs/knex';
import { bodyParser, errorHandler, koa, rest } from '@feathersjs/koa';
import { Ajv, hooks, resolve } from '@feathersjs/schema';
import { getValidator, querySyntax, Type } from '@feathersjs/typebox';
import knex from 'knex';
import { announce, databaseUrl, poolSize } from './process.js';
import { columns, newEntry, newTask } from './tasks.js';

const text = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const create = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: 1000 }),
    status: Type.Optional(Type.String()),
    priority: Type.Optional(Type.String()),
    workspace_id: text,
    description: text,
    assignee_id: text,
    assignee_type: text,
    assignee_name: text,
    due_date: text,
    tags: text,
    metadata: text,
  },
  { $id: 'TaskCreate', additionalProperties: false },
);
const query = querySyntax(
  Type.Object({ id: Type.String(), user_id: Type.String(), created_at: Type.String() }),
);
const ajv = new Ajv({ coerceTypes: true });

const ownTasks = resolve({ user_id: (_value, _query, { params }) => params.user.id });

async function writeEntry({ data, params, result }) {
  await params.transaction
    .trx('audit_logs')
    .insert({ ...newEntry(data, result), created_at: result.created_at });
}

const app = koa(feathers());
app.use(errorHandler());
app.use(bodyParser());
app.use((ctx, next) => {
  ctx.feathers = { ...ctx.feathers, user: { id: ctx.get('x-user') } };
  return next();
});
app.configure(rest());

const connection = { connectionString: databaseUrl };
const Model = knex({ client: 'pg', connection, pool: { min: 0, max: poolSize } });
const paginate = { default: 100, max: 1000 };
app.use('api/tasks', new KnexService({ Model, name: 'tasks', id: 'id', paginate }), {
  methods: ['find', 'get', 'create'],
});
app.service('api/tasks').hooks({
  before: {
    all: [hooks.validateQuery(getValidator(query, ajv))],
    find: [hooks.resolveQuery(ownTasks), selectColumns],
    get: [hooks.resolveQuery(ownTasks), selectColumns],
    create: [hooks.validateData(getValidator(create, ajv)), complete, transaction.start()],
  },
  after: { create: [writeEntry, transaction.end()] },
  error: { create: [transaction.rollback()] },
});

function selectColumns({ params }) {
  params.query.$select = columns;
}

function complete(context) {
  const now = new Date();
  const task = newTask(context.data, context.params.user.id);
  context.data = { ...task, created_at: now, updated_at: now };
  selectColumns(context);
}

const server = await app.listen(0, '127.0.0.1');
server.once('listening', () => announce(server.address().port));
