/** A painter whose process is killed by a picture with the title "crash", as a fault in native code would kill it. */
process.prependListener('message', (message) => {
  if (JSON.stringify(message).includes('"crash"')) process.kill(process.pid, 'SIGKILL');
});
export {};
