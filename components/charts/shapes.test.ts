import { expect, test } from 'vitest'
import { toEdgePlaces } from './shapes.tsx'
import { toColumn, toTimeFrame } from './time-axis.ts'

const DAY = 86_400

test('each bucket with something beyond the edge has a tick of its own', () => {
  const starts = Array.from({ length: 155 }, (_, index) => index * DAY)
  const frame = toTimeFrame({ starts, bucket: 'day', bucketSeconds: DAY, width: 1050 })
  const columns = starts.flatMap((_, index) => (index % 20 === 3 ? [] : [index]))
  const places = toEdgePlaces({ columns, frame, y: 10 })
  expect(places.map(({ x }) => toColumn(frame, x))).toEqual(columns)
  expect(places.every(({ y }) => y === 10)).toBe(true)
})
