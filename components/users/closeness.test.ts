import { expect, it } from 'vitest'
import { toClosenessVerdict, toJudgedText, toTooFewText } from './closeness.tsx'

const toBand = (users: number, farther: number) => ({ from: 16, to: 31, users, farther })
const verdictOf = (users: number, farther: number) =>
  toClosenessVerdict({ band: toBand(users, farther) })

it.each<[users: number, farther: number, stand: string, detail: string]>([
  [640, 524, 'Closer to the later consensus than most', 'closer than 81% of 640 users'],
  [30, 12, 'About as close to the later consensus as others', 'closer than 40% of 30 users'],
  [30, 7, 'Farther from the later consensus than most', 'closer than only 23% of 30 users'],
])('of %s peers, %s farther: %s', (users, farther, stand, detail) => {
  expect(verdictOf(users, farther)).toEqual({
    stand,
    detail: `${detail} with a similar number of ratings`,
  })
})

it('never rounds up to a verdict that is too good', () => {
  expect(verdictOf(200, 199).detail).toContain('closer than 99% of 200')
  expect(verdictOf(200, 149).stand).toContain('About as close')
})

it('gives no verdict where the user or the peers have too few ratings', () => {
  const none = { stand: 'Too few ratings to compare with other users', detail: null }
  expect(toClosenessVerdict({ band: null })).toEqual(none)
  expect(verdictOf(29, 12)).toEqual(none)
  expect(toTooFewText({ band: null })).toBe('fewer than 4 judged ratings')
  expect(toTooFewText({ band: toBand(1, 1) })).toBe(
    'only 1 other user with 4 or more judged ratings',
  )
})

it.each([
  [0, 0, 'No rating is 30 days old yet.'],
  [1, 0, '0 of 1 rating at least 30 days old were judged.'],
  [376, 259, '259 of 376 ratings at least 30 days old were judged.'],
])('of %s old ratings, %s judged, the text counts them', (old, n, text) => {
  const said = toJudgedText({ old, n })
  expect([said.before, said.old, said.after].join('')).toBe(text)
})
