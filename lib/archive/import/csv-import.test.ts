import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { makeRating, openMemory } from '#testing/archive/arbitrary.ts'

const dir = mkdtempSync(join(tmpdir(), 'bellwether-stage-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const LINE = '1,2,AAPL,5,Buy,1,Initiated,1.5,0,0,0,1704067200,then,,'

function write(name: string, lines: readonly string[]) {
  const path = join(dir, name)
  writeFileSync(path, [RATING_FIELDS.join(','), ...lines, ''].join('\n'))
  return path
}

const { signal } = new AbortController()

const SOURCE = { kind: 'dump', name: '2026-11-15' } as const

test('what the database would pass over or read otherwise is not left to it', async () => {
  const lines = {
    'a 16th cell that is empty': [`${LINE},`],
    'an empty line': [LINE, ''],
    'an integer with an exponent': [LINE.replace('1,2,', '1,1e2,')],
    'a quote': [LINE.replace('Buy', '"Buy"')],
    'an id that comes twice': [LINE, LINE],
    'another letter than ASCII': [LINE.replace('AAPL', 'ünï')],
  }
  const archive = await openMemory()
  const trying = archive.import(SOURCE, async (run) => {
    for (const [what, each] of Object.entries(lines)) {
      const file = { path: write('strange.csv', each), rows: each.length, signal }
      expect(await run.appendCsv(file), what).toBe(false)
    }
    const path = write('plain.csv', [LINE])
    expect(await run.appendCsv({ path, rows: 2, signal })).toBe(false)
    expect(await run.appendCsv({ path, rows: 1, signal })).toBe(true)
    throw new Error('all tried')
  })
  await expect(trying).rejects.toThrow('all tried')
  expect(archive.state().ratings).toBe(0)
  await archive.close()
})

test('a file that is withdrawn leaves a run as it was, and one that changed meanwhile leaves the archive so', async () => {
  const archive = await openMemory()
  const path = write('changing.csv', [LINE])
  const changing = archive.import(SOURCE, async (run) => {
    const withdrawn = { path, rows: 1, signal: AbortSignal.abort() }
    await expect(run.appendCsv(withdrawn)).rejects.toMatchObject({ fault: 'busy' })
    expect(await run.appendCsv({ path, rows: 1, signal })).toBe(true)
    await expect(run.append([makeRating({ id: 3 })], [])).rejects.toThrow('holds a file')
    write('changing.csv', [LINE.replace('1,2,', '7,2,')])
    return { completeTo: null }
  })
  await expect(changing).rejects.toThrow('not the one that was read')
  expect(archive.state()).toMatchObject({ ratings: 0, generation: 0 })
  await archive.close()
})
