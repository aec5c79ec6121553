import type { Page, Route } from '@playwright/test'
import { comparisonFigure, seriesFigure } from './support/chart-figure.ts'
import {
  hasRows,
  OPENED_STATES,
  type State,
  says,
  sees,
  selectRating,
  selectUser,
} from './support/page-states.ts'
import { strongSell } from './support/ratings-page.ts'
import {
  expect,
  expectNoAxeViolations,
  expectNoOverflow,
  expectUniqueIds,
  test,
} from './support/test.ts'

async function readChart(page: Page) {
  const chart = seriesFigure(page).getByRole('application').first()
  await chart.focus()
  await page.keyboard.press('End')
  await expect(chart.getByRole('status').filter({ hasText: 'Consensus' })).toBeVisible()
}

const SCREENS: State[] = [
  { name: 'Ratings', path: '/?symbol=AAPL&rating=4,5', phone: 'narrowed', reach: hasRows },
  {
    name: 'Symbols',
    path: '/symbols?sort=-consensus',
    phone: 'narrowed',
    reach: sees('table', 'Symbols'),
  },
  { name: 'a symbol', path: '/symbols/AAPL?bucket=month', phone: 'narrowed', reach: readChart },
  {
    name: 'symbols compared',
    path: '/symbols/AAPL?range=all&vs=MSFT,NVDA',
    phone: 'narrowed',
    reach: async (page) => {
      await expect(comparisonFigure(page).locator('[data-pane="true"]')).toBeVisible()
      await sees('table', 'Figures side by side')(page)
    },
  },
  { name: 'Users', path: '/users', phone: 'narrowed', reach: sees('table', 'Users') },
  {
    name: 'a user',
    path: selectUser,
    phone: 'narrowed',
    reach: async (page) => {
      await page.getByRole('heading', { level: 2, name: 'Symbols' }).click()
      await expect(page.getByRole('table', { name: 'Latest rating by symbol' })).toBeVisible()
    },
  },
  {
    name: 'everyone',
    path: '/users/everyone',
    phone: 'narrowed',
    reach: async (page) => {
      await sees('table', 'By rating')(page)
      await page.getByText('All groups as a table').click()
      await expect(page.getByRole('table', { name: /^Predictions against/ })).toBeVisible()
    },
  },
  { name: 'Changes', path: '/changes', reach: sees('table', 'Who changed their minds') },
  {
    name: 'Watching',
    path: '/symbols/AAPL',
    phone: 'narrowed',
    reach: async (page) => {
      const star = page.getByRole('button', { name: 'Watch AAPL', exact: true })
      if ((await star.getAttribute('aria-pressed')) === 'false') await star.click()
      await expect(star).toHaveAttribute('aria-pressed', 'true')
      await page.goto('/watching')
      await says('Nothing new')(page)
    },
  },
  { name: 'Downloads', path: '/downloads', phone: 'narrowed', reach: says('The first 20 rows') },
  { name: 'SQL', path: '/sql', phone: 'narrowed', reach: sees('textbox', 'SQL query') },
  { name: 'Look-ups', path: '/lookups', phone: 'narrowed', reach: sees('table', 'Look-ups') },
  {
    name: 'Status',
    path: '/status',
    phone: 'narrowed',
    reach: sees('heading', 'Syncs of 90 days'),
  },
  {
    name: 'the sync',
    path: '/status/sync',
    phone: 'narrowed',
    reach: sees('table', 'Runs of the sync'),
  },
  {
    name: 'a rating',
    path: async (request) => `/ratings/${await selectRating(request, 'action=4&state=expired')}`,
    phone: 'narrowed',
    reach: async (page) => {
      await page.getByText('Raw JSON').click()
      await expect(page.getByRole('region', { name: 'Raw JSON' })).toBeVisible()
    },
  },
  {
    name: 'a document',
    path: '/docs/configuration',
    phone: 'narrowed',
    reach: sees('heading', 'Configuration'),
  },
  {
    name: 'an address that there is not',
    path: '/nowhere',
    allow: ['404'],
    reach: sees('heading', /./),
  },
]

