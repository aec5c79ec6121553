import { expect, it } from 'vitest'
import { createLog } from '#lib/server/environment/log.ts'
import { createEventMemory } from '#lib/sync/running/event-log.ts'
import { noteLoss } from './compose.ts'

it('an archive that was emptied is told of, one that is new or was damaged is not', () => {
  const imported = { sha256: 'a', edition: '2026-11-15', generation: 3 }
  const tell = (ratings: number, known: typeof imported | null, damagedFile: object | null) => {
    const eventLog = createEventMemory(() => 0)
    noteLoss({
      archive: { opened: { damagedFile }, state: () => ({ ratings }) },
      editions: { imported: () => known },
      eventLog,
      log: createLog({ write: () => undefined, now: () => new Date(0) }),
    })
    return eventLog.latest(9).map(({ kind, level }) => `${kind} ${level}`)
  }
  expect(tell(0, imported, null)).toEqual(['archive error'])
  expect(tell(0, null, null)).toEqual([])
  expect(tell(9, imported, null)).toEqual([])
  expect(tell(0, imported, { file: 'archive.duckdb.damaged-1' })).toEqual([])
})
