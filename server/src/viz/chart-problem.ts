import type { ChartError } from '@worktable/charts/svg';
import { fieldErrors, Problem, validationError } from '../contract/problem.ts';

/** The Problem for a chart that cannot be drawn. */
export function chartProblem(errors: readonly ChartError[]): Problem {
  const listed = fieldErrors(errors);
  const [first] = listed;
  if (first?.code !== 'unsupported_character') return validationError(errors);
  const sentence = `The SVG cannot be parsed. ${first.detail} Remove it.`;
  return new Problem('SVG_PARSE_ERROR', sentence, { errors: listed });
}
