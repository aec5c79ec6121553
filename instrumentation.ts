export async function register() {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { createPageReader } = await import('./app/reader.ts')
  const { startRuntime } = await import('./lib/server/start.ts')
  startRuntime(createPageReader())
}
