import { readBasePath } from '#lib/server/environment/base-path-rule.mjs'
import { parseEnv } from '#lib/server/environment/env.ts'

/** EX_CONFIG of sysexits.h. */
const MISCONFIGURED = 78

// Prints the listening address as JSON.
const parsed = parseEnv(process.env)
if (parsed.ok) {
  const { host, port } = parsed.env
  const where = {
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port,
    basePath: readBasePath(process.env),
  }
  process.stdout.write(JSON.stringify(where))
} else {
  console.error('Bellwether cannot start with this environment:')
  for (const problem of parsed.problems) console.error(`  - ${problem}`)
  console.error('Every name is explained in .env.example.')
  process.exitCode = MISCONFIGURED
}
