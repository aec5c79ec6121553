/** Runs `run` every `seconds` without keeping the process alive. Returns the function that stops it. */
export const every = (seconds: number, run: () => void) => {
  const timer = setInterval(run, seconds * 1000)
  timer.unref()
  return () => clearInterval(timer)
}
