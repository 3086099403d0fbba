import { PNG } from 'pngjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { createClient, BadRequestError, NotFoundError, type Client } from '../../sdk/src/index.ts';
import { allOperations } from '../support/contract.ts';
import { searchOf } from '../support/requests.ts';
import { factsOf } from '../unit/viz/pdf.ts';
import { startMock } from './prism.ts';

let url: string;

beforeAll(async () => {
  url = await startMock();
});

interface Documented {
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example: unknown } } };
}

const documentedResponses = allOperations.flatMap((operation) => {
  // References are resolved, and a contract test ensures that every request body has an example.
  const { requestBody } = operation as unknown as Documented;
  const example = requestBody?.content['application/json'].example;
  const body = example === undefined ? {} : { body: JSON.stringify(example) };
  return Object.entries(operation.responses).map(([status, { content = {} }]) => ({
    ...operation,
    body,
    search: searchOf(operation.operationId),
    status: Number(status),
    mediaType: Object.keys(content)[0],
    example: (Object.values(content)[0] as { example?: unknown } | undefined)?.example,
  }));
});

describe('the mock', () => {
  it.each(documentedResponses)(
    '$operationId responds with $status if Prefer selects it',
    async (documented) => {
      const response = await fetch(url + documented.path.replace('{id}', '1') + documented.search, {
        method: documented.method,
        headers: {
          Authorization: 'Bearer any',
          'Content-Type': 'application/json',
          Prefer: `code=${documented.status}`,
        },
        ...documented.body,
      });

      expect(response.status).toBe(documented.status);
      expect(response.headers.get('Content-Type') ?? undefined).toBe(documented.mediaType);
      expect(response.headers.get('X-Request-Id')).toBeTruthy();
      const isPicture = documented.operationId.startsWith('render') && documented.status === 200;
      if (documented.example !== undefined && !isPicture)
        expect(await response.json()).toEqual(documented.example);
    },
  );

  it('every operation without a token responds with 401', async () => {
    const statuses = await Promise.all(
      allOperations.map(async ({ path, method }) => {
        const response = await fetch(url + path.replace('{id}', '1'), { method });
        return response.status;
      }),
    );

    expect(new Set(statuses)).toEqual(new Set([401]));
  });

  it('the SDK throws the error that Prefer selects', async () => {
    const client = createClient({ baseUrl: url, token: 'any', retriesMax: 0 });

    const failure = client.tasks.get('any', { headers: { Prefer: 'code=404' } });

    await expect(failure).rejects.toThrow(NotFoundError);
  });

  it('a body that breaks the contract is refused with 400, as by the server', async () => {
    await expect(mock().tasks.create({ title: '' })).rejects.toThrow(BadRequestError);
  });

  it('a created resource is not a replay', async () => {
    const { response } = await mock().tasks.create({ title: 'Buy milk' }).withResponse();

    expect(response.status).toBe(201);
    expect(response.headers.get('Idempotency-Replayed')).toBeNull();
  });

  it('a chart is a picture in each format, drawn by the service', async () => {
    const { viz } = mock();
    const chart = { data: [{ label: 'todo', value: 7 }] };

    const [svg, png, pdf] = [
      await viz.renderSvg(chart),
      await viz.renderPng(chart),
      await viz.renderPdf(chart),
    ];

    expect(svg.svg).toMatch(/^<svg [\s\S]*Tasks by status[\s\S]*<\/svg>/);
    const { width, height } = PNG.sync.read(Buffer.from(png.bytes));
    expect({ width, height }).toEqual({ width: 480, height: 320 });
    expect((await factsOf(Buffer.from(pdf.bytes))).texts).toContain('Tasks by status');
  });
});

function mock(): Client {
  return createClient({ baseUrl: url, token: 'any', retriesMax: 0 });
}
