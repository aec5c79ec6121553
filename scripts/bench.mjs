// `npm run bench`: the measured figures, made on this machine.
import './require-node.mjs'
import './end-with-npm.mjs'
import { ensureBrowser } from './ensure-browser.mjs'
import { ensureBuild } from './ensure-build.mjs'
import { ensureInstall } from './ensure-install.mjs'
import { typescript } from './environment.mjs'
import { runNode } from './run.mjs'

await ensureInstall()
await ensureBuild()
const parts = process.argv.slice(2)
const env = { ...process.env }
if (parts.length === 0 || parts.includes('screen') || parts.includes('opinion'))
  env.CHROMIUM_PATH = await ensureBrowser()
process.exitCode = await runNode(typescript('bench/main.ts', ...parts), { env })
