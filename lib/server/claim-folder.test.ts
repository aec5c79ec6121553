import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { claimFolder, ForeignFolder } from './claim-folder.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'bellwether-claim-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

it('the ratings of two services are never mixed in one folder', () => {
  const baseUrl = new URL('https://ratings.example/base')
  claimFolder({ dataDir, baseUrl })
  claimFolder({ dataDir, baseUrl })
  expect(() => claimFolder({ dataDir, baseUrl: null })).toThrow(ForeignFolder)
  expect(() => claimFolder({ dataDir, baseUrl: new URL('https://other.example/') })).toThrow(
    /keeps the ratings of https:\/\/ratings\.example\/base/,
  )
})
