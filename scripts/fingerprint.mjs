import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Everything that `next build` makes the application from. What is not there counts as absent. */
const INPUTS = [
  'app',
  'components',
  'lib',
  'pages',
  'public',
  'instrumentation.ts',
  'instrumentation-client.ts',
  'next.config.mjs',
  'package.json',
  'package-lock.json',
  'postcss.config.mjs',
  'proxy.ts',
  'tsconfig.json',
]

const isInput = (name) => !name.startsWith('.') && !/\.(test|test-support|spec)\.tsx?$/.test(name)

/** One SHA-256 over names and contents of all inputs of the build; tests are none. */
export function fingerprintSources(root) {
  const hash = createHash('sha256')
  for (const path of INPUTS.flatMap((name) => listFiles(root, name))) {
    const content = readFileSync(join(root, path))
    hash.update(`${path}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

function listFiles(root, path) {
  const full = join(root, path)
  if (!existsSync(full)) return []
  if (!statSync(full).isDirectory()) return [path]
  return readdirSync(full)
    .filter(isInput)
    .sort()
    .flatMap((name) => listFiles(root, `${path}/${name}`))
}
