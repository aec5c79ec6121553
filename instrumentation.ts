export async function register() {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { selectPageSettings } = await import('./app/page-settings.ts')
  const { startApplication } = await import('./lib/server/start.ts')
  startApplication(selectPageSettings)
}
