import { afterAll, beforeAll } from 'vitest';

type Fault = 'no-deflate' | 'no-pdf' | 'no-drawing';

/** Lets every painter process that the tests of this file start run into a fault of what it stands on. */
export function withPainterFault(fault: Fault): void {
  const before = process.env['NODE_OPTIONS'];
  beforeAll(() => {
    process.env['NODE_OPTIONS'] = `--import ${new URL(`faults/${fault}.ts`, import.meta.url).href}`;
  });
  afterAll(() => {
    if (before === undefined) delete process.env['NODE_OPTIONS'];
    else process.env['NODE_OPTIONS'] = before;
  });
}
