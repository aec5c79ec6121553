// `npm run bench`: the measured figures, made on this machine.
import './require-node.mjs'
import './end-with-npm.mjs'
import { ensureBuild } from './ensure-build.mjs'
import { ensureInstall } from './ensure-install.mjs'
import { typescript } from './environment.mjs'
import { runNode } from './run.mjs'

await ensureInstall()
await ensureBuild()
process.exitCode = await runNode(typescript('bench/main.ts', ...process.argv.slice(2)))
