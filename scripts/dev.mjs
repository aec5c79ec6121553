import './run.mjs'
import { endWithNpm, fail, loadEnvFile, parseAddress } from './run.mjs'
import { becomeNext, selectObstacle } from './serve.mjs'
import { ensureInstall } from './setup.mjs'

endWithNpm()
loadEnvFile()
await ensureInstall()

const address = parseAddress()
const obstacle = await selectObstacle(address)
if (obstacle) fail(obstacle)

delete process.env.NODE_ENV
becomeNext(['dev', '-H', address.host, '-p', String(address.port)])
