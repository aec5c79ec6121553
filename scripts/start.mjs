import './run.mjs'
import { endWithNpm, fail, loadEnvFile, parseAddress } from './run.mjs'
import { announce, becomeNext, selectObstacle } from './serve.mjs'
import { ensureBuild, ensureInstall } from './setup.mjs'

/** Longer than the 60 s after which nginx and most load balancers close an idle connection, so that the proxy closes first. */
const KEEP_ALIVE_MS = 75_000

endWithNpm()
loadEnvFile()
await ensureInstall()

// What would keep it from serving is said before the build, which takes long.
const address = parseAddress()
const obstacle = await selectObstacle(address)
if (obstacle) fail(obstacle)

await ensureBuild()
process.env.NODE_ENV = 'production'
const keepAlive = ['--keepAliveTimeout', String(KEEP_ALIVE_MS)]
becomeNext(['start', '-H', address.host, '-p', String(address.port), ...keepAlive])
await announce(address)
