import type { Locator, Page } from '@playwright/test'

export const seriesName = (symbol: string): string => `Rating and prediction over time, ${symbol}`

export const seriesFigure = (page: Page, symbol = 'AAPL'): Locator =>
  page.getByRole('figure', { name: seriesName(symbol) })

export const comparisonName = (...symbols: string[]): string =>
  `Consensus compared, ${symbols.join(', ')}`

export const comparisonFigure = (page: Page, ...symbols: string[]): Locator =>
  page.getByRole('figure', {
    name: symbols.length > 0 ? comparisonName(...symbols) : /^Consensus compared/,
  })
