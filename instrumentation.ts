/** Runs once when the server starts, before it serves. */
export async function register() {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { startRuntime: startHouse } = await import('./lib/server/start-runtime.ts')
  startHouse()
}
