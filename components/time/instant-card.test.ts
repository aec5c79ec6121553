import { describe, expect, it } from 'vitest'
import { toCardRows } from './instant-card.tsx'

const seconds = Date.parse('2026-11-20T14:32:59Z') / 1000

describe('the card of a time', () => {
  it('writes it in UTC, here, in Eastern, relative to now and as epoch', () => {
    const rows = toCardRows({ seconds, zone: 'UTC', own: 'Europe/Berlin', now: seconds + 125 })
    expect(rows).toEqual([
      { name: 'UTC', text: '2026-11-20 14:32:59Z' },
      { name: 'Local, Europe/Berlin', text: '2026-11-20 15:32:59+01:00' },
      { name: 'Eastern', text: '2026-11-20 09:32:59-05:00' },
      { name: 'Relative', text: '2 min ago' },
      { name: 'Epoch', text: String(seconds) },
    ])
  })

  it('adds the zone that the page is in, and says nothing twice', () => {
    const names = (zone: string, own: string | null) =>
      toCardRows({ seconds, zone, own, now: null }).map(({ name }) => name)
    expect(names('Asia/Tokyo', 'Europe/Berlin')).toContain('Asia/Tokyo')
    expect(names('America/New_York', 'America/New_York')).toEqual([
      'UTC',
      'Local, Eastern',
      'Epoch',
    ])
    expect(names('UTC', 'UTC')).toEqual(['Local, UTC', 'Eastern', 'Epoch'])
    expect(names('UTC', null)).toEqual(['UTC', 'Eastern', 'Epoch'])
  })

  it('says the same instant in every row that has a zone', () => {
    for (const { text } of toCardRows({ seconds, zone: 'Asia/Kathmandu', own: null, now: null })) {
      if (text.includes(':')) expect(Date.parse(text.replace(' ', 'T')) / 1000).toBe(seconds)
    }
  })
})
