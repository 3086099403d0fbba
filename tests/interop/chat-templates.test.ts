import { describe, expect, it } from 'vitest';
import { noSystemRole, oneCallAtOnce } from '../support/chat-template.ts';
import type { ModelRequest } from '../support/model-server.ts';
import { conversations } from './conversations.ts';
import { chatTemplate, loadPeer, templateNames } from './peers.ts';

const skills = ['tasks', 'viz'];

/** Templates that use functions or values of Python which the package does not have. */
const unreadable = [
  ...['Apriel-1.6-15b-Thinker-fixed', 'unsloth-Apriel-1.5', 'ByteDance-Seed-OSS', 'openbmb-MiniCPM5-1B'],
  ...['CohereForAI-c4ai-command-r-plus-tool_use', 'fireworks-ai-llama-3-firefunction-v2', 'tencent-Hy3'],
  ...['GigaChat3-10B-A1.8B', 'GigaChat3.1-10B-A1.8B', 'Kimi-K2-Instruct', 'Kimi-K2-Thinking'],
  ...['NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use', 'NousResearch-Hermes-3-Llama-3.1-8B-tool_use'],
  'meetkai-functionary-medium-v3.2',
];
const oneCall = ['Llama-3.1-8B', 'Llama-3.2-3B', 'Llama-3.3-70B'].map(
  (name) => `meta-llama-${name}-Instruct`,
);
const withoutTools = ['google-gemma-2-2b-it'];
const others = new Set([...unreadable, ...oneCall, ...withoutTools]);

/** The format of Jamba 1.5 by its public description, because llama.cpp has no copy of its template. */
const jamba = `{{ bos_token }}{% for message in messages %}<|bom|><|{{ message.role }}|> {{ message.content }}{%
  if message.tool_calls %}<tool_calls>{{ message.tool_calls | map(attribute='function') | list | tojson
  }}</tool_calls>{% endif %}<|eom|>{% endfor %}<|bom|><|assistant|>`;

/** Model families. The chat templates of a family accept the same conversations. */
const families = {
  'most models': {
    model: { skills },
    templates: [...templateNames().filter((name) => !others.has(name)), 'Jamba'],
  },
  'models with one call in a step': { model: { skills, refusal: oneCallAtOnce }, templates: oneCall },
  'models without a system role and tools': {
    model: { skills: [], refusal: noSystemRole },
    templates: withoutTools,
  },
} as const;

/** The values for a template, as servers make them from a request: arguments become objects. */
function valuesFor({ messages, tools }: ModelRequest): object {
  return {
    tools,
    messages: messages.map(({ tool_calls: calls, ...message }) => ({
      ...message,
      ...(calls && {
        tool_calls: calls.map((call) => ({
          ...call,
          function: { ...call.function, arguments: JSON.parse(call.function.arguments) as unknown },
        })),
      }),
    })),
    ...{ add_generation_prompt: true, bos_token: '<s>', eos_token: '</s>', date_string: '21 Nov 2026' },
  };
}

describe.each(Object.entries(families))('of %s', (_family, { model, templates }) => {
  it('each chat template shows the last message of each conversation, and results in the order of calls', async () => {
    const { Template } = await loadPeer('@huggingface/jinja');
    const captured = await conversations(model);

    for (const name of templates) {
      const template = new Template(name === 'Jamba' ? jamba : chatTemplate(name));
      for (const { history, requests } of captured)
        for (const request of requests) {
          const where = `${name} after ${history}`;
          const shown = shownBy(() => template.render(valuesFor(request)), where);
          const last = request.messages.findLast(({ role }) => role === 'user')?.content;
          expect(shown, where).toContain(last);
          expect(shown, where).not.toMatch(/\bNone\b/);
          // Some templates write results as JSON, in which they are not found.
          const results = request.messages.filter(({ role }) => role === 'tool');
          const places = results.map(({ content }) => shown.indexOf(content ?? '')).filter((i) => i >= 0);
          expect(places, where).toEqual(places.toSorted((a, b) => a - b));
        }
    }
    expect(templates.length * captured.length).toBeGreaterThan(3);
  });
});

function shownBy(render: () => string, where: string): string {
  try {
    return render();
  } catch (cause) {
    throw new Error(`The chat template ${where} refuses the conversation.`, { cause });
  }
}
