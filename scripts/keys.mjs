import './run.mjs'
import { loadEnvFile, runNode, typescript } from './run.mjs'
import { ensureInstall } from './setup.mjs'

loadEnvFile()
await ensureInstall()
process.exitCode = await runNode(typescript('scripts/keys.ts', ...process.argv.slice(2)))
