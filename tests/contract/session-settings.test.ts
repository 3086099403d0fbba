import { expect, it } from 'vitest';
import { noLimits } from '../support/agents.ts';
import { Client } from '../support/client.ts';
import { journey } from '../support/journey.ts';
import { databaseName, databaseUrl, run, runConnection } from '../support/postgres.ts';
import { startProcess } from '../support/process.ts';
import { createOwner } from '../support/roles.ts';
import { createDatabase, engine, startTestServer, template } from '../support/server.ts';
import { alterDatabase, european, german, harmless, type Settings } from '../support/session-settings.ts';
import { secret, tokenFor } from '../support/tokens.ts';

const server = await startTestServer({ env: noLimits });
const expected = await journey(await server.as('alice'));
await server.close();

it.skipIf(engine === 'postgres')('answers are the same on a database with other settings', async () => {
  const sharing = await createDatabase();
  await alterDatabase(sharing, { ...harmless, ...european });

  const server = await startTestServer({ sharing, env: noLimits });

  expect(await journey(await server.as('alice'))).toEqual(expected);
  await server.close();
});

it.runIf(engine === 'postgres')('settings in DATABASE_URL and PGOPTIONS change no answer', async () => {
  const admin = template.engine === 'postgres' ? template.url : '';
  const address = await createOwner(admin, 'settings');
  const database = databaseUrl(admin, databaseName(address.href));
  await alterDatabase({ env: { DATABASE_URL: database } }, { ...harmless, ...european });
  address.searchParams.set('options', optionsOf(european));
  const env = { DATABASE_URL: address.href, PGOPTIONS: optionsOf(german) };

  const server = await startProcess({ ...noLimits, JWT_SECRET: secret, ...env });

  expect(await journey(new Client(server, await tokenFor('alice', { name: 'Alice' })))).toEqual(expected);
});

it.runIf(engine === 'postgres')('a setting that is changed while servers run makes /readyz 503', async () => {
  const server = await startTestServer();
  const url = server.env['DATABASE_URL'] ?? '';
  await run(url, `alter database ${databaseName(url)} set session_replication_role = replica`);
  await runConnection(url, (connection) => connection.cutServers());

  await expect
    .poll(async () => (await fetch(`${server.url}/readyz`)).text())
    .toBe(
      "The sessions of the database have other settings than this server needs: session_replication_role = 'replica', not 'origin'.\n",
    );
});

function optionsOf(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replace(/[ \\]/g, '\\$&')}`)
    .join(' ');
}
