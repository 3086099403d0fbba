/** The render process exits while it loads, as it would on a machine without a build of canvas. */
process.exit(3);
