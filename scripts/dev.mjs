import './run.mjs'
import { fail, loadEnvFile, parseAddress } from './run.mjs'
import './end-with-npm.mjs'
import { becomeNext, selectObstacle } from './serve.mjs'
import { ensureInstall } from './setup.mjs'

loadEnvFile()
await ensureInstall()

const address = parseAddress()
const obstacle = await selectObstacle(address)
if (obstacle) fail(obstacle)

delete process.env.NODE_ENV
becomeNext(['dev', '-H', address.host, '-p', String(address.port)])
