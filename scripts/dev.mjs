import './run.mjs'
import { endWithNpm, fail, loadEnvFile, parseAddress } from './run.mjs'
import { announce, selectObstacle, serve } from './serve.mjs'
import { ensureInstall } from './setup.mjs'

endWithNpm()
loadEnvFile()
await ensureInstall()

const address = parseAddress()
const obstacle = await selectObstacle(address)
if (obstacle) fail(obstacle)

process.env.NODE_ENV = 'development'
await serve({ ...address, dev: true })
await announce(address)
