import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAllPages } from './read-all-pages.ts'
import {
  createBareArchive,
  createScriptedService,
  range,
  type ScriptedService,
  toRating,
  WEDNESDAY,
} from './scripted-service.test-support.ts'
import type { SyncArchive } from './sync.ts'

const readAll = (archive: SyncArchive, service: ScriptedService) =>
  readAllPages({
    archive,
    readPage: (page) => service.fetchPage(page),
    now: () => WEDNESDAY,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  })

const aHistory = fc
  .record({
    total: fc.integer({ min: 7, max: 60 }),
    pageSize: fc.integer({ min: 2, max: 7 }),
    order: fc.constantFrom('newest' as const, 'oldest' as const),
    arrivals: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 30 }),
    /** How many answers each attempt gets before it is broken off. */
    attempts: fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 4 }),
  })
  .map((history) => ({ ...history, attempts: [...history.attempts, Number.POSITIVE_INFINITY] }))

test('an archive filled from pages holds every rating, however often the filling was broken off', async () => {
  await fc.assert(
    fc.asyncProperty(aHistory, async ({ total, pageSize, order, arrivals, attempts }) => {
      const archive = createBareArchive()
      const service = createScriptedService({ pageSize, order })
      service.ratings = range(1, total).map((id) => toRating(id))
      let last = total
      let answers = 0
      let left = 0
      service.before = () => {
        left -= 1
        if (left < 0) throw new Error('broken off')
        const count = arrivals[answers] ?? 0
        answers += 1
        service.ratings.push(...range(last + 1, last + count).map((id) => toRating(id)))
        last += count
      }
      // A list that grows at its end may do so behind the reader: what was there at the start is promised.
      let promised = 0
      for (const attempt of attempts) {
        if (archive.state().completeTo !== null) break
        promised = last
        left = attempt
        await readAll(archive, service).catch(() => undefined)
      }
      expect(archive.state().completeTo).toBe(WEDNESDAY)
      const ids = range(1, order === 'newest' ? last : promised)
      const known = await archive.selectKnownIds(ids)
      expect(ids.filter((id) => !known.has(id))).toEqual([])
    }),
    { numRuns: 1000 },
  )
})
