import { describe, expect, it } from 'vitest'
import { toSqlHref } from '#lib/contract/page-addresses.ts'
import { toListSql } from './open-in-sql.ts'

const AT = Date.UTC(2026, 0, 31, 12) / 1000

const write = (of: Parameters<typeof toListSql>[0], query: string) =>
  toListSql(of, new URLSearchParams(query), AT)

describe('a list as a query', () => {
  it('reads like one that a person wrote', () => {
    expect(write('ratings', 'symbol=AAPL,MSFT&rating=4,5&from=2025-01-01&state=active')).toBe(
      `SELECT *
FROM ratings
WHERE symbol_key IN ('AAPL', 'MSFT')
  AND rating IN (4, 5)
  AND created_at >= TIMESTAMP '2025-01-01'
  AND created_at <= TIMESTAMP '2026-01-31 12:00:00'
  AND (ended_at IS NULL OR ended_at > TIMESTAMP '2026-01-31 12:00:00')
ORDER BY created_at DESC NULLS LAST, id DESC`,
    )
  })

  it('names the filters that it leaves out', () => {
    expect(write('ratings', 'quality=flip_within_day&moved=upgraded')).toMatch(
      /^-- Not in SQL: data quality \(quality\)\n-- Not in SQL: changes of ratings \(moved\)\nSELECT/,
    )
    expect(write('symbols', 'q=app&sort=-consensus')).toBe(
      `-- Not in SQL: names of companies (q)
-- Not in SQL: order by consensus
SELECT *
FROM symbols
WHERE contains(search_key, 'APP')
ORDER BY symbol`,
    )
    expect(write('users', 'asof=2026-01-01')).toMatch(/an earlier instant \(asof\)/)
    expect(write('calls', 'horizon=30')).toMatch(/^-- Not in SQL: 30 days \(horizon\)\n/)
  })

  it('quotes text, so that no value ends its string', () => {
    expect(write('ratings', "symbol=O'R -- x")).toContain("symbol_key IN ('O''R -- X')")
    expect(write('lookups', "source=a'b")).toContain("source IN ('a''b')")
  })

  it('does not exist for lists that the file lacks', () => {
    expect(write('audit', '')).toBeNull()
    expect(write('quarantine', '')).toBeNull()
  })

  it('that is too long for an address has none', () => {
    const symbols = Array.from({ length: 100 }, (_, index) => `${"'".repeat(60)}${index}`)
    const long = write('ratings', `symbol=${symbols.join()}`)
    expect(toSqlHref(long ?? '') === null).toBe(true)
    expect(toSqlHref('SELECT 1')).toBe('/sql?q=SELECT+1')
  })
})
