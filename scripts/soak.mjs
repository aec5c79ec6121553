// `npm run soak`: the sync is killed at random moments of its work, a hundred times, and held against its source.
import './require-node.mjs'
import './end-with-npm.mjs'
import { ensureInstall } from './ensure-install.mjs'
import { typescript } from './environment.mjs'
import { runNode } from './run.mjs'

await ensureInstall()
process.exitCode = await runNode(typescript('soak/main.ts', ...process.argv.slice(2)))
