/** What a failing step throws; its own output has said why already. */
export class StepFailed extends Error {}

/** Prints a heading, does the work, prints how long it took. Work that gives an exit code fails on any but 0. */
export async function step(title, work) {
  console.log(`\n── ${title} ${'─'.repeat(Math.max(2, 60 - title.length))}`)
  const startedMs = performance.now()
  const code = await work()
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  const failed = typeof code === 'number' && code !== 0
  console.log(`${failed ? '✗' : '✓'} ${title}: ${seconds} s`)
  if (failed) throw new StepFailed(title)
}

/** Does `work` in steps; a step that fails stops it, and the process ends with 1. */
export async function inSteps(work) {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
    console.error(`\nStopped at: ${error.message}`)
    process.exitCode = 1
  }
}
