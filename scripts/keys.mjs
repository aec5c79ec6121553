// `npm run keys`: the keys of the embedded service, made, listed and revoked, whether it runs or not.
import './require-node.mjs'
import { ensureInstall } from './ensure-install.mjs'
import { loadEnvFile, typescript } from './environment.mjs'
import { runNode } from './run.mjs'

loadEnvFile()
await ensureInstall()
process.exitCode = await runNode(typescript('scripts/keys.ts', ...process.argv.slice(2)))
