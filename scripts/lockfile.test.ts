import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

type Entry = { optionalDependencies?: Record<string, string>; resolved?: string }

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
