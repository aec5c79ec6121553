/** Does not keep the process alive. */
export const every = (seconds: number, run: () => void) => {
  const timer = setInterval(run, seconds * 1000)
  timer.unref()
  return () => clearInterval(timer)
}
