import { expect, it } from 'vitest'
import { createBasePath } from './base-path.ts'

const under = createBasePath('/ratings')
const alone = createBasePath('')

it.each([
  ['/', '/ratings'],
  ['/?rating=1', '/ratings?rating=1'],
  ['/#export', '/ratings#export'],
  ['/symbols', '/ratings/symbols'],
  ['/ratings/5', '/ratings/ratings/5'],
  ['/api/ratings.csv?symbol=AAPL', '/ratings/api/ratings.csv?symbol=AAPL'],
])('%s is asked for as %s, and read back as itself', (ours, asked) => {
  expect(under.withBase(ours)).toBe(asked)
  expect(under.withoutBase(asked)).toBe(ours)
  expect([alone.withBase(ours), alone.withoutBase(ours)]).toEqual([ours, ours])
})

it.each([
  '/',
  '/symbols',
  '/ratingsx',
  '/ratings-old/5',
  '/Ratings',
  '/%72atings',
  '//ratings',
  'ratings',
  '',
])('%s is not one of ours', (asked) => expect(under.withoutBase(asked)).toBeNull())

it('a slash behind the path is the first page', () =>
  expect(under.withoutBase('/ratings/')).toBe('/'))

it('two dashboards on a host keep nothing under one name', () => {
  const names = ['', '/a', '/a/b', '/a-b', '/b'].map((base) =>
    createBasePath(base).toKeptName('theme'),
  )
  expect(new Set(names).size).toBe(names.length)
  expect(alone.toKeptName('theme')).toBe('theme')
  for (const name of names) expect(name).toMatch(/^[!#$%&'*+.^_`|~\w-]+$/)
})
