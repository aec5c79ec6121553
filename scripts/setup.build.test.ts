import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fingerprintSources, isBuilt } from './setup.mjs'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bellwether-build-'))
  for (const folder of ['lib/room', '.next', 'docs'])
    mkdirSync(join(root, folder), { recursive: true })
  write('lib/room/one.ts', 'export const one = 1')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true, force: true })
})

const write = (path: string, text: string) => writeFileSync(join(root, path), text)

it('any change, addition, renaming or removal of a source makes the build stale', () => {
  const seen = new Set([fingerprintSources(root)])
  const remember = () => seen.add(fingerprintSources(root)).size
  write('lib/room/one.ts', 'export const one = 2')
  expect(remember()).toBe(2)
  write('lib/room/two.ts', '')
  expect(remember()).toBe(3)
  rmSync(join(root, 'lib/room/two.ts'))
  write('lib/room/zwei.ts', '')
  expect(remember()).toBe(4)
  write('next.config.mjs', 'export default {}')
  expect(remember()).toBe(5)
  rmSync(join(root, 'lib'), { recursive: true })
  expect(remember()).toBe(6)
})

it('a build is fresh only when it ended, and from these sources', () => {
  expect(isBuilt(root)).toBe(false)
  write('.next/bellwether-build.txt', `${fingerprintSources(root)}\n`)
  expect(isBuilt(root)).toBe(false)
  write('.next/BUILD_ID', 'x')
  expect(isBuilt(root)).toBe(true)
  write('lib/room/one.ts', 'export const one = 3')
  expect(isBuilt(root)).toBe(false)
})

it('each path has a build of its own, and no build is taken for another path', () => {
  write('.next/bellwether-build.txt', `${fingerprintSources(root)}\n`)
  write('.next/BUILD_ID', 'x')
  vi.stubEnv('BASE_PATH', '/a-b')
  expect(isBuilt(root)).toBe(false)
  mkdirSync(join(root, '.next-a-b'))
  write('.next-a-b/bellwether-build.txt', `${fingerprintSources(root)}\n`)
  write('.next-a-b/BUILD_ID', 'x')
  expect(isBuilt(root)).toBe(true)
  vi.stubEnv('BASE_PATH', '/a/b')
  expect(isBuilt(root)).toBe(false)
  vi.unstubAllEnvs()
  expect(isBuilt(root)).toBe(true)
})
