import './run.mjs'
import { endWithNpm, fail, loadEnvFile, parseAddress } from './run.mjs'
import { announce, becomeNext, KEEP_ALIVE_MS, selectObstacle } from './serve.mjs'
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
const keepAlive = ['--keepAliveTimeout', String(KEEP_ALIVE_MS)]
becomeNext(['start', '-H', address.host, '-p', String(address.port), ...keepAlive])
await announce(address)
