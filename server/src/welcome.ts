import manifest from '../package.json' with { type: 'json' };
import { signingKey } from './auth/keys.ts';
import { issueToken } from './auth/tokens.ts';
import type { Config } from './config/config.ts';
import { databaseName } from './db/database.ts';
import { createLogger } from './log.ts';
import type { RunningServer } from './start.ts';
import { program } from './program.ts';

/** What a ready server prints: text in a terminal, otherwise a log line of any level. */
export async function welcome(config: Config, server: RunningServer): Promise<string> {
  const url = openableUrl(server.url);
  const database = databaseName(config);
  const sentence = `Worktable ${manifest.version} is ready at ${url} (database: ${database}).`;
  const token = await tokenLines(config, url);
  return process.stdout.isTTY
    ? [sentence, `The reference page is ${url}/docs.`, ...token, '', ''].join('\n')
    : logLine({ version: manifest.version, url, database }, sentence) +
        token.map((line) => `${line}\n`).join('');
}

/** Replaces the wildcard address by the loopback address, because browsers cannot open the wildcard address. */
function openableUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

/** How to send a first request, if the server made its own key. */
async function tokenLines(config: Config, url: string): Promise<string[]> {
  const key = await signingKey(config.tokens, config.dataDir);
  if (key === undefined || config.tokens.secret !== undefined) return [];
  // This output may be collected as a log, which must not contain a token.
  if (!process.stdout.isTTY) return [`Get a token with: ${program} token --user ID`];
  const token = await issueToken(key, config.tokens, { user: 'me', name: 'Me', ttl: '30d' });
  return [
    '',
    'A token for the user "me", good for 30 days:',
    `  ${token}`,
    '',
    'A first request:',
    `  curl -s ${url}/api/tasks -H 'Authorization: Bearer ${token}' \\`,
    `    -H 'Content-Type: application/json' -d '{"title":"Buy milk"}'`,
    '',
  ];
}

function logLine(fields: object, sentence: string): string {
  let line = '';
  createLogger('info', { write: (text) => (line = text) }).info(fields, sentence);
  return line;
}