const EMPTY: State[] = [
  {
    name: 'no rating that matches',
    path: '/?symbol=NOSUCHSYMBOL&rating=5',
    reach: says('No rating matches'),
  },
  {
    name: 'the page of no rating',
    path: '/ratings/987654321',
    allow: ['404'],
    reach: says('There is no rating 987654321'),
  },
  {
    name: 'Symbols before the first rating',
    path: '/symbols?asof=2001-01-01',
    reach: says('There were no ratings by 2001-01-01'),
  },
  {
    name: 'a symbol before its first rating',
    path: '/symbols/AAPL?asof=2001-01-01',
    reach: says('AAPL had no ratings by 2001-01-01'),
  },
  {
    name: 'a symbol after its last rating',
    path: '/symbols/AAPL?asof=2090-01-01',
    reach: says('If none is renewed, no rating is left'),
  },
]

const refuse = (route: Route) =>
  route.fulfill({
    status: 503,
    json: { success: false, code: 503, error: { type: 'unavailable', message: 'Busy.' } },
  })

const FAILED: State[] = [
  {
    name: 'rows that could not be loaded',
    path: '/',
    allow: ['503'],
    reach: async (page) => {
      await hasRows(page)
      await page.route(/\/api\/ratings\?/, refuse)
      await strongSell(page).check()
      await expect(page.getByRole('main').getByRole('alert')).toBeVisible({ timeout: 20_000 })
    },
  },
  {
    name: 'nonsense in the address',
    path: '/?rating=ten&page=-1&sort=loudest&columns=none&nothing=1',
    reach: says('Part of the address was ignored'),
  },
  {
    name: 'an opinion that could not be loaded',
    path: '/symbols/AAPL?asof=2024-08-02',
    allow: ['503'],
    reach: async (page) => {
      await says('2024-08-02')(page)
      await page.route('**/api/symbols/AAPL/opinion*', refuse)
      await page
        .getByRole('main')
        .getByRole('button', { name: /^As of/ })
        .click()
      await page.getByRole('button', { name: 'A year ago' }).click()
      await says('The opinion on AAPL could not be loaded')(page)
    },
  },
]

const EMBEDS: State[] = [
  {
    name: 'an embedded symbol',
    path: '/embed/symbols/AAPL',
    phone: 'narrowed',
    reach: sees('heading', /^Consensus/),
  },
  {
    name: 'an embedded comparison',
    path: '/embed/symbols/AAPL?vs=MSFT,NVDA',
    reach: async (page) => await expect(page.getByRole('application').first()).toBeVisible(),
  },
  {
    name: 'an embed of no symbol',
    path: '/embed/symbols/NOSUCH',
    allow: ['404'],
    reach: says('NOSUCH has no ratings'),
  },
]

/** In px. */
const PHONE = 360

function examine(states: readonly State[], options: { tag?: string } = {}): void {
  for (const { name, path, phone, allow = [], prepare, reach } of states) {
    test.describe(() => {
      test.use({ allowConsole: allow })
      test(
        `${name}: axe finds nothing, and nothing is wider than the window`,
        options,
        async ({ page, request }) => {
          await prepare?.(page)
          const address = typeof path === 'string' ? path : await path(request)
          const look = async (width: number) => {
            const isPhone = width === PHONE
            await page.setViewportSize({ width, height: 900 })
            if (!isPhone || phone === 'anew') {
              await page.goto(address)
              await reach(page, isPhone)
            }
            await expectNoAxeViolations(page, isPhone ? 1 : 3)
            await expectNoOverflow(page)
            await expectUniqueIds(page)
          }
          await look(1440)
          if (phone) await test.step('on a phone', () => look(PHONE))
        },
      )
    })
  }
}

examine(SCREENS, { tag: '@core' })
examine([...OPENED_STATES, ...EMPTY, ...FAILED, ...EMBEDS])

test.describe('somebody who comes for the first time', () => {
  test.use({ storageState: { cookies: [], origins: [] } })
  examine([
    {
      name: 'the line for newcomers',
      path: '/',
      phone: 'narrowed',
      reach: async (page) =>
        await expect(page.getByRole('complementary', { name: 'For newcomers' })).toBeVisible(),
    },
  ])
})
