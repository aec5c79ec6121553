import './run.mjs'
import { endWithNpm, fail, loadEnvFile, parseAddress } from './run.mjs'
import { announce, selectObstacle, serve } from './serve.mjs'
import { ensureBuild, ensureInstall } from './setup.mjs'

endWithNpm()
loadEnvFile()
await ensureInstall()

// Before the slow build.
const address = parseAddress()
const obstacle = await selectObstacle(address)
if (obstacle) fail(obstacle)

await ensureBuild()
process.env.NODE_ENV = 'production'
await serve(address)
await announce(address)
