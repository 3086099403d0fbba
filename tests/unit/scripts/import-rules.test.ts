import { describe, expect, it } from 'vitest';
import { complaintsAbout } from '../../../scripts/import-rules.ts';

describe('complaintsAbout', () => {
  it.each([
    ['server/src/tasks/store.ts', 'server/src/agents/agent-store.ts'],
    ['server/src/tasks/handlers.ts', 'kysely'],
    ['server/src/tasks/handlers.ts', 'server/src/http/request/body.ts'],
    ['server/src/db/once.ts', 'server/src/tasks/handlers.ts'],
    ['server/src/errors.ts', 'server/src/app.ts'],
    ['server/src/auth/keys.ts', 'koa'],
    ['server/src/app.ts', 'openapi-backend'],
    ['server/src/handlers.ts', 'kysely'],
    ['server/src/tasks/store.ts', 'pg'],
    ['server/src/viz/layout/pie.ts', 'canvas'],
    ['server/src/viz/render-pool.ts', 'jspdf'],
    ['server/src/agents/worker.ts', '@ai-sdk/openai-compatible'],
    ['server/src/auth/keys.ts', 'openai'],
    ['server/src/auth/keys.ts', 'node:process'],
    ['server/src/tasks/task.ts', 'node:fs'],
    ['server/src/viz/scene.ts', 'uuid'],
    ['sdk/src/client.ts', 'node:fs'],
    ['sdk/src/client.ts', 'server/src/operation.ts'],
  ])('names %s for importing %s', (file, imported) => {
    expect(complaintsAbout({ file, text: '', imports: [imported] })[0]).toContain(
      `${file} imports ${imported}`,
    );
  });

  it.each([
    ['server/src/tasks/task.ts', 'const now = Date.now();'],
    ['server/src/tasks/task.ts', 'const chance = Math.random();'],
    ['server/src/viz/layout/pie.ts', 'const id = crypto.randomUUID();'],
    ['server/src/auth/keys.ts', "const value = process['env'];"],
    ['server/src/cli.ts', 'const value = process.env.PORT;'],
  ])('names %s for containing %s', (file, text) => {
    expect(complaintsAbout({ file, text, imports: [] })).toHaveLength(1);
  });

  it.each([
    ['server/src/tasks/store.ts', 'kysely'],
    ['server/src/tasks/handlers.ts', 'server/src/tasks/store.ts'],
    ['server/src/http/dispatch.ts', 'server/src/operation.ts'],
    ['server/src/db/postgres.ts', 'pg'],
    ['server/src/viz/paint/png.ts', 'canvas'],
    ['sdk/src/transport.ts', 'openapi-fetch'],
  ])('lets %s import %s', (file, imported) => {
    expect(complaintsAbout({ file, text: '', imports: [imported] })).toEqual([]);
  });
});
