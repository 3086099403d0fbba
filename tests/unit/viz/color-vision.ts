type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

type Vision = 'normal' | 'protanopia' | 'deuteranopia' | 'tritanopia';

/** Matrices that simulate colour vision, for linear RGB (Machado, Oliveira and Fernandes, 2009; full severity). */
const visions: Readonly<Record<Vision, Matrix>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** The perceived distance of two colours, in hundredths of the distance from black to white in OKLab. */
export function distance(a: string, b: string, vision: Vision): number {
  const [p, q] = [a, b].map((hex) => oklab(apply(visions[vision], linear(hex))));
  return p && q ? 100 * Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) : 0;
}

function linear(hex: string): Triple {
  const channel = (start: number): number => {
    const value = parseInt(hex.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function oklab(rgb: Triple): Triple {
  const cones = apply(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    rgb,
  );
  return apply(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    [Math.cbrt(cones[0]), Math.cbrt(cones[1]), Math.cbrt(cones[2])],
  );
}

function apply([first, second, third]: Matrix, vector: Triple): Triple {
  const row = (each: Triple): number => each[0] * vector[0] + each[1] * vector[1] + each[2] * vector[2];
  return [row(first), row(second), row(third)];
}
