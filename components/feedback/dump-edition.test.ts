import { expect, test } from 'vitest'
import { toEditionNote } from './dump-edition.tsx'

const plain = { state: 'earlier', reason: null, unchanged: false, changes: null } as const
const note = (change: Partial<Parameters<typeof toEditionNote>[0]>) =>
  toEditionNote({ ...plain, ...change })

test('an edition is told apart from the one before it, or it is said that nothing differs', () => {
  const changes = { against: '2026-11-08', added: 1204, changed: 88, gone: 2 }
  expect(note({ changes })).toBe('+1,204 new, 88 changed, −2 gone')
  expect(note({ changes: { ...changes, added: 0, changed: 0, gone: 0 } })).toBe('the same rows')
  expect(note({ unchanged: true, changes })).toBe('the same bytes')
  expect(note({})).toBe('–')
})

test('one that was set aside says why, whatever else is known of it', () => {
  const reason = 'It has 3 rows where the one before has 98,310.'
  expect(note({ state: 'aside', reason, unchanged: true })).toBe(`Set aside: ${reason}`)
})
