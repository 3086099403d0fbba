/** The render process exits while it loads, as it does without a canvas build for this machine. */
process.exit(3);
