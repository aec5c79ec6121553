#!/usr/bin/env node
import './run.mjs'
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve, sep } from 'node:path'
import { ROOT } from './run.mjs'
import { announce, serve } from './serve.mjs'

// Serves the build inside the package or the image. It reads `.env`, and keeps its data unless
// DATA_DIR is set, in the folder that it is started from.

if (existsSync('.env')) process.loadEnvFile('.env')
process.env.NODE_ENV = 'production'
process.env.DATA_DIR = resolve(process.env.DATA_DIR ?? 'bellwether-data')
linkPackages()

const { HOST: host = '127.0.0.1', PORT: port = '3000', BASE_PATH: basePath = '' } = process.env
const address = { host, port: Number(port), basePath }
await serve(address)
await announce(address)

function linkPackages() {
  const require = createRequire(join(ROOT, 'package.json'))
  const file = join(ROOT, '.next/links.json')
  if (!existsSync(file)) return
  const links = JSON.parse(readFileSync(file, 'utf8'))
  for (const [name, packageName] of Object.entries(links)) {
    const link = join(ROOT, '.next/node_modules', name)
    if (existsSync(link)) continue
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(toFolder(require.resolve(packageName), packageName), link, 'junction')
  }
}

/** The folder of a package, from the path of its main file. */
function toFolder(file, packageName) {
  const part = join('node_modules', packageName) + sep
  const real = realpathSync(file)
  return real.slice(0, real.lastIndexOf(part) + part.length - 1)
}
