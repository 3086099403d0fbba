/** A painter whose process ends while it loads, as without a canvas for this machine. */
process.exit(3);
