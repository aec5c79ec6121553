import { expect, it } from 'vitest'
import { toDemoText, toFirstVisitText } from './first-visit.ts'

const REAL = {
  service: { kind: 'remote', address: 'https://ratings.example.org/api', invented: false },
  symbols: 2105,
  users: 412,
} as const

it('a newcomer reads what ratings are and whose they are', () => {
  expect(toFirstVisitText(REAL)).toBe(
    '412 users of ratings.example.org rate 2,105 symbols, from Strong Sell to Strong Buy.',
  )
})

it('the line of a demonstration begins with the words demo data', () => {
  const service = { kind: 'embedded', address: '/service', invented: true } as const
  expect(toFirstVisitText({ ...REAL, service })).toBe(
    'Demo data: 412 fictional users rate 2,105 stocks.',
  )
})

it('one user and one symbol are not many', () => {
  const service = { kind: 'embedded', address: '/service', invented: false } as const
  expect(toFirstVisitText({ ...REAL, service, users: 1, symbols: 1 })).toBe(
    '1 user rates 1 symbol, from Strong Sell to Strong Buy.',
  )
})

it('the line of a demonstration counts its users and symbols', () => {
  expect(toDemoText({ users: 3066, symbols: 321 })).toBe(
    'Demo data: 3,066 fictional users rate 321 stocks.',
  )
  expect(toDemoText({ users: 1, symbols: 1 })).toBe('Demo data: 1 fictional user rates 1 stock.')
})
