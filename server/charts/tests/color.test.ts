import { describe, expect, it } from 'vitest';
import { parseColor } from '../src/color.ts';

describe('parseColor', () => {
  it.each([
    ['steelblue', '#4682b4', 1],
    ['rebeccapurple', '#663399', 1],
    ['transparent', '#000000', 0],
    ['#abc', '#aabbcc', 1],
    ['#ABCD', '#aabbcc', 0.867],
    ['#0a141e', '#0a141e', 1],
    ['#0a141e80', '#0a141e', 0.502],
    ['rgb(10, 20, 30)', '#0a141e', 1],
    ['rgb(100% 0% 50%)', '#ff0080', 1],
    ['rgba(10, 20, 30, 0.5)', '#0a141e', 0.5],
    ['rgb(10 20 30 / 50%)', '#0a141e', 0.5],
    ['rgb(300, -5, 30)', '#ff001e', 1],
    ['rgb(1e999 -1e999 30)', '#ff001e', 1],
    ['hsl(120, 100%, 25%)', '#008000', 1],
    ['hsl(120deg 100% 25%)', '#008000', 1],
    ['hsl(-0.6666666667turn 100% 25%)', '#008000', 1],
    ['  #abc  ', '#aabbcc', 1],
  ])('reads %s', (css, hex, alpha) => {
    expect(parseColor(css)).toEqual({ hex, alpha });
  });

  it.each([
    '',
    'no-such-colour',
    'constructor',
    '__proto__',
    '#ab',
    '#ggg',
    'rgb(1, 2)',
    'rgb(1, 2, 3, 4, 5)',
    'hsl(0, 1, 1)',
    'url(#x)',
    'red; background: url(x)',
    'color(srgb 1 0 0)',
    'rgb(calc(1), 2, 3)',
    'rgb(none 2 3)',
  ])('refuses "%s"', (css) => {
    expect(parseColor(css)).toBeUndefined();
  });
});
