import { describe, expect, it } from 'vitest'
import { selectPageSettings } from './page-settings.ts'

const COMPACT = '{"version":1,"density":"compact"}'
const cookieOf = (name: string, text = COMPACT) => `${name}=${encodeURIComponent(text)}`
const settingsOf = (cookies: string, path = '/') => selectPageSettings(path, cookies)?.cookie

describe('selectPageSettings', () => {
  it('selects the settings of the table of the page, and no other cookie', () => {
    const cookies = `session=secret; ${cookieOf('table')}; theme=dark; visited=1`
    expect(settingsOf(cookies)).toBe(cookieOf('table'))
    expect(settingsOf(`other=${'x'.repeat(20_000)}; ${cookies}`)).toBe(cookieOf('table'))
    const all = ['table', 'table.symbols', 'table.calls', 'table.audit'].map((name) =>
      cookieOf(name),
    )
    expect(settingsOf(all.join('; '), '/symbols')).toBe(cookieOf('table.symbols'))
    expect(settingsOf(all.join('; '), '/users/12')).toBe(cookieOf('table.calls'))
    expect(settingsOf(all.join('; '), '/access/audit')).toBe(cookieOf('table.audit'))
    expect(settingsOf(all.join('; '), '/users')).toBe('')
    expect(settingsOf(all.join('; '), '/lookups')).toBe('')
  })

  it('selects nothing when the page has no table', () => {
    for (const path of ['/symbols/AAPL', '/about', '/embed/symbols/AAPL', '/sign-in']) {
      expect(selectPageSettings(path, cookieOf('table')), path).toBeNull()
    }
  })

  it('selects the same settings from cookies that mean the same', () => {
    const unknown = '{"version":1,"density":"compact","order":["nothing"],"x":1}'
    expect(settingsOf(cookieOf('table', unknown))).toBe(cookieOf('table'))
    for (const cookie of ['table=%E0%A4%A', 'table={', 'table=', `table=${'x'.repeat(9000)}`]) {
      expect(settingsOf(cookie)).toBe('')
    }
  })
})
