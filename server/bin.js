#!/usr/bin/env node
// Plain syntax: an old Node must reach the sentence.
const [major] = process.versions.node.split('.');
if (Number(major) >= 24) await import('./dist/src/cli.js');
else {
  console.error(
    `Worktable needs Node 24 or newer, and this is ${process.versions.node}. Run it as: npx --package node@24 -- npx --package <this package> worktable-server`,
  );
  process.exitCode = 1;
}
