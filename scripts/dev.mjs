// `npm run dev`: the dashboard from the sources, which it reloads as they change.
import './require-node.mjs'
import './end-with-npm.mjs'
import { ensureInstall } from './ensure-install.mjs'
import { loadEnvFile, parseAddress } from './environment.mjs'
import { selectObstacle } from './listening.mjs'
import { becomeNext } from './next-cli.mjs'
import { fail } from './run.mjs'

loadEnvFile()
await ensureInstall()

const address = parseAddress()
const obstacle = await selectObstacle(address)
if (obstacle) fail(obstacle)

delete process.env.NODE_ENV
becomeNext(['dev', '-H', address.host, '-p', String(address.port)])
