import { expect, it } from 'vitest'
import { toDemoText, toFirstVisitText, toVisitedCookie } from './first-visit.ts'

const NOW = 1_795_262_400
const REAL = {
  service: { kind: 'remote', address: 'https://ratings.example.org/api', invented: false },
  symbols: 2105,
  users: 412,
  newest: NOW - 200,
  now: NOW,
} as const

it('a newcomer reads what ratings are, whose they are and how fresh', () => {
  expect(toFirstVisitText(REAL)).toBe(
    'Ratings say what 412 users of ratings.example.org think of 2,105 shares and other symbols, from Strong Sell to Strong Buy. The newest came 3 min ago.',
  )
})

it('of a demonstration it is said first that its ratings are invented', () => {
  const service = { kind: 'embedded', address: '/service', invented: true } as const
  expect(toFirstVisitText({ ...REAL, service })).toBe(
    'These ratings are invented, to try the dashboard with: what 412 users think of 2,105 shares and other symbols, from Strong Sell to Strong Buy. The newest came 3 min ago.',
  )
})

it('one user and one symbol are not many', () => {
  const service = { kind: 'embedded', address: '/service', invented: false } as const
  expect(toFirstVisitText({ ...REAL, service, users: 1, symbols: 1 })).toBe(
    'Ratings say what 1 user thinks of one symbol, from Strong Sell to Strong Buy. The newest came 3 min ago.',
  )
})

it('the line of a demonstration counts its users and symbols', () => {
  expect(toDemoText({ users: 3066, symbols: 321 })).toBe(
    'Demo data: 3,066 fictional users rate 321 stocks.',
  )
  expect(toDemoText({ users: 1, symbols: 1 })).toBe('Demo data: 1 fictional user rates 1 stock.')
})

it('the line stays away on every page, for a year', () => {
  expect(toVisitedCookie()).toBe('visited=1; path=/; max-age=31536000; samesite=lax')
})
