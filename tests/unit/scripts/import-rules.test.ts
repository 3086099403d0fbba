import { describe, expect, it } from 'vitest';
import { violations } from '../../../scripts/import-rules.ts';

describe('violations of the import rules', () => {
  it.each([
    ['server/src/tasks/find-task.ts', 'server/src/agents/agent-store.ts'],
    ['server/src/tasks/handlers.ts', 'kysely'],
    ['server/src/tasks/handlers.ts', 'server/src/http/request/body.ts'],
    ['server/src/db/idempotency-keys.ts', 'server/src/tasks/handlers.ts'],
    ['server/src/errors.ts', 'server/src/app.ts'],
    ['server/src/auth/keys.ts', 'koa'],
    ['server/src/app.ts', 'openapi-backend'],
    ['server/src/handlers.ts', 'kysely'],
    ['server/src/tasks/find-task.ts', 'pg'],
    ['server/src/viz/layout/pie.ts', 'canvas'],
    ['server/src/viz/render-pool.ts', 'jspdf'],
    ['server/src/agents/worker.ts', '@ai-sdk/openai-compatible'],
    ['server/src/auth/keys.ts', 'openai'],
    ['server/src/agents/start.ts', '@modelcontextprotocol/client'],
    ['server/src/auth/keys.ts', 'node:process'],
    ['server/src/tasks/task.ts', 'node:fs'],
    ['server/src/viz/scene.ts', 'uuid'],
    ['sdk/src/client.ts', 'node:fs'],
    ['sdk/src/client.ts', 'server/src/operation.ts'],
  ])('are reported when %s imports %s', (file, imported) => {
    expect(violations({ file, text: '', imports: [imported] })[0]).toContain(`${file} imports ${imported}`);
  });

  it.each([
    ['server/src/tasks/task.ts', 'const now = Date.now();'],
    ['server/src/tasks/task.ts', 'const chance = Math.random();'],
    ['server/src/viz/layout/pie.ts', 'const id = crypto.randomUUID();'],
    ['server/src/auth/keys.ts', "const value = process['env'];"],
    ['server/src/cli.ts', 'const value = process.env.PORT;'],
  ])('are reported when %s contains %s', (file, text) => {
    expect(violations({ file, text, imports: [] })).toHaveLength(1);
  });

  it.each([
    ['server/src/tasks/find-task.ts', 'kysely'],
    ['server/src/tasks/handlers.ts', 'server/src/tasks/find-task.ts'],
    ['server/src/http/handle-request.ts', 'server/src/operation.ts'],
    ['server/src/db/postgres/postgres.ts', 'pg'],
    ['server/src/viz/paint/png.ts', 'canvas'],
    ['sdk/src/transport.ts', 'openapi-fetch'],
  ])('are not reported when %s imports %s', (file, imported) => {
    expect(violations({ file, text: '', imports: [imported] })).toEqual([]);
  });
});
