import { parseArgs } from 'node:util';
import { readConfig, type Config } from './config/config.ts';
import { program, StartupError } from './lib/startup-error.ts';

/** The options of all commands. */
const options = {
  demo: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  name: { type: 'string' },
  runtime: { type: 'string' },
  to: { type: 'string' },
  ttl: { type: 'string' },
  user: { type: 'string' },
} as const;

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (cause) {
    const sentence = cause instanceof Error ? cause.message : String(cause);
    throw new StartupError(`${sentence}\n${usage}`, { cause });
  }
}

type Run = (config: Config, values: ReturnType<typeof parse>['values'], id: string) => Promise<void>;

/**
 * All commands by synopsis, in the order of the usage text. Each loads only its own modules, to start faster. `id` is the
 * last word of the command.
 */
const commands: Readonly<Record<string, { readonly does: string; readonly run: Run }>> = {
  'serve [--demo]': {
    does: 'start the server; --demo: with example data in memory, and print tokens of example users',
    run: async (config, { demo = false }) => (await import('./commands/serve.ts')).serve(config, demo),
  },
  migrate: {
    does: 'update the schema of the database',
    run: async (config) => (await import('./commands/database.ts')).migrate(config),
  },
  distribute: {
    does: 'distribute the database over the nodes of its Citus cluster',
    run: async (config) => (await import('./commands/database.ts')).distribute(config),
  },
  doctor: {
    does: 'check everything that a server needs, and say what to do',
    run: async (config) => (await import('./commands/doctor.ts')).doctor(config),
  },
  'move --to TARGET': {
    does: 'copy the whole database to an empty one: the address of a Postgres, or a folder',
    run: async (config, { to }) => (await import('./commands/database.ts')).move(config, to),
  },
  recount: {
    does: 'correct the counters of tasks; servers may keep running',
    run: async (config) => (await import('./commands/database.ts')).recount(config),
  },
  'user export ID': {
    does: 'print all data of a user, the `sub` of its tokens, as lines of JSON',
    run: async (config, _values, id) => (await import('./commands/user.ts')).exportUser(config, id),
  },
  'user delete ID': {
    does: 'delete all data of a user; if it is interrupted, run it again',
    run: async (config, _values, id) => (await import('./commands/user.ts')).deleteUser(config, id),
  },
  'user copy ID --to TARGET': {
    does: 'copy all data of a user to another database, which must have no data of the user',
    run: async (config, { to }, id) => (await import('./commands/user.ts')).copyUser(config, id, to),
  },
  'runs pause [--runtime NAME]': {
    does: 'begin no more runs of a runtime, or of all runtimes, until it is resumed; new runs wait',
    run: async (config, { runtime }) => (await import('./commands/runs.ts')).pauseRuns(config, runtime),
  },
  'runs resume [--runtime NAME]': {
    does: 'begin runs again',
    run: async (config, { runtime }) => (await import('./commands/runs.ts')).resumeRuns(config, runtime),
  },
  'runs retry [--runtime NAME]': {
    does: 'continue runs that wait for a model server, and retry runs that failed in the last 24 hours because of a model server',
    run: async (config, { runtime }) => (await import('./commands/runs.ts')).retryFailed(config, runtime),
  },
  'token --user ID [--name NAME] [--ttl SPAN]': {
    does: 'print a token for a user, signed with the local key or JWT_SECRET; valid for 30d, or a time such as 12h',
    run: async (config, values) => (await import('./commands/token.ts')).printToken(config, values),
  },
};

const usage = `Usage: ${program} COMMAND\n${Object.entries(commands)
  .map(([synopsis, { does }]) => `  ${synopsis}\n      ${does}\n`)
  .join('')}`;

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parse(args);
  if (values.help === true) {
    process.stdout.write(usage);
    return;
  }
  const words = positionals.length === 0 ? ['serve'] : positionals;
  for (const [synopsis, { run }] of Object.entries(commands)) {
    const names = synopsis.replace(/ \[?--.*/, '').split(' ');
    const isNamed = names.every((name, i) => name === words[i] || (name === 'ID' && words[i] !== undefined));
    if (!isNamed || words.length > names.length) continue;
    if (Object.keys(values).some((name) => !synopsis.includes(`--${name}`))) continue;
    await run(readConfig(), values, words.at(-1) ?? '');
    return;
  }
  throw new StartupError(usage);
}

/** Prints only the message if an operator can fix the error, otherwise the stack. */
function report(error: unknown): void {
  console.error(error instanceof StartupError ? error.message : error);
  process.exitCode = 1;
}

// Awaited, because Node would otherwise exit with 0 if the promise is never settled.
await main(process.argv.slice(2)).catch(report);
