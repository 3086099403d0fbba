import { readArguments, type Arguments } from './commands/arguments.ts';
import { readConfig, type Config } from './config/config.ts';
import { program, StartupError } from './lib/startup-error.ts';

interface Command {
  readonly does: string;
  /** Loads the command's modules, and runs the command. No command loads another command's modules, to start faster. */
  readonly run: (config: Config, values: Arguments) => Promise<void>;
}

/** All commands by synopsis, in the order of the usage text. */
const commands: Readonly<Record<string, Command>> = {
  'serve [--demo]': {
    does: 'start the server',
    run: async (...call) => (await import('./commands/serve.ts')).serve(...call),
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
    does: 'copy the whole database to an empty one',
    run: async (...call) => (await import('./commands/database.ts')).move(...call),
  },
  recount: {
    does: 'correct the counters of tasks; servers may keep running',
    run: async (config) => (await import('./commands/database.ts')).recount(config),
  },
  'user export ID [--file FILE]': {
    does: 'print all data of a user as lines of JSON, or write it to a new file',
    run: async (...call) => (await import('./commands/user.ts')).exportUser(...call),
  },
  'user delete ID': {
    does: 'delete all data of a user; if it is interrupted, run it again',
    run: async (...call) => (await import('./commands/user.ts')).deleteUser(...call),
  },
  'user copy ID --to TARGET': {
    does: 'copy all data of a user to another database, which must have no data of the user',
    run: async (...call) => (await import('./commands/user.ts')).copyUser(...call),
  },
  'runs pause [--runtime NAME]': {
    does: 'begin no more runs of a runtime, or of all runtimes, until it is resumed; new runs wait',
    run: async (...call) => (await import('./commands/runs.ts')).pauseRuns(...call),
  },
  'runs resume [--runtime NAME]': {
    does: 'begin runs again',
    run: async (...call) => (await import('./commands/runs.ts')).resumeRuns(...call),
  },
  'runs retry [--runtime NAME]': {
    does: 'continue runs that wait for a model server, and retry runs that failed in the last 24 hours because of a model server',
    run: async (...call) => (await import('./commands/runs.ts')).retryFailed(...call),
  },
  'token --user ID [--name NAME] [--ttl SPAN]': {
    does: 'print a token signed with the local key or JWT_SECRET',
    run: async (...call) => (await import('./commands/token.ts')).printToken(...call),
  },
};

/** What the arguments and options of the commands mean. */
const meanings: Readonly<Record<string, string>> = {
  ID: 'the id of the user, the `sub` of its tokens',
  '--demo': 'example data in memory, and tokens of example users',
  '--file': 'write to this new file, which gets its name when it is complete',
  '--name': 'the display name of the user',
  '--runtime': 'this runtime only; without it, all of them',
  '--to': 'the address of a Postgres, or the folder of an embedded database',
  '--ttl': 'how long the token is valid, such as 12h; 30d by default',
  '--user': 'the id of the user',
};

const usage = `Usage: ${program} COMMAND\n${[
  ...Object.entries(commands).map(([synopsis, { does }]) => [synopsis, does]),
  ...Object.entries(meanings),
]
  .map(([name, meaning]) => `  ${name}\n      ${meaning}\n`)
  .join('')}`;

async function main(args: string[]): Promise<void> {
  const words = args.length === 0 ? ['serve'] : args;
  if (words.includes('--help') || words.includes('-h')) {
    process.stdout.write(usage);
    return;
  }
  for (const [synopsis, { run }] of Object.entries(commands)) {
    const name = /^[a-z ]*[a-z]/.exec(synopsis)?.[0].split(' ') ?? [];
    if (!name.every((word, i) => word === words[i])) continue;
    const values = readArguments(synopsis, words.slice(name.length));
    await run(readConfig(), values);
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
