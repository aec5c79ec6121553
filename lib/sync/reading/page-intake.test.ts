import { describe, expect, test } from 'vitest'
import { selectQuarantine } from '#lib/archive/quarantine/quarantine.ts'
import { selectRating } from '#lib/archive/ratings/ratings.ts'
import { toPage } from '#testing/sync/page-listing.ts'
import { openTestArchive, range, toRating, WEDNESDAY } from '#testing/sync/scripted-service.ts'
import { createPageIntake } from './page-intake.ts'

async function takeIn(...pages: unknown[][]) {
  const { archive } = await openTestArchive(() => WEDNESDAY)
  const intake = createPageIntake(archive)
  let message: string | null = null
  for (const [index, rows] of pages.entries()) {
    try {
      intake.add(toPage(index + 1, rows))
    } catch (error) {
      message = String(error)
    }
  }
  await intake.commit(null)
  return { archive, intake, message, quarantine: await selectQuarantine(archive.reader, 999) }
}

const good = range(1, 10).map((id) => toRating(id))

describe('a page', () => {
  test('with rows that are not ratings is taken in, and those rows are kept with the reason', async () => {
    const renamed = { ...toRating(11), rating: undefined, stars: 4 }
    const { archive, intake, quarantine } = await takeIn([...good, renamed])
    expect(archive.state().ratings).toBe(10)
    expect(quarantine).toHaveLength(1)
    expect(quarantine[0]?.reason).toMatch(/^rating: /)
    expect(intake.changed()).toEqual({ inserted: 10, updated: 0, vanished: 0, quarantined: 1 })
  })

  test('of which more than half is no ratings is no page of ratings; what can be read is kept, and some evidence', async () => {
    const bad = range(100, 150).map((id) => ({ ...toRating(id), symbol: undefined }))
    const { archive, message, quarantine } = await takeIn([...good, ...bad])
    expect(message).toMatch(/More than half/)
    expect(archive.state().ratings).toBe(10)
    expect(quarantine).toHaveLength(20)
  })

  test('that is short may be unreadable altogether without ending everything', async () => {
    const { message, quarantine } = await takeIn(good, [{ id: 'x' }])
    expect(message).toBeNull()
    expect(quarantine).toHaveLength(1)
  })

  test('keeps of an id that comes twice the last row', async () => {
    const changed = toRating(3, { tally_agree: 5 })
    const { archive } = await takeIn([...good, changed, toRating(4)])
    const found = await selectRating(archive.reader, { id: 3, asof: null }, { at: WEDNESDAY })
    expect(found?.rating.tally_agree).toBe(5)
    expect(archive.state().ratings).toBe(10)
  })
})
