/** The packages of our server as documented: Koa, koa-bodyparser, openapi-backend, Kysely and pg. */
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { Kysely, PostgresDialect } from 'kysely';
import { OpenAPIBackend } from 'openapi-backend';
import pg from 'pg';
import { document } from './document.js';
import { listen, poolOptions } from './process.js';
import { columns, newEntry, newTask } from './tasks.js';

const pool = new pg.Pool(poolOptions);
const db = new Kysely({ dialect: new PostgresDialect({ pool }) });

const api = new OpenAPIBackend({
  definition: document,
  ajvOpts: { logger: false },
  handlers: {
    async getTask({ request }, ctx) {
      const task = await db
        .selectFrom('tasks')
        .select(columns)
        .where('id', '=', request.params.id)
        .where('user_id', '=', ctx.get('x-user'))
        .executeTakeFirst();
      if (task === undefined) ctx.throw(404);
      ctx.body = { task };
    },
    async listTasks({ request }, ctx) {
      const { limit = 100, offset = 0 } = request.query;
      const ofUser = db.selectFrom('tasks').where('user_id', '=', ctx.get('x-user'));
      const [tasks, { count }] = await Promise.all([
        ofUser
          .select(columns)
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .limit(Number(limit))
          .offset(Number(offset))
          .execute(),
        ofUser.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow(),
      ]);
      ctx.body = { tasks, count: Number(count) };
    },
    async createTask({ request }, ctx) {
      const body = request.requestBody;
      const fields = { ...newTask(body, ctx.get('x-user')), created_at: new Date(), updated_at: new Date() };
      const task = await db.transaction().execute(async (transaction) => {
        const row = await transaction
          .insertInto('tasks')
          .values(fields)
          .returning(columns)
          .executeTakeFirst();
        const entry = { ...newEntry(body, fields), created_at: fields.created_at };
        await transaction.insertInto('audit_logs').values(entry).execute();
        return row;
      });
      ctx.status = 201;
      ctx.body = { task };
    },
    validationFail: ({ validation }, ctx) => ctx.throw(400, JSON.stringify(validation.errors)),
    notFound: (_context, ctx) => ctx.throw(404),
  },
});
await api.init();

const app = new Koa();
app.use(bodyParser());
app.use((ctx) => {
  const { method, path, headers, query, request } = ctx;
  return api.handleRequest({ method, path, headers, query, body: request.body }, ctx);
});
listen(app);
