import { describe, expect, it } from 'vitest';
import { createAgent, messagesOf, runAgent } from '../support/agents.ts';
import { anonymous, deletesWhatIsNew, me, other, unique } from './target.ts';

deletesWhatIsNew();

const chart = { title: unique, width: 200, height: 100, data: [{ label: 'a', value: 1 }] };

describe('a chart', () => {
  it('has the formats that getVizStatus lists', async () => {
    expect((await me.ok('getVizStatus')).body.renders).toEqual(['svg', 'png', 'pdf']);
  });

  it.each([
    ['renderSvg', 'image/svg+xml', 'utf8', /^<svg [\s\S]*<\/svg>\s*$/],
    // The width and the height follow the beginning of the first chunk.
    ['renderPng', 'image/png', 'base64', /^\x89PNG[\s\S]{12}\0\0\0\xc8\0\0\0\x64/],
    ['renderPdf', 'application/pdf', 'base64', /^%PDF-/],
  ] as const)('of %s is sent as JSON, and as %s', async (operation, mediaType, encoding, format) => {
    const { headers, body } = await me.send(operation, { body: chart, headers: { Accept: mediaType } });
    const [text = ''] = Object.values((await me.ok(operation, { body: chart })).body);

    expect(headers.get('Content-Type')).toMatch(mediaType);
    expect(body).toMatch(format);
    expect(Buffer.from(text, encoding).toString(encoding === 'utf8' ? 'utf8' : 'latin1')).toBe(body);
  });

  it('has an address that shows it to anybody', async () => {
    const { url } = (await me.ok('linkChart', { body: { chart, format: 'svg' } })).body;
    const id = url.split('/').at(-1);

    const { headers, body } = await anonymous.send('getLinkedChart', { id });

    expect(String(body)).toMatch(/^<svg /);
    const unchanged = { 'If-None-Match': headers.get('ETag') ?? '' };
    expect((await anonymous.send('getLinkedChart', { id, headers: unchanged })).status).toBe(304);
    await anonymous.fails('getLinkedChart', 404, { id: `x${id ?? ''}` });
  });
});

describe('an agent', () => {
  it('runs in a session, and its run can be read', async () => {
    const agent = await createAgent(me, { name: unique });
    expect((await me.ok('listAgents', { query: { limit: 1 } })).body.agents[0]?.id).toBe(agent.id);

    const session = `${unique}-session`;
    const { body: run } = await runAgent(me, agent, `list my tasks`, { context: { session_id: session } });

    expect(run).toMatchObject({ agent_id: agent.id, session_id: session, status: 'completed' });
    expect((await me.ok('getRun', { id: run.id })).body).toEqual(run);
    expect((await me.ok('cancelRun', { id: run.id })).body).toEqual(run);
    expect((await me.ok('listRuns', { query: { session_id: session } })).body.runs).toEqual([run]);
    expect((await me.ok('getSession', { id: session })).body).toMatchObject({ status: 'idle', run });
    const { body: renamed } = await me.ok('updateSession', { id: session, body: { title: unique } });
    expect(renamed).toMatchObject({ id: session, title: unique, metadata: null, run });
    const messages = await messagesOf(me, session);
    expect(messages[0]).toMatchObject({ role: 'user', content: 'list my tasks' });
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: run.output });
    if (other === undefined) return;
    await other.fails('runAgent', 404, { id: agent.id, body: { input: 'x' } });
    await other.fails('getRun', 404, { id: run.id });
    await other.fails('cancelRun', 404, { id: run.id });
    await other.fails('getSession', 404, { id: session });
    await other.fails('updateSession', 404, { id: session, body: { title: 'x' } });
    await other.fails('listMessages', 404, { id: session });
  });

  it('is created and run once under one Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': `${unique}-agent` };
    const create = { body: { name: unique }, headers };
    const { body: agent } = await me.ok('createAgent', create);
    expect((await me.ok('createAgent', create)).body.id).toBe(agent.id);
    await me.fails('createAgent', 422, { ...create, body: { name: `${unique} other` } });

    const run = {
      id: agent.id,
      body: { input: 'list my tasks' },
      headers: { 'Idempotency-Key': `${unique}-run` },
    };
    const { body: first } = await me.ok('runAgent', run);
    expect((await me.ok('runAgent', run)).body.id).toBe(first.id);
    await me.fails('runAgent', 422, { ...run, body: { input: 'list my agents' } });
  });
});
