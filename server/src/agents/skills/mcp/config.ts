import { choice, StartupError, text, url, type Environment } from '../../../environment.ts';
import { readNamedSettings } from '../../../named-settings.ts';

/** Which tools of an MCP server need the user's approval: all, those that may write, or none. */
export type ApprovalPolicy = 'always' | 'writes' | 'never';

/** An MCP server whose tools are the skill `mcp:<name>`. Only the operator names its address. */
export interface McpSkillConfig {
  readonly name: string;
  readonly url: string;
  /** The bearer token that this server sends. It acts for every user of the skill. */
  readonly token: string | undefined;
  readonly approval: ApprovalPolicy;
}

// Model servers accept names of up to 64 characters: this one, two underscores and the name of the tool.
const nameLengthMax = 32;

export function readMcpSkills(env: Environment): McpSkillConfig[] {
  const named = {
    list: 'MCP_SKILLS',
    prefix: 'MCP_SKILL',
    suffixes: ['URL', 'TOKEN', 'APPROVAL'],
    kind: 'MCP server',
  };
  return readNamedSettings(env, named, (name, prefix) => {
    const address = url(env, `${prefix}_URL`, ['http:', 'https:']);
    if (address === undefined)
      throw new StartupError(`MCP_SKILLS lists "${name}", so ${prefix}_URL must be set to its address.`);
    if (new URL(address).username !== '' || new URL(address).password !== '')
      throw new StartupError(`${prefix}_URL must not have a user or password. Set ${prefix}_TOKEN instead.`);
    if (name.length > nameLengthMax)
      throw new StartupError(
        `MCP_SKILLS lists "${name}", but a name has at most ${nameLengthMax} characters: it is part of the names of tools.`,
      );
    const token = text(env, `${prefix}_TOKEN`);
    // A header cannot have other characters, and the error of `fetch` would quote the token.
    if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
      throw new StartupError(`${prefix}_TOKEN must have visible ASCII characters only.`);
    const approval = choice(env, `${prefix}_APPROVAL`, ['always', 'writes', 'never'], 'writes');
    return { name, url: address, token, approval };
  });
}
