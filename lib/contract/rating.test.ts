import { describe, expect, it } from 'vitest'
import { parseCsvRating, parseRating, type Rating } from './rating.ts'
import { RATING_FIELDS } from './rating-fields.ts'

const RATING: Rating = {
  id: 7,
  user_id: 12,
  symbol: 'AAPL',
  rating: 4,
  rating_label: 'Moderate Buy',
  action: 2,
  action_label: 'Upgraded',
  prediction: '12.50',
  tally_agree: 16,
  tally_disagree: 3,
  tally_comment: 1,
  created_at: 1_704_067_200,
  created_at_date: '2024-01-01 00:00:00',
  expired_at: 1_711_929_600,
  expired_at_date: '2024-04-01 00:00:00',
}

const cellsOf = (rating: Rating, header: readonly string[] = RATING_FIELDS) =>
  header.map((name) => String(rating[name as keyof Rating] ?? ''))

describe('a rating on its way in', () => {
  it('is taken as it came', () => {
    expect(parseRating(RATING)).toEqual({ ok: true, rating: RATING, extra: null })
  })

  it('keeps the fields that the specification does not know', () => {
    const parsed = parseRating({ ...RATING, force_expired: true, note: 'x' })
    expect(parsed).toEqual({ ok: true, rating: RATING, extra: { force_expired: true, note: 'x' } })
  })

  it('means the same from a CSV, in any order of columns', () => {
    const header = [...RATING_FIELDS].reverse()
    expect(parseCsvRating(header, cellsOf(RATING, header))).toEqual(parseRating(RATING))
  })

  it('may have no expiry, or 0, or one before its creation', () => {
    const none = { ...RATING, expired_at: null, expired_at_date: null }
    expect(parseRating(none)).toMatchObject({ ok: true, rating: none })
    expect(parseCsvRating(RATING_FIELDS, cellsOf(none))).toMatchObject({ ok: true, rating: none })
    expect(parseRating({ ...RATING, expired_at: 0 }).ok).toBe(true)
    expect(parseRating({ ...RATING, expired_at: 1 }).ok).toBe(true)
  })

  it.each(['12.50', '-3.00', '0.00', '+1', '999999999999.999999'])(
    'keeps the digits of the prediction %s',
    (prediction) => {
      const parsed = parseRating({ ...RATING, prediction })
      expect(parsed.ok && parsed.rating.prediction).toBe(prediction)
    },
  )

  it.each([12.5, null, true, [], '', '1e999', 'NaN', '1,5', ' 1', '0.1234567', '9'.repeat(10_000)])(
    'is rejected with the field named where prediction is %j',
    (prediction) => {
      const parsed = parseRating({ ...RATING, prediction })
      expect(parsed).toMatchObject({ ok: false, reason: expect.stringContaining('prediction') })
    },
  )

  it.each([2 ** 53, '7', 1.5, Number.NaN, null])('is rejected where id is %j', (id) => {
    expect(parseRating({ ...RATING, id })).toMatchObject({
      ok: false,
      reason: expect.stringContaining('id'),
    })
  })

  it.each(['\ufeffAAPL', 'AA\u0000PL', 'AA\ud83dPL'])(
    'is rejected where the symbol would be read as another one: %j',
    (symbol) => {
      const reason = 'symbol: begins with a byte order mark, or holds a null or half a character'
      expect(parseRating({ ...RATING, symbol })).toMatchObject({ ok: false, reason })
      expect(parseRating({ ...RATING, symbol: 'AA\ufeffPL\u202e😀' }).ok).toBe(true)
    },
  )

  it.each([null, 'text', 7, [], undefined, [[]]])('rejects %j without throwing', (value) => {
    expect(parseRating(value).ok).toBe(false)
  })

  it('has no field for an empty cell of a column without a name', () => {
    const parsed = parseCsvRating([...RATING_FIELDS, ''], [...cellsOf(RATING), ''])
    expect(parsed).toEqual({ ok: true, rating: RATING, extra: null })
  })

  it('is rejected where a CSV record is longer or shorter than its header', () => {
    const parsed = parseCsvRating(RATING_FIELDS, cellsOf(RATING).slice(1))
    expect(parsed).toMatchObject({ ok: false, reason: '14 cells under 15 columns' })
  })

  it.each(['9999999999999999', '-9007199254740992', '12345678901234567890'])(
    'keeps the digits of the user %s of a CSV, which no number holds',
    (user) => {
      const cells = cellsOf(RATING).with(RATING_FIELDS.indexOf('user_id'), user)
      const parsed = parseCsvRating(RATING_FIELDS, cells)
      expect(parsed).toMatchObject({ ok: false, reason: 'user_id: too large' })
      expect(JSON.parse(parsed.ok ? '' : parsed.raw)).toMatchObject({ user_id: user })
    },
  )

  it('has whole numbers that may be written 1.0, in JSON and in a CSV', () => {
    const header = [...RATING_FIELDS, 'note']
    const cells = [...cellsOf(RATING), '1.0'].map((cell) =>
      /^\d+$/.test(cell) ? `${cell}.0` : cell,
    )
    const fromCsv = parseCsvRating(header, cells)
    expect(fromCsv).toEqual({ ok: true, rating: RATING, extra: { note: '1.0' } })
    const json = JSON.stringify(RATING).replaceAll(/:(\d+)(?=[,}])/g, ':$1.0')
    expect(parseRating(JSON.parse(json))).toEqual({ ok: true, rating: RATING, extra: null })
  })

  it('is rejected where a whole number is written as anything else', () => {
    for (const text of ['1.5', '1.', '1e3', '', 'x', '0x1']) {
      const cells = cellsOf(RATING).with(RATING_FIELDS.indexOf('tally_agree'), text)
      expect(parseCsvRating(RATING_FIELDS, cells)).toMatchObject({
        ok: false,
        reason: expect.stringContaining('tally_agree'),
      })
    }
  })

  const HOSTILE_NAMES = ['__proto__', 'constructor', 'toJSON', 'toString', '', 'a"b\u0000\n', 'ID']

  it.each(HOSTILE_NAMES)('keeps an extra field named %j, from JSON and from a CSV', (name) => {
    const extra = JSON.parse(`{${JSON.stringify(name)}:"x"}`)
    const json = JSON.stringify(RATING).replace('{', `{${JSON.stringify(name)}:"x",`)
    const fromJson = parseRating(JSON.parse(json))
    const fromCsv = parseCsvRating([...RATING_FIELDS, name], [...cellsOf(RATING), 'x'])
    for (const parsed of [fromJson, fromCsv]) {
      expect(parsed).toMatchObject({ ok: true, rating: RATING })
      expect(JSON.stringify(parsed.ok && parsed.extra)).toBe(JSON.stringify(extra))
    }
  })

  it.each([
    ['null labels', { rating_label: null }, 'rating_label: not a text'],
    ['an id as text', { id: '7' }, 'id: not a whole number'],
    ['an id that no number holds', { id: 2 ** 60 }, 'id: too large'],
    ['one that is kept as text', { user_id: '9007199254740993' }, 'user_id: too large'],
    ['half a rating', { rating: 4.5 }, 'rating: not a whole number'],
    ['no user', { user_id: undefined }, 'user_id: missing'],
    ['a tally below 0', { tally_agree: -1 }, 'tally_agree: below 0'],
    [
      'an instant in milliseconds',
      { created_at: 1_704_067_200_000 },
      'created_at: above 253402300799',
    ],
    ['an action as text', { action: 'Upgraded' }, 'action: not a whole number'],
    ['no symbol', { symbol: '' }, 'symbol: empty'],
    ['a number as prediction', { prediction: 12.5 }, 'prediction: not a text'],
  ])('with %s is rejected for that reason', (_, change, reason) => {
    expect(parseRating({ ...RATING, ...change })).toMatchObject({ ok: false, reason })
  })

  it('may have an action or a rating code that nobody knows', () => {
    expect(parseRating({ ...RATING, action: 99, rating: -3 }).ok).toBe(true)
  })

  it('never changes a prototype', () => {
    const parsed = parseRating(JSON.parse(`{"__proto__":{"polluted":1},"id":7}`))
    expect(parsed.ok).toBe(false)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})
