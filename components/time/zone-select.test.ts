import { expect, test } from 'vitest'
import { toZoneOptions } from './zone-select.tsx'

const labels = (chosen: string, own: string | null) =>
  toZoneOptions(chosen, own).map(({ label }) => label)

test('offers UTC and the browser’s zone, and UTC alone where that is UTC or unknown', () => {
  expect(labels('UTC', 'Europe/Berlin')).toEqual(['UTC', 'Europe/Berlin (local)'])
  expect(labels('Europe/Berlin', null)).toEqual(['UTC', 'Europe/Berlin (local)'])
  expect(labels('UTC', 'UTC')).toEqual(['UTC'])
  expect(labels('UTC', null)).toEqual(['UTC'])
})
