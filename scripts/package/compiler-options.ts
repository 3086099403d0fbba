/** Compiler options of a strict project that a bundler builds, in which the SDK has to compile. */
export const compilerOptions = {
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2022', 'dom'],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
};
