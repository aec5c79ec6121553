import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isInstalled } from './setup.mjs'

const main = { version: '1.0.0', integrity: 'sha512-main' }
let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bellwether-install-'))
  writeLock({ 'node_modules/main': main })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const writeLock = (packages: object) =>
  writeFileSync(
    join(root, 'package-lock.json'),
    JSON.stringify({ packages: { '': {}, ...packages } }),
  )

function writeInstalled(packages: object) {
  rmSync(join(root, 'node_modules'), { recursive: true, force: true })
  mkdirSync(join(root, 'node_modules'))
  writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages }))
}

it('a fresh clone, and an installation cut short, need one', () => {
  expect(isInstalled(root)).toBe(false)
  mkdirSync(join(root, 'node_modules'))
  expect(isInstalled(root)).toBe(false)
})

it('what somebody else installed from this lock file is not installed again', () => {
  writeInstalled({ 'node_modules/main': main })
  expect(isInstalled(root)).toBe(true)
})

it('another version, another content or a missing package is stale', () => {
  writeInstalled({ 'node_modules/main': { ...main, version: '1.0.1' } })
  expect(isInstalled(root)).toBe(false)
  writeInstalled({ 'node_modules/main': { ...main, integrity: 'sha512-other' } })
  expect(isInstalled(root)).toBe(false)
  writeInstalled({})
  expect(isInstalled(root)).toBe(false)
})

it('a lock file that changed after an installation is noticed', () => {
  writeInstalled({ 'node_modules/main': main })
  expect(isInstalled(root)).toBe(true)
  writeLock({ 'node_modules/main': main, 'node_modules/more': main })
  expect(isInstalled(root)).toBe(false)
})
