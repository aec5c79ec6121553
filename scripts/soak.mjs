import './run.mjs'
import { runNode, typescript } from './run.mjs'
import './end-with-npm.mjs'
import { ensureInstall } from './setup.mjs'

await ensureInstall()
process.exitCode = await runNode(typescript('soak/main.ts', ...process.argv.slice(2)))
