import './run.mjs'
import { endWithNpm, loadEnvFile, runNode, typescript } from './run.mjs'
import { ensureInstall } from './setup.mjs'

// `node scripts/tool.mjs <file> <arguments>`
endWithNpm()
loadEnvFile()
await ensureInstall()
const [file, ...args] = process.argv.slice(2)
process.exitCode = await runNode(typescript(file, ...args))
