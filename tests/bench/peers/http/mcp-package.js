// The package of the protocol alone. Each call of its tool returns a constant, without token, validation or database.
import { createServer } from 'node:http';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { listen } from './process.js';

const task = {
  id: '019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57',
  title: 'A task',
  status: 'todo',
  priority: 'none',
};
const result = { content: [{ type: 'text', text: JSON.stringify(task) }], structuredContent: task };
const jsonSchemaValidator = new AjvJsonSchemaValidator();

const handler = createMcpHandler(() => {
  const info = { name: 'package', version: '1' };
  const server = new Server(info, { capabilities: { tools: {} }, jsonSchemaValidator });
  server.setRequestHandler('tools/call', () => result);
  return server;
});

listen(
  createServer(async (incoming, outgoing) => {
    const chunks = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const request = new Request('http://localhost/mcp', { method: 'POST', headers: incoming.headers });
    const parsedBody = JSON.parse(Buffer.concat(chunks).toString());
    const response = await handler.fetch(request, { parsedBody });
    const text = await response.text();
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
    outgoing.writeHead(response.status, headers).end(text);
  }),
);
