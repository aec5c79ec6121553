import { expect, it } from 'vitest'
import { readBasePath, selectBasePathProblem, toBuildFolder } from './base-path-rule.mjs'

it.each(['', '/ratings', '/a', '/team-2/ratings', '/r.1_x~', '/apis', '/services'])(
  'BASE_PATH=%s is taken',
  (path) => expect(selectBasePathProblem(path)).toBeNull(),
)

it.each([
  ...['/', 'ratings', '/ratings/', '//ratings', '/a//b', '/Ratings', '/a b', '/ä', '/a?b', '/a#b'],
  ...['/.', '/..', '/a/..', '/.hidden', '/%61', '/a\\b', 'https://host/a', '/a\n', '/a*'],
  ...['/api', '/api/ratings', '/service', '/_next', '/_next/static'],
])('BASE_PATH=%j is refused', (path) =>
  expect(selectBasePathProblem(path)).toMatch(/^(?:is not a|begins with)/),
)

it('blanks around it are no part of it, and an empty one is none', () => {
  expect(readBasePath({ BASE_PATH: ' /ratings ' })).toBe('/ratings')
  expect([readBasePath({ BASE_PATH: ' ' }), readBasePath({})]).toEqual(['', ''])
})

it('the build without a path lies where it always did', () => {
  expect(toBuildFolder('')).toBe('.next')
  expect(toBuildFolder('/team/ratings')).toBe('.next-team-ratings')
})
