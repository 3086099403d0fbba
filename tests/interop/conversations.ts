import { createAgent, runAgent } from '../support/agents.ts';
import { withTemplate, type Refusal } from '../support/chat-template.ts';
import {
  chunksResponse,
  cutOffResponse,
  errorResponse,
  textResponse,
  toolCallResponse,
  toolCallsResponse,
  type ModelRequest,
  type ModelResponse,
} from '../support/model-server.ts';
import { startWithModel } from '../support/with-model.ts';

const empty = chunksResponse({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
const list = toolCallResponse('list_tasks', {});
const done = textResponse('Done.');

/** The model's responses in the first run, by the feature of the conversation that they produce. */
const histories: Readonly<Record<string, readonly ModelResponse[]>> = {
  'an answer': [textResponse('Hello.')],
  'calls of tools': [
    toolCallResponse('create_task', { title: 'Buy milk' }),
    toolCallsResponse(['list_tasks', {}], ['list_tasks', { status: 'todo' }]),
    done,
  ],
  'a call with a text and thoughts': [
    toolCallResponse(
      'list_tasks',
      {},
      { delta: { reasoning_content: 'First the tasks.', content: 'I look.' } },
    ),
    done,
  ],
  'a call of a tool that does not exist': [toolCallResponse('fly to/the moon', {}), textResponse('Sorry.')],
  'a call with arguments that are not JSON': [
    toolCallResponse('create_task', '{"title": '),
    textResponse('Sorry.'),
  ],
  'a failed run': [errorResponse(400)],
  'a run that failed after a call': [list, errorResponse(400)],
  'an empty answer': [empty],
  'an answer that was cut off': [cutOffResponse('Half of', 'length')],
  'a call that was cut off': [toolCallResponse('create_task', { title: 'Half' }, { finish: 'length' })],
};

export interface Conversation {
  /** The feature that is tested, a key of `histories`. */
  readonly history: string;
  readonly requests: readonly ModelRequest[];
}

interface Model {
  readonly skills: readonly string[];
  /** Conversations that the model's chat template refuses. */
  readonly refusal?: Refusal;
}

/** For each history that a first run can leave, the requests that a model server accepts in two runs of a session. */
export async function conversations({ skills, refusal }: Model): Promise<readonly Conversation[]> {
  const { model, alice } = await startWithModel();
  const agent = await createAgent(alice, {
    runtime: 'local',
    skills: [...skills],
    instructions: 'Be brief.',
  });
  const all: Conversation[] = [];
  for (const [history, responses] of Object.entries(histories)) {
    if (skills.length === 0 && history.includes('call')) continue;
    const requests: ModelRequest[] = [];
    const session = { session_id: history.replaceAll(' ', '-') };
    for (const [input, script, context] of [
      ['Please begin', responses, session],
      ['Go on', skills.length === 0 ? [done] : [list, done], { ...session, place: 'home' }],
    ] as const) {
      const remaining = [...script];
      const answer: ModelResponse = (response, request) => {
        // After a failure, the server asks once without tools. Some templates require tools, so these requests do not count.
        if (skills.length === 0 || request.tools !== undefined) requests.push(request);
        (remaining.length > 1 ? remaining.shift() : remaining[0])?.(response, request);
      };
      model.respondWith(refusal === undefined ? answer : withTemplate(refusal, answer));
      await runAgent(alice, agent, input, { context });
    }
    all.push({ history, requests });
  }
  return all;
}
