import { hash } from 'node:crypto';
import {
  type CallToolResult,
  type ContentBlock,
  type ImageContent,
  type Tool as McpTool,
} from '@modelcontextprotocol/client';
import type { Logger } from 'pino';
import type { McpSkillConfig } from '../../../config/config.ts';
import { Problem } from '../../../contract/problem.ts';
import { sortKeys } from '../../../lib/json.ts';
import { toStorable, toStorableJson } from '../../../lib/text.ts';
import { simpleSchema } from '../../../tools/portable-schema.ts';
import { errorLengthMax, fits, truncateText } from '../../../tools/result-size.ts';
import { unlessAborted } from '../../../lib/unless-aborted.ts';
import { unknownOutcome, type Skill, type Tool, type ToolContext, type ToolResult } from '../tool.ts';
import { describeFailure, isUnsent, wordsOf } from './failure.ts';
import { McpSession } from './mcp-session.ts';
import { schemaErrors } from './schema-errors.ts';
import { createToolList } from './tool-list.ts';

const descriptionLengthMax = 2_048;

/**
 * The skill `mcp:<name>`: the tools of an MCP server, as `<name>__<tool>`. A call fails if the server sends neither a
 * result nor progress for `toolMs`. Calls `onFailure` when the tools could not be listed or called.
 */
export function mcpSkill(
  server: McpSkillConfig,
  toolMs: number,
  logger: Logger,
  onFailure: () => void,
): Skill {
  // Each run that this process executes has a session of its own.
  const sessions = new WeakMap<ToolContext['resources'], McpSession>();
  const toolFrom = (name: string, listed: McpTool): Tool => {
    const { name: serverName, description: text = listed.title ?? serverName, annotations } = listed;
    const description = toStorable(truncateText(text, descriptionLengthMax));
    // The output schema is left out, because the client would reject a result that does not match it.
    const parts = { name: serverName, inputSchema: listed.inputSchema, ...(annotations && { annotations }) };
    const definition: Definition = toStorableJson(parts);
    const { inputSchema } = definition;
    return {
      ...{ name, description, inputSchema, parameters: simpleSchema(inputSchema) },
      isRepeatable: false,
      needsApproval:
        server.approval === 'always' || (server.approval === 'writes' && annotations?.readOnlyHint !== true),
      identity: () =>
        hash('sha256', JSON.stringify([server.url, description, definition], inOrder), 'base64url'),
      findErrors: (values) => schemaErrors(inputSchema, values),
      call: async (values, context) => {
        const session = sessions.get(context.resources) ?? new McpSession(server, context);
        sessions.set(context.resources, session);
        try {
          return await callTool(session, definition, toolMs, values, context);
        } catch (error) {
          if (!context.signal.aborted) onFailure();
          throw error;
        }
      },
    };
  };
  return createToolList(server, toolFrom, logger, onFailure);
}

/** The parts of a tool's definition that a call needs. */
type Definition = Pick<McpTool, 'name' | 'inputSchema' | 'annotations'>;

/** A replacer for `JSON.stringify` that sorts keys, and the names in `required`, because their order means nothing. */
function inOrder(name: string, value: unknown): unknown {
  return name === 'required' && Array.isArray(value) ? value.toSorted() : sortKeys(name, value);
}

/**
 * Calls a tool of an MCP server. Because the effect cannot be part of a transaction, the beginning of a call that must
 * not be repeated is committed before the call is sent.
 */
async function callTool(
  session: McpSession,
  definition: Definition,
  toolMs: number,
  values: Readonly<Record<string, unknown>>,
  { signal: stop, begin }: ToolContext,
): Promise<ToolResult> {
  const { readOnlyHint = false, idempotentHint = false } = definition.annotations ?? {};
  const isRepeatable = readOnlyHint || idempotentHint;
  let isSent = false;
  const fail = (error: unknown): never => {
    const cause = new Error(`the MCP server ${session.server.name} ${describeFailure(error)}`);
    const sentence = isSent && !isUnsent(error) ? sentenceOf(error, session.server, isRepeatable) : unsent;
    throw new Problem('Bad Request', `The MCP server "${session.server.name}" ${sentence}`, { cause });
  };
  await session.open(AbortSignal.any([stop, AbortSignal.timeout(toolMs)])).catch(fail);
  isSent = true;
  if (!isRepeatable) await begin();
  const result = await session
    .send(({ client, limits }) => {
      const signal = AbortSignal.any([stop, limits.signal]);
      const limit = { signal, timeout: toolMs, resetTimeoutOnProgress: true, onprogress: () => undefined };
      const options = { toolDefinition: definition, ...limit };
      return unlessAborted(signal, client.callTool({ name: definition.name, arguments: values }, options));
    }, stop)
    .catch(fail);
  return resultFrom(result);
}

const unsent = 'cannot be reached, or refused the connection. Nothing was done.';

/** Tells the model why a call that was sent has failed, and whether it may have taken effect. */
function sentenceOf(error: unknown, { token }: McpSkillConfig, isRepeatable: boolean): string {
  const outcome = isRepeatable ? 'The call can be repeated.' : unknownOutcome;
  const said = wordsOf(error);
  // Replace the token before the cut, which could split it. Cut only the words, so that the outcome is never cut off.
  const words = truncateText(token === undefined ? said : said.replaceAll(token, '…'), errorLengthMax / 2);
  const sentence = `${describeFailure(error)}${words === '' ? '. ' : `: ${words}\n`}`;
  return sentence + outcome;
}

// Every text of this length fits into the result of a call.
const textLengthMax = 16_384;

/** The result of a call: text for the model, and pictures for the user. */
function resultFrom({ content, structuredContent: fields, isError }: CallToolResult): ToolResult {
  const attachments = content.filter(isPicture).map(({ data, mimeType }, i) => {
    const media_type = mimeType.replace(/jpg$/, 'jpeg');
    const name = `picture-${i + 1}.${media_type.slice('image/'.length)}`;
    return { media_type, name, data_base64: data };
  });
  const texts = content.filter((block) => !isPicture(block)).map(textFrom);
  const shown = attachments.map(({ name }) => `[${name} is shown to the user]`);
  const json = JSON.stringify(fields);
  // Servers should repeat the fields in a text. A text of less than half their length only summarizes them. If the only
  // content is pictures, the fields repeat the pictures.
  const isRepeated = texts.length === 0 && attachments.length > 0;
  if (fields !== undefined && !isRepeated && texts.join('').length < json.length / 2) texts.push(json);
  const text = toStorable([...texts, ...shown].join('\n'));
  return {
    content: fits(text) ? text : truncateText(text, textLengthMax),
    attachments: attachments.length === 0 ? null : attachments,
    isError: isError === true,
  };
}

// SVG is left out, because it can contain scripts.
const pictureTypes = /^image\/(?:png|jpe?g|gif|webp)$/;

function isPicture(block: ContentBlock): block is ImageContent {
  return block.type === 'image' && pictureTypes.test(block.mimeType);
}

/** Converts a block to text. Content that is not text is described by its type or address. */
function textFrom(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link':
      return `${block.name}: ${block.uri}`;
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[${block.resource.uri} is not text]`;
    case 'image':
    case 'audio':
      return `[${block.mimeType} cannot be shown]`;
  }
}
