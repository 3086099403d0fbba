import { describe, expect, it } from 'vitest';
import { noSystemRole, oneCallAtOnce } from '../support/chat-template.ts';
import type { ModelRequest } from '../support/model-server.ts';
import { conversations } from './conversations.ts';
import { chatTemplate, loadPeer } from './peers.ts';

const skills = ['tasks', 'viz'];

/** Model families. The chat templates of a family accept the same conversations. */
const families = {
  'most models': {
    model: { skills },
    templates: [
      ...[
        'google-gemma-4-31B-it',
        'mistralai-Mistral-Nemo-Instruct-2407',
        'unsloth-mistral-Devstral-Small-2507',
      ],
      ...['Mistral-Small-3.2-24B-Instruct-2506', 'mistralai-Ministral-3-14B-Reasoning-2512'],
      ...['Qwen-Qwen2.5-7B-Instruct', 'Qwen-Qwen3-0.6B', 'Qwen3-Coder', 'Qwen3.5-4B', 'Qwen-QwQ-32B'],
      ...['deepseek-ai-DeepSeek-V3.1', 'deepseek-ai-DeepSeek-V4', 'deepseek-ai-DeepSeek-R1-Distill-Qwen-32B'],
      ...['GLM-4.6', 'GLM-4.7-Flash', 'Kimi-K3', 'MiniMax-M3', 'openai-gpt-oss-120b', 'LFM2-8B-A1B'],
      ...['microsoft-Phi-3.5-mini-instruct', 'ibm-granite-granite-4.1', 'HuggingFaceTB-SmolLM3-3B'],
      ...['CohereForAI-c4ai-command-r7b-12-2024-tool_use', 'NVIDIA-Nemotron-3-Nano-30B-A3B-BF16'],
    ],
  },
  'models with one call in a step': {
    model: { skills, refusal: oneCallAtOnce },
    templates: ['Llama-3.1-8B', 'Llama-3.2-3B', 'Llama-3.3-70B'].map((name) => `meta-llama-${name}-Instruct`),
  },
  'models without a system role and tools': {
    model: { skills: [], refusal: noSystemRole },
    templates: ['google-gemma-2-2b-it'],
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
  it('each chat template accepts each conversation, and has its last message', async () => {
    const { Template } = await loadPeer('jinja');
    const captured = await conversations(model);

    for (const name of templates) {
      const template = new Template(chatTemplate(name));
      for (const { history, requests } of captured)
        for (const request of requests) {
          const where = `${name} after ${history}`;
          const render = (): string => template.render(valuesFor(request));
          expect(render, where).not.toThrow();
          expect(render(), where).toContain(
            request.messages.findLast(({ role }) => role === 'user')?.content,
          );
        }
    }
    expect(captured.flatMap(({ requests }) => requests).length).toBeGreaterThan(8);
  });
});
