import { describe, expect, it } from 'vitest'
import { isZonedMidnight } from './zoned.ts'
import { toZonedTicks } from './zoned-ticks.ts'

const at = (iso: string) => Date.parse(iso) / 1000

describe('the ticks of a time axis in a zone', () => {
  it('stand where days of the zone begin, clock changes included', () => {
    const span = { from: at('2026-10-20T00:00:00Z'), to: at('2026-11-05T00:00:00Z') }
    const ticks = toZonedTicks(span, 20, 'America/New_York')
    expect(ticks.length).toBeGreaterThan(4)
    expect(ticks.every((tick) => isZonedMidnight(tick.at, 'America/New_York'))).toBe(true)
    expect(ticks.every((tick) => tick.at >= span.from && tick.at <= span.to)).toBe(true)
  })

  it('name the months of the zone', () => {
    const span = { from: at('2026-01-15T00:00:00Z'), to: at('2026-04-15T00:00:00Z') }
    expect(toZonedTicks(span, 4, 'Asia/Tokyo')).toEqual([
      { at: at('2026-01-31T15:00:00Z'), label: 'Feb 2026' },
      { at: at('2026-02-28T15:00:00Z'), label: 'Mar' },
      { at: at('2026-03-31T15:00:00Z'), label: 'Apr' },
    ])
  })
})
