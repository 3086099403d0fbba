import contract from '../server/src/generated/openapi.json' with { type: 'json' };
import { renderPdf, renderPng, renderSvg, type ChartRequest } from '@worktable/charts';

type Headers = Readonly<Record<string, { $ref?: string; description?: string; required?: boolean }>>;

/**
 * The mock.json of the SDK: the contract as Prism needs it. Its responses show the chart of the example request,
 * because the pictures in the contract are the smallest possible.
 */
export function mockDocument(): object {
  const { requestBody } = contract.paths['/api/v1/viz/render/svg'].post;
  // The cast holds because a test validates the examples of each body.
  const chart = requestBody.content['application/json'].example as ChartRequest;
  const svg = renderSvg(chart);
  const png = renderPng(chart).bytes.toString('base64');
  const pdf = renderPdf(chart).bytes.toString('base64');
  return JSON.parse(JSON.stringify(contract), (key, value: unknown) => {
    if (key === 'headers') return requiredHeaders(value as Headers);
    if (key === 'responses') return withDefault(value as Readonly<Record<string, unknown>>);
    if (typeof value !== 'string') return value;
    if (/^<svg [^>]*><\/svg>$/.test(value)) return svg;
    return value.replaceAll(/\biVBORw0KGgo[\w+/=]+/g, png).replaceAll(/^JVBERi0[\w+/=]+/g, pdf);
  }) as object;
}

/** Prism sends every documented header, so optional headers such as `Idempotency-Replayed` are removed. */
function requiredHeaders(headers: Headers): Headers {
  const components: Headers = contract.components.headers;
  const isRequired = ({ $ref = '', required }: Headers[string]): boolean | undefined =>
    required ?? components[$ref.replace(/^.*\//, '')]?.required;
  return Object.fromEntries(Object.entries(headers).filter(([, header]) => isRequired(header)));
}

/** Prism prefers 422 to 400 for an invalid request. As `default`, the response is sent only for `Prefer: code=422`. */
function withDefault({ 422: keyReused, ...others }: Readonly<Record<string, unknown>>): object {
  return keyReused === undefined ? others : { ...others, default: keyReused };
}
