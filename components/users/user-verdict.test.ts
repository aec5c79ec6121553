import { expect, it } from 'vitest'
import { ENGLISH_FORMATS } from '#components/format/numbers.ts'
import { toUserVerdict } from './user-verdict.tsx'

const say = (n: number, users: number | null, farther = 0) => {
  const band = users === null ? null : { from: 16, to: 31, users, farther }
  const said = toUserVerdict({ n, mean: null, band }, 40, ENGLISH_FORMATS)
  const { before, of, others, between, judged, after } = said
  return [before, said.farther, of, others, between, judged, after].join('')
}

it.each<[number, number | null, number, string]>([
  [
    ...[20, 640, 524],
    'Closer to the later consensus than 81% of 640 users with as many ratings that can be judged (16 to 31; this user has 20)',
  ],
  [
    ...[20, 0, 0],
    'No other user has as many ratings that can be judged (16 to 31; this user has 20), so there is nobody to compare with',
  ],
  [
    ...[20, 1, 1],
    'Only 1 other user has as many ratings that can be judged (16 to 31; this user has 20): too few to compare with',
  ],
  [
    ...[20, 19, 19],
    'Only 19 other users have as many ratings that can be judged (16 to 31; this user has 20): too few to compare with',
  ],
  [
    3,
    null,
    0,
    'Too few ratings to compare with the later consensus: 3 of 40 ratings can be judged',
  ],
] as [number, number | null, number, string][])(
  'of %s judged ratings and %s others it says so',
  (n, users, farther, text) => {
    expect(say(n, users, farther)).toBe(text)
  },
)

it('leads to no list that is empty', () => {
  const of = (users: number, farther: number) =>
    toUserVerdict(
      { n: 20, mean: null, band: { from: 16, to: 31, users, farther } },
      40,
      ENGLISH_FORMATS,
    )
  expect(of(200, 1)).toMatchObject({ farther: '0%', of: ' of ', others: '200 users' })
  expect(of(200, 0)).toMatchObject({ farther: null, of: '0% of ', others: '200 users' })
  expect(of(0, 0)).toMatchObject({ farther: null, of: '', others: null })
})

it('never says nearer than it is', () => {
  expect(say(20, 200, 199)).toContain('than 99% of 200 users')
})
