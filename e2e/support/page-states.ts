import type { APIRequestContext, Page } from '@playwright/test'
import { seriesFigure } from './chart-figure.ts'
import { columnsMenu, openColumns, rail, rows, selectionBar } from './ratings-page.ts'
import { openSaveMenu, saveMenu } from './save-chart.ts'
import { openSearch, searchField } from './search.ts'
import { storeFirst } from './stored.ts'
import { expect } from './test.ts'

export type State = {
  name: string
  path: string | ((request: APIRequestContext) => Promise<string>)
  phone?: 'narrowed' | 'anew'
  allow?: string[]
  prepare?(page: Page): Promise<void>
  reach(page: Page, isPhone: boolean): Promise<void>
}

export const sees =
  (role: 'heading' | 'table' | 'figure' | 'textbox', name: string | RegExp) => async (page: Page) =>
    await expect(page.getByRole(role, { name }).first()).toBeVisible()

export const says = (text: string | RegExp) => async (page: Page) =>
  await expect(page.getByText(text).first()).toBeVisible()

export const hasRows = async (page: Page) => await expect(rows(page).first()).toBeVisible()

export const selectUser = async (request: APIRequestContext) => {
  const { data } = await (await request.get('/api/users?per_page=1')).json()
  return `/users/${data[0].user_id}`
}

export const selectRating = async (request: APIRequestContext, query: string): Promise<number> => {
  const { data } = await (await request.get(`/api/ratings?per_page=1&${query}`)).json()
  return data[0].id
}

const TABLE: State[] = [
  {
    name: 'filters that hold',
    path: '/?symbol=-TSLA&rating=4,5&from=2021-01-01&prediction_min=5&state=expired',
    phone: 'anew',
    reach: async (page, isPhone) => {
      if (isPhone) await page.getByRole('button', { name: /^Filters/ }).click()
      await expect(page.getByRole('slider', { name: 'Lowest prediction' })).toBeVisible()
    },
  },
  {
    name: 'the rules of data quality',
    path: '/?quality=flip_within_day',
    reach: async (page) => {
      await rail(page).getByRole('button', { name: 'Rules' }).click()
      await expect(page.getByRole('dialog', { name: 'Rules of data quality' })).toBeVisible()
    },
  },
  {
    name: 'rows that are selected, and the menu of a cell',
    path: '/?per_page=25',
    phone: 'anew',
    reach: async (page) => {
      await rows(page).first().focus()
      await page.keyboard.press('Space')
      await page.keyboard.press('ArrowDown')
      await expect(selectionBar(page)).toBeVisible()
      await page.keyboard.press('f')
      await expect(page.getByRole('menu')).toBeVisible()
    },
  },
  {
    name: 'the columns',
    path: '/?columns=symbol',
    reach: async (page) => {
      await openColumns(page)
      await expect(columnsMenu(page).getByRole('checkbox', { name: 'Symbol' })).toBeDisabled()
    },
  },
  {
    name: 'the sheet of a rating',
    path: async (request) => `/?open=${await selectRating(request, 'action=4&state=expired')}`,
    phone: 'anew',
    reach: async (page, isPhone) => {
      const role = isPhone ? 'dialog' : 'complementary'
      const sheet = page.getByRole(role, { name: /^Rating -?\d+$/ })
      await sheet.getByText('Raw JSON').click()
      await expect(sheet.getByRole('region', { name: 'Raw JSON' })).toBeVisible()
    },
  },
  {
    name: 'the sheet of no rating',
    path: '/?open=987654321',
    allow: ['404'],
    reach: says('There is no rating 987654321'),
  },
  {
    name: 'an export that is done',
    path: '/?symbol=AAPL&rating=4,5',
    phone: 'anew',
    reach: async (page, isPhone) => {
      await page.getByRole('button', { name: 'More for this view' }).click()
      const panel = page.getByRole('dialog', { name: /^Export / })
      const coming = page.waitForEvent('download')
      await panel.getByRole('button', { name: 'Download CSV' }).click()
      await coming
      await expect(panel).toContainText('Saved ratings_AAPL')
      await panel.getByText('Open in DuckDB').click()
      await expect(
        panel.getByRole('button', { name: 'Copy DuckDB lines for these rows' }),
      ).toBeVisible()
      const { x = -1, width = 0 } = (await panel.boundingBox()) ?? {}
      expect(x).toBeGreaterThanOrEqual(0)
      expect(x + width).toBeLessThanOrEqual(isPhone ? 360 : 1440)
    },
  },
  {
    name: 'the time machine',
    path: '/?asof=2024-08-02',
    phone: 'anew',
    reach: async (page) => {
      await page
        .getByRole('main')
        .getByRole('button', { name: /^As of/ })
        .click()
      const panel = page.getByRole('dialog', { name: 'Time machine' })
      await expect(panel.getByLabel(/^Day/)).toBeVisible()
    },
  },
  {
    name: 'the search, still empty',
    path: '/?symbol=AAPL',
    reach: async (page) => {
      await openSearch(page)
    },
  },
  {
    name: 'the search with suggestions',
    path: '/?symbol=AAPL',
    phone: 'anew',
    reach: async (page) => {
      await openSearch(page)
      await searchField(page).fill('rating:5 symbol:AA')
      await expect(page.getByRole('option', { name: /^AAPL/ })).toBeVisible()
    },
  },
  {
    name: 'the keys',
    path: '/',
    reach: async (page) => {
      await openSearch(page)
      await page.getByRole('button', { name: 'All keys' }).click()
      await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
    },
  },
]

