import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isInstalled } from './setup.mjs'

const main = { version: '1.0.0', integrity: 'sha512-main' }
const forHere = { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] }
const forElsewhere = { version: '1.0.0', optional: true, os: ['plan9'], cpu: ['mips'] }

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

it('packages of other platforms may be missing, those of this one may not', () => {
  writeLock({ 'node_modules/main': main, 'node_modules/elsewhere': forElsewhere })
  writeInstalled({ 'node_modules/main': main })
  expect(isInstalled(root)).toBe(true)
  writeLock({ 'node_modules/main': main, 'node_modules/here': forHere })
  expect(isInstalled(root)).toBe(false)
})

it('a folder that was installed on another machine is installed anew', () => {
  writeInstalled({ 'node_modules/main': main })
  const stamp = { lock: 'any', machine: 'plan9 mips node1' }
  writeFileSync(join(root, 'node_modules/.bellwether-install.json'), JSON.stringify(stamp))
  expect(isInstalled(root)).toBe(false)
})
