import type { Locator, Page } from '@playwright/test'

/** The figures with a chart in them, by what a screen reader calls them. */

export const seriesName = (symbol: string): string => `Rating and prediction over time, ${symbol}`

/** Opens the menu of how a symbol's chart is drawn. */
export const openSettings = async (page: Page): Promise<void> =>
  await seriesFigure(page).getByRole('button', { name: 'Settings' }).click()

/** A symbol's own chart. */
export const seriesFigure = (page: Page, symbol = 'AAPL'): Locator =>
  page.getByRole('figure', { name: seriesName(symbol) })

export const comparisonName = (...symbols: string[]): string =>
  `Consensus compared, ${symbols.join(', ')}`

/** The chart of several symbols beside each other; without names, of any. */
export const comparisonFigure = (page: Page, ...symbols: string[]): Locator =>
  page.getByRole('figure', {
    name: symbols.length > 0 ? comparisonName(...symbols) : /^Consensus compared/,
  })