async function keepViews(page: Page) {
  const name = 'A name that is as long as a name may be, sixty characters..'
  const views = [
    { id: 'long', name, address: 'rating=4,5&action=2' },
    { id: 'arabic', name: 'مشاهدة', address: 'rating=1' },
  ]
  await storeFirst(page, { views })
}

const openViews = async (page: Page) => {
  await page.getByRole('button', { name: /^Views/ }).click()
  const panel = page.getByRole('dialog', { name: 'Saved views' })
  await expect(panel).toBeVisible()
  return panel
}

const VIEWS: State[] = [
  {
    name: 'saved views',
    path: '/?rating=4,5&action=2',
    prepare: keepViews,
    reach: async (page) => void (await openViews(page)),
  },
  {
    name: 'a refused file of views',
    path: '/?rating=4,5&action=2',
    phone: 'anew',
    prepare: keepViews,
    reach: async (page) => {
      const panel = await openViews(page)
      await panel.getByRole('button', { name: 'Manage, import, export…' }).click()
      const file = { name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('nonsense') }
      await panel.getByLabel('Import a file').setInputFiles(file)
      await expect(panel.getByRole('alert')).toBeVisible()
    },
  },
  { name: 'nothing watched', path: '/watching', reach: says('Nothing is watched yet') },
]

const FORMS: State[] = [
  {
    name: 'the rule of a ranking',
    path: '/symbols?sort=-consensus',
    reach: async (page) => {
      await page.getByRole('button', { name: 'How consensus is ranked' }).click()
      await expect(page.getByRole('dialog', { name: 'How consensus is ranked' })).toBeVisible()
    },
  },
  {
    name: 'symbols that are ticked',
    path: '/symbols?selected=AAPL,MSFT,NVDA',
    reach: async (page) =>
      await expect(page.getByRole('link', { name: 'Compare 3 symbols' })).toBeVisible(),
  },
  {
    name: 'the table of a chart',
    path: '/symbols/AAPL?view=table&bucket=month&from=2026-01-01',
    reach: sees('table', 'Rating and prediction over time, AAPL'),
  },
  {
    name: 'the table of a user’s ratings',
    path: async (request) => `${await selectUser(request)}?view=table`,
    phone: 'narrowed',
    reach: sees('table', /^Ratings over time/),
  },
  {
    name: 'saving a chart',
    path: '/symbols/AAPL?bucket=month',
    reach: async (page) => {
      await openSaveMenu(seriesFigure(page))
      await saveMenu(page).getByText('Embed in another page').click()
    },
  },
  {
    name: 'the columns of a dump',
    path: '/downloads',
    reach: async (page) => {
      const card = page.getByRole('region', { name: 'Posts dump' })
      await card.getByRole('button', { name: /^Columns/ }).click()
      const columns = page.getByRole('dialog', { name: 'Columns of the posts dump' })
      await expect(columns.getByRole('checkbox', { name: 'user_id' })).toBeVisible()
    },
  },
  {
    name: 'an operation that is refused',
    path: '/docs/api/getSeries',
    allow: ['400 (Bad Request)'],
    reach: async (page) => {
      const form = page.getByRole('form', { name: /^Try / })
      await form.getByRole('textbox', { name: 'symbol' }).fill('aapl')
      await form.getByRole('textbox', { name: 'from' }).fill('soon')
      await form.getByRole('button', { name: 'Send' }).click()
      await says(/^400 Bad Request/)(page)
    },
  },
  { name: 'the help', path: '/help', reach: sees('heading', 'Help') },
  {
    name: 'About',
    path: '/about',
    phone: 'narrowed',
    reach: sees('heading', 'About these ratings'),
  },
]

export const OPENED_STATES: readonly State[] = [...TABLE, ...VIEWS, ...FORMS]
