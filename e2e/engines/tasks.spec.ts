import {
  ask,
  countRatings,
  dialog,
  fetchFile,
  field,
  heading,
  openSearch,
  row,
} from '../support/engine-parts.ts'
import { expect, test } from '../support/engine-test.ts'

test('what does the community think of AAPL, and why', { tag: '@core' }, async ({ reader }) => {
  await reader.open('/symbols/AAPL')
  const { data } = await ask<{ data: { active: number } }>(reader, '/api/symbols/AAPL/opinion')
  await reader.sees({ role: 'main' }, /(Strong|Moderate) (Buy|Sell)|Hold/)
  await reader.click({ role: 'link', name: `${data.active} active ratings` })
  await reader.seesAddress('/?symbol=AAPL&state=active')
  await reader.sees(heading(`${data.active} ratings`))
})

test('which ratings of AAPL and MSFT said Strong Buy in 2025', { tag: '@core' }, async ({
  reader,
}) => {
  await reader.open('/')
  await openSearch(reader)
  await reader.seesFocusOn(field)
  await reader.fill(field, 'symbol:AAPL,MSFT rating:5 posted:2025')
  await reader.sees({ role: 'option', name: /^Show ratings/ })
  await reader.press('Enter')
  await reader.seesAddress(/^\/\?symbol=AAPL,MSFT&rating=5&created=2025$/)
  const { words } = await countRatings(reader, '?symbol=AAPL,MSFT&rating=5&created=2025')
  await reader.sees(heading(new RegExp(`^${words}`)))
  await reader.sees(row(0), 'Strong Buy')
})

