import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { listFiles } from './make-backup.ts'

test('a backup follows a link to a whole folder, and none inside one', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'bellwether-links-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  const [dataDir, elsewhere] = [join(parent, 'data'), join(parent, 'elsewhere')]
  mkdirSync(dataDir)
  mkdirSync(elsewhere)
  writeFileSync(join(elsewhere, 'p.csv'), 'prices')
  symlinkSync(elsewhere, join(dataDir, 'prices'))
  symlinkSync('/etc/hostname', join(elsewhere, 'outside.csv'))
  symlinkSync('/nowhere', join(elsewhere, 'dangling.csv'))
  symlinkSync(parent, join(elsewhere, 'circle'))
  symlinkSync(join(elsewhere, 'self.csv'), join(elsewhere, 'self.csv'))
  expect(await listFiles(dataDir)).toEqual(['prices/p.csv'])
})
