// `npm run archive`: the archive by hand, while no process has the data folder open.
import './require-node.mjs'
import { ensureInstall } from './ensure-install.mjs'
import { loadEnvFile, typescript } from './environment.mjs'
import { runNode } from './run.mjs'

loadEnvFile()
await ensureInstall()
process.exitCode = await runNode(typescript('scripts/archive.ts', ...process.argv.slice(2)))
