import { expect, test } from 'vitest'
import { findByName, readName, toFreeName, withView } from './saved-view.ts'

const view = (id: string, name: string) => ({ id, name, address: '' })

test('a name is trimmed and takes any writing', () => {
  expect(readName('  Käufe 買い  ')).toEqual({ ok: true, name: 'Käufe 買い' })
  expect(readName('👩‍👩‍👧 picks')).toMatchObject({ ok: true })
  expect(readName('x'.repeat(60))).toMatchObject({ ok: true })
})

test('a name that is empty, too long or not to be seen is refused with the reason', () => {
  expect(readName('   ')).toEqual({ ok: false, problem: 'A view needs a name.' })
  expect(readName('x'.repeat(61))).toMatchObject({ problem: expect.stringContaining('60') })
  for (const bad of [
    'a\u202eb',
    'a\u0000',
    'a\nb',
    '\u2066x',
    '\u200f',
    'a\u200bb',
    '\u200d',
    '\ud800',
  ]) {
    expect(readName(bad), JSON.stringify(bad)).toMatchObject({ ok: false })
  }
})

test('saving under an existing name replaces that view in its place', () => {
  const views = [view('a', 'Buys'), view('b', 'Sells')]
  expect(findByName(views, 'BUYS')?.id).toBe('a')
  expect(withView(views, { id: 'c', name: 'buys', address: 'rating=5' })).toEqual([
    { id: 'a', name: 'buys', address: 'rating=5' },
    view('b', 'Sells'),
  ])
})

test('a number after a long name does not make it too long', () => {
  const long = 'x'.repeat(60)
  const free = toFreeName([view('a', long)], long)
  expect(free).toBe(`${'x'.repeat(58)} 2`)
  expect(readName(free).ok).toBe(true)
})
