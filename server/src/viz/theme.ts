import type { Schemas } from '../operation.ts';
import { channelsOf, contrast, inDark, mix, over, white, withDark, type Color } from './color.ts';
import { darkPalette, palette, solid, type Palette } from './palette.ts';

/** The colours of a chart. */
export interface Theme {
  readonly background: Color;
  /** The opaque colour behind the data. Behind a translucent background, the paper of the named theme is assumed. */
  readonly paper: Color;
  readonly ink: Ink;
  readonly palette: Palette;
}

/** The colours of everything but data, from the most prominent, the title, to the grid. */
export interface Ink {
  readonly title: Color;
  readonly value: Color;
  readonly label: Color;
  readonly zero: Color;
  readonly leader: Color;
  readonly grid: Color;
  readonly rest: Color;
}

type ThemeName = Schemas['ChartRequest']['theme'];

export const themes: Readonly<Record<Exclude<ThemeName, 'auto'>, Theme>> = {
  light: {
    background: white,
    paper: white,
    ink: {
      title: solid('#1b2330'),
      value: solid('#303a4a'),
      label: solid('#566072'),
      zero: solid('#8b95a5'),
      leader: solid('#b3bac6'),
      grid: solid('#e4e8ed'),
      rest: solid('#c3c9d2'),
    },
    palette,
  },
  dark: {
    background: solid('#14181f'),
    paper: solid('#14181f'),
    ink: {
      title: solid('#f1f4f8'),
      value: solid('#d3d9e2'),
      label: solid('#a5afbe'),
      zero: solid('#6c7788'),
      leader: solid('#4d5766'),
      grid: solid('#2b323d'),
      rest: solid('#596475'),
    },
    palette: darkPalette,
  },
};

/** The contrast that text needs (WCAG 2.2, level AA). */
export const textContrast = 4.5;

const black = solid('#000000');
// Colours closer than this, in steps of 255, cannot be seen on each other.
const hiddenDistance = 64;

/**
 * The colours of a theme on a background of the request. A background other than the theme's determines whether text and
 * data are dark or light, so that everything on it can be read.
 */
export function themeOf(name: ThemeName, background: Color | undefined): Theme {
  if (name === 'auto') return follower(themeOf('light', background), themeOf('dark', background));
  if (background === undefined) return themes[name];
  const paper = over(background, themes[name].paper);
  const isDark = contrast(paper, white) > contrast(paper, black);
  const [base, contrasting, opposite] = isDark ? [themes.dark, white, black] : [themes.light, black, white];
  if (paper.hex === base.paper.hex) return { ...base, background };
  const text = (color: Color): Color => readable(color, contrasting, paper);
  const title = text(base.ink.title);
  const ink = {
    title,
    value: text(base.ink.value),
    label: text(base.ink.label),
    zero: mix(paper, title, 0.5),
    leader: mix(paper, title, 0.3),
    grid: mix(paper, title, 0.14),
    rest: mix(paper, title, 0.28),
  };
  return { background, paper, ink, palette: visible(base.palette, paper, opposite) };
}

/** The colour of text about data of a colour: the same, or near enough to it that it can be read. */
export function textColor(color: Color, { paper }: Theme): Color {
  const text = textColorOn(paper, color);
  if (color.dark === undefined && paper.dark === undefined) return text;
  return withDark(text, textColorOn(inDark(paper), inDark(color)));
}

function textColorOn(paper: Color, color: Color): Color {
  const contrasting = contrast(paper, white) > contrast(paper, black) ? white : black;
  return readable(over(color, paper), contrasting, paper);
}

/** The ink that can be read best on a colour of the data. */
export function inkOn(color: Color, { paper }: Theme): Color {
  const ink = inkOnOpaque(over(color, paper));
  if (color.dark === undefined && paper.dark === undefined) return ink;
  return withDark(ink, inkOnOpaque(over(inDark(color), inDark(paper))));
}

function inkOnOpaque(color: Color): Color {
  return contrast(color, white) > contrast(color, black) ? white : black;
}

/** The light theme, whose colours an SVG replaces by the colours of the dark one on dark pages. */
function follower(light: Theme, dark: Theme): Theme {
  const ink = (name: keyof Ink): Color => withDark(light.ink[name], dark.ink[name]);
  const [first, ...others] = light.palette;
  return {
    background: withDark(light.background, dark.background),
    paper: withDark(light.paper, dark.paper),
    ink: {
      title: ink('title'),
      value: ink('value'),
      label: ink('label'),
      zero: ink('zero'),
      leader: ink('leader'),
      grid: ink('grid'),
      rest: ink('rest'),
    },
    palette: [
      withDark(first, dark.palette[0]),
      ...others.map((color, i) => withDark(color, dark.palette[i + 1] ?? color)),
    ],
  };
}

/** The colour, moved towards black or white until text in it can be read. One of the two always reaches the contrast. */
function readable(color: Color, contrasting: Color, paper: Color): Color {
  for (let share = 0; share < 1; share += 0.1) {
    const moved = mix(color, contrasting, share);
    if (contrast(moved, paper) >= textContrast) return moved;
  }
  return contrasting;
}

/** The palette with the colour that could not be seen on the paper replaced by one that no other colour resembles. */
function visible([first, ...others]: Palette, paper: Color, replacement: Color): Palette {
  const distances = [first, ...others].map((color) => distance(color, paper));
  const least = Math.min(...distances);
  const isHidden = (index: number): boolean => least < hiddenDistance && distances[index] === least;
  return [
    isHidden(0) ? replacement : first,
    ...others.map((color, i) => (isHidden(i + 1) ? replacement : color)),
  ];
}

function distance(a: Color, b: Color): number {
  const [from, to] = [channelsOf(a), channelsOf(b)];
  return Math.hypot(from[0] - to[0], from[1] - to[1], from[2] - to[2]);
}
