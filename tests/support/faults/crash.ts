/** A picture with the title "crash" kills the render process, like an error in native code. */
process.prependListener('message', (message) => {
  if (JSON.stringify(message).includes('"crash"')) process.kill(process.pid, 'SIGKILL');
});
export {};
