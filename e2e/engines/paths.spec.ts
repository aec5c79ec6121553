import { dialog, field, heading, openSearch, row, table } from '../support/engine-parts.ts'
import { expect, test } from '../support/engine-test.ts'

test('the search opens by its key, is typed into where it is clicked, and leads to a symbol', {
  tag: '@core',
}, async ({ reader }) => {
  await reader.open('/')
  await openSearch(reader)
  await reader.seesFocusOn(field)
  await reader.fill(field, 'rating:5 ')
  await reader.click(field)
  const caret = await reader.run(() => {
    const { activeElement: focused } = document
    return focused instanceof HTMLInputElement ? focused.selectionStart : null
  }, null)
  expect(caret).toBe('rating:5 '.length)
  await reader.fill(field, 'msft')
  await reader.click({ role: 'option', name: /MSFT/ })
  await reader.seesAddress(/MSFT/)
})

test('a rating opens in a sheet, whose head is whole, and closes', { tag: '@core' }, async ({
  reader,
}) => {
  await reader.open('/?rating=4')
  const id = await reader.run(
    () => document.querySelector('[data-rating]')?.getAttribute('data-rating') ?? '',
    null,
  )
  await reader.click({ role: 'link', name: /^\d{4}-\d\d-\d\d \d\d:\d\d$/, inside: row(0) })
  const sheet = { role: 'complementary', name: `Rating ${id}` } as const
  await reader.sees(sheet, 'Moderate Buy')
  await reader.seesAddress(new RegExp(`[?&]open=${id}$`))
  const cut = await reader.run(
    (name) =>
      [...document.querySelectorAll(`[aria-label="${name}"] span`)]
        .filter((part) => part.textContent === 'Moderate Buy')
        .filter((part) => part.scrollWidth > part.clientWidth && part.clientWidth > 0).length,
    sheet.name,
  )
  expect(cut).toBe(0)
  await reader.press('Escape')
  await reader.seesNone(sheet)
})

test('columns are taken out of the table', { tag: '@core' }, async ({ reader }) => {
  await reader.open('/')
  const agree = { role: 'columnheader', name: /^Agree/, inside: table } as const
  await reader.sees(agree)
  await reader.click({ role: 'button', name: 'Columns' })
  await reader.click({ role: 'checkbox', name: 'Agree', inside: dialog('Columns') })
  await reader.press('Escape')
  await reader.seesNone(agree)
})

test('rows are walked through by the keyboard', { tag: '@core' }, async ({ reader }) => {
  await reader.open('/')
  await reader.run(() => document.querySelector<HTMLElement>('[data-rating]')?.focus(), null)
  await reader.seesFocusOn(row(0))
  await reader.press('ArrowDown')
  await reader.press('ArrowDown')
  await reader.seesFocusOn(row(2))
  await reader.press('Enter')
  await reader.sees({ role: 'complementary', name: /^Rating -?\d+$/ })
  await reader.press('ArrowUp')
  await reader.seesFocusOn(row(1))
})

test('the theme is changed, and stays', { tag: '@core' }, async ({ reader }) => {
  await reader.open('/about')
  const theme = { role: 'button', name: /^Theme: / } as const
  await reader.click(theme)
  const chosen = await reader.run(() => document.documentElement.dataset.theme, null)
  expect(chosen).toMatch(/^(light|dark)$/)
  await reader.open('/status')
  expect(await reader.run(() => document.documentElement.dataset.theme, null)).toBe(chosen)
})

test('on a phone a row is a card of two lines', { tag: '@core' }, async ({ reader }) => {
  await reader.resize(390, 844)
  await reader.open('/')
  await reader.sees(row(0), /(Buy|Hold|Sell)/)
  const cards = await reader.run(
    () =>
      [...document.querySelectorAll('[data-rating]')].slice(0, 20).map((card) => {
        const { left, right, height } = card.getBoundingClientRect()
        return left >= 0 && right <= window.innerWidth && height < 60
      }),
    null,
  )
  expect(cards).toEqual(Array.from({ length: 20 }, () => true))
  const beyond = await reader.run(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    null,
  )
  expect(beyond).toBe(0)
})

test('the status says how current it is', { tag: '@core' }, async ({ reader }) => {
  await reader.open('/')
  await reader.click({ role: 'link', name: /^Status: / })
  await reader.seesAddress('/status')
  await reader.sees(heading('Status'))
  await reader.sees({ role: 'region', name: 'Health' }, /Healthy\. Complete to/)
  await reader.open('/status/sync')
  await reader.sees({ role: 'region', name: 'Sync' }, /Up to date|Following the service/)
  await reader.sees({ role: 'table', name: 'Runs of the sync' })
})
