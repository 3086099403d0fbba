import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a command and resolves to its standard output. The error of a failed command has all of its output. */
export async function shell(cwd: string, command: string, ...args: string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(command, args, { cwd, timeout: 300_000 });
    return stdout;
  } catch (error) {
    // The Error of execFile has both outputs.
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`"${command} ${args.join(' ')}" failed:\n${stdout}${stderr}`, { cause: error });
  }
}
