import { describe, expectTypeOf, it } from 'vitest';
import type {
  AgentCreate,
  ChartRequest,
  FieldError,
  RunRequest,
  TaskCreate,
  TaskQuery,
} from '../../sdk/src/index.ts';

describe('the types', () => {
  it('requests take read-only arrays', () => {
    expectTypeOf<{ data: readonly { label: string; value: number }[] }>().toExtend<ChartRequest>();
    expectTypeOf<{ name: string; skills: readonly ['tasks'] }>().toExtend<AgentCreate>();
  });

  it('requests take undefined for what may be absent', () => {
    expectTypeOf<{ title: string; tags: string | undefined; status: undefined }>().toExtend<TaskCreate>();
    expectTypeOf<{ q: string | undefined; status: undefined; limit: undefined }>().toExtend<TaskQuery>();
    expectTypeOf<{ input: string; context: { session_id: undefined } }>().toExtend<RunRequest>();
  });

  it('the errors of fields have codes that a switch can list', () => {
    expectTypeOf<'too_long' | 'not_blank'>().toExtend<FieldError['code']>();
  });
});
