import { execFile } from 'node:child_process';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';

/** Runs a command and resolves to its standard output. The error of a failed command has all of its output. */
export async function shell(cwd: string, command: string, ...args: string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(command, args, { cwd, timeout: 300_000 });
    return stdout;
  } catch (error) {
    // The cast holds because an error of execFile has both outputs.
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`"${command} ${args.join(' ')}" failed:\n${stdout}${stderr}`, { cause: error });
  }
}

/** Resolves to the first match of a pattern in the output of a process; undefined if the output ends first. */
export async function matchInOutput(output: Readable, pattern: RegExp): Promise<RegExpExecArray | undefined> {
  let text = '';
  for await (const chunk of output.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    const match = pattern.exec(text);
    if (match === null) continue;
    // Discards the rest, because the process would block on a full pipe.
    output.resume();
    return match;
  }
  return undefined;
}
