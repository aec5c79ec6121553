import { expect, test } from 'vitest'
import { isTaken, readName, readNewName, toFreeName, withOwnNames } from './view-name.ts'

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

test('a name that is taken is refused with one that is free', () => {
  const views = [view('a', 'Buys'), view('b', 'buys 2')]
  expect(readNewName('BUYS', views)).toEqual({
    ok: false,
    problem: 'There is a view of that name. “BUYS 3” is free.',
  })
  expect(readNewName('Buys', views, 'a')).toEqual({ ok: true, name: 'Buys' })
  expect(isTaken('Buys', views, 'a')).toBe(false)
})

test('a number behind a long name does not make it too long', () => {
  const long = 'x'.repeat(60)
  const free = toFreeName(long, [view('a', long)])
  expect(free).toBe(`${'x'.repeat(58)} 2`)
  expect(readName(free).ok).toBe(true)
})

test('views that two tabs named alike are told apart', () => {
  const names = withOwnNames([view('a', 'Buys'), view('b', 'Buys'), view('c', 'Buys')])
  expect(names.map(({ name }) => name)).toEqual(['Buys', 'Buys 2', 'Buys 3'])
})