test('what is left without one user', { tag: '@core' }, async ({ reader }) => {
  await reader.open('/')
  await reader.click({ role: 'button', name: /^Exclude #\d+$/ })
  await reader.seesAddress(/^\/\?user=-\d+$/)
  const search = await reader.run(() => location.search, null)
  const { words } = await countRatings(reader, search)
  await reader.sees(heading(new RegExp(`^${words}`)))
  await reader.sees({ role: 'button', name: /^Remove filter: / })
})

test('who expects most', { tag: '@core' }, async ({ reader }) => {
  await reader.open('/')
  await reader.click({ role: 'button', inside: { role: 'columnheader', name: /^Prediction/ } })
  await reader.seesAddress(/[?&]sort=-prediction$/)
  const { data } = await ask<{ data: { prediction: string }[] }>(
    reader,
    '/api/ratings?sort=-prediction',
  )
  const most = Number(data[0]?.prediction).toLocaleString('en-US', { minimumFractionDigits: 2 })
  await reader.sees(row(0), most)
})

test('what I look at often has a name', { tag: '@core' }, async ({ reader }) => {
  await reader.open('/?symbol=AAPL&rating=4,5')
  const views = dialog('Saved views')
  await reader.click({ role: 'button', name: /^Views/ })
  await reader.click({ role: 'button', name: 'Save this view…', inside: views })
  await reader.fill({ role: 'textbox', name: 'Name of this view', inside: views }, 'Buys')
  await reader.press('Enter')
  await reader.sees({ role: 'button', name: /Buys/ })
  await reader.open('/')
  await reader.click({ role: 'button', name: /^Views/ })
  await reader.click({ role: 'link', name: /^Buys/, inside: views })
  await reader.seesAddress('/?symbol=AAPL&rating=4,5')
})

test('an address that is shared shows what its sender saw', { tag: '@core' }, async ({
  reader,
}) => {
  await reader.open('/')
  await reader.click({ role: 'checkbox', name: /^Strong Sell/ })
  await reader.seesAddress(/^\/\?rating=1$/)
  const { words } = await countRatings(reader, '?rating=1')
  await reader.sees(heading(new RegExp(`^${words}`)))
  const shared = await reader.run(() => location.href, null)
  await reader.open('/about')
  await reader.open(shared)
  await reader.sees(heading(new RegExp(`^${words}`)))
  await reader.sees(row(0), 'Strong Sell')
  await reader.back()
  await reader.sees(heading('About these ratings'))
})

test('the rows are taken away as CSV', { tag: '@core' }, async ({ reader }) => {
  await reader.open('/?symbol=AAPL&rating=4,5')
  const { total } = await countRatings(reader, '?symbol=AAPL&rating=4,5')
  const link = { role: 'link', name: /export .*csv/i } as const
  const { status, disposition, lines } = await fetchFile(reader, await reader.targetOf(link))
  expect({ status, lines }).toEqual({ status: 200, lines: total + 1 })
  expect(disposition).toMatch(/^attachment; filename=.*\.csv/)
  await reader.click({ role: 'button', name: 'More for this view' })
  await reader.sees({ role: 'button', name: 'Download CSV', inside: dialog(/^Export /) })
})

test('both dumps are taken away, byte for byte', { tag: '@core' }, async ({ reader }) => {
  await reader.open('/downloads')
  type Edition = { edition: { bytes: number; sha256: string } }
  const { data } = await ask<{ data: { posts: Edition; lookups: Edition } }>(reader, '/api/dumps')
  for (const kind of ['posts', 'lookups'] as const) {
    const link = { role: 'link', name: new RegExp(`^Download ${kind} dump`) } as const
    const { bytes, sha256 } = await fetchFile(reader, await reader.targetOf(link))
    expect({ bytes, sha256 }).toEqual({
      bytes: data[kind].edition.bytes,
      sha256: data[kind].edition.sha256,
    })
  }
})

test('two symbols are compared', { tag: '@core' }, async ({ reader }) => {
  await reader.open('/symbols/AAPL')
  await reader.click({ role: 'button', name: 'Compare' })
  await reader.fill({ role: 'combobox', name: 'Compare with' }, 'MSFT')
  await reader.click({ role: 'option', name: /^MSFT/ })
  await reader.seesAddress('/symbols/AAPL?vs=MSFT')
  await reader.sees({ role: 'figure', name: 'Consensus compared, AAPL, MSFT' }, /MSFT\s*\d\.\d\d/)
})

test('what did they think a year ago', { tag: '@core' }, async ({ reader }) => {
  await reader.open('/')
  await reader.click({ role: 'button', name: /^As of/, inside: { role: 'main' } })
  await reader.click({ role: 'button', name: 'A year ago', inside: dialog('Time machine') })
  await reader.seesAddress(/^\/\?asof=\d{4}-\d\d-\d\d/)
  const search = await reader.run(() => location.search, null)
  const { words } = await countRatings(reader, search)
  await reader.sees(heading(new RegExp(`^${words}`)))
  await reader.sees({ role: 'region', name: 'Time machine' }, `As of ${search.slice(6, 16)}`)
})

test('a chart stands in a page of its own, to be embedded', { tag: '@core' }, async ({
  reader,
}) => {
  await reader.open('/embed/symbols/AAPL?from=2024-01-01')
  await reader.sees(heading('AAPL'))
  const chart = { role: 'figure', name: 'Rating and prediction over time, AAPL' } as const
  await reader.sees(chart, 'Consensus of active ratings, 1–5')
  const drawn = await reader.run(
    () =>
      [...document.querySelectorAll('svg path')].filter(
        (path) => path.getBoundingClientRect().width > 100,
      ).length,
    null,
  )
  expect(drawn).toBeGreaterThan(0)
  expect(await reader.targetOf({ role: 'link' })).toBe('/symbols/AAPL?from=2024-01-01')
})

test('is this user any good', { tag: '@core' }, async ({ reader }) => {
  await reader.open('/users')
  await reader.click({ role: 'link', name: /^#?\d+$/, inside: { role: 'table', name: 'Users' } })
  await reader.seesAddress(/^\/users\/\d+$/)
  await reader.sees(heading(/^User \d+$/))
  await reader.sees({ role: 'main' }, /(\d(st|nd|rd|th) of [\d,]+|Too few calls to judge): /)
})
