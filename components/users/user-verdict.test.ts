import { expect, it } from 'vitest'
import { ENGLISH_FORMATS } from '#components/format/numbers.ts'
import { toJudgedText, toUserVerdict } from './user-verdict.tsx'

const verdictOf = (users: number, farther: number, to = 31) =>
  toUserVerdict({ band: { from: 16, to, users, farther } }, ENGLISH_FORMATS)

const say = ({ stand, before, farther, of, others, after }: ReturnType<typeof verdictOf>) =>
  [stand, before, farther, of, others, after].join('')

const PEERS = 'with the most similar number of judged ratings (16 to 31).'

it.each<[users: number, farther: number, text: string]>([
  [640, 524, `Closer to the later consensus than most: closer than 81% of the 640 users ${PEERS}`],
  [30, 12, `In the middle: closer to the later consensus than 40% of the 30 users ${PEERS}`],
  [30, 7, `Farther from the later consensus than most: closer than 23% of the 30 users ${PEERS}`],
  [0, 0, 'No other user has 4 or more judged ratings: there is nobody to compare with.'],
  [1, 1, 'Only 1 other user has 4 or more judged ratings: too few to compare with.'],
  [29, 29, 'Only 29 other users have 4 or more judged ratings: too few to compare with.'],
])('among %s others, %s of them farther off, it says so', (users, farther, text) => {
  expect(say(verdictOf(users, farther))).toBe(text)
})

it('says that a user has too few ratings, and one number where all have the same', () => {
  const said = toUserVerdict({ band: null }, ENGLISH_FORMATS)
  expect(say(said)).toBe('Too few ratings to compare with other users.')
  expect(verdictOf(200, 9, 16).after).toContain('(each 16)')
})

it('leads to no list that is empty', () => {
  expect(verdictOf(200, 1)).toMatchObject({ farther: '0%', of: ' of the ', others: '200 users' })
  expect(verdictOf(200, 0)).toMatchObject({ farther: null, of: '0% of the ', others: '200 users' })
  expect(verdictOf(0, 0)).toMatchObject({ farther: null, of: '', others: null })
})

it('never says nearer than it is', () => {
  expect(say(verdictOf(200, 199))).toContain('than 99% of the 200 users')
})

it.each([
  [0, 0, 'No rating is 30 days old yet.'],
  [1, 0, 'Of this user’s 1 rating from at least 30 days ago none could be judged: none had'],
  [376, 259, '259 of this user’s 376 ratings from at least 30 days ago were judged, each by'],
])('of %s old ratings, %s judged, it says what was judged', (old, n, text) => {
  const said = toJudgedText({ old, n }, ENGLISH_FORMATS)
  expect([said.before, said.old, said.after].join('')).toContain(text)
})
