import { expect, it } from 'vitest'
import { createLog } from '#lib/server/environment/log.ts'
import { createEventMemory } from '#lib/sync/running/event-log.ts'
import { createStamp, noteLoss } from './compose.ts'

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

function start() {
  const listeners: (() => void)[] = []
  const world = { seconds: 0, version: '0.1', names: 0 }
  const stamp = createStamp({
    archive: { state: () => ({ version: world.version }) },
    names: { version: () => world.names },
    sync: {
      onChange: (listener) => {
        listeners.push(listener)
        return () => {}
      },
      onEvent: () => () => {},
    },
    now: () => world.seconds,
    nowMs: () => world.seconds * 1000,
  })
  const change = () => {
    for (const tell of listeners) tell()
  }
  return { world, stamp, change }
}

it('a page is good for its generation, its names of symbols and its minute', () => {
  const { world, stamp } = start()
  const first = stamp()
  world.seconds = 59
  expect(stamp()).toBe(first)
  world.seconds = 60
  const second = stamp()
  expect(second).not.toBe(first)
  world.version = '0.2'
  const third = stamp()
  expect(third).not.toBe(second)
  world.names += 1
  expect(stamp()).not.toBe(third)
})
