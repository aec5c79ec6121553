// `npm start`: whatever is missing or stale is installed and built, then the dashboard is served until it is stopped.
import './require-node.mjs'
import './end-with-npm.mjs'
import { ensureBuild } from './ensure-build.mjs'
import { ensureInstall } from './ensure-install.mjs'
import { loadEnvFile, parseAddress } from './environment.mjs'
import { announce, selectObstacle } from './listening.mjs'
import { becomeNext } from './next-cli.mjs'
import { fail } from './run.mjs'

loadEnvFile()
await ensureInstall()

// What would keep it from serving is said before the build, which takes long.
const address = parseAddress()
const obstacle = await selectObstacle(address)
if (obstacle) fail(obstacle)

await ensureBuild()
process.env.NODE_ENV = 'production'
becomeNext(['start', '-H', address.host, '-p', String(address.port)])
await announce(address)
