import './run.mjs'
import { endWithNpm, runNode, typescript } from './run.mjs'
import { ensureBrowser, ensureBuild, ensureInstall } from './setup.mjs'

endWithNpm()
await ensureInstall()
await ensureBuild()
const parts = process.argv.slice(2)
const env = { ...process.env }
if (parts.length === 0 || parts.includes('screen') || parts.includes('opinion'))
  env.CHROMIUM_PATH = await ensureBrowser()
process.exitCode = await runNode(typescript('bench/main.ts', ...parts), { env })
