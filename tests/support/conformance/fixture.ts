import {
  McpServer,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { nextQuestion, promptQuestion, questions } from './inputs.ts';

const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const sound = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const text = (content: string) => ({ type: 'text', text: content }) as const;
const image = { type: 'image', data: picture, mimeType: 'image/png' } as const;
const embedded = (uri: string) =>
  ({ type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'An embedded resource.' } }) as const;

const contents: Readonly<Record<string, CallToolResult['content']>> = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [{ type: 'audio', data: sound, mimeType: 'audio/wav' }],
  test_embedded_resource: [embedded('test://embedded-resource')],
  test_multiple_content_types: [text('Several:'), image, embedded('test://mixed-content-resource')],
};

type Act = (context: ServerContext) => Promise<CallToolResult>;

const acts: Readonly<Record<string, Act>> = {
  test_error_handling: () =>
    Promise.resolve({
      isError: true,
      content: [text('This tool intentionally returns an error for testing')],
    }),
  test_tool_with_logging: (context) => notify(context, 'notifications/message'),
  test_tool_with_progress: (context) => notify(context, 'notifications/progress'),
  test_logging_tool: async ({ mcpReq }) => {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- The suite tests that it is silent without a log level.
    await mcpReq.log('info', 'a message');
    return { content: [text('Done.')] };
  },
  test_missing_capability: () =>
    Promise.reject(new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })),
};

/** Sends three notifications before the result. */
async function notify(
  { mcpReq }: ServerContext,
  method: 'notifications/message' | 'notifications/progress',
): Promise<CallToolResult> {
  const progressToken = mcpReq._meta?.progressToken ?? 0;
  for (const progress of [0, 50, 100]) {
    const params =
      method === 'notifications/message'
        ? { level: 'info' as const, data: `Step ${progress}` }
        : { progressToken, progress, total: 100 };
    await mcpReq.notify({ method, params });
  }
  return { content: [text(String(progressToken))] };
}

const resources: Readonly<Record<string, object>> = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: picture },
  'test://template/123/data': { mimeType: 'application/json', text: '{"id":"123"}' },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Watched' },
};

const cacheHint = { ttlMs: 1000, cacheScope: 'private' } as const;
const methods = [
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
];

/** An MCP server with the tools, prompts and resources that the conformance suite expects. */
export function createFixture(): McpServer {
  const product = new McpServer(
    { name: 'fixture', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { listChanged: false, subscribe: true },
        completions: {},
        logging: {},
      },
      cacheHints: Object.fromEntries(methods.map((method) => [method, cacheHint])),
    },
  );
  const { server } = product;
  addTools(server);
  addPrompts(server);
  addResources(server);
  server.setRequestHandler('completion/complete', () => ({ completion: { values: [] } }));
  return product;
}

function addTools(server: McpServer['server']): void {
  const names = [...Object.keys(contents), ...Object.keys(acts), ...Object.keys(questions)];
  const inputSchema = { type: 'object' } as const;
  server.setRequestHandler('tools/list', () => ({
    tools: names.map((name) => ({ name, description: `Tests ${name}`, inputSchema })),
  }));
  server.setRequestHandler('tools/call', async ({ params: { name } }, context) => {
    const content = contents[name];
    if (content !== undefined) return { content };
    const rounds = questions[name];
    const { inputResponses, requestState } = context.mcpReq;
    if (rounds !== undefined)
      return nextQuestion(rounds, inputResponses, requestState()) ?? { content: [text('state-ok')] };
    const act = acts[name];
    if (act === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}.`);
    return act(context);
  });
}

function addPrompts(server: McpServer['server']): void {
  const user = (content: ReturnType<typeof text> | typeof image | ReturnType<typeof embedded>) =>
    ({ role: 'user', content }) as const;
  const prompts = {
    test_simple_prompt: ['This is a simple prompt for testing.'],
    test_prompt_with_arguments: ['arg1', 'arg2'],
    test_prompt_with_embedded_resource: ['resourceUri'],
    test_prompt_with_image: [],
    test_input_required_result_prompt: [],
  };
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.entries(prompts).map(([name, names]) => ({
      name,
      description: `Tests ${name}`,
      arguments: name === 'test_simple_prompt' ? [] : names.map((each) => ({ name: each, required: true })),
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params }, { mcpReq }) => {
    const values = params.arguments ?? {};
    if (params.name === 'test_input_required_result_prompt') {
      const question = nextQuestion([promptQuestion], mcpReq.inputResponses, mcpReq.requestState());
      if (question !== undefined) return question;
    }
    if (params.name === 'test_prompt_with_image') return { messages: [user(image), user(text('Look.'))] };
    if (params.name === 'test_prompt_with_embedded_resource')
      return { messages: [user(embedded(values['resourceUri'] ?? '')), user(text('Read.'))] };
    const said = Object.entries(values).map(([name, value]) => `${name}='${value}'`);
    return { messages: [user(text(`This is a simple prompt for testing. ${said.join(', ')}`))] };
  });
}

function addResources(server: McpServer['server']): void {
  server.setRequestHandler('resources/list', () => ({
    resources: Object.keys(resources).map((uri) => ({ uri, name: uri, description: uri })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const resource = resources[uri];
    if (resource === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Resource not found', { uri });
    return { contents: [{ uri, ...resource } as { uri: string; text: string }] };
  });
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
}
