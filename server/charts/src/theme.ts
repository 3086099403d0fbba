import type { FullRequest } from './request/request.ts';
import { contrast, mix, onBothPages, over, white, withDark, type Color } from './color.ts';

/** The colours of a chart. */
export interface Theme {
  readonly background: Color;
  /**
   * The opaque colour behind the data. If the background is translucent, the theme's own paper is assumed behind it.
   */
  readonly paper: Color;
  readonly ink: Ink;
  /**
   * The default colours of data. Each has a contrast of at least 3 to 1 with the paper. On the themes' own papers they
   * can be distinguished with any kind of colour blindness, which a test measures.
   */
  readonly palette: readonly Color[];
}

const inkNames = ['title', 'value', 'label', 'zero', 'leader', 'grid'] as const;

/** The colours of everything except data, from the most prominent (the title) to the least (the grid). */
type Ink = Readonly<Record<(typeof inkNames)[number], Color>>;

type ThemeName = FullRequest['theme'];

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
    },
    palette: ['#3264bc', '#d77d0d', '#158b83', '#a63552', '#239ed4', '#563482', '#596d18', '#68331a'].map(
      solid,
    ),
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
    },
    palette: ['#5091e5', '#f5af3c', '#19c1ba', '#d35e65', '#8cd8f5', '#8860b2', '#cce48c', '#e18696'].map(
      solid,
    ),
  },
};

/** The contrast that text must have (WCAG 2.2, level AA). */
export const textContrast = 4.5;

/** The contrast that data must have (WCAG 2.2, "non-text contrast"). */
export const markContrast = 3;

const black: Color = { hex: '#000000', alpha: 1 };

/**
 * The colours of a theme on the background of a request. If this is not the theme's own background, text and data are
 * dark or light, whichever is readable.
 */
export function themeOf(name: ThemeName, background: Color | undefined): Theme {
  if (name === 'auto') return follower(themeOf('light', background), themeOf('dark', background));
  if (background === undefined) return themes[name];
  const paper = over(background, themes[name].paper);
  const base = blackOrWhite(paper) === white ? themes.dark : themes.light;
  if (paper.hex === base.paper.hex) return { ...base, background };
  const text = (color: Color): Color => readable(color, paper, textContrast);
  const mark = (color: Color): Color => readable(color, paper, markContrast);
  const title = text(base.ink.title);
  const ink = {
    title,
    value: text(base.ink.value),
    label: text(base.ink.label),
    zero: mark(mix(paper, title, 0.5)),
    leader: mix(paper, title, 0.3),
    grid: mix(paper, title, 0.14),
  };
  return { background, paper, ink, palette: base.palette.map(mark) };
}

/** The colour of a text about data of this colour: the same colour, or the nearest one that is readable. */
export function textColor(color: Color, { paper }: Theme): Color {
  return onBothPages((own, page) => readable(own, page, textContrast), [color, paper]);
}

/** The ink of texts on a colour of the data: the ink of titles where it is readable, otherwise black or white. */
export function inkOn(color: Color, { ink }: Theme): Color {
  return onBothPages(
    (own, title) => (contrast(own, title) >= textContrast ? title : blackOrWhite(own)),
    [color, ink.title],
  );
}

/** Black or white, whichever has the higher contrast with a colour. */
function blackOrWhite(color: Color): Color {
  return contrast(color, white) > contrast(color, black) ? white : black;
}

/**
 * The colour of a slice. After each round of the palette, colours repeat closer to the background, and then closer to
 * the text.
 */
export function sliceColor(index: number, theme: Theme): Color {
  const { palette, paper, ink } = theme;
  const color = palette[index % palette.length] ?? ink.title;
  const round = Math.floor(index / palette.length) % 3;
  if (round === 0) return color;
  if (round === 2) return mix(color, ink.title, 0.45);
  return onBothPages((own, page) => readable(own, page, markContrast), [mix(color, paper, 0.45), paper]);
}

/** The light theme, whose colours an SVG replaces with those of the dark theme on dark pages. */
function follower(light: Theme, dark: Theme): Theme {
  const ink = { ...light.ink };
  for (const name of inkNames) ink[name] = withDark(light.ink[name], dark.ink[name]);
  return {
    background: withDark(light.background, dark.background),
    paper: withDark(light.paper, dark.paper),
    ink,
    palette: light.palette.map((color, i) => withDark(color, dark.palette[i] ?? color)),
  };
}

/** The colour, moved towards black or white until its contrast with the paper is enough. */
function readable(color: Color, paper: Color, contrastMin: number): Color {
  const contrasting = blackOrWhite(paper);
  for (let share = 0; share < 1; share += 0.1) {
    const moved = mix(color, contrasting, share);
    if (contrast(moved, paper) >= contrastMin) return moved;
  }
  return contrasting;
}

function solid(hex: string): Color {
  return { hex, alpha: 1 };
}
