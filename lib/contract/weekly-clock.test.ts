import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editionAt, editionFileName, editionName, nextEditionAt } from './weekly-clock.ts'

const at = (text: string) => Date.parse(text) / 1000
const HOUR = 3600

describe('the weekly clock', () => {
  it.each([
    ['2026-07-05T03:59:59Z', '2026-06-28'],
    ['2026-07-05T04:00:00Z', '2026-07-05'],
    ['2026-11-22T04:59:59Z', '2026-11-15'],
    ['2026-11-22T05:00:00Z', '2026-11-22'],
  ])('at %s the newest edition is that of Sunday %s, midnight in New York', (now, name) => {
    expect(editionName(at(now))).toBe(name)
    expect(editionFileName('posts', editionName(at(now)))).toBe(`posts-${name}.csv`)
  })

  it.each([
    ['2026-03-08T05:00:00Z', 167],
    ['2026-11-01T04:00:00Z', 169],
    ['2026-11-15T05:00:00Z', 168],
  ])('the week that begins at %s lasts %i hours', (now, hours) => {
    expect(nextEditionAt(at(now)) - editionAt(at(now))).toBe(hours * HOUR)
  })

  it('never skips or doubles a Sunday', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_300_000_000, max: 2_500_000_000 }), (now) => {
        const [edition, next] = [editionAt(now), nextEditionAt(now)]
        expect(edition).toBeLessThanOrEqual(now)
        expect(next).toBeGreaterThan(now)
        expect(editionAt(next)).toBe(next)
        expect(editionAt(next - 1)).toBe(edition)
        expect([167, 168, 169]).toContain((next - edition) / HOUR)
      }),
    )
  })
})
