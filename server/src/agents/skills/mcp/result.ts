import type { CallToolResult, ContentBlock, ImageContent } from '@modelcontextprotocol/client';
import { depthExceeds } from '../../../json-depth.ts';
import type { Schemas } from '../../../operation.ts';
import { toStorable } from '../../../storable-text.ts';
import { fits, truncateText } from '../../../tools/result-size.ts';
import type { ToolResult } from '../tool.ts';

// Every text of this length fits into the result of a call.
const textLengthMax = 16_384;
const depthMax = 64;

/** The result of a call: notes of this server and text for the model, and pictures for the user. */
export function resultFrom(
  { content, structuredContent, isError }: CallToolResult,
  notes: readonly string[],
): ToolResult {
  const attachments = content.filter(isPicture).map(attachmentFrom);
  const texts = content.filter((block) => !isPicture(block)).map(textFrom);
  const shown = attachments.map(({ name }) => `[${name} is shown to the user]`);
  const fields = content.length === 0 && structuredContent !== undefined ? [jsonOf(structuredContent)] : [];
  const text = toStorable([...notes, ...texts, ...shown, ...fields].join('\n'));
  return {
    content: fits(text) ? text : truncateText(text, textLengthMax),
    attachments: attachments.length === 0 ? null : attachments,
    isError: isError === true,
  };
}

function jsonOf(fields: unknown): string {
  return depthExceeds(fields, depthMax) ? '[The result is nested too deeply.]' : JSON.stringify(fields);
}

// SVG is left out, because it can contain scripts.
const pictureTypes = /^image\/(?:png|jpeg|gif|webp)$/;

function isPicture(block: ContentBlock): block is ImageContent {
  return block.type === 'image' && pictureTypes.test(block.mimeType);
}

function attachmentFrom({ data, mimeType }: ImageContent, index: number): Schemas['Attachment'] {
  const name = `picture-${index + 1}.${mimeType.slice('image/'.length)}`;
  return { media_type: mimeType, name, data_base64: data };
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
