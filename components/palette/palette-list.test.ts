import { expect, it } from 'vitest'
import { toStableSections } from './palette-list.tsx'
import type { Row, Section } from './suggestions.ts'

const row = (id: string, more: Partial<Row> = {}): Row => ({
  id,
  label: id,
  action: { do: 'open', href: `/${id}` },
  ...more,
})
const waiting: Section[] = [
  { name: 'Symbols', rows: [row('old', { isOld: true })], isOld: true, note: 'Looking…' },
  { name: 'Go to', rows: [row('status')] },
]

it('what comes late moves nothing under a pointer: rows stay where they are, as they are known by now', () => {
  const now: Section[] = [
    { name: 'Filter by', rows: [row('new')] },
    { name: 'Symbols', rows: [row('first'), row('old', { detail: '12 ratings' })] },
    { name: 'Go to', rows: [row('status')] },
  ]
  const held = toStableSections(waiting, now)
  expect(held.map(({ name, rows }) => [name, rows.map(({ id }) => id)])).toEqual([
    ['Symbols', ['old']],
    ['Go to', ['status']],
  ])
  expect(held[0]?.rows[0]).toMatchObject({ id: 'old', detail: '12 ratings' })
  expect(held[0]?.rows[0]?.isOld).toBeUndefined()
})

it('a row that is no answer any more stays in its place, and cannot be chosen', () => {
  const held = toStableSections(waiting, [{ name: 'Go to', rows: [row('about')] }])
  expect(held[1]?.rows).toMatchObject([{ id: 'status', isOld: true }])
})
