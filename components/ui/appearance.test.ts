import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { toVisitedCookie } from '#components/shell/first-visit.ts'
import { APPEARANCE_COOKIES, applyAppearance, toAppearanceScript } from './appearance.ts'
import { toThemeCookie } from './theme.ts'

function show(...cookies: string[]): Record<string, string> {
  const dataset: Record<string, string> = {}
  const cookie = cookies.map((one) => one.split(';')[0]).join('; ')
  runInNewContext(toAppearanceScript(), { document: { cookie, documentElement: { dataset } } })
  return dataset
}

it('a newcomer whose system decides has a page without marks', () => {
  expect(show()).toEqual({})
  expect(show('table=x', 'other=theme=dark')).toEqual({})
})

it('the theme that was chosen is shown, and the line that was put away is not', () => {
  expect(show('a=b', toThemeCookie('dark'), toVisitedCookie())).toEqual({
    theme: 'dark',
    visited: '',
  })
  expect(show(toVisitedCookie(), toThemeCookie('light'))).toEqual({ theme: 'light', visited: '' })
})

it('a theme that there is not is nobody’s', () => {
  expect(show('theme=darker')).toEqual({})
  expect(show('theme="onload=alert(1)')).toEqual({})
  expect(show('mytheme=dark', 'unvisited=1', 'theme', '')).toEqual({})
})

it('the theme of a frame’s address stays', () => {
  const dataset: Record<string, string> = { theme: 'light' }
  const cookie = `${APPEARANCE_COOKIES.theme}=dark`
  applyAppearance({ cookie, documentElement: { dataset } }, APPEARANCE_COOKIES)
  expect(dataset).toEqual({ theme: 'light' })
})
